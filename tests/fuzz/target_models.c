/* A file of models: read, and where it is good, all that is in it verified for few ranks. */
#include "fuzz.h"
#include "study/study.h"
#include "study/verify_models.h"

static void list_users(const Library *library, ModelEntries *entries, Arena *arena)
{
    for (size_t i = 0; i < library_entry_count(library); i++)
        if (library_entry(library, i)->is_users)
            *ARRAY_PUSH(arena, entries) = library_entry(library, i);
}

void fuzz_models(FuzzInput *input)
{
    Library *library = library_open(input->arena);
    size_t builtin = library_entry_count(library);
    VerifyTask task = {.warns = true};
    collcost_verification found;
    if (!library_add_source(library, input->source, &input->diag)) {
        if (library_entry_count(library) != builtin)
            fuzz_fail("a bad file is half there", input->text.chars);
        if (input->diag.error_count == 0)
            fuzz_fail("refused without a word", input->text.chars);
        return;
    }
    Study *study = study_create(input->arena, library, &input->diag);
    for (int64_t p = 1; p <= 3; p++)
        *ARRAY_PUSH(input->arena, &task.ranks) = p;
    list_users(library, &task.entries, input->arena);
    size_t errors = input->diag.error_count;
    if (study && !verify_models(study, &task, &found) && input->diag.error_count == errors)
        fuzz_fail("not verified without a word", input->text.chars);
}
