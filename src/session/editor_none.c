#include "session/editor.h"

bool editor_open(const EditorSettings *settings)
{
    (void)settings;
    return false;
}

char *editor_read(const char *prompt)
{
    (void)prompt;
    return NULL;
}

void editor_remember(const char *line)
{
    (void)line;
}

void editor_close(void)
{
}
