#include "lang/grammar.h"

static const Operator operators[] = {
    {"or", EXPR_OR, POWER_OR},
    {"and", EXPR_AND, POWER_AND},
    {"==", EXPR_EQUAL, POWER_COMPARE},
    {"!=", EXPR_UNEQUAL, POWER_COMPARE},
    {"<", EXPR_LESS, POWER_COMPARE},
    {"<=", EXPR_LESS_EQUAL, POWER_COMPARE},
    {">", EXPR_GREATER, POWER_COMPARE},
    {">=", EXPR_GREATER_EQUAL, POWER_COMPARE},
    {"xor", EXPR_XOR, POWER_XOR},
    {"+", EXPR_ADD, POWER_ADD},
    {"-", EXPR_SUBTRACT, POWER_ADD},
    {"*", EXPR_MULTIPLY, POWER_MULTIPLY},
    {"/", EXPR_DIVIDE, POWER_MULTIPLY},
    {"mod", EXPR_MODULO, POWER_MULTIPLY},
    {"div", EXPR_QUOTIENT, POWER_MULTIPLY},
    {"^", EXPR_POWER, POWER_RAISE},
};
enum { OPERATOR_COUNT = COUNT_OF(operators) };

static const char *const reserved[] = {"or",  "and", "not", "xor", "mod",
                                       "div", "for", "in",  "if",  "all"};

const Operator *grammar_operator(Text word)
{
    for (size_t i = 0; i < OPERATOR_COUNT; i++)
        if (text_equals(word, operators[i].word))
            return &operators[i];
    return NULL;
}

const Operator *grammar_operator_of(ExprKind kind)
{
    for (size_t i = 0; i < OPERATOR_COUNT; i++)
        if (operators[i].kind == kind)
            return &operators[i];
    return NULL;
}

bool grammar_is_function(ExprKind kind)
{
    TypingRule rule = operation_info[kind].rule;
    return rule != RULE_LOGIC && rule != RULE_LEAF && rule != RULE_CONVERSION &&
           kind != EXPR_NEGATE && !grammar_operator_of(kind);
}

int grammar_function(Text name)
{
    for (int kind = 0; kind < EXPR_KIND_COUNT; kind++)
        if (text_equals(name, operation_info[kind].word) && grammar_is_function((ExprKind)kind))
            return kind;
    return -1;
}

bool grammar_is_reserved(Text name)
{
    return text_among(name, reserved, COUNT_OF(reserved)) < COUNT_OF(reserved);
}
