/* The machine with which a fit begins. */
#ifndef COLLCOST_EXCHANGE_FIT_START_H
#define COLLCOST_EXCHANGE_FIT_START_H

#include "exchange/message_pieces.h"
#include "exchange/prediction.h"

/* More protocols are seldom there, and are often the noise of a log. */
enum { USUAL_PIECES = 4 };

typedef struct {
    const Study *study; /* with the machine that a user has named */
    const Topology *topology;
    const MeasurementArray *rows;
    bool begins_anywhere; /* none was named */
    int pieces;           /* 0: as many as the rows want */
} FitStart;

/* A machine that a user has named stays as it is. Else: pieces of the messages between two ranks
   become its protocols, if there are such rows; without them a guess of the right order. Levels of
   the network but the innermost get costs of their own. False after a report. */
bool fit_start(const FitStart *wanted, Machine *machine, MessagePieces *pieces);

#endif
