#include "exchange/goal.h"
#include "exchange/program_readers.h"
#include "unit.h"

#include <string.h>

/* A text as the source "file". */
static const Source *source_of(Fixture *fixture, const char *text)
{
    return source_from_text(fixture->arena, "file", text, strlen(text));
}

/* "i[2]", "o[0]@1" in the memory of rank 1 */
static const char *place_of(Arena *arena, GpuPlace place)
{
    const char *own = arena_printf(arena, "%c[%d]", gpu_buffer_letters[place.buffer], place.chunk);
    return place.owner ? arena_printf(arena, "%s@%d", own, place.owner - 1) : own;
}

/* "re i[0] o[2] x2 after 1.3 !": two chunks, behind step 3 of thread block 1, with a signal. */
static const char *step_of(Arena *arena, const GpuStep *step)
{
    const GpuStepInfo *info = &gpu_step_info[step->kind];
    const char *text = info->name;
    if (info->reads)
        text = arena_printf(arena, "%s %s", text, place_of(arena, step->source));
    if (info->writes)
        text = arena_printf(arena, "%s %s", text, place_of(arena, step->destination));
    if (info->reads || info->writes)
        text = arena_printf(arena, "%s x%d", text, step->count);
    for (int32_t i = 0; i < step->semaphore_count; i++)
        text = arena_printf(arena, "%s #%d", text, step->semaphores[i]);
    if (step->kind == GPU_STEP_BARRIER)
        text = arena_printf(arena, "%s %d of %d", text, step->barrier, step->members);
    if (step->wait_block >= 0)
        text = arena_printf(arena, "%s after %d.%d", text, step->wait_block, step->wait_step);
    return step->signals ? arena_printf(arena, "%s !", text) : text;
}

/* "allreduce 2 ranks 2 chunks in place", then each thread block: "0.1 ->1 <-1 c0: s i[0] x1; ..".
 */
static const char *shape_of(Arena *arena, const GpuProgram *program)
{
    const char *text =
        arena_printf(arena, "%s %d ranks %d chunks%s%s", gpu_label_info[program->label].name,
                     program->rank_count, program->chunks, program->in_place ? " in place" : "",
                     program->out_of_place ? " out of place" : "");
    for (int32_t r = 0; r < program->rank_count; r++)
        for (size_t b = 0; b < program->gpus[r].blocks.count; b++) {
            const ThreadBlock *block = &program->gpus[r].blocks.items[b];
            text = arena_printf(arena, "%s | %d.%zu", text, r, b);
            if (block->send >= 0)
                text = arena_printf(arena, "%s ->%d", text, block->send);
            if (block->receive >= 0)
                text = arena_printf(arena, "%s <-%d", text, block->receive);
            for (size_t i = 0; i < block->steps.count; i++)
                text = arena_printf(arena, "%s%s %s", text, i ? ";" : ":",
                                    step_of(arena, &block->steps.items[i]));
        }
    return text;
}

static void assert_shape(const char *text, const char *shape)
{
    Fixture *fixture = fixture_open();
    GpuProgram program;
    const bool is_read =
        program_read(fixture->arena, source_of(fixture, text), &program, &fixture->diag);
    assert_no_error(fixture);
    ck_assert(is_read);
    ck_assert_str_eq(shape_of(fixture->arena, &program), shape);
    fixture_close(fixture);
}

typedef struct {
    const char *text;
    size_t line, column;
    const char *words;
} Refused;

static void assert_refused(const Refused *refused, size_t count, bool is_goal)
{
    for (size_t i = 0; i < count; i++) {
        Fixture *fixture = fixture_open();
        const Source *source = source_of(fixture, refused[i].text);
        GpuProgram program;
        GoalProgram goal;
        const bool is_read = is_goal
                                 ? goal_read(fixture->arena, source, &goal, &fixture->diag)
                                 : program_read(fixture->arena, source, &program, &fixture->diag);
        fflush(fixture->stream);
        ck_assert_msg(!is_read && strstr(fixture->messages, refused[i].words), "\n%s\nfor\n%s",
                      fixture->messages, refused[i].text);
        assert_error_at(fixture, "file", refused[i].line, refused[i].column);
        fixture_close(fixture);
    }
}

/* The text with the first `old` replaced. */
static const char *with(Arena *arena, const char *text, const char *old, const char *fresh)
{
    const char *at = strstr(text, old);
    ck_assert_ptr_nonnull(at);
    return arena_printf(arena, "%.*s%s%s", (int)(at - text), text, fresh, at + strlen(old));
}

typedef struct {
    const char *old, *fresh;
    size_t line, column;
    const char *words;
} Slip;

/* Each slip alone, in a text that is read without it. */
static void assert_slips(const char *text, const Slip *slips, size_t count, bool is_goal)
{
    Fixture *fixture = fixture_open();
    for (size_t i = 0; i < count; i++)
        assert_refused(&(Refused){with(fixture->arena, text, slips[i].old, slips[i].fresh),
                                  slips[i].line, slips[i].column, slips[i].words},
                       1, is_goal);
    fixture_close(fixture);
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* ---- MSCCL's XML ---- */

#ifdef HAVE_EXPAT
static const char xml[] =
    "<algo name=\"x\" proto=\"LL\" nchannels=\"1\" nchunksperloop=\"2\" ngpus=\"2\" "
    "coll=\"allreduce\" inplace=\"1\">\n"
    "<gpu id=\"0\" i_chunks=\"2\" o_chunks=\"0\" s_chunks=\"1\">\n"
    "<tb id=\"0\" send=\"1\" recv=\"1\" chan=\"3\">\n"
    "<step s=\"0\" type=\"rrcs\" srcbuf=\"i\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"1\" cnt=\"1\" "
    "depid=\"-1\" deps=\"-1\" hasdep=\"1\"/>\n"
    "</tb>\n"
    "<tb id=\"1\" send=\"-1\" recv=\"-1\" chan=\"0\">\n"
    "<step s=\"0\" type=\"nop\" srcbuf=\"i\" srcoff=\"-1\" dstbuf=\"o\" dstoff=\"-1\" cnt=\"0\" "
    "depid=\"0\" deps=\"0\" hasdep=\"0\"/>\n"
    "<step s=\"1\" type=\"re\" srcbuf=\"s\" srcoff=\"0\" dstbuf=\"i\" dstoff=\"1\" cnt=\"1\" "
    "depid=\"0\" deps=\"0\" hasdep=\"0\"/>\n"
    "</tb>\n"
    "</gpu>\n"
    "<gpu id=\"1\" i_chunks=\"2\" o_chunks=\"0\" s_chunks=\"0\"><!-- nothing --></gpu>\n"
    "</algo>\n";

START_TEST(xml_is_read)
{
    static const char shape[] =
        "allreduce 2 ranks 2 chunks in place | 0.0 ->1 <-1: rrcs i[0] o[1] x1 ! | "
        "0.1: nop after 0.0; re s[0] i[1] x1 after 0.0";
    Fixture *fixture = fixture_open();
    assert_shape(xml, shape);
    assert_shape(with(fixture->arena, xml, " hasdep=\"0\"", ""), shape); /* nobody waits for it */
    fixture_close(fixture);
}
END_TEST

START_TEST(slips_in_xml_are_placed)
{
    static const Slip slips[] = {
        {"ngpus=\"2\"", "ngpus=\"0\"", 1, 1, "ngpus is a number from 1 to 4096"},
        {"ngpus=\"2\"", "ngpus=\"4097\"", 1, 1, "ngpus is a number from 1 to 4096"},
        {"ngpus=\"2\"", "ngpus=\"3\"", 1, 1, "there is no gpu 2"},
        {"nchunksperloop=\"2\"", "nchunksperloop=\"0\"", 1, 1, "at least 1"},
        {"coll=\"allreduce\"", "coll=\"allsum\"", 1, 1, "there is no coll=\"allsum\""},
        {"gpu id=\"1\"", "gpu id=\"0\"", 11, 1, "or there twice"},
        {"gpu id=\"1\"", "gpu id=\"2\"", 11, 1, "gpu 2 is not one of 0 to 1"},
        {"tb id=\"1\"", "tb id=\"2\"", 6, 1, "this is tb 2, where tb 1 is expected"},
        {" recv=\"1\"", "", 3, 1, "'tb' has no 'recv'"},
        {"chan=\"3\"", "chan=\"-1\"", 3, 1, "there is no channel -1"},
        {"type=\"re\"", "type=\"put\"", 8, 1, "there is no type=\"put\""},
        {"srcbuf=\"s\"", "srcbuf=\"t\"", 8, 1, "srcbuf is i, o or s"},
        {"s=\"1\" type", "s=\"2\" type", 8, 1, "this is step 2, where step 1 is expected"},
        {"<step s=\"1\"", "<stop s=\"1\"", 8, 1, "expected 'step', not 'stop'"},
        {"<tb id=\"1\"", "<block id=\"1\"", 9, 3, "not valid XML"},
        {"</algo>", "", 13, 1, "not valid XML"},
        {"<algo", "<!DOCTYPE algo []>\n<algo", 1, 16, "of its own is not read"},
    };
    assert_slips(xml, slips, COUNT(slips), false);
}
END_TEST
#endif

/* ---- algorithms of msccl in JSON ---- */

static const char json[] =
    "{\"msccl_type\": \"algorithm\", \"name\": \"x\",\n"
    " \"instance\": {\"chunks\": 2},\n"
    " \"collective\": {\"name\": \"Scan(n=3)\", \"nodes\": 3, \"chunks\": [\n"
    "  {\"pre\": [0], \"post\": [0, 1, 2], \"addr\": 0},\n"
    "  {\"pre\": [1], \"post\": [1, 2], \"addr\": 0}]},\n"
    " \"steps\": [{\"rounds\": 1, \"sends\": [\n"
    "  [0, 0, 1], [1, 0, 1],\n"
    "  [1, 1, 2]]},\n"
    "  {\"rounds\": 1, \"sends\": [[0, 1, 2]]}]}\n";

START_TEST(json_is_read)
{
    assert_shape(json, "custom 3 ranks 2 chunks out of place | 0.0 ->1: s s[0] x2 | 1.0 ->2: "
                       "s s[1] x1 !; s s[0] x1 after 1.0 | 1.1 <-0: rrc s[0] s[0] x2 after 0.0 ! | "
                       "2.0 <-1: r s[1] x1; r s[0] x1");
}
END_TEST

START_TEST(slips_in_json_are_placed)
{
    static const Slip slips[] = {
        {"\"algorithm\"", "\"instance\"", 1, 1, "no algorithm of msccl"},
        {"\"name\": \"x\",", "", 1, 1, "expected a number or a name 'name'"},
        {"\"chunks\": 2", "\"chunks\": 0", 2, 25, "from 1 to 1048576"},
        {"\"nodes\": 3", "\"nodes\": 1025", 3, 47, "from 1 to 1024"},
        {"\"nodes\": 3", "\"nodes\": 2", 4, 31, "from 0 to 1"},
        {"\"pre\": [1]", "\"pre\": []", 5, 3, "no rank has this chunk before"},
        {"\"pre\": [1]", "\"pre\": [0]", 5, 11, "two chunks with one address"},
        {"\"addr\": 0}]", "\"addr\": 1048576}]", 5, 40, "from 0 to 524287"},
        {"[1, 1, 2]", "[1, 1]", 8, 3, "expected [address, from, to]"},
        {"[1, 1, 2]", "[1, 1, 3]", 8, 10, "from 0 to 2"},
        {"[1, 1, 2]", "[2, 1, 2]", 8, 4, "from 0 to 1"},
        {"[1, 1, 2]", "[1, 1, 1]", 8, 3, "a rank sends to itself"},
        {"\"sends\": [[0, 1, 2]]", "\"moves\": 1", 9, 3, "expected a list 'sends'"},
    };
    assert_slips(json, slips, COUNT(slips), false);
}
END_TEST

/* ---- execution plans of MSCCL++ ---- */

static const char plan[] =
    "{\"name\": \"x\", \"collective\": \"allgather\", \"protocol\": \"Simple\", \"inplace\": "
    "false,\n"
    " \"gpus\": [{\"id\": 0, \"input_chunks\": 1, \"output_chunks\": 2, \"scratch_chunks\": 0,\n"
    "  \"threadblocks\": [{\"id\": 0, \"ops\": [\n"
    "    {\"name\": \"put\", \"src_buff\": [{\"type\": \"i\", \"index\": 0, \"size\": 1}],\n"
    "     \"dst_buff\": [{\"buffer_id\": 0, \"index\": 1, \"size\": 1}],\n"
    "     \"channel_ids\": [0], \"channel_type\": \"memory\"},\n"
    "    {\"name\": \"signal\", \"channel_ids\": [0], \"channel_type\": \"memory\"},\n"
    "    {\"name\": \"rre\", \"src_buff\": [{\"type\": \"i\", \"index\": 0, \"size\": 1},\n"
    "      {\"buffer_id\": 0, \"index\": 1, \"size\": 1}],\n"
    "     \"dst_buff\": [{\"type\": \"o\", \"index\": 0, \"size\": 1}]},\n"
    "    {\"name\": \"nop\"}, {\"name\": \"barrier\", \"barrier_id\": 4, \"num_threadblocks\": "
    "1}],\n"
    "   \"channels\": [{\"channel_type\": \"memory\", \"channel_ids\": [0]}],\n"
    "   \"remote_buffer_refs\": [{\"access_channel_type\": \"memory\", \"remote_buffer_ids\": "
    "[0]}]}],\n"
    "  \"channels\": [{\"channel_type\": \"memory\", \"connected_to\": [1]}],\n"
    "  \"remote_buffers\": [{\"rank\": 1, \"type\": \"o\"}]},\n"
    " {\"id\": 1, \"input_chunks\": 1, \"output_chunks\": 2, \"scratch_chunks\": 0,\n"
    "  \"threadblocks\": [{\"id\": 0, \"ops\": [\n"
    "    {\"name\": \"wait\", \"channel_ids\": [0], \"channel_type\": \"memory\"},\n"
    "    {\"name\": \"pws\", \"src_buff\": [{\"type\": \"i\", \"index\": 0, \"size\": 1}],\n"
    "     \"dst_buff\": [{\"buffer_id\": 0, \"index\": 0, \"size\": 1}],\n"
    "     \"channel_ids\": [0], \"channel_type\": \"port\"},\n"
    "    {\"name\": \"flush\", \"channel_ids\": [0], \"channel_type\": \"port\"}],\n"
    "   \"channels\": [{\"channel_type\": \"memory\", \"channel_ids\": [0]},\n"
    "    {\"channel_type\": \"port\", \"channel_ids\": [0]}],\n"
    "   \"remote_buffer_refs\": [{\"access_channel_type\": \"port\", \"remote_buffer_ids\": "
    "[0]}]}],\n"
    "  \"channels\": [{\"channel_type\": \"memory\", \"connected_to\": [0]},\n"
    "   {\"channel_type\": \"port\", \"connected_to\": [0]}],\n"
    "  \"remote_buffers\": [{\"rank\": 0, \"type\": \"o\"}]}]}\n";

START_TEST(plans_are_read)
{
    assert_shape(plan,
                 "allgather 2 ranks 2 chunks out of place | 0.0: put i[0] o[1]@1 x1; signal #0; "
                 "cpy i[0] o[0] x1; rre o[1]@1 o[0] x1; barrier 4 of 1 | 1.0: wait #0; post !; "
                 "post after 1.2 | 1.1: post after 0.1; put i[0] o[0]@0 x1; signal #2 !");
}
END_TEST

START_TEST(slips_in_plans_are_placed)
{
    static const Slip slips[] = {
        {"\"inplace\": false", "\"inplace\": no", 1, 75, "expected true or false"},
        {"\"id\": 0", "\"id\": 1", 2, 11, "ranks are numbered from 0, in order"},
        {"\"input_chunks\"", "\"inputChunks\"", 2, 11, "older form"},
        {"\"scratch_chunks\": 0", "\"scratch_chunks\": -1", 2, 78, "cannot have a sign"},
        {"\"put\"", "\"putt\"", 4, 15, "unknown operation"},
        {"\"put\"", "\"glres\"", 4, 15, "is not followed"},
        {"\"put\", \"src_buff\"", "\"put\", \"src\"", 4, 5, "expected a list 'src_buff'"},
        {"\"type\": \"i\"", "\"type\": \"x\"", 4, 44, "a buffer is i, o or s"},
        {"\"size\": 1}],\n     \"dst", "\"size\": 2}],\n     \"dst", 4, 5, "the same size"},
        {"\"buffer_id\": 0, \"index\": 1", "\"buffer_id\": 1, \"index\": 1", 5, 33,
         "no more than 1 remote buffers"},
        {"\"channel_type\": \"memory\"},\n    {\"name\": \"signal\"",
         "\"channel_type\": \"wire\"},\n    {\"name\": \"signal\"", 6, 43,
         "of memory, or of a port"},
        {"\"signal\", \"channel_ids\": [0]", "\"signal\", \"channel_ids\": [1]", 7, 40,
         "no more than 1 channels"},
        {"\"signal\", \"channel_ids\": [0]", "\"signal\", \"channel_ids\": []", 7, 5,
         "expected a list 'channel_ids'"},
        {"\"dst_buff\": [{\"type\": \"o\"", "\"dst_buff\": [{\"buffer_id\": 0", 8, 5,
         "the first target is here"},
        {"\"num_threadblocks\": 1", "\"num_threadblocks\": 0", 11, 79, "from 1 to 1024"},
        {"\"connected_to\": [1]", "\"connected_to\": [0]", 14, 60, "a channel to its own rank"},
        {"\"connected_to\": [1]", "\"connected_to\": [2]", 14, 60, "from 0 to 1"},
        {"\"rank\": 1, \"type\"", "\"rank\": 0, \"type\"", 15, 22, "of its own rank"},
        {"\"channel_type\": \"port\"},\n    {\"name\": \"flush\"",
         "\"channel_type\": \"memory\"},\n    {\"name\": \"flush\"", 20, 33, "no more than 0"},
    };
    assert_slips(plan, slips, COUNT(slips), false);
}
END_TEST

START_TEST(files_of_other_kinds_are_refused)
{
    static const Refused refused[] = {
        {"", 1, 1, "no schedule or network in a format"},
        {"algorithm: x\n", 1, 1, "no schedule or network in a format"},
        {"{}", 1, 1, "no execution plan"},
        {"{\"gpus\": 1}", 1, 1, "expected a number or a name 'name'"},
        {"{\"name\": \"x\", \"protocol\": \"LL\", \"gpus\": 1}", 1, 41, "expected a list 'gpus'"},
        {"{\"name\": x, \"protocol\": y, \"collective\": z, \"inplace\": true, \"gpus\": []}", 1,
         70, "1 to 1024 ranks"},
        {"{\"gpus\": [}", 1, 11, "not valid YAML"},
    };
    assert_refused(refused, COUNT(refused), false);
}
END_TEST

/* ---- GOAL ---- */

static const char goal[] = "num_ranks 2\n"
                           "rank 0 {\n"
                           "l1: send 8b to 1 tag 3\n"
                           "calc 100 cpu 1\n"
                           "}\n"
                           "rank 1 {\n"
                           "l1: recv 8b from -1 tag -1 nic 2\n"
                           "l2: calc 50\n"
                           "l2 requires l1\n"
                           "}\n";

START_TEST(goal_is_read)
{
    Fixture *fixture = fixture_open();
    GoalProgram program;
    ck_assert(goal_read(fixture->arena, source_of(fixture, goal), &program, &fixture->diag));
    assert_no_error(fixture);
    ck_assert_int_eq(program.rank_count, 2);
    ck_assert_int_eq(program.cpus, 2);
    ck_assert_int_eq(program.nics, 3);
    ck_assert_uint_eq(program.operations.count, 4);
    const GoalOperation *receive = &program.operations.items[2];
    ck_assert_int_eq(receive->kind, GOAL_RECEIVE);
    ck_assert_int_eq(receive->peer, -1);
    ck_assert_int_eq(receive->tag, -1);
    ck_assert_int_eq(receive->size, 8);
    ck_assert_int_eq(program.edges.items[receive->first_edge].to, 3);
    ck_assert_int_eq(program.operations.items[3].required, 1);
    fixture_close(fixture);
}
END_TEST

START_TEST(slips_in_goal_are_placed)
{
    static const Slip slips[] = {
        {"num_ranks 2", "num_ranks 0", 1, 11, "from 1 to 65536"},
        {"num_ranks 2", "num_ranks 65537", 1, 11, "from 1 to 65536"},
        {"rank 1 {", "rank 2 {", 6, 6, "from 1 to 1"},
        {"send 8b", "send 8", 3, 12, "expected 'b'"},
        {"to 1", "to 2", 3, 16, "from 0 to 1"},
        {"to 1", "to 0", 3, 13, "a rank sends to itself"},
        {"calc 100", "sleep 100", 4, 7, "requires or irequires"},
        {"l2: calc", "l1: calc", 8, 1, "this label is there already"},
        {"requires l1", "requires l3", 9, 13, "no operation above"},
        {"requires l1", "requires l2", 9, 1, "cannot require itself"},
        {"l2 requires l1\n}\n", "l2 requires l1\n", 10, 1, "'}' is missing"},
        {"l2 requires l1\n}\n", "}\n}\n", 10, 1, "nothing may follow"},
    };
    assert_slips(goal, slips, COUNT(slips), true);
}
END_TEST

Suite *readers_suite(void)
{
    Suite *suite = suite_create("readers");
    TCase *programs = tcase_create("programs"), *operations = tcase_create("goal");
#ifdef HAVE_EXPAT
    tcase_add_test(programs, xml_is_read);
    tcase_add_test(programs, slips_in_xml_are_placed);
#endif
    tcase_add_test(programs, json_is_read);
    tcase_add_test(programs, slips_in_json_are_placed);
    tcase_add_test(programs, plans_are_read);
    tcase_add_test(programs, slips_in_plans_are_placed);
    tcase_add_test(programs, files_of_other_kinds_are_refused);
    tcase_add_test(operations, goal_is_read);
    tcase_add_test(operations, slips_in_goal_are_placed);
    suite_add_tcase(suite, programs);
    suite_add_tcase(suite, operations);
    return suite;
}
