#include "verify/executor.h"

#include "base/random.h"

#include <float.h>
#include <gsl/gsl_cblas.h>
#include <math.h>
#include <string.h>

/* Of whole matrices and lists of blocks, and of the values that a run makes. */
enum { MOST_BYTES = 1 << 28 };

#define TOO_LONG "this program goes on for too long"

/* One element; which member counts depends on the run. */
typedef union {
    double real;
    uint64_t whole;
} Element;

/* A whole matrix, row by row. */
typedef struct {
    int64_t rows, columns;
    Element *elements;
} Matrix;

struct ProductRun {
    FailureSite site;

    const Extents *extents;
    bool whole_numbers;
    Matrix arrays[PROBLEM_ARRAYS]; /* the operands, and the serial result */
    double *magnitudes;            /* of the result: |left| |right| */
    const Element **held;          /* p x blocks; NULL: the rank does not hold the block */
    size_t made; /* elements of values and sent blocks so far: no program may fill the memory */
};

static const Element **place_of(const ProductRun *run, int64_t rank, int64_t block)
{
    return &run->held[rank * run->site.space->count + block];
}

static size_t size_of(const ProductRun *run, int64_t block)
{
    return (size_t)run->extents->elements[block];
}

/* Row by row of the result, in the order of the inner index: sums, and of reals their
   magnitudes. */
static void multiply_serially(ProductRun *run)
{
    const int *roles = run->site.space->problem->roles;
    const Matrix *left = &run->arrays[roles[ARRAY_LEFT]];
    const Matrix *right = &run->arrays[roles[ARRAY_RIGHT]];
    Element *result = run->arrays[roles[ARRAY_RESULT]].elements;
    for (int64_t i = 0; i < left->rows; i++)
        for (int64_t k = 0; k < left->columns; k++) {
            Element a = left->elements[i * left->columns + k];
            const Element *row = right->elements + k * right->columns;
            int64_t place = i * right->columns;
            for (int64_t j = 0; j < right->columns && run->whole_numbers; j++)
                result[place + j].whole += a.whole * row[j].whole;
            for (int64_t j = 0; j < right->columns && !run->whole_numbers; j++) {
                result[place + j].real += a.real * row[j].real;
                run->magnitudes[place + j] += fabs(a.real * row[j].real);
            }
        }
}

static bool create_arrays(ProductRun *run, const Instance *instance)
{
    const Problem *problem = run->site.space->problem;
    int result = problem->roles[ARRAY_RESULT];
    for (int a = 0; a < PROBLEM_ARRAYS; a++) {
        int64_t sizes[2];
        if (!problem_try_sizes(problem, a, instance->sizes.order, sizes) ||
            sizes[0] * sizes[1] > MOST_BYTES / 64)
            return false;
        size_t count = (size_t)(sizes[0] * sizes[1]);
        run->arrays[a] = (Matrix){sizes[0], sizes[1], ARENA_ARRAY(run->site.arena, Element, count)};
        if (a != result) {
            /* Reals in (-1, 1); whole numbers wrap around, which is exact. */
            for (int64_t i = 0; i < run->arrays[a].rows * run->arrays[a].columns; i++) {
                uint64_t word = random_hash(
                    ((uint64_t)instance->p * 1000003u + (uint64_t)a * 7919u) + (uint64_t)i);
                if (run->whole_numbers)
                    run->arrays[a].elements[i].whole = word;
                else
                    run->arrays[a].elements[i].real = (double)(int64_t)word / 0x1p63;
            }
        } else
            run->magnitudes = ARENA_ARRAY(run->site.arena, double, count);
    }
    return true;
}

ProductRun *product_create(Arena *arena, const Instance *instance, const Contract *contract,
                           const BlockSpace *space, const Extents *extents, bool whole_numbers)
{
    ProductRun *run = ARENA_NEW(arena, ProductRun);
    *run = (ProductRun){
        .site = {arena, contract, space, 0}, .extents = extents, .whole_numbers = whole_numbers};
    if (space->count > MOST_BYTES / 8 / contract->p || !create_arrays(run, instance))
        return NULL;
    run->held = ARENA_ARRAY(arena, const Element *, (size_t)(contract->p * space->count));
    multiply_serially(run);
    const Holding *before = &contract->before;
    for (int64_t r = 0; r < contract->p; r++)
        for (int64_t i = 0, count = holding_count(before, r); i < count; i++) {
            const int64_t block = holding_block(before, r, i);
            const Extent extent = extents_block(extents, block);
            const Matrix *matrix = &run->arrays[extent.array];
            Element *copy = ARENA_ROOM(arena, Element, size_of(run, block));
            for (int64_t row = 0; row < extent.size[0]; row++)
                memcpy(copy + row * extent.size[1],
                       matrix->elements + (extent.first[0] + row) * matrix->columns +
                           extent.first[1],
                       (size_t)extent.size[1] * sizeof *copy);
            *place_of(run, r, block) = copy;
        }
    return run;
}

/* What is sent, in the order of transfers and their blocks; then senders that do not keep it lose
   it. */
static const Element **read_all(ProductRun *run, const Round *round, Failure *failure)
{
    const size_t count = round_block_count(round);
    const Element **sent = ARENA_ARRAY(run->site.arena, const Element *, count + 1), **next = sent;
    run->made += count;
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        for (size_t i = 0; i < transfer->block_count; i++) {
            int64_t block = round->blocks[transfer->first_block + i];
            *next = *place_of(run, transfer->from, block);
            if (!*next++) {
                failure_of_transfer(&run->site, transfer, block, failure,
                                    failure_not_held(transfer));
                return NULL;
            }
        }
    }
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        for (size_t i = 0; i < transfer->block_count && !verb_info[transfer->verb].keeps; i++)
            *place_of(run, transfer->from, round->blocks[transfer->first_block + i]) = NULL;
    }
    return sent;
}

/* Room for a new value of a block; NULL: the run has made too many. */
static Element *make_value(ProductRun *run, int64_t block)
{
    run->made += size_of(run, block) + 1;
    return run->made <= MOST_BYTES / sizeof(Element)
               ? ARENA_ARRAY(run->site.arena, Element, size_of(run, block))
               : NULL;
}

static bool receive(ProductRun *run, const ScheduledTransfer *transfer, int64_t block,
                    const Element *sent, Failure *failure)
{
    const Element **place = place_of(run, transfer->to, block);
    if (!*place) {
        *place = sent;
        return true;
    }
    if (verb_info[transfer->verb].combines) {
        Element *sum = make_value(run, block);
        for (size_t i = 0; sum && i < size_of(run, block); i++)
            if (run->whole_numbers)
                sum[i].whole = (*place)[i].whole + sent[i].whole;
            else
                sum[i].real = (*place)[i].real + sent[i].real;
        *place = sum;
        return *place || failure_of_transfer(&run->site, transfer, block, failure, TOO_LONG);
    }
    return memcmp(*place, sent, size_of(run, block) * sizeof *sent) == 0 ||
           failure_of_transfer(&run->site, transfer, block, failure, failure_overwrites(transfer));
}

/* Shares no code with the serial product, which judges it. */
static void multiply_whole(const Extent *left, const Extent *right, const Element *a,
                           const Element *b, Element *c)
{
    for (int64_t i = 0; i < left->size[0]; i++)
        for (int64_t k = 0; k < left->size[1]; k++)
            for (int64_t j = 0; j < right->size[1]; j++)
                c[i * right->size[1] + j].whole +=
                    a[i * left->size[1] + k].whole * b[k * right->size[1] + j].whole;
}

static void multiply_real(const Extent *left, const Extent *right, const Element *a,
                          const Element *b, Element *c)
{
    int rows = (int)left->size[0], inner = (int)left->size[1], columns = (int)right->size[1];
    if (rows && inner && columns)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, inner, 1, &a->real,
                    inner, &b->real, columns, 1, &c->real, columns);
}

static bool fail_product(ProductRun *run, const ScheduledProduct *product, int64_t block,
                         Failure *failure, const char *what)
{
    failure->span = *product->span;
    failure->text =
        arena_printf(run->site.arena, "after round %lld, rank %lld multiplies %s, %s (%s)",
                     (long long)run->site.round_number + 1, (long long)product->rank,
                     blockspace_name(run->site.arena, run->site.space, block), what,
                     contract_describe(run->site.arena, run->site.contract));
    return false;
}

static bool multiply(ProductRun *run, const ScheduledProduct *product, Failure *failure)
{
    const Element *factors[2];
    for (int s = ARRAY_LEFT; s <= ARRAY_RIGHT; s++) {
        factors[s] = *place_of(run, product->rank, product->blocks[s]);
        if (!factors[s])
            return fail_product(run, product, product->blocks[s], failure,
                                "which it does not hold");
    }
    if (!extents_fit(run->extents, product))
        return fail_product(run, product, product->blocks[ARRAY_LEFT], failure,
                            "but the sizes or places of the three blocks do not fit");
    int64_t result = product->blocks[ARRAY_RESULT];
    const Element **place = place_of(run, product->rank, result);
    Element *sum = make_value(run, result);
    if (!sum)
        return fail_product(run, product, result, failure, TOO_LONG);
    if (*place)
        memcpy(sum, *place, size_of(run, result) * sizeof *sum);
    const Extent left = extents_block(run->extents, product->blocks[ARRAY_LEFT]);
    const Extent right = extents_block(run->extents, product->blocks[ARRAY_RIGHT]);
    (run->whole_numbers ? multiply_whole : multiply_real)(&left, &right, factors[ARRAY_LEFT],
                                                          factors[ARRAY_RIGHT], sum);
    *place = sum;
    return true;
}

bool product_apply(ProductRun *run, const Round *round, Failure *failure)
{
    run->site.round_number = round->number;
    const Element **sent = read_all(run, round, failure);
    if (!sent)
        return false;
    for (size_t t = 0; t < round->count; t++) {
        const ScheduledTransfer *transfer = &round->transfers[t];
        for (size_t i = 0; i < transfer->block_count; i++)
            if (!receive(run, transfer, round->blocks[transfer->first_block + i], *sent++, failure))
                return false;
    }
    for (size_t i = 0; i < round->product_count; i++)
        if (!multiply(run, &round->products[i], failure))
            return false;
    return true;
}

/* Of the result. Both the serial sum of n products and any other order of it are off by at most g
   |left| |right|, g = n u / (1 - n u) with u the unit roundoff (Higham, Accuracy and Stability of
   Numerical Algorithms, section 3.1). */
static bool check_block(const ProductRun *run, int64_t rank, int64_t block, Failure *failure)
{
    const Extent extent = extents_block(run->extents, block);
    const Matrix *result = &run->arrays[extent.array];
    const Matrix *left = &run->arrays[run->site.space->problem->roles[ARRAY_LEFT]];
    const double n = (double)left->columns * DBL_EPSILON / 2;
    const Element *value = *place_of(run, rank, block);
    bool right = value != NULL;
    for (int64_t i = 0; right && i < extent.size[0]; i++)
        for (int64_t j = 0; right && j < extent.size[1]; j++) {
            const int64_t place = (extent.first[0] + i) * result->columns + extent.first[1] + j;
            const Element found = value[i * extent.size[1] + j], wanted = result->elements[place];
            right = run->whole_numbers ? found.whole == wanted.whole
                                       : fabs(found.real - wanted.real) <=
                                             2 * n / (1 - n) * run->magnitudes[place];
        }
    if (!right)
        failure->text =
            arena_printf(run->site.arena, "block %s of rank %lld %s after the last round (%s, %s)",
                         blockspace_name(run->site.arena, run->site.space, block), (long long)rank,
                         value ? "has a wrong value" : "is missing",
                         run->whole_numbers ? "whole numbers" : "doubles",
                         contract_describe(run->site.arena, run->site.contract));
    return right;
}

bool product_check(const ProductRun *run, Failure *failure)
{
    const Holding *after = &run->site.contract->after;
    int result = run->site.space->problem->roles[ARRAY_RESULT];
    failure->span = NOWHERE;
    /* Is every block of the result promised to some rank? */
    bool *promised = ARENA_ARRAY(run->site.arena, bool, (size_t)run->site.space->count);
    for (int64_t r = 0; r < run->site.contract->p; r++)
        for (int64_t i = 0, count = holding_count(after, r); i < count; i++)
            promised[holding_block(after, r, i)] = true;
    for (int64_t b = run->site.space->starts[result]; b < run->site.space->starts[result + 1]; b++)
        if (!promised[b]) {
            failure->text = arena_printf(run->site.arena, "no rank holds %s afterwards (%s)",
                                         blockspace_name(run->site.arena, run->site.space, b),
                                         contract_describe(run->site.arena, run->site.contract));
            return false;
        }
    for (int64_t r = 0; r < run->site.contract->p; r++)
        for (int64_t i = 0, count = holding_count(after, r); i < count; i++) {
            int64_t block = holding_block(after, r, i);
            if (extents_block(run->extents, block).array == result &&
                !check_block(run, r, block, failure))
                return false;
        }
    return true;
}
