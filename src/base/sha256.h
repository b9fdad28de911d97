/* SHA-256 (FIPS 180-4), to say which file something was made from. */
#ifndef COLLCOST_BASE_SHA256_H
#define COLLCOST_BASE_SHA256_H

#include <stddef.h>

enum { SHA256_DIGITS = 64 };

/* In hexadecimal, as sha256sum prints it. */
void sha256(const void *bytes, size_t length, char text[SHA256_DIGITS + 1]);

#endif
