#include "session/process_crew.h"

#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { VOTE = -1 }; /* the tag of a vote; answers have the number of batches around their line */

typedef struct {
    int64_t tag;
    size_t length; /* of what follows */
} FrameHead;

/* Sent, and not asked for yet: an inner batch has answers of its own. */
typedef struct Frame {
    struct Frame *next;
    FrameHead head;
    char bytes[];
} Frame;

/* The other end of a socket. */
typedef struct {
    pid_t process; /* 0: it is gone */
    int stream;
    Frame *arrived; /* the oldest first */
} Peer;

typedef struct {
    Crew crew;
    Resource resource;
    Workspace *workspace;
    Diag *diag;
    Peer *peers; /* of process 0, by rank; else process 0 alone */
    Buffer unsent;
    size_t sent; /* bytes at the beginning of `unsent` */
    int input;   /* a file in memory for the standard input of all; -1: it has taken its place */
} ProcessCrew;

/* ---- bytes ---- */

/* What `unsent` has, as far as the socket takes it. */
static void send_unsent(ProcessCrew *own, bool wait)
{
    const int flags = MSG_NOSIGNAL | (wait ? 0 : MSG_DONTWAIT);
    while (own->sent < own->unsent.count) {
        const ssize_t count = send(own->peers->stream, own->unsent.items + own->sent,
                                   own->unsent.count - own->sent, flags);
        if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (count < 0 && errno != EINTR)
            _exit(STATUS_SYSTEM); /* process 0 is gone */
        own->sent += count > 0 ? (size_t)count : 0;
    }
    own->unsent.count = own->sent = 0;
}

static void add_frame(ProcessCrew *own, int64_t tag, const char *bytes, size_t length)
{
    const FrameHead head = {tag, length};
    buffer_add(&own->unsent, (const char *)&head, sizeof head);
    buffer_add(&own->unsent, bytes, length);
}

static bool receive_all(int stream, void *bytes, size_t size)
{
    for (char *next = bytes; size > 0;) {
        const ssize_t count = recv(stream, next, size, 0);
        if (count == 0 || (count < 0 && errno != EINTR))
            return false;
        next += count > 0 ? count : 0;
        size -= count > 0 ? (size_t)count : 0;
    }
    return true;
}

/* Returns how it has ended, as waitpid says it. */
static int end_peer(Peer *peer)
{
    int status = 0;
    close(peer->stream);
    while (waitpid(peer->process, &status, 0) < 0 && errno == EINTR)
        continue;
    peer->process = 0;
    for (Frame *next; peer->arrived; peer->arrived = next) {
        next = peer->arrived->next;
        free(peer->arrived);
    }
    return status;
}

/* Reads one frame more. False where there is none yet, or the process is gone. */
static bool read_frame(ProcessCrew *own, Peer *peer, bool wait)
{
    FrameHead head;
    struct pollfd polled = {peer->stream, POLLIN, 0};
    if (!wait && poll(&polled, 1, 0) <= 0)
        return false;
    Frame *frame = NULL, **last = &peer->arrived;
    if (receive_all(peer->stream, &head, sizeof head)) {
        frame = malloc(sizeof *frame + head.length);
        if (!frame)
            workspace_fail(own->workspace, head.length);
        *frame = (Frame){.head = head};
    }
    if (!frame || !receive_all(peer->stream, frame->bytes, head.length)) {
        free(frame);
        const int status = end_peer(peer);
        if (WIFSIGNALED(status))
            diag_error(own->diag, NOWHERE, "a process that ran lines was ended by signal %d (%s)",
                       WTERMSIG(status), strsignal(WTERMSIG(status)));
        else
            diag_error(own->diag, NOWHERE, "a process that ran lines has ended with status %d",
                       WEXITSTATUS(status));
        diag_note(own->diag, NOWHERE, "if memory ran out, --jobs 1 takes the least");
        return false;
    }
    while (*last)
        last = &(*last)->next;
    *last = frame;
    return true;
}

/* The oldest frame with that tag, which the caller frees; NULL: there is none yet, or the process
   is gone. */
static Frame *take_frame(ProcessCrew *own, Peer *peer, int64_t tag, bool wait)
{
    while (peer->process) {
        for (Frame **link = &peer->arrived; *link; link = &(*link)->next)
            if ((*link)->head.tag == tag) {
                Frame *found = *link;
                *link = found->next;
                return found;
            }
        if (!read_frame(own, peer, wait))
            break;
    }
    return NULL;
}

/* ---- what a crew does ---- */

static void send_answer(Crew *crew, const char *bytes, size_t length)
{
    ProcessCrew *own = (ProcessCrew *)crew;
    add_frame(own, crew->batches, bytes, length);
    send_unsent(own, false);
}

static bool receive_answer(Crew *crew, int rank, bool wait, Buffer *bytes)
{
    ProcessCrew *own = (ProcessCrew *)crew;
    Frame *frame = take_frame(own, &own->peers[rank], crew->batches, wait);
    if (frame)
        buffer_add(bytes, frame->bytes, frame->head.length);
    free(frame);
    return frame != NULL;
}

static int64_t vote(ProcessCrew *own, int64_t value)
{
    add_frame(own, VOTE, (const char *)&value, sizeof value);
    send_unsent(own, true);
    if (!receive_all(own->peers->stream, &value, sizeof value))
        _exit(STATUS_SYSTEM);
    return value;
}

static int64_t agree(Crew *crew, int64_t value)
{
    ProcessCrew *own = (ProcessCrew *)crew;
    if (crew->rank > 0)
        return vote(own, value);
    for (int i = 1; i < crew->count; i++) {
        int64_t other;
        Frame *frame = take_frame(own, &own->peers[i], VOTE, true);
        if (!frame)
            continue;
        memcpy(&other, frame->bytes, sizeof other);
        value = other > value ? other : value;
        free(frame);
    }
    for (int i = 1; i < crew->count; i++)
        if (own->peers[i].process)
            send(own->peers[i].stream, &value, sizeof value, MSG_NOSIGNAL);
    return value;
}

/* Process 0 copies what it has, and each reads it from its beginning. */
static void share_input(Crew *crew)
{
    enum { PIECE = 1 << 16 };
    ProcessCrew *own = (ProcessCrew *)crew;
    char piece[PIECE], path[32];
    if (own->input < 0)
        return;
    for (size_t count; crew->rank == 0 && (count = fread(piece, 1, PIECE, stdin)) > 0;)
        if (write(own->input, piece, count) != (ssize_t)count)
            workspace_fail(own->workspace, count);
    agree(crew, 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", own->input);
    const int copy = open(path, O_RDONLY | O_CLOEXEC);
    if (copy < 0 || dup2(copy, STDIN_FILENO) < 0)
        workspace_fail(own->workspace, 0);
    close(copy);
    close(own->input);
    own->input = -1;
    clearerr(stdin);
}

static void end_others(ProcessCrew *own)
{
    for (int i = 1; i < own->crew.count && own->crew.rank == 0; i++)
        if (own->peers[i].process) {
            kill(own->peers[i].process, SIGKILL);
            end_peer(&own->peers[i]);
        }
}

/* Messages are those of a line that process 0 runs, too, and shows: it goes on alone. */
static void abandon(Crew *crew, const char *messages, size_t length)
{
    ProcessCrew *own = (ProcessCrew *)crew;
    (void)messages, (void)length;
    if (crew->rank > 0) {
        send_unsent(own, true);
        _exit(STATUS_SYSTEM);
    }
    end_others(own);
    crew->count = 1;
}

/* ---- beginning and end ---- */

static void end_crew(Resource *resource)
{
    ProcessCrew *own = (ProcessCrew *)(void *)((char *)resource - offsetof(ProcessCrew, resource));
    end_others(own);
    if (own->input >= 0)
        close(own->input);
}

/* False where there can be no more processes. In the new one, it has the next rank. */
static bool add_process(ProcessCrew *own, Peer *peers)
{
    int ends[2];
    const pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    const pid_t process = fork();
    close(ends[process == 0 ? 0 : 1]);
    if (process == 0) {
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
            _exit(STATUS_SYSTEM);
        for (int i = 1; i < own->crew.count; i++)
            close(peers[i].stream);
        own->workspace->progress = NULL;
        own->crew.rank = own->crew.count;
        peers[0] = (Peer){.process = parent, .stream = ends[1]};
        return true;
    }
    if (process < 0)
        close(ends[0]);
    else
        peers[own->crew.count++] = (Peer){.process = process, .stream = ends[0]};
    return process > 0;
}

Crew *process_crew_open(Arena *arena, int count, Diag *diag)
{
    ProcessCrew *own = ARENA_NEW(arena, ProcessCrew);
    *own = (ProcessCrew){.crew = {.count = 1,
                                  .send = send_answer,
                                  .receive = receive_answer,
                                  .agree = agree,
                                  .share_input = share_input,
                                  .abandon = abandon},
                         .workspace = arena_workspace(arena),
                         .diag = diag,
                         .peers = ARENA_ARRAY(arena, Peer, (size_t)count),
                         .unsent = {.arena = arena},
                         .input = memfd_create("standard input", MFD_CLOEXEC)};
    if (own->input < 0)
        return NULL;
    workspace_hold(own->workspace, &own->resource, end_crew);
    fflush(NULL); /* what streams hold is written once */
    while (own->crew.rank == 0 && own->crew.count < count && add_process(own, own->peers))
        continue;
    own->crew.count = (int)agree(&own->crew, own->crew.count);
    if (own->crew.count > 1)
        return &own->crew;
    process_crew_close(&own->crew);
    return NULL;
}

void process_crew_close(Crew *crew)
{
    ProcessCrew *own = (ProcessCrew *)crew;
    if (!crew)
        return;
    if (crew->rank > 0) {
        send_unsent(own, true);
        _exit(STATUS_FINE);
    }
    workspace_drop(&own->resource);
    end_crew(&own->resource);
}
