/* Words, numbers and signs of formulas as papers print them: Unicode, LaTeX, subscripts.

   A token's text is what it means, at the place of what was typed:

       typed     α, \alpha   t_s, tₛ, t_{\mathrm{s}}   ·, \times   \lceil   \left(   1.5     p²
       means     alpha       ts                        *           ⌈        (        15/10   p^(2)
 */
#ifndef COLLCOST_LANG_INFORMAL_LEXER_H
#define COLLCOST_LANG_INFORMAL_LEXER_H

#include "lang/informal_letters.h"

/* The first token is in view afterwards. Without letters runs of them are names. */
void informal_lexer_start(Lexer *lexer, Arena *arena, InformalLetters *letters, Text text,
                          Diag *diag);
/* Leaves of the token in view its first sign alone, as LaTeX takes the parts of \frac12. */
void informal_lexer_narrow(Lexer *lexer);
/* Passes by the braces that the token in view opens, whatever is between them. */
void informal_lexer_pass(Lexer *lexer);
/* Does ^ follow the token in view? */
bool informal_lexer_is_raised(const Lexer *lexer);

#endif
