#include "lang/program.h"

#include "lang/check.h"
#include "lang/circulant.h"
#include "lang/exact.h"
#include "lang/kernels.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A register machine whose registers are blocks of lanes.

     cells:  [ variables 0..n | result | constants and registers ... ]
     values: one for each cell, of which uniform cells behind the variables use theirs
     step:   cells[out] = kind(cells[a], cells[b], cells[c])     for all lanes, or for one

   A uniform step computes one lane. Registers that vary lie on the stack while the program runs,
   where all programs find them in cache. One lane alone needs none. sum(i, from, to, body) is a
   loop around the steps of its body:

     LOOP_BEGIN   acc = 0, i = least from;  leaves the loop if i > greatest to
       ...        body
     LOOP_END     acc += body (or the larger) where from <= i <= to;  i += 1;  back, or on */

enum { BLOCK = 512, FEW_REGISTERS = 8 };

typedef union {
    int64_t whole[BLOCK];
    double real[BLOCK];
} Register;

typedef enum {
    STEP_UNARY,
    STEP_BINARY,
    STEP_CHOOSE,
    STEP_COPY,
    STEP_LOOP_BEGIN,
    STEP_LOOP_END
} StepKind;

typedef struct {
    StepKind kind;
    ExprKind operation;
    bool real;    /* of the arguments */
    bool uniform; /* one lane is enough */
    LaneShape shape;
    int out, a, b, c;
    int index;      /* of a loop: the cell of its index variable */
    int64_t weight; /* of a term of a loop */
    int target;     /* LOOP_BEGIN: the step behind the loop; LOOP_END: the step after LOOP_BEGIN */
} Step;

ARRAY_TYPE(StepArray, Step);

typedef struct {
    void *data; /* set while the program runs, but for uniform ones behind the variables */
    bool varies;
    int number; /* of a register that varies; or -1 */
} Cell;

ARRAY_TYPE(CellArray, Cell);

/* A program that is not compiled yet. */
typedef struct {
    Arena *arena;
    Program *program;
    Text text;
    Scope scope;
    Type type;
    Dimension dimension;
} Deferred;

struct Program {
    Deferred *deferred;   /* NULL: compiled */
    Workspace *workspace; /* for scratch memory */
    const Expr *expr;
    Scope scope;         /* a copy of the names that it reads, and of those before them, */
    Variable *variables; /* these, and the indices of loops */
    int slot_count;      /* of both */
    int result;          /* the cell that stands for the caller's `out` */
    int register_count;
    IntArray reads;      /* slots */
    uint64_t read_slots; /* the same, a bit each, and indices of sums */
    StepArray steps;
    CellArray cells;
    IntArray values;            /* of all cells: whole numbers, or doubles by their bits */
    LaneStep *lane_steps;       /* the steps for one lane; NULL: there are loops */
    CirculantTable *circulants; /* NULL: it asks for none */
};

/* The cell that holds the index of a sum while its body is compiled. */
typedef struct {
    int slot, cell;
} LoopCell;
ARRAY_TYPE(LoopCellArray, LoopCell);

typedef struct {
    Arena *arena;
    Program *program;
    IntArray free_registers;
    LoopCellArray loops; /* innermost last */
} Compiler;

static int add_cell(Compiler *compiler, bool varies, int number)
{
    Program *program = compiler->program;
    *ARRAY_PUSH(compiler->arena, &program->cells) = (Cell){NULL, varies, number};
    *ARRAY_PUSH(compiler->arena, &program->values) = 0;
    return (int)program->cells.count - 1;
}

/* Registers are reused as soon as their only reader is done, so a program's stay in cache. */
static int take_register(Compiler *compiler, bool varies)
{
    if (compiler->free_registers.count && varies) {
        IntArray *list = &compiler->free_registers;
        return (int)list->items[--list->count];
    }
    return add_cell(compiler, varies, varies ? compiler->program->register_count++ : -1);
}

static void release_register(Compiler *compiler, int cell)
{
    for (size_t i = 0; i < compiler->loops.count; i++)
        if (compiler->loops.items[i].cell == cell)
            return; /* the index of a sum whose body is still being compiled */
    if (cell > compiler->program->result && compiler->program->cells.items[cell].varies)
        *ARRAY_PUSH(compiler->arena, &compiler->free_registers) = cell;
}

static int compile_node(Compiler *compiler, const Expr *expr, int wanted);

static int compile_sum(Compiler *compiler, const Expr *expr, int wanted)
{
    Program *program = compiler->program;
    int from = compile_node(compiler, expr->arguments[1], -1);
    int to = compile_node(compiler, expr->arguments[2], -1);
    int out = wanted >= 0 ? wanted : take_register(compiler, expr->varies);
    int index = take_register(compiler, expr->arguments[0]->varies);
    Step loop = {.operation = expr->kind,
                 .out = out,
                 .a = from,
                 .b = to,
                 .index = index,
                 .weight = expr_term_weight(expr),
                 .real = expr->type == TYPE_REAL,
                 .uniform = !expr->varies};
    size_t begin = program->steps.count;
    loop.kind = STEP_LOOP_BEGIN;
    *ARRAY_PUSH(compiler->arena, &program->steps) = loop;
    *ARRAY_PUSH(compiler->arena, &compiler->loops) = (LoopCell){expr->slot, index};
    loop.c = compile_node(compiler, expr->arguments[3], -1);
    compiler->loops.count--;
    loop.kind = STEP_LOOP_END;
    loop.target = (int)begin + 1;
    *ARRAY_PUSH(compiler->arena, &program->steps) = loop;
    program->steps.items[begin].target = (int)program->steps.count;
    release_register(compiler, from);
    release_register(compiler, to);
    if (loop.c != index)
        release_register(compiler, loop.c);
    release_register(compiler, index);
    return out;
}

static int compile_operation(Compiler *compiler, const Expr *expr, int wanted)
{
    int arguments[3] = {0};
    for (int i = 0; i < expr->argument_count; i++)
        arguments[i] = compile_node(compiler, expr->arguments[i], -1);
    for (int i = 0; i < expr->argument_count; i++)
        release_register(compiler, arguments[i]);
    int out = wanted >= 0 ? wanted : take_register(compiler, expr->varies);
    const Cell *cells = compiler->program->cells.items;
    Step step = {.operation = expr->kind,
                 .uniform = !expr->varies,
                 .out = out,
                 .a = arguments[0],
                 .b = arguments[1],
                 .c = arguments[2]};
    step.real = expr->arguments[0]->type == TYPE_REAL;
    step.kind = expr->argument_count == 1 ? STEP_UNARY : STEP_BINARY;
    if (expr->kind == EXPR_WHEN) {
        step.kind = STEP_CHOOSE;
        step.real = expr->type == TYPE_REAL;
    } else if (expr->varies && expr->argument_count == 2) {
        step.shape = !cells[step.a].varies   ? SHAPE_UNIFORM_A
                     : !cells[step.b].varies ? SHAPE_UNIFORM_B
                                             : SHAPE_VARY;
    }
    StepArray *steps = &compiler->program->steps;
    *ARRAY_PUSH(compiler->arena, steps) = step;
    if (expr->kind == EXPR_CIRCULANT && !compiler->program->circulants)
        compiler->program->circulants = circulant_table(compiler->arena);
    /* ceil and floor of a plain number take a second step, from the rounded real to a whole one. */
    if ((expr->kind == EXPR_CEIL || expr->kind == EXPR_FLOOR) && expr->type == TYPE_INT)
        *ARRAY_PUSH(compiler->arena, steps) = (Step){.kind = STEP_UNARY,
                                                     .operation = EXPR_TO_WHOLE,
                                                     .real = true,
                                                     .uniform = !expr->varies,
                                                     .out = out,
                                                     .a = out};
    return out;
}

/* The cell that holds the value of `expr`: `wanted`, or any if that is negative. */
static int compile_node(Compiler *compiler, const Expr *expr, int wanted)
{
    if (expr_is_loop(expr))
        return compile_sum(compiler, expr, wanted);
    if (operation_info[expr->kind].rule != RULE_LEAF)
        return compile_operation(compiler, expr, wanted);
    int cell = expr->slot;
    if (expr->kind == EXPR_NUMBER) {
        const bool is_whole = expr->type == TYPE_INT;
        cell = add_cell(compiler, false, -1);
        memcpy(&compiler->program->values.items[cell],
               is_whole ? (const void *)&expr->integer : (const void *)&expr->real, 8);
    } else { /* a name of the scope, or the index of a sum around it */
        IntArray *reads = &compiler->program->reads;
        size_t loop = compiler->loops.count, i = 0;
        while (loop > 0 && compiler->loops.items[loop - 1].slot != expr->slot)
            loop--;
        while (i < reads->count && reads->items[i] != expr->slot)
            i++;
        if (loop > 0)
            cell = compiler->loops.items[loop - 1].cell;
        else if (i == reads->count)
            *ARRAY_PUSH(compiler->arena, reads) = expr->slot;
    }
    if (wanted >= 0)
        *ARRAY_PUSH(compiler->arena, &compiler->program->steps) =
            (Step){.kind = STEP_COPY, .uniform = !expr->varies, .out = wanted, .a = cell};
    return wanted >= 0 ? wanted : cell;
}

Program *program_compile(Arena *arena, const Expr *expr, const Scope *scope)
{
    Program *program = ARENA_NEW(arena, Program);
    Compiler compiler = {.arena = arena, .program = program};
    program->workspace = arena_workspace(arena);
    program->expr = expr;
    program->slot_count = expr_slot_count(expr);
    program->scope.count =
        scope->count < (size_t)program->slot_count ? scope->count : (size_t)program->slot_count;
    program->variables = ARENA_ARRAY(arena, Variable, (size_t)program->slot_count + 1);
    if (program->scope.count)
        memcpy(program->variables, scope->items, program->scope.count * sizeof *scope->items);
    program->scope.items = program->variables;
    /* at most two cells and two steps for each node */
    const size_t steps = 2 * expr_size(expr) + 1, cells = (size_t)program->slot_count + steps;
    program->cells = (CellArray){.items = ARENA_ROOM(arena, Cell, cells), .capacity = cells};
    program->values = (IntArray){.items = ARENA_ROOM(arena, int64_t, cells), .capacity = cells};
    program->steps = (StepArray){.items = ARENA_ROOM(arena, Step, steps), .capacity = steps};
    for (int i = 0; i < program->slot_count; i++)
        add_cell(&compiler, program->variables[i].varies, -1);
    program->result = add_cell(&compiler, expr->varies, -1);
    program->read_slots = expr_slots(expr);
    compile_node(&compiler, expr, program->result);
    for (size_t i = (size_t)program->slot_count; i < program->cells.count; i++)
        program->cells.items[i].data = &program->values.items[i];
    /* The same steps for one lane. */
    LaneStep *lane_steps = ARENA_ROOM(arena, LaneStep, program->steps.count + 1);
    for (size_t i = 0; i < program->steps.count; i++) {
        const Step *step = &program->steps.items[i];
        bool is_copy = step->kind == STEP_COPY;
        int code = LANE_CODE(step->operation, step->real, step->kind == STEP_BINARY);
        if (step->kind == STEP_LOOP_BEGIN)
            return program;
        lane_steps[i] =
            (LaneStep){is_copy ? LANE_COPY : code, step->out, step->a, step->b, step->c};
    }
    program->lane_steps = lane_steps;
    return program;
}

Program *program_defer(Arena *arena, Text text, const Scope *scope, Type type, Dimension dimension)
{
    Program *program = ARENA_NEW(arena, Program);
    program->deferred = ARENA_NEW(arena, Deferred);
    *program->deferred = (Deferred){arena, program, text, *scope, type, dimension};
    return program;
}

/* Where work ends in between, the program is left as it was. */
static const Program *compiled(const Program *program)
{
    const Deferred *deferred = program->deferred;
    if (!deferred)
        return program;
    Arena *arena = deferred->arena;
    Diag silent = diag_silent();
    Scope scope = deferred->scope; /* the indices of sums are added to it */
    scope.capacity = scope.count;
    Expr *expr = parse_expression(arena, deferred->text, &silent);
    if (expr)
        expr = check_expression(arena, expr, &scope, deferred->type, deferred->dimension, &silent);
    *deferred->program = expr ? *program_compile(arena, expr, &scope) : (Program){.deferred = NULL};
    return program;
}

bool program_varies(const Program *program)
{
    return compiled(program)->expr->varies;
}

const Expr *program_expr(const Program *program)
{
    return compiled(program)->expr;
}

uint64_t program_reads(const Program *program)
{
    return program ? compiled(program)->read_slots : 0;
}

const Scope *program_scope(const Program *program)
{
    return &compiled(program)->scope;
}

static int64_t bound_at(const Cell *bound, size_t lane)
{
    return ((const int64_t *)bound->data)[bound->varies ? lane : 0];
}

/* `terms` are those that all loops of this block may still take; a loop for which they do not
   suffice has no value. */
static size_t begin_loop(const Step *step, const Cell *cells, size_t count, size_t next,
                         int64_t *terms)
{
    const Cell *index = &cells[step->index];
    size_t index_lanes = index->varies ? count : 1;
    int64_t longest = 0; /* the greatest number of terms of a lane */
    for (size_t i = 0; i < index_lanes; i++) {
        int64_t from = bound_at(&cells[step->a], i), to = bound_at(&cells[step->b], i), length;
        if (from == POISON || to == POISON || to < from)
            continue;
        if (__builtin_sub_overflow(to, from, &length))
            length = INT64_MAX - 1;
        longest = length + 1 > longest ? length + 1 : longest;
    }
    bool fits = longest <= *terms / step->weight;
    *terms -= fits ? longest * step->weight : 0;
    for (size_t i = 0; i < index_lanes; i++) {
        int64_t from = bound_at(&cells[step->a], i), to = bound_at(&cells[step->b], i);
        bool runs = fits && from != POISON && to != POISON && from <= to;
        ((int64_t *)index->data)[i] = runs ? from : POISON;
    }
    for (size_t i = 0; i < count; i++) {
        const bool good = fits && bound_at(&cells[step->a], i) != POISON &&
                          bound_at(&cells[step->b], i) != POISON;
        if (step->real)
            ((double *)cells[step->out].data)[i] = good ? 0 : (double)NAN;
        else
            ((int64_t *)cells[step->out].data)[i] = good ? 0 : POISON;
    }
    return fits && longest > 0 ? next : (size_t)step->target;
}

static size_t end_loop(const Step *step, const Cell *cells, size_t count, size_t next)
{
    const Cell *index = &cells[step->index], *term = &cells[step->c];
    int64_t *values = index->data;
    const bool adds = step->operation == EXPR_SUM;
    bool goes_on = false;
    for (size_t i = 0; i < count; i++) {
        const size_t at = term->varies ? i : 0;
        if (values[index->varies ? i : 0] == POISON)
            continue;
        if (step->real) {
            double *total = (double *)cells[step->out].data + i;
            const double own = ((const double *)term->data)[at];
            *total = !isfinite(own) ? (double)NAN
                     : adds         ? *total + own
                     : own > *total ? own
                                    : *total;
        } else {
            int64_t *total = (int64_t *)cells[step->out].data + i;
            const int64_t own = ((const int64_t *)term->data)[at];
            if (own == POISON || *total == POISON ||
                (adds && __builtin_add_overflow(*total, own, total)))
                *total = POISON;
            else if (!adds && own > *total)
                *total = own;
        }
    }
    for (size_t i = 0; i < (index->varies ? count : 1); i++) {
        if (values[i] == POISON)
            continue;
        values[i] = values[i] == bound_at(&cells[step->b], i) ? POISON : values[i] + 1;
        goes_on |= values[i] != POISON;
    }
    return goes_on ? (size_t)step->target : next;
}

static void run_steps(const Program *program, const Cell *cells, size_t lanes)
{
    int64_t terms = LIMIT_TERMS;
    for (size_t at = 0; at < program->steps.count;) {
        const Step *step = &program->steps.items[at++];
        size_t count = step->uniform ? 1 : lanes;
        const Cell *a = &cells[step->a], *b = &cells[step->b], *c = &cells[step->c];
        void *out = cells[step->out].data;
        switch (step->kind) {
        case STEP_UNARY:
            kernel_unary(step->operation, step->real, out, a->data, count);
            break;
        case STEP_BINARY:
            if (step->operation == EXPR_CIRCULANT && step->shape == SHAPE_UNIFORM_A && count > 1)
                circulant_blocks(program->circulants, *(const int64_t *)a->data, b->data, count,
                                 out);
            else
                kernel_binary(step->operation, step->real, step->shape, out, a->data, b->data,
                              count);
            break;
        case STEP_CHOOSE:
            kernel_choose(step->real, out, a->data, a->varies, b->data, b->varies, c->data,
                          c->varies, count);
            break;
        case STEP_COPY:
            memcpy(out, a->data, count * 8);
            break;
        case STEP_LOOP_BEGIN:
            at = begin_loop(step, cells, count, at, &terms);
            break;
        case STEP_LOOP_END:
            at = end_loop(step, cells, count, at);
            break;
        }
    }
}

/* Walks the tree at the lane that failed, to find the place and the reason. */
static void explain_failure(const Program *program, const void *const *slots, size_t lane,
                            Diag *diag)
{
    Arena *arena = arena_create(program->workspace);
    Exact value, *values = ARENA_ARRAY(arena, Exact, (size_t)program->slot_count + 1);
    for (int i = 0; i < program->slot_count; i++) {
        const Variable *variable = &program->variables[i];
        const size_t at = variable->varies ? lane : 0;
        values[i] = !variable->name || !slots[i] ? exact_from_int(0)
                    : variable->type == TYPE_REAL
                        ? exact_from_double(((const double *)slots[i])[at])
                        : exact_from_int(((const int64_t *)slots[i])[at]);
    }
    if (exact_evaluate(program->expr, values, &value, diag))
        diag_error(diag, program->expr->text.span, "this value does not fit a number");
    const char *where = "";
    for (int i = 0; i < program->slot_count; i++)
        if (program->variables[i].name && expr_uses(program->expr, i))
            where = arena_printf(arena, "%s%s%s = %s", where, *where ? ", " : "",
                                 program->variables[i].name, exact_show(arena, values[i]));
    if (*where)
        diag_note(diag, NOWHERE, "where %s", where);
    arena_destroy(arena);
}

/* One lane, without loops: has it a value? */
static bool run_lane(Program *program, const void *const *slots, void *out)
{
    int64_t *values = program->values.items;
    for (size_t i = 0; i < program->reads.count; i++) {
        int64_t slot = program->reads.items[i];
        memcpy(&values[slot], slots[slot], 8);
    }
    kernel_lane(program->lane_steps, program->steps.count, values);
    memcpy(out, &values[program->result], 8);
    return program->expr->type == TYPE_REAL ? isfinite(*(double *)out) : *(int64_t *)out != POISON;
}

/* `registers` has room for those that vary. */
static size_t run_lanes(Program *program, Register *registers, const void *const *slots,
                        size_t count, void *out)
{
    Cell *cells = program->cells.items;
    for (size_t i = (size_t)program->result; i < program->cells.count; i++)
        if (cells[i].number >= 0)
            cells[i].data = &registers[cells[i].number];
    for (size_t start = 0; start < count; start += BLOCK) {
        size_t lanes = count - start < BLOCK ? count - start : BLOCK;
        for (size_t i = 0; i < program->reads.count; i++) {
            int64_t slot = program->reads.items[i];
            cells[slot].data =
                (char *)(uintptr_t)slots[slot] + (cells[slot].varies ? start * 8 : 0);
        }
        cells[program->result].data = (char *)out + start * 8;
        run_steps(program, cells, lanes);
        size_t bad =
            kernel_find_bad(program->expr->type == TYPE_REAL, cells[program->result].data, lanes);
        if (bad < lanes)
            return start + bad;
    }
    return count;
}

/* In a function of its own, since that many registers are much for a caller who wants one lane. */
__attribute__((noinline)) static size_t run_all(Program *program, const void *const *slots,
                                                size_t count, void *out)
{
    Register registers[FEW_REGISTERS];
    if (program->register_count <= FEW_REGISTERS)
        return run_lanes(program, registers, slots, count, out);
    Arena *scratch = arena_create(program->workspace);
    Register *many = ARENA_ROOM(scratch, Register, (size_t)program->register_count);
    size_t good = run_lanes(program, many, slots, count, out);
    arena_destroy(scratch);
    return good;
}

/* The first lane that has no value; `count` where all have one. */
static size_t find_bad_lane(Program *program, const void *const *slots, size_t count, void *out)
{
    const bool is_lane = count == 1 && program->lane_steps; /* compiled, then */
    if (is_lane && run_lane(program, slots, out))
        return count;
    bool varies = program_varies(program);
    size_t total = varies ? count : count > 0;
    size_t good = total == 1 && program->lane_steps ? run_lane(program, slots, out)
                                                    : run_all(program, slots, total, out);
    if (good < total)
        return good;
    int64_t *values = out;
    for (size_t i = 1; i < count && !varies; i++)
        values[i] = values[0];
    return count;
}

bool program_run(Program *program, const void *const *slots, size_t count, void *out, Diag *diag)
{
    const size_t bad = find_bad_lane(program, slots, count, out);
    if (bad < count)
        explain_failure(program, slots, bad, diag);
    return bad == count;
}

bool program_try(Program *program, const void *const *slots, size_t count, void *out)
{
    return find_bad_lane(program, slots, count, out) == count;
}

bool program_run_int(Program *program, const void *const *slots, int64_t *value, Diag *diag)
{
    return program_run(program, slots, 1, value, diag);
}
