/* The links of a network in groups: those of each level; where the topology has no levels, those
   along each dimension of its grid; else all of them. */
#ifndef COLLCOST_NET_LINK_GROUPS_H
#define COLLCOST_NET_LINK_GROUPS_H

#include "net/network.h"

typedef struct {
    const char *name; /* of the level or dimension; "all links" */
    int64_t count;    /* directed links */
} LinkGroup;

/* In the order of the levels, or of the dimensions; other links are the last. */
typedef struct {
    const Network *network;
    LinkGroup items[MOST_DIMENSIONS + 1];
    size_t count;
    bool by_dimension;
} LinkGroups;

/* In O(links), or O(1) where none are laid out. */
LinkGroups link_groups_list(const Network *network);
/* The group of a link from -> to of that class. */
size_t link_groups_find(const LinkGroups *groups, int64_t from, int64_t to, size_t class);

#endif
