#include "cli/workers.h"

#include "base/watch.h"
#include "study/study.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A worker that has nothing to do can be killed; where lines are counted it ends by itself, and
   counts its own. */
#ifdef COUNTS_LINES
extern void __gcov_dump(void);
#define _exit(status) (__gcov_dump(), _exit(status))
enum { END_SIGNAL = 0 };
#else
enum { END_SIGNAL = SIGKILL };
#endif

enum { MOST_JOBS = 1024, PATIENCE_MS = 100 };

typedef enum {
    REPLY_OPEN,
    REPLY_ANSWER,
    REPLY_RETURNED, /* the item is to be done here */
    REPLY_NO_MEMORY /* `length` bytes could not be had */
} ReplyKind;

/* What a worker sends about an item; behind it come the bytes of an answer, and what it warned of.
 */
typedef struct {
    size_t kind; /* a ReplyKind; so there is no room between the members, whose bytes are not set */
    size_t length, warnings_length;
    Effects effects; /* of the line, so far */
} ReplyHead;

typedef struct {
    ReplyHead head;
    const char *bytes;
} Reply;

typedef struct {
    pid_t process; /* 0: there is none */
    int stream;
    bool is_busy;
    size_t item; /* with which it is busy */
} Worker;

/* All workers of a line. */
typedef struct {
    Resource resource;
    const CommandLine *line;
    const WorkItems *items;
    Worker *workers;
    size_t worker_count;
    struct pollfd *polled; /* room for the streams of all workers */
    Reply *replies;        /* of each item */
    size_t begun;          /* items */
} Team;

/* In a worker: the work on one item. */
typedef struct {
    const WorkItems *items;
    const Diag *diag;
    size_t item;
    Buffer bytes;
    Buffer warnings; /* of the line as a whole */
    bool is_good, has_messages;
} Attempt;

void pack_int(Buffer *bytes, int64_t value)
{
    buffer_add(bytes, (const char *)&value, sizeof value);
}

/* Its length with the NUL, which is 0 for none, then the text. */
void pack_text(Buffer *bytes, const char *text)
{
    size_t length = text ? strlen(text) + 1 : 0;
    pack_int(bytes, (int64_t)length);
    buffer_add(bytes, text, length);
}

int64_t unpack_int(Packed *packed)
{
    int64_t value = 0;
    if ((size_t)(packed->end - packed->next) < sizeof value)
        return 0;
    memcpy(&value, packed->next, sizeof value);
    packed->next += sizeof value;
    return value;
}

const char *unpack_text(Packed *packed)
{
    const char *text = NULL;
    int64_t length = unpack_int(packed);
    if (length > 0 && length <= packed->end - packed->next) {
        text = packed->next;
        packed->next += length;
    }
    return text;
}

void carry_int(Carrier carrier, int64_t *value)
{
    if (carrier.to)
        pack_int(carrier.to, *value);
    else
        *value = unpack_int(carrier.from);
}

void carry_flag(Carrier carrier, bool *value)
{
    int64_t number = carrier.to ? *value : 0;
    carry_int(carrier, &number);
    *value = number != 0;
}

void carry_double(Carrier carrier, double *value)
{
    int64_t bits;
    memcpy(&bits, value, sizeof bits);
    carry_int(carrier, &bits);
    memcpy(value, &bits, sizeof bits);
}

void carry_text(Carrier carrier, const char **value)
{
    if (carrier.to)
        pack_text(carrier.to, *value);
    else
        *value = unpack_text(carrier.from);
}

void carry_list(Carrier carrier, const char *const **texts, size_t *count)
{
    int64_t number = carrier.to ? (int64_t)*count : 0;
    carry_int(carrier, &number);
    *count = (size_t)number;
    const char **own =
        ARENA_ARRAY(carrier.to ? carrier.to->arena : carrier.from->arena, const char *, *count);
    for (size_t i = 0; i < *count; i++) {
        own[i] = carrier.to ? (*texts)[i] : NULL;
        carry_text(carrier, &own[i]);
    }
    *texts = own;
}

bool workers_read_jobs(const CommandLine *line, int64_t *jobs)
{
    cpu_set_t cores;
    *jobs = 1;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0)
        *jobs = CPU_COUNT(&cores);
    if (!option_integer(line, OPTION_JOBS, 1, MOST_JOBS, jobs))
        return false;
    if (line->most_jobs && line->most_jobs < *jobs)
        *jobs = line->most_jobs;
    return true;
}

/* All of it; false where the other end is gone. */
static bool send_bytes(int stream, const void *bytes, size_t size)
{
    for (const char *next = bytes; size > 0;) {
        ssize_t sent = send(stream, next, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        next += sent > 0 ? sent : 0;
        size -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

static bool receive_bytes(int stream, void *bytes, size_t size)
{
    for (char *next = bytes; size > 0;) {
        ssize_t got = recv(stream, next, size, 0);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        next += got > 0 ? got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* A message without a place can be reported again. */
static void note_message(void *context, const Diagnostic *diagnostic)
{
    Attempt *attempt = context;
    const Span line = attempt->diag->line;
    const bool is_warning = diagnostic->severity == SEVERITY_WARNING;
    const bool is_nowhere =
        !diagnostic->source || (is_warning && diagnostic->source == line.source &&
                                diagnostic->caret_length == line.length);
    attempt->has_messages |= diagnostic->severity == SEVERITY_ERROR || !is_nowhere;
    pack_int(&attempt->warnings, is_warning);
    pack_text(&attempt->warnings, diagnostic->message);
}

static void attempt_item(void *context)
{
    Attempt *attempt = context;
    attempt->is_good =
        attempt->items->work(attempt->items->context, attempt->item, &attempt->bytes);
}

/* The life of a worker, which nobody who has died waits for, and which leaves Ctrl-C to the parent.
   Behind a work that ended half-way, models may be half read: there is no next item. What the
   parent has in its streams is not to be written twice, so nothing is closed. */
static _Noreturn void work_for(pid_t parent, int stream, const CommandLine *line,
                               const WorkItems *items)
{
    Workspace *workspace = arena_workspace(line->arena);
    Attempt attempt = {.items = items, .diag = line->diag};
    Ending ending = ENDING_DONE;
    signal(SIGINT, SIG_IGN);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
        _exit(STATUS_SYSTEM);
    workspace->progress = NULL;
    line->diag->handler = note_message;
    line->diag->user = &attempt;
    while (ending == ENDING_DONE && receive_bytes(stream, &attempt.item, sizeof attempt.item)) {
        attempt.bytes = attempt.warnings = (Buffer){.arena = line->arena};
        attempt.has_messages = false;
        ending = workspace_run(workspace, attempt_item, &attempt);
        ReplyHead head = {.kind = REPLY_RETURNED};
        if (ending == ENDING_NO_MEMORY)
            head = (ReplyHead){.kind = REPLY_NO_MEMORY, .length = workspace_wanted(workspace)};
        else if (ending == ENDING_DONE && attempt.is_good && !attempt.has_messages)
            head = (ReplyHead){REPLY_ANSWER, attempt.bytes.count, attempt.warnings.count,
                               *line->effects};
        if (!send_bytes(stream, &head, sizeof head) ||
            (head.kind == REPLY_ANSWER &&
             (!send_bytes(stream, attempt.bytes.items, attempt.bytes.count) ||
              !send_bytes(stream, attempt.warnings.items, attempt.warnings.count))))
            break;
    }
    _exit(STATUS_FINE);
}

static void hand_out(Team *team, Worker *worker)
{
    size_t count = team->items->count;
    worker->is_busy = team->begun < count;
    if (!worker->is_busy)
        return;
    worker->item = team->items->rising ? count - 1 - team->begun : team->begun;
    team->begun++;
    send_bytes(worker->stream, &worker->item, sizeof worker->item); /* else it is found dead */
}

/* Returns how the worker has ended, as waitpid says it. */
static int end_worker(Worker *worker)
{
    int status = 0;
    close(worker->stream);
    while (waitpid(worker->process, &status, 0) < 0 && errno == EINTR)
        continue;
    worker->process = 0;
    return status;
}

static void end_team(Resource *resource)
{
    Team *team = (Team *)(void *)resource; /* its first member */
    for (size_t i = 0; i < team->worker_count; i++) {
        if (team->workers[i].process == 0)
            continue;
        kill(team->workers[i].process, END_SIGNAL);
        end_worker(&team->workers[i]);
    }
}

/* Takes what a worker has to say. False after a report. */
static bool hear(Team *team, Worker *worker)
{
    Reply reply = {.bytes = ""};
    bool is_whole = receive_bytes(worker->stream, &reply.head, sizeof reply.head);
    if (is_whole && reply.head.kind == REPLY_NO_MEMORY)
        workspace_fail(arena_workspace(team->line->arena), reply.head.length);
    const size_t length = reply.head.length + reply.head.warnings_length;
    if (is_whole && length > 0) {
        char *bytes = arena_room(team->line->arena, length);
        is_whole = receive_bytes(worker->stream, bytes, length);
        reply.bytes = bytes;
    }
    if (is_whole) {
        team->line->effects->counts |= reply.head.effects.counts;
        team->line->effects->idles |= reply.head.effects.idles;
        team->replies[worker->item] = reply;
        hand_out(team, worker);
        return true;
    }
    const int status = end_worker(worker);
    if (!worker->is_busy)
        return true;
    if (status == 0) { /* it has returned another item half-way, and this one too */
        team->replies[worker->item].head.kind = REPLY_RETURNED;
        return true;
    }
    Diag *diag = team->line->diag;
    const char *name = team->items->names[worker->item];
    if (WIFSIGNALED(status))
        diag_error(diag, NOWHERE, "the process that worked on %s was ended by signal %d (%s)", name,
                   WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        diag_error(diag, NOWHERE, "the process that worked on %s has ended with status %d", name,
                   WEXITSTATUS(status));
    return diag_note(diag, NOWHERE, "if memory ran out, --jobs 1 takes the least");
}

static bool take(const CommandLine *line, const WorkItems *items, size_t item, const char *bytes,
                 size_t length)
{
    Packed answer = {.arena = line->arena, .next = bytes, .end = bytes + length};
    return items->take(items->context, item, &answer);
}

static bool work_here(const CommandLine *line, const WorkItems *items, size_t item)
{
    Buffer bytes = {.arena = line->arena};
    watch_step(line->arena, items->names[item], (int64_t)item, (int64_t)items->count);
    return items->work(items->context, item, &bytes) &&
           take(line, items, item, bytes.count ? bytes.items : "", bytes.count);
}

static Status run_team(Team *team)
{
    const WorkItems *items = team->items;
    for (size_t i = 0; i < team->worker_count; i++)
        hand_out(team, &team->workers[i]);
    for (size_t item = 0; item < items->count; item++) {
        Reply *reply = &team->replies[item];
        while (reply->head.kind == REPLY_OPEN) {
            /* Until there is a reply about the item, or nobody who could give one. */
            nfds_t open = 0;
            watch_step(team->line->arena, items->names[item], (int64_t)item, (int64_t)items->count);
            for (size_t i = 0; i < team->worker_count; i++) {
                const bool is_there = team->workers[i].process != 0;
                team->polled[i] =
                    (struct pollfd){is_there ? team->workers[i].stream : -1, POLLIN, 0};
                open += is_there;
            }
            if (open == 0)
                reply->head.kind = REPLY_RETURNED;
            else if (poll(team->polled, team->worker_count, PATIENCE_MS) > 0)
                for (size_t i = 0; i < team->worker_count; i++)
                    if (team->polled[i].revents && !hear(team, &team->workers[i]))
                        return STATUS_SYSTEM;
        }
        const char *behind = reply->bytes ? reply->bytes + reply->head.length : "";
        Packed warnings = {.next = behind, .end = behind + reply->head.warnings_length};
        while (warnings.next < warnings.end) {
            const bool is_warning = unpack_int(&warnings);
            const char *message = unpack_text(&warnings);
            (is_warning ? diag_warning : diag_note)(team->line->diag, NOWHERE, "%s", message);
        }
        if (!(reply->head.kind == REPLY_ANSWER
                  ? take(team->line, items, item, reply->bytes, reply->head.length)
                  : work_here(team->line, items, item)))
            return STATUS_BAD_INPUT;
    }
    return STATUS_FINE;
}

Status workers_run(const CommandLine *line, const WorkItems *items)
{
    int64_t jobs;
    if (!workers_read_jobs(line, &jobs))
        return STATUS_BAD_INPUT;
    bool good = true;
    size_t wanted = (size_t)jobs < items->count ? (size_t)jobs : items->count;
    if (wanted < 2) {
        for (size_t item = 0; good && item < items->count; item++)
            good = work_here(line, items, item);
        return good ? STATUS_FINE : STATUS_BAD_INPUT;
    }
    Team team = {.line = line,
                 .items = items,
                 .workers = ARENA_ARRAY(line->arena, Worker, wanted),
                 .polled = ARENA_ARRAY(line->arena, struct pollfd, wanted),
                 .replies = ARENA_ARRAY(line->arena, Reply, items->count)};
    workspace_hold(arena_workspace(line->arena), &team.resource, end_team);
    const pid_t parent = getpid();
    while (team.worker_count < wanted) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
            break;
        const pid_t process = fork();
        if (process == 0) {
            for (size_t i = 0; i < team.worker_count; i++)
                close(team.workers[i].stream);
            close(ends[0]);
            work_for(parent, ends[1], line, items);
        }
        close(ends[1]);
        if (process < 0) {
            close(ends[0]);
            break;
        }
        team.workers[team.worker_count++] = (Worker){.process = process, .stream = ends[0]};
    }
    Status status = run_team(&team);
    workspace_drop(&team.resource);
    end_team(&team.resource);
    return status;
}
