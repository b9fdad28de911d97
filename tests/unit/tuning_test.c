#include "base/random.h"
#include "exchange/tuning.h"
#include "exchange/tuning_planned.h"
#include "study/study.h"
#include "unit.h"

#include <math.h>
#include <string.h>

/* For NAME, the newest version of it, or NAME@VERSION. */
static TuningFile read_for(Fixture *fixture, const char *asked, const char *text)
{
    Diag *diag = &fixture->diag;
    const char *at = strchr(asked, '@');
    const char *name = arena_copy(fixture->arena, asked, at ? (size_t)(at - asked) : strlen(asked));
    const Implementation *library =
        library_implementation(fixture->library, text_of(fixture, name), diag);
    ck_assert(library != NULL);
    const char *version =
        implementation_version(library, at ? text_of(fixture, at + 1) : (Text){0}, diag);
    const TuningFormat *format = tuning_format(name, at ? version : "");
    ck_assert(format != NULL);
    return tuning_read(format, fixture->arena,
                       source_from_text(fixture->arena, "rules", text, strlen(text)), library,
                       version);
}

static TuningFile tuning_of(Fixture *fixture, const char *text, const char *version)
{
    return read_for(fixture, arena_printf(fixture->arena, "open-mpi@%s", version), text);
}

/* "4:1 misread, 5:1 aborts" */
static const char *findings_of(Fixture *fixture, const TuningFile *file)
{
    const char *text = "";
    for (size_t i = 0; i < file->findings.count; i++) {
        const TuningFinding *found = &file->findings.items[i];
        const Position place = source_position(found->span.source, found->span.offset);
        text = arena_printf(fixture->arena, "%s%s%zu:%zu %s", text, i ? ", " : "", place.line,
                            place.column, tuning_effect_info[found->effect].name);
    }
    return text;
}

static const struct {
    const char *version, *text, *findings;
} faults[] = {
    {"4.1", "1 2 1 2 2\n0 3 0 0\n1024 6 0 0\n", ""},
    {"4.1", "", "1:1 file dropped"},
    {"4.1", "# nothing\n", "2:1 file dropped"},
    {"4.1", "-1\n", "1:1 file dropped"},
    {"4.1", "23\n", "1:1 file dropped"},
    {"4.1", "1 22 1 2 1 0 3 0 0\n", "1:3 file dropped"},
    {"4.1", "1 -2 1 2 1 0 3 0 0\n", "1:3 file dropped"},
    {"4.1", "1 2 -1\n", "1:5 file dropped"},
    {"4.1", "1 2 1 -8 1 0 3 0 0\n", "1:7 file dropped"},
    {"4.1", "1 2 1 2 -1\n", "1:9 file dropped"},
    {"4.1", "1 2 1 2 1\n-1 3 0 0\n", "2:1 file dropped"},
    {"4.1", "1 2 1 2 1\n0 -3 0 0\n", "2:3 file dropped"},
    {"4.1", "1 2 1 2 1\n0 3 -1 0\n", "2:5 file dropped"},
    {"4.1", "1 2 1 2 1\n0 3 0 -1\n", "2:7 file dropped"},
    {"4.1", "1 2 1 2 1\n8 3 0 0\n", "2:1 file dropped"},
    {"4.1", "1 2 1 2 2\n0 3 0 0\n", "3:1 file dropped"},
    {"4.1", "1 2 2\n2 1\n0 3 0 0\n", "4:1 file dropped"},
    {"4.1", "2\n2 1 2 1\n0 3 0 0\n", "4:1 file dropped"},
    {"4.1", "1 2 1 2 1\n0 3 0\n", "3:1 file dropped"},
    {"4.1", "1 2 2\n2 2\n0 3 0 0\n4 1\n0 3 0 0\n", "4:1 remark, 5:5 never applies, 5:7 remark"},
    {"4.1", "rule-file-version-2\n1 2 1 2 1\n0 3 0 0\n", "1:1 file dropped"},
    {"5.0", "rule-file-version-2\n1 2 1 2 1\n0 3 0 0 7\n", "1:1 remark"},
    {"5.0", " rule-file-version-2\n1 2 1 2 1\n0 3 0 0\n", "1:2 ignored, 1:19 file dropped"},
    {"5.0", "1 2 1 2 1\n0 3 0 0 7\n", "2:9 ignored"},
    {"4.1", "1 2 1 2 2\n0 3 0 0 5\n1024 6 0 0\n", "2:9 remark, 2:9 aborts, 3:10 ignored"},
    {"4.1", "1 2 1 2 2\n0 3 0 0\n4k 6 0 0\n", "3:1 misread"},
    {"4.1", "1 2 1 2 2\n0 3 0 0\n1e3 6 0 0\n", "3:1 misread, 3:9 ignored"},
    {"4.1", "1 2 1 2 2\n0 3 0 0\n010 6 0 0\n", "3:1 misread"},
    {"4.1", "1 2 1 2 2\n0 3 0 0\n0x400 6 0 0\n", ""},
    {"4.1", "1 2 1 2 2\n0 3 0 0\n08 6 0 0\n",
     "3:1 misread, 3:1 never applies, 3:1 aborts, 3:8 ignored"},
    {"4.1", "1 2 1 2 1\n0 4294967299 0 0\n", "2:3 misread"},
    {"4.1", "1 2 1 2 1\n0 3 0 2147483648\n", ""},
    {"4.1", "1 2 1 2 2\n0 3 0 0\n99999999999999999999 6 0 0\n", ""},
    {"4.1", "1 2 1 2 3\n0 3 0 0\n1024 4 0 0\n512 6 0 0\n", "4:1 never applies"},
    {"4.1", "1 2 1 2 2\n0 3 0 0\n0 6 0 0\n", "3:1 never applies"},
    {"4.1", "1 2 2\n4 1\n0 3 0 0\n2 1\n0 6 0 0\n", "2:1 remark, 4:1 never applies"},
    {"4.1", "1 2 2\n2 1\n0 3 0 0\n2 1\n0 6 0 0\n", "4:1 never applies"},
    {"4.1", "2\n2 1 2 1\n0 3 0 0\n2 1 2 1\n0 6 0 0\n", "2:1 never applies"},
    {"4.1", "1 2 1 64 1\n0 3 0 0\n", "1:7 remark"},
    {"4.1", "1 2 1 2 1\n0 7 0 0\n", "2:1 aborts"},
    {"4.1", "1 0 1 2 1\n0 7 0 0\n", "2:1 aborts"},
    {"5.0", "1 0 1 2 1\n0 7 0 0\n", ""},
    {"4.1", "1 0 1 2 1\n0 6 0 0\n", "2:1 aborts"},
    {"4.1", "1 0 2\n2 1\n0 6 0 0\n3 1\n0 0 0 0\n", ""},
    {"4.1", "1 1 1 4 1\n0 5 0 0\n", "1:7 remark, 2:1 aborts"},
    {"4.1", "1 2 1 2 1\n0 5 0 0\n", "2:1 replaced"},
    {"4.1", "1 7 1 2 1\n0 2 0 0\n", "2:1 replaced"},
    {"4.1", "1 7 1 2 1\n0 2 33 0\n", "2:1 replaced"},
    {"4.1", "1 5 1 2 1\n0 1 0 0\n", "1:3 ignored"},
    {"4.1", "1 17 1 2 1\n0 1 0 0\n", "1:3 ignored"},
    {"4.1", "1 14 1 2 2\n0 1 0 0\n64 2 0 0\n", "3:1 misread"},
    {"4.1", "1 8 1 2 2\n0 1 0 0\n64 2 0 0\n", "3:1 misread"},
    {"4.1", "1 6 1 2 2\n0 1 0 0\n64 2 0 0\n", "3:1 never applies"},
    {"4.1", "1 15 1 2 2\n0 1 0 0\n64 2 0 0\n", "3:1 crashes"},
    {"4.1", "1 15 1 2 2\n0 1 0 0\n64 1 0 0\n", ""},
    {"4.1", "// rules for 1 collective\n1 2 1 2 1\n0 3 0 0\n",
     "1:1 ignored, 1:4 ignored, 1:10 ignored, 1:16 ignored, 2:9 file dropped, 2:9 remark, "
     "4:1 file dropped"},
    {"4.1", "1 2 0\n", "1:5 remark"},
    {"4.1", "1 2 1 2 0\n", "1:9 remark"},
    {"4.1", "1 2 1 2 1\n0 3 0 0\n5\n", "3:1 ignored"},
    {"4.1", "0\n", ""},
};

START_TEST(faults_are_found)
{
    Fixture *fixture = fixture_open();
    const TuningFile file = tuning_of(fixture, faults[_i].text, faults[_i].version);
    ck_assert_str_eq(findings_of(fixture, &file), faults[_i].findings);
    ck_assert_int_eq(file.is_dropped, strstr(faults[_i].findings, "dropped") != NULL);
    fixture_close(fixture);
}
END_TEST

static const struct {
    const char *library, *text, *findings;
} other_faults[] = {
    {"ucc", "", "1:1 file dropped"},
    {"ucc", "# nothing\n", "2:1 file dropped"},
    {"ucc", "allreduce:0-4k:host:[2-8]:@0#allreduce:4k-inf:host:[2-8]:@ring", ""},
    {"ucc", "@ring:[2-8]:4KB-1M:host:allreduce", ""},
    {"ucc", "export UCC_TL_UCP_TUNE=\"allreduce:@4\"\n", ""},
    {"ucc", "UCC_TL_UCP_TUNE=\n", ""},
    {"ucc", "UCC_TL_UCP_TUNE=allreduce:@4\nUCC_TL_UCP_TUNE=allreduce:@3\n", "1:17 never applies"},
    {"ucc", "UCC_TL_CUDA_TUNE=inf\nUCC_TL_UCP_TUNE=inf\n", "1:1 remark"},
    /* rules of another library, and its other settings */
    {"ucc", "I_MPI_ADJUST_BCAST=1\nI_MPI_ADJUST_REDUCE=1\nUCC_TL_UCP_TUNE=inf\n", "1:1 remark"},
    {"ucc", "I_MPI_FABRICS=shm\ncoll_hcoll_enable=1\nUCC_TL_UCP_TUNE=inf\n", ""},
    {"ucc", "OMPI_MCA_coll_tuned_bcast_algorithm=1\nNCCL_PROTO=LL\nUCC_TL_UCP_TUNE=inf\n",
     "1:1 remark, 2:1 remark"},
    {"ucc", "[team_size=8]\nUCC_TL_UCP_TUNE=inf\n", ""},
    {"ucc", "allreduce:0-4k:cpu:@0", "1:16 file dropped"},
    {"ucc", "allreduce:0-4KiB:@0", "1:11 file dropped"},
    {"ucc", "allreduce:0-4k-8k:@0", "1:11 file dropped"},
    {"ucc", "allreduce:-4k:@0", "1:11 file dropped"},
    {"ucc", "allreduce:0-1e3:@0", "1:11 file dropped"},
    {"ucc", "allreduce:[8-2]:@0", "1:11 file dropped"},
    {"ucc", "allreduce:[2-8:@0", "1:11 file dropped"},
    {"ucc", "allreduce:[two]:@0", "1:11 file dropped"},
    {"ucc", "all_reduce:@0", "1:1 file dropped"},
    {"ucc", "allreduce:bcast:@0", "1:11 file dropped"},
    {"ucc", "allreduce:@0:@1", "1:14 file dropped"},
    {"ucc", "allreduce:@5", "1:12 file dropped"},
    {"ucc", "allreduce:@rabenseifner", "1:12 file dropped"},
    {"ucc", "barrier:@0", "1:10 file dropped"},
    {"ucc", "@0", "1:2 file dropped"},
    {"ucc", "allgatherv:@ring", "1:13 remark"},
    {"ucc", "allreduce:4096", "1:1 misread"},
    {"ucc", "allreduce:20", ""},
    {"ucc", "allreduce:0", "1:1 remark"},
    {"ucc", "allreduce:0-4k", "1:1 ignored"},
    {"ucc", "allreduce:4k-4k:@0", "1:1 file dropped"},
    {"ucc", "allreduce:8k-8k,0-4k:@0", "1:1 ignored"},
    {"ucc", "allreduce:@0#allreduce:0-4k:@1", "1:14 file dropped"},
    {"ucc", "allreduce:host:@0#allreduce:cuda:@1", ""},
    {"ucc", "allreduce:host:@0#allreduce:@1", "1:19 ignored"},
    {"ucc", "allreduce:[2-8]:@0#allreduce:[9-16]:@1", ""},
    {"nccl", "allreduce,0,9,ring,simple,0,-1,8\n", "2:1 remark"},
    {"rccl", "collective,min,max,algo,proto,channels,nodes,ranks\n", "1:1 ignored"},
    {"rccl", "allreduce,0,9,rings,ll,-1,-1,8\n", "1:15 ignored"},
    {"rccl", "allreduce,0,9,ring,ll,-1,-1,8\n", ""},
    {"ncclx", "allreduce,[0,0),ring,ll,-1,*,*\n", "1:1 never applies"},
    {"ncclx", "allreduce,*,ring,ll,-1,*,*\nallreduce,[0,1),tree,ll,-1,*,*\n", "2:1 never applies"},
    {"ncclx", "allreduce,*,ring,ll,-1,*,*,0,0,0,0,0,0,0,0\n", "1:1 aborts"},
    {"ncclx", "allreduce,0,65536,ring,ll,-1,-1,-1\n", "1:13 aborts"},
    {"oneccl", "CCL_ALLREDUCE=RING\n", "1:15 aborts"},
    {"oneccl", "CCL_ALLREDUCE=ring;recursive_doubling:0-8192\n", "1:20 remark"},
    {"open-mpi@4.1",
     "\xEF\xBB\xBF"
     "1 7 1 2 1 0 6 0 0\n",
     ""},
    {"open-mpi@4.1", "1 7 2 4 1 0 2 0 0 8\n", "2:1 file dropped"},
    {"open-mpi@6.0",
     "{\"collectives\":{\"bcast\":[{\"comm_size_min\":64,\"comm_size_max\":8,\"rules\":[{\"alg\":6}"
     "]}]}}",
     "1:26 never applies"},
    {"nccl@2.27", "", "1:1 remark"},
    {"nccl@2.27", "# one\n\nallreduce,0,-1,ring,simple,0,-1,-1\n", "3:1 crashes, 4:1 remark"},
    {"nccl@2.27", "allreduce,0,9,ring,simple,0,-1\n", "1:1 ignored, 2:1 remark"},
    {"nccl@2.27", "allreduce,0,9,ring,simple,0,-1,8,-1,-1,3\n",
     "1:1 crashes, 1:40 ignored, 2:1 remark"},
    {"nccl@2.27", "alltoall,0,9,ring,simple,0,-1,8\n", "1:1 misread, 1:1 crashes, 2:1 remark"},
    {"nccl@2.27", "AllReduce,0,9,ring,simple,0,-1,8\n", "1:1 misread, 1:1 crashes, 2:1 remark"},
    {"nccl@2.27", "allgather,0,9,RING,simple,0,-1,8\n", "1:1 crashes, 1:15 misread, 2:1 remark"},
    {"nccl@2.27", "allgather,0,9,ring,LL,0,-1,8\n", "1:1 crashes, 1:20 misread, 2:1 remark"},
    {"nccl@2.27", "allgather,0,4K,ring,ll,0,-1,8\n", "1:1 crashes, 1:13 misread, 2:1 remark"},
    {"nccl@2.27", "allgather,0,4294967296000,ring,ll,0,-1,8\n", "1:1 crashes, 2:1 remark"},
    {"nccl@2.27", "allgather,0,9,ring,ll,-1,-1,8\n", "1:1 crashes, 1:23 replaced, 2:1 remark"},
    {"nccl@2.27", "collective,min_bytes,max_bytes,algorithm,protocol,channels,nodes,ranks\n",
     "1:1 misread, 2:1 remark"},
    {"nccl@2.27", "allgather,,9,ring,ll,0,-1,8,1\n",
     "1:1 never applies, 1:1 crashes, 1:11 misread, 1:14 misread, 1:19 misread, 1:22 misread, 1:24 "
     "replaced, "
     "2:1 remark"},
    {"nccl@2.27", "allgather,9,0,ring,ll,0,-1,8\n", "1:1 never applies, 1:1 crashes, 2:1 remark"},
    {"nccl@2.27", "allgather,0,9,ring,ll,0,-1,0\n", "1:1 never applies, 1:1 crashes, 2:1 remark"},
    {"nccl@2.27", "allgather,0,9,tree,ll,0,-1,8\n", "1:1 ignored, 1:1 crashes, 2:1 remark"},
    {"nccl@2.27", "allgather,0,9,pat,ll,0,-1,8\n", "1:1 ignored, 1:1 crashes, 2:1 remark"},
    {"nccl@2.27", "allgather,0,9,ring,ll,0,-1,8,2\n", "1:1 remark, 1:1 crashes, 2:1 remark"},
    {"nccl@2.27", "allgather,0,9,ring,ll,0,-1,-1\nallgather,4,9,pat,simple,0,2,8\n",
     "1:1 crashes, 2:1 never applies, 3:1 remark"},
    {"nccl@2.27", "allgather,0,9,pat,simple,0,-1,8\nallgather,0,9,ring,ll,0,-1,8\n",
     "1:1 crashes, 3:1 remark"},
    {"nccl@2.27", "allgather,0,9,ring,ll,0,2,-1\nallgather,4,9,pat,simple,0,-1,8\n",
     "1:1 crashes, 3:1 remark"},
    {"nccl@2.27", "allgather,0,9,tree,ll,0,-1,8\nallgather,0,9,pat,simple,0,-1,8\n",
     "1:1 ignored, 1:1 crashes, 3:1 remark"},
};

START_TEST(faults_of_other_libraries_are_found)
{
    Fixture *fixture = fixture_open();
    const TuningFile file = read_for(fixture, other_faults[_i].library, other_faults[_i].text);
    ck_assert_msg(strcmp(findings_of(fixture, &file), other_faults[_i].findings) == 0, "%s\n%s\n%s",
                  other_faults[_i].text, findings_of(fixture, &file), other_faults[_i].findings);
    ck_assert_int_eq(file.is_dropped, strstr(other_faults[_i].findings, "dropped") != NULL);
    fixture_close(fixture);
}
END_TEST

/* Of MPICH, with files that have allreduce only, the finding that the others are missing left out.
 */
#define ALLREDUCE(tree) "{\"collective=allreduce\": {\"comm_type=intra\": " tree ",\n" INTER "}}"
#define INTER "\"comm_type=inter\": " RUNS("inter_reduce_exchange_bcast")
#define RUNS(name) "{\"algorithm=MPIR_Allreduce_" name "\": {}}"
#define DOUBLING RUNS("intra_recursive_doubling")
#define BY_SIZE(name, prefix, measure)                                                             \
    "{\"collective=" name "\": {\"" measure "<=8\": {\"algorithm=MPIR_" prefix                     \
    "_allcomm_nb\": {}},\n"                                                                        \
    "\"" measure "=any\": {\"algorithm=MPIR_" prefix "_allcomm_nb\": {}}}}"
static const struct {
    const char *version, *text, *findings;
} mpich_faults[] = {
    {"4.0", ALLREDUCE(DOUBLING), ""},
    {"4.0", "// a comment\n/* another */" ALLREDUCE(DOUBLING) "oops", ""},
    {"4.0", "{'collective=allreduce': {'algorithm=MPIR_Allreduce_allcomm_nb': {},},}", ""},
    {"4.0",
     ALLREDUCE("{\"avg_msg_size <= 8\": " DOUBLING ", \"avg_msg_size = any\": " DOUBLING "}"), ""},
    {"4.0", "", "1:1 aborts"},
    {"4.0", "# rules\n{}", "1:1 aborts"},
    {"4.0", "[]", "1:1 aborts"},
    {"4.0", "{\"collective=bcast\": {\"algorithm=MPIR_Bcast_allcomm_nb\": {}}", "1:61 aborts"},
    {"4.0", "{\"collective=all\": " DOUBLING "}", "1:3 aborts"},
    {"4.0", "{\"comm_type=intra\": {\"collective=allreduce\": " DOUBLING "}}", ""},
    {"4.0", "{\"count<=4\": {\"collective=allreduce\": " DOUBLING "}, \"count=any\": {}}",
     "1:3 aborts, 1:41 crashes, 1:112 aborts"},
    {"4.0", DOUBLING, "1:3 aborts"},
    {"4.0", ALLREDUCE("{\"avg_msg_size<=8\": " DOUBLING "}"), "1:48 aborts"},
    {"4.0", ALLREDUCE("{\"avg_msg_size<=8\": " DOUBLING ", \"is_commutative=yes\": " DOUBLING "}"),
     "1:126 aborts"},
    {"4.0", ALLREDUCE("{\"is_commutative=no\": " DOUBLING "}"), "1:48 aborts"},
    {"4.0",
     ALLREDUCE("{\"is_commutative=no\": " DOUBLING ",\n\"is_commutative=yes\": " DOUBLING "}"), ""},
    {"4.0", ALLREDUCE("{\"count=any\": " DOUBLING ",\n\"count<=4\": " DOUBLING "}"),
     "2:2 aborts, 2:2 aborts"},
    {"4.0", ALLREDUCE("{\"comm_hierarchy=any\": " DOUBLING ",\n\"count=any\": " DOUBLING "}"),
     "2:2 never applies"},
    {"4.2", ALLREDUCE("{\"comm_hierarchy=any\": " DOUBLING ",\n\"count=any\": " DOUBLING "}"),
     "2:2 aborts"},
    {"4.0", ALLREDUCE("{\"ranks<=4\": " DOUBLING ",\n\"count=any\": " DOUBLING "}"), "1:48 aborts"},
    {"4.0", ALLREDUCE("{\"comm_avg_ppn=any\": " DOUBLING "}"), "1:48 aborts"},
    {"4.2", ALLREDUCE("{\"comm_avg_ppn=any\": " DOUBLING "}"), ""},
    {"4.0", ALLREDUCE("{\"avg_msg_size<=4k\": " DOUBLING ",\n\"count=any\": " DOUBLING "}"),
     "1:48 misread"},
    {"4.0", ALLREDUCE("{\"avg_msg_size<=0x400\": " DOUBLING ",\n\"count=any\": " DOUBLING "}"),
     "1:48 misread"},
    {"4.0", ALLREDUCE("{\"avg_msg_size<=4294967300\": " DOUBLING ",\n\"count=any\": " DOUBLING "}"),
     "1:48 misread"},
    {"4.0",
     ALLREDUCE("{\"count<=4\": " DOUBLING ",\n\"count<=4\": " DOUBLING ",\n\"count=any\": " DOUBLING
               "}"),
     "1:48 never applies"},
    {"4.0",
     ALLREDUCE("{\"avg_msg_size<=8\": " DOUBLING ",\n\"avg_msg_size<9\": " DOUBLING
               ",\n\"avg_msg_size=any\": " DOUBLING "}"),
     "2:2 never applies"},
    {"4.0",
     ALLREDUCE("{\"comm_size<=8\": " DOUBLING ",\n\"comm_size<9\": " DOUBLING
               ",\n\"comm_size=any\": " DOUBLING "}"),
     "2:2 never applies"},
    {"4.0",
     ALLREDUCE("{\"count=any\": {\n\"comm_size<8\": " DOUBLING ", \"comm_size=any\": " DOUBLING
               "}}"),
     ""},
    {"4.0",
     ALLREDUCE("{\"count<=4\": " DOUBLING ", \"count=any\": {\n\"comm_size<8\": " DOUBLING
               ", \"comm_size=any\": " DOUBLING "}}"),
     "2:2 misread"},
    {"4.0", ALLREDUCE("{\"count=any\": {}}"), "1:60 aborts"},
    {"4.0", ALLREDUCE("{\"count=any\": 1}"), "1:60 aborts"},
    {"4.0", ALLREDUCE("{\"algorithm=MPIR_Allreduce_intra_recursive_doubling\": 1}"),
     "1:100 aborts"},
    {"4.0", ALLREDUCE(RUNS("intra_fastest")), "1:48 aborts"},
    {"4.0", ALLREDUCE(RUNS("intra_ring")), "1:48 aborts"},
    {"4.1", ALLREDUCE(RUNS("intra_ring")), "1:48 crashes"},
    {"4.1",
     ALLREDUCE("{\"is_commutative=no\": " DOUBLING ", \"count=any\": " RUNS("intra_ring") "}"), ""},
    {"4.1", ALLREDUCE(RUNS("intra_recexch")), "1:48 crashes, 1:48 crashes"},
    {"4.1",
     ALLREDUCE("{\"algorithm=MPIR_Allreduce_intra_recexch\": {\"k=4\": {}, "
               "\"single_phase_recv=0\": {}}}"),
     ""},
    {"4.1", ALLREDUCE(RUNS("intra_recursive_multiplying")), "1:48 aborts"},
    {"4.3", ALLREDUCE(RUNS("intra_recursive_multiplying")), "1:48 crashes"},
    {"4.0", ALLREDUCE(RUNS("intra_reduce_scatter_allgather")), "1:48 aborts"},
    {"4.0",
     ALLREDUCE("{\"count<pow2\": " DOUBLING
               ", \"count=any\": " RUNS("intra_reduce_scatter_allgather") "}"),
     "1:135 crashes"},
    {"4.0", ALLREDUCE(RUNS("inter_reduce_exchange_bcast")), "1:48 crashes"},
    {"4.0", "{\"collective=allreduce\": " DOUBLING "}", "1:28 crashes"},
    {"4.0", "{\"collective=allreduce\": {\"comm_type=intra\": " DOUBLING "}}", "1:28 aborts"},
    {"4.0", ALLREDUCE("{\"algorithm=MPIR_Bcast_intra_binomial\": {}}"), "1:48 aborts"},
    {"4.0", ALLREDUCE("{\"composition=MPIDI_Allreduce_intra_composition_alpha\": {}}"),
     "1:48 aborts"},
    {"4.0", ALLREDUCE("{\"count<=4\": " DOUBLING ", \"algorithm=MPIR_Allreduce_allcomm_nb\": {}}"),
     "1:48 aborts"},
    {"4.0",
     ALLREDUCE("{\"algorithm=MPIR_Allreduce_intra_smp\": {}, "
               "\"algorithm=MPIR_Allreduce_intra_recursive_doubling\": {}}"),
     "1:48 replaced"},
    {"4.0", ALLREDUCE("{\"is_block_regular=yes\": " DOUBLING "}"), "1:48 aborts, 1:48 aborts"},
    {"4.0", BY_SIZE("gather", "Gather", "total_msg_size"), "1:25 crashes"},
    {"4.0", BY_SIZE("scatter", "Scatter", "total_msg_size"), "1:26 crashes"},
    {"4.0", BY_SIZE("alltoallw", "Alltoallw", "total_msg_size"), "1:28 crashes"},
    {"4.0", BY_SIZE("gather", "Gather", "avg_msg_size"), "1:25 aborts"},
    {"4.0", BY_SIZE("bcast", "Bcast", "avg_msg_size"), ""},
};

START_TEST(faults_of_mpich_are_found)
{
    Fixture *fixture = fixture_open();
    const char *text = mpich_faults[_i].text;
    TuningFile file =
        read_for(fixture, arena_printf(fixture->arena, "mpich@%s", mpich_faults[_i].version), text);
    const TuningFindings *findings = &file.findings;
    if (findings->count && strstr(findings->items[findings->count - 1].text, "has nothing for"))
        file.findings.count--;
    ck_assert_msg(strcmp(findings_of(fixture, &file), mpich_faults[_i].findings) == 0, "%s\n%s\n%s",
                  text, findings_of(fixture, &file), mpich_faults[_i].findings);
    fixture_close(fixture);
}
END_TEST

/* "allreduce" or another collective by its name in the format; -1 runs: no rule, or none that names
   an algorithm. */
static const struct {
    const char *library, *text, *collective;
    int64_t p, size;
    const char *runs;
} choices[] = {
    {"ucc", "allreduce:0-4k:[2-8]:@0#allreduce:4k-inf:@ring", "allreduce", 8, 4095, "knomial"},
    {"ucc", "allreduce:0-4k:[2-8]:@0#allreduce:4k-inf:@ring", "allreduce", 9, 4095, ""},
    {"ucc", "allreduce:0-4k:[2-8]:@0#allreduce:4k-inf:@ring", "allreduce", 9, 4096, "ring"},
    {"ucc", "allreduce:[2,6-8]:@0", "allreduce", 5, 1, ""},
    {"ucc", "allreduce:[2,6-8]:@0", "allreduce", 2, 1, "knomial"},
    {"ucc", "allreduce:cuda:@0", "allreduce", 2, 1, ""},
    {"ucc", "allreduce:0-4k:[2-8]:@0#allreduce:2k-8k:[4-16]:@1", "allreduce", 4, 1, ""},
    {"ucc", "allreduce:0-4k:[2-8]:@0#allreduce:2k-8k:[4-16]:@1", "allreduce", 3, 1, "knomial"},
    {"ucc", "allreduce:0-4k:[2-8]:@0#allreduce:2k-8k:[4-16]:@1", "allreduce", 9, 4096,
     "sra_knomial"},
    {"ucc", "allreduce,bcast:@2#reduce:[2-4]:@9", "reduce", 3, 1, ""},
    {"ucc", "bcast:@2#reduce:[2-4]:@9", "bcast", 3, 1, ""},
    {"ucc", "bcast:@2#reduce:[2-4]:@9", "bcast", 5, 1, "dbt"},
    {"nccl", "allreduce,0,9,tree,ll,0,-1,8\nallreduce,0,99,ring,ll,0,-1,-1\n", "allreduce", 8, 9,
     "tree"},
    {"nccl", "allreduce,0,9,tree,ll,0,-1,8\nallreduce,0,99,ring,ll,0,-1,-1\n", "allreduce", 8, 10,
     "ring"},
    {"nccl", "allreduce,0,9,tree,ll,0,-1,8\nallreduce,0,99,ring,ll,0,-1,-1\n", "allreduce", 7, 9,
     "ring"},
    {"nccl", "allreduce,0,9,tree,ll,0,-1,8\nallreduce,0,99,ring,ll,0,-1,-1\n", "allreduce", 8, 100,
     ""},
    {"nccl", "allgather,0,9,tree,ll,0,-1,8\nallgather,0,9,pat,simple,0,-1,8\n", "allgather", 8, 9,
     "pat"},
    {"nccl", "alltoall,0,9,tree,ll,0,-1,8\n", "allreduce", 8, 9, "tree"},
};

START_TEST(choices_are_those_of_the_library)
{
    Fixture *fixture = fixture_open();
    const TuningFile file = read_for(fixture, choices[_i].library, choices[_i].text);
    const TuningFormat *format = tuning_format(choices[_i].library, "");
    int id = 0;
    while (strcmp(format->collectives[id].name, choices[_i].collective) != 0)
        id++;
    const TuningRule *rule =
        tuning_rule(&file, id, &(TuningCall){.p = choices[_i].p, .size = choices[_i].size});
    ck_assert_str_eq(rule && rule->runs ? rule->runs->name : "", choices[_i].runs);
    fixture_close(fixture);
}
END_TEST

/* ### The library's own reader, by scanf, as an oracle. */

typedef struct {
    long size;
    int algorithm;
} KnownRule;

typedef struct {
    int ranks, count;
    KnownRule rules[8];
} KnownSize;

typedef struct {
    int count;
    KnownSize sizes[8];
} KnownCollective;

static long scan_number(FILE *stream)
{
    long value;
    for (;;) {
        const int found = fscanf(stream, "%li", &value);
        if (found == EOF)
            return -999;
        if (found == 1)
            return value;
        int c = getc(stream);
        if (c == EOF)
            return -999;
        if (c == '#')
            while (c != EOF && c != '\n')
                c = getc(stream);
    }
}

/* False: dropped, or larger than what tests are made of (`*is_large`). */
static bool scan_file(FILE *stream, KnownCollective known[TUNED_COUNT], bool *is_large)
{
    const int collectives = (int)scan_number(stream);
    *is_large = false;
    if (collectives < 0 || collectives > TUNED_COUNT)
        return false;
    for (int i = 0; i < collectives; i++) {
        const int id = (int)scan_number(stream);
        if (id < 0 || id >= TUNED_COUNT)
            return false;
        KnownCollective *collective = &known[id];
        collective->count = (int)scan_number(stream);
        if (collective->count < 0)
            return false;
        for (int j = 0; j < collective->count; j++) {
            KnownSize scratch, *size = j < 8 ? &collective->sizes[j] : &scratch;
            size->ranks = (int)scan_number(stream);
            size->count = size->ranks < 0 ? -1 : (int)scan_number(stream);
            if (size->count < 0)
                return false;
            for (int k = 0; k < size->count; k++) {
                KnownRule spare, *rule = k < 8 ? &size->rules[k] : &spare;
                rule->size = scan_number(stream);
                if (rule->size < 0)
                    return false;
                rule->algorithm = (int)scan_number(stream);
                if (rule->algorithm < 0 || (int)scan_number(stream) < 0 ||
                    (int)scan_number(stream) < 0 || (k == 0 && rule->size))
                    return false;
                *is_large |= j >= 8 || k >= 8;
            }
        }
    }
    return true;
}

static int64_t known_algorithm(const KnownCollective *collective, int p, int64_t bytes)
{
    const KnownSize *size = collective->sizes;
    if (!collective->count)
        return 0;
    for (int i = 0; i < collective->count && collective->sizes[i].ranks <= p; i++)
        size = &collective->sizes[i];
    if (!size->count)
        return 0;
    const KnownRule *rule = size->rules;
    for (int i = 0; i < size->count && size->rules[i].size <= bytes; i++)
        rule = &size->rules[i];
    return rule->algorithm;
}

static int below(uint64_t *state, int most)
{
    return (int)(random_next(state) % (uint64_t)most);
}

/* A file that is nearly right. */
static const char *random_file(Fixture *fixture, uint64_t *state)
{
    static const char *const odd[] = {"4k",   "-1",   "010", "08", "1e3",
                                      "0x1f", "oops", "#",   "\n", "- 3"};
    const char *text = "";
#define PUT(number)                                                                                \
    (text = arena_printf(fixture->arena, "%s%lld%s%s", text, (long long)(number),                  \
                         below(state, 4) ? " " : "\n",                                             \
                         below(state, 60) ? "" : odd[below(state, 10)]))
    const int collectives = 1 + (int)below(state, 3);
    PUT(collectives);
    for (int i = 0; i < collectives; i++) {
        const int sizes = (int)below(state, 4);
        PUT(below(state, 22));
        PUT(sizes);
        for (int j = 0; j < sizes; j++) {
            const int rules = (int)below(state, 4);
            PUT(below(state, 3) ? 1 << j : (int)below(state, 9));
            PUT(rules);
            for (int k = 0; k < rules; k++) {
                PUT(k == 0 ? 0 : below(state, 3) ? 8 * k : (int)below(state, 40));
                PUT(below(state, 7));
                PUT(0);
                PUT(below(state, 2) * 4096);
            }
        }
    }
#undef PUT
    return text;
}

START_TEST(files_are_read_as_by_scanf)
{
    Fixture *fixture = fixture_open();
    uint64_t state = 24;
    int dropped = 0, ruled = 0;
    for (int i = 0; i < 3000; i++) {
        const char *text = random_file(fixture, &state);
        KnownCollective known[TUNED_COUNT] = {0};
        bool is_large;
        FILE *stream = fmemopen((char *)text, strlen(text), "r");
        ck_assert(stream != NULL);
        const bool is_read = scan_file(stream, known, &is_large);
        fclose(stream);
        const TuningFile file = tuning_of(fixture, text, "4.1");
        ck_assert_msg(file.is_dropped == !is_read, "%s", text);
        dropped += file.is_dropped;
        for (int id = 0; id < TUNED_COUNT && is_read && !is_large; id++)
            for (int p = 1; p < 10; p++)
                for (int64_t bytes = 0; bytes < 44; bytes += 4) {
                    const TuningRule *rule =
                        tuning_rule(&file, id, &(TuningCall){.p = p, .size = bytes});
                    const int64_t algorithm = rule ? rule->algorithm : 0;
                    ck_assert_msg(algorithm == known_algorithm(&known[id], p, bytes),
                                  "%s\ncollective %d, %d ranks, %lld bytes: %lld", text, id, p,
                                  (long long)bytes, (long long)algorithm);
                    ruled += algorithm > 0;
                }
    }
    ck_assert_int_gt(dropped, 100);
    ck_assert_int_gt(ruled, 10000);
    fixture_close(fixture);
}
END_TEST

/* ### What is planned and written is read back. */

static const struct {
    const char *library, *machine, *topology, *collectives;
    int64_t ranks[4];
} plans[] = {
    {"open-mpi@5.0",
     "slingshot",
     "full",
     "allgather allreduce alltoall barrier bcast",
     {2, 3, 8, 64}},
    {"open-mpi@4.1", "slingshot", "full", "exscan gather reduce scan scatter", {4, 7, 16, 31}},
    {"open-mpi@5.0", "sg2260", "full", "reduce_scatter reduce_scatter_block", {2, 5, 8, 16}},
    {"open-mpi@4.1", "sg2260", "ring", "allgather allreduce bcast reduce alltoall", {4, 9, 12, 16}},
    {"open-mpi@5.0",
     "edr-fat-tree",
     "full",
     "allreduce bcast scatter gather reduce",
     {8, 16, 33, 40}},
    {"open-mpi@4.1", "griffon", "full", "allgather allreduce bcast alltoall", {2, 6, 8, 24}},
    {"open-mpi@5.0", "a100", "hypercube", "allreduce bcast reduce allgather", {2, 4, 8, 16}},
    {"ucc", "slingshot", "full", "allreduce bcast reduce barrier scatter", {3, 8, 16, 64}},
    {"ucc", "griffon", "full", "allreduce bcast reduce gather", {2, 6, 8, 24}},
    {"nccl", "h100", "star", "allreduce broadcast reduce allgather", {2, 5, 8, 16}},
    {"nccl", "a100", "star", "allreduce reducescatter", {2, 4, 7, 8}},
    {"mpich@4.0",
     "slingshot",
     "full",
     "allgather allreduce alltoall bcast reduce reduce_scatter",
     {2, 3, 8, 64}},
    {"mpich@4.1",
     "sg2260",
     "full",
     "allreduce alltoall barrier reduce_scatter_block",
     {4, 6, 9, 16}},
    {"mpich@4.3", "griffon", "ring", "allgather allreduce bcast reduce", {5, 8, 16, 24}},
    {"mpich@5.0",
     "edr-fat-tree",
     "full",
     "allgather allreduce bcast scatter gather",
     {7, 9, 33, 40}},
};

static void set(Fixture *fixture, Study *study, const char *name, const char *value)
{
    ck_assert_msg(study_set(study, text_of(fixture, name), text_of(fixture, value)), "%s %s", name,
                  value);
}

static TuningPlan plan_all(Fixture *fixture, Study *study, int number)
{
    TuningPlan plan = {0};
    Shape shapes[4];
    PlanQuestion question = {.format =
                                 tuning_format(study->implementation->head.name, study->version),
                             .shapes = shapes,
                             .count = 4,
                             .least_gain = 0.05,
                             .least_measured_gain = 0.05};
    for (int i = 0; i < 4; i++)
        question.topology = subject_topology(
            study,
            text_of(fixture, arena_printf(fixture->arena, "%s:%lld", plans[number].topology,
                                          (long long)plans[number].ranks[i])),
            &shapes[i]);
    char names[128];
    strcpy(names, plans[number].collectives);
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) {
        int id = 0;
        while (strcmp(question.format->collectives[id].name, name) != 0)
            id++;
        ck_assert(tuning_plan(study, &question, id, &plan));
    }
    return plan;
}

/* What MPICH's file has at the ends of a rule: its algorithm, or the library's own choice. */
static void check_ends(Fixture *fixture, const Study *study, const TuningFile *file,
                       const TuningRule *rule)
{
    const TunedCollective *tuned = &tuning_format("mpich", "")->collectives[rule->collective];
    const int64_t ranks[] = {rule->from_ranks, rule->below_ranks - 1};
    const double sizes[] = {(double)rule->from_size, (double)rule->below_size - 1};
    for (int i = 0; i < 4; i++) {
        const int64_t p = ranks[i / 2];
        const double one = tuned->measure == MEASURE_TIMES_RANKS ? (double)p : 1;
        const double m = i % 2 ? floor(sizes[1] / one) : ceil(sizes[0] / one);
        if (p < 2 || p > 4096 || m < 8 || m > 1e9 || m * one < sizes[0] || m * one > sizes[1])
            continue;
        const TuningCall call = tuning_call(tuned, p, 0, m, 1);
        const LibraryCall asked = {.p = p, .m = m, .buffer = m * one, .element = 1};
        const TuningRule *found = tuning_rule(file, rule->collective, &call);
        const LibraryAlgorithm *runs =
            rule->runs
                ? implementation_runs(study->implementation, study->version, rule->runs, &asked,
                                      &fixture->diag)
                : implementation_chooses(study->implementation, study->version, tuned->collective,
                                         tuned->variant, &asked, &fixture->diag);
        ck_assert_msg(found && found->runs == runs && !tuning_aborts(file, found, &call),
                      "%s, %lld ranks, %g bytes: %s", tuned->name, (long long)p, m,
                      runs ? runs->name : "?");
    }
}

START_TEST(plans_are_read_back)
{
    Fixture *fixture = fixture_open();
    Study *study = study_create(fixture->arena, fixture->library, &fixture->diag);
    set(fixture, study, "machine", plans[_i].machine);
    set(fixture, study, "for", plans[_i].library);
    const TuningPlan plan = plan_all(fixture, study, _i);
    const TuningFormat *format = tuning_format(study->implementation->head.name, study->version);
    TuningRules rules = {0};
    Buffer text = {.arena = fixture->arena};
    for (size_t i = 0; i < plan.rules.count; i++)
        *ARRAY_PUSH(fixture->arena, &rules) = plan.rules.items[i].rule;
    ck_assert_int_gt(rules.count, 0);
    format->write(&text, &rules, study->version);
    const TuningFile file = tuning_read(
        format, fixture->arena, source_from_text(fixture->arena, "rules", text.items, text.count),
        study->implementation, study->version);
    ck_assert_msg(tuning_defects(&file) == 0, "%s\n%s", findings_of(fixture, &file), text.items);
    const bool is_mpich = strcmp(format->library, "mpich") == 0;
    for (size_t i = 0; is_mpich && i < rules.count; i++)
        check_ends(fixture, study, &file, &rules.items[i]);
    for (size_t i = 0; !is_mpich && i < rules.count; i++) {
        const TuningRule *rule = &rules.items[i];
        const int64_t p = rule->below_ranks == INT64_MAX ? rule->from_ranks : rule->below_ranks - 1;
        const int64_t size = rule->below_size == INT64_MAX ? INT64_MAX - 1 : rule->below_size - 1;
        const TuningRule *least = tuning_rule(
            &file, rule->collective, &(TuningCall){.p = rule->from_ranks, .size = rule->from_size});
        ck_assert_ptr_eq(least,
                         tuning_rule(&file, rule->collective, &(TuningCall){.p = p, .size = size}));
        if (format->collectives == tuned_collectives) /* these have no gaps */
            ck_assert_ptr_eq(least, &file.rules.items[i]);
        ck_assert_int_eq(least && tuning_names_algorithm(least), tuning_names_algorithm(rule));
        if (tuning_names_algorithm(rule)) {
            ck_assert_ptr_eq(least->runs, rule->runs);
            ck_assert_int_eq(least->fanout, rule->fanout);
            ck_assert_int_eq(least->protocol, rule->protocol);
        }
    }
    fixture_close(fixture);
}
END_TEST

/* Each version's file of the same rules says the fan-outs and segments of these. */
START_TEST(fanouts_and_segments_are_written)
{
    static const char *const versions[] = {"4.1", "5.0", "6.0"};
    static const char *const text =
        "2 2 1 8 2\n0 3 0 0\n1024 5 0 4096\n7 1 8 2\n0 2 6 0\n64 2 4 512\n";
    static const struct {
        int collective;
        int64_t size, fanout, segment;
    } calls[] = {{2, 8, 0, 0}, {2, 65536, 0, 4096}, {7, 8, 6, 0}, {7, 65536, 4, 512}};
    Fixture *fixture = fixture_open();
    const TuningFile file = tuning_of(fixture, text, "4.1");
    ck_assert_uint_eq(file.rules.count, 4);
    for (size_t v = 0; v < sizeof versions / sizeof *versions; v++) {
        const TuningFormat *format = tuning_format("open-mpi", versions[v]);
        Buffer written = {.arena = fixture->arena};
        buffer_printf(&written, "%s", format->is_json ? "{" : "");
        format->write(&written, &file.rules, versions[v]);
        const TuningFile again = tuning_read(
            format, fixture->arena,
            source_from_text(fixture->arena, "rules", written.items, written.count),
            library_implementation(fixture->library, text_of(fixture, "open-mpi"), &fixture->diag),
            versions[v]);
        ck_assert_uint_eq(tuning_defects(&again), 0);
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
            const TuningCall call = {.p = 8, .size = calls[i].size};
            const TuningRule *rule = tuning_rule(&again, calls[i].collective, &call);
            ck_assert_ptr_nonnull(rule);
            ck_assert_int_eq(rule->fanout, calls[i].fanout);
            ck_assert_int_eq(rule->segment, calls[i].segment);
        }
    }
    fixture_close(fixture);
}
END_TEST

/* ### Measured times count in place of the model's. */

enum { MEASURED_SIZES = 18 };

static const char *const measured_names[] = {
    "default", "basic_linear", "recursive_doubling", "ring", "4", "rabenseifner"};
enum { MEASURED_NAMES = 6 };

static Measurement measured_row(const char *name, int size, double seconds)
{
    return (Measurement){.collective = "allreduce",
                         .algorithm = name,
                         .system = "",
                         .p = 8,
                         .bytes = (double)(INT64_C(8) << size),
                         .seconds = seconds,
                         .finish = FINISH_LAST};
}

/* Times that rise with the size, and change places. */
static void random_rows(Fixture *fixture, uint64_t *state, MeasurementArray *rows,
                        double times[MEASURED_NAMES][MEASURED_SIZES])
{
    for (int a = 0; a < MEASURED_NAMES; a++) {
        double seconds = 1e-6 * (1 + below(state, 8));
        for (int i = 0; i < MEASURED_SIZES; i++) {
            times[a][i] = seconds *= 1 + below(state, 100) / 100.0;
            *ARRAY_PUSH(fixture->arena, rows) = measured_row(measured_names[a], i, seconds);
        }
    }
}

static double time_of_rule(const TuningRule *rule, double times[MEASURED_NAMES][MEASURED_SIZES],
                           int size)
{
    double seconds = INFINITY;
    for (int a = 1; a < MEASURED_NAMES; a++)
        if (strcmp(rule->runs->name, measured_names[a]) == 0 ||
            (rule->algorithm == 4 && a == 4)) /* "ring" and "4" are one */
            seconds = fmin(seconds, times[a][size]);
    return seconds;
}

START_TEST(measured_times_count)
{
    Fixture *fixture = fixture_open();
    Study *study = study_create(fixture->arena, fixture->library, &fixture->diag);
    set(fixture, study, "for", "open-mpi@4.1");
    uint64_t state = 5;
    int ruled = 0;
    for (int round = 0; round < 20; round++) {
        MeasurementArray rows = {0};
        double times[MEASURED_NAMES][MEASURED_SIZES];
        TuningPlan plan = {0};
        Shape shape;
        Buffer text = {.arena = fixture->arena};
        TuningRules rules = {0};
        random_rows(fixture, &state, &rows, times);
        ck_assert(measurements_merge(fixture->arena, &rows, &fixture->diag));
        const PlanQuestion question = {
            .format = tuning_format("open-mpi", "4.1"),
            .topology = subject_topology(study, text_of(fixture, "full:8"), &shape),
            .shapes = &shape,
            .count = 1,
            .least_gain = 0.05,
            .least_measured_gain = 0.05,
            .measured = {.rows = &rows}};
        ck_assert(tuning_plan(study, &question, 2, &plan));
        for (size_t i = 0; i < plan.rules.count; i++)
            *ARRAY_PUSH(fixture->arena, &rules) = plan.rules.items[i].rule;
        question.format->write(&text, &rules, "4.1");
        const TuningFile file = tuning_of(fixture, text.items, "4.1");
        for (int i = 0; i < MEASURED_SIZES; i++) {
            const TuningRule *rule =
                tuning_rule(&file, 2, &(TuningCall){.p = 8, .size = INT64_C(8) << i});
            double best = times[0][i];
            for (int a = 1; a < MEASURED_NAMES; a++)
                best = fmin(best, times[a][i]);
            if (rule && rule->algorithm) {
                ck_assert_double_le(time_of_rule(rule, times, i), best * 1.0500001);
                ruled++;
            } else {
                ck_assert_double_le(times[0][i], best * 1.05 * 1.0500001);
            }
        }
    }
    ck_assert_int_gt(ruled, 100);
    fixture_close(fixture);
}
END_TEST

Suite *tuning_suite(void)
{
    Suite *suite = suite_create("tuning");
    TCase *tests = tcase_create("tuning");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, faults_are_found, 0, sizeof faults / sizeof *faults);
    tcase_add_loop_test(tests, faults_of_other_libraries_are_found, 0,
                        sizeof other_faults / sizeof *other_faults);
    tcase_add_loop_test(tests, faults_of_mpich_are_found, 0,
                        sizeof mpich_faults / sizeof *mpich_faults);
    tcase_add_loop_test(tests, choices_are_those_of_the_library, 0,
                        sizeof choices / sizeof *choices);
    tcase_add_loop_test(tests, plans_are_read_back, 0, sizeof plans / sizeof *plans);
    tcase_add_test(tests, fanouts_and_segments_are_written);
    tcase_add_test(tests, measured_times_count);
    tcase_add_test(tests, files_are_read_as_by_scanf);
    suite_add_tcase(suite, tests);
    return suite;
}
