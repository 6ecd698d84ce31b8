#include "engine/formats/hlo/turn_parts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/formats/hlo/compiled_step.h"

namespace tpulab::compiled_turn_parts_test {
namespace {

constexpr int weight_bytes = 8 * 8 * 4;
constexpr int data_bytes = 96 * 8 * 4;

// A loop of six steps over x, of 96 rows: %b of a turn is what `cut` makes of %d, which lies in the
// loop as `type` and is what `before` made of %x.
ImportedStep read(std::string_view type, std::string_view before, std::string_view cut,
                  std::string_view inside = "ROOT %b = f32[16,8] broadcast(%i)") {
  return import_hlo(fmt::format(R"(HloModule m, is_scheduled=true

%fused (d: {0}, i: s32[]) -> f32[16,8] {{
  %d = {0} parameter(0)
  %i = s32[] parameter(1)
  %none = s32[] constant(0)
  {3}
}}

%body (s: (s32[], f32[8,8], {0})) -> (s32[], f32[8,8], {0}) {{
  %s = (s32[], f32[8,8], {0}) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %w = f32[8,8] get-tuple-element(%s), index=1
  %d = {0} get-tuple-element(%s), index=2
  %one = s32[] constant(1)
  %none = s32[] constant(0)
  %j = s32[] add(%i, %one)
  {2}
  %p = f32[8,8] dot(%b, %b), lhs_contracting_dims={{0}}, rhs_contracting_dims={{0}}
  %u = f32[8,8] subtract(%w, %p)
  ROOT %t = (s32[], f32[8,8], {0}) tuple(%j, %u, %d)
}}

%condition (s: (s32[], f32[8,8], {0})) -> pred[] {{
  %s = (s32[], f32[8,8], {0}) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %n = s32[] constant(6)
  ROOT %c = pred[] compare(%i, %n), direction=LT
}}

%sum (a: f32[], b: f32[]) -> f32[] {{
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %c = f32[] add(%a, %b)
}}

ENTRY %main (w: f32[8,8], x: f32[96,8]) -> (f32[8,8], f32[]) {{
  %w = f32[8,8] parameter(0)
  %x = f32[96,8] parameter(1)
  %zero = s32[] constant(0)
  %nothing = f32[] constant(0)
  %d = {0} {1}
  %s = (s32[], f32[8,8], {0}) tuple(%zero, %w, %d)
  %l = (s32[], f32[8,8], {0}) while(%s), condition=%condition, body=%body
  %u = f32[8,8] get-tuple-element(%l), index=1
  %loss = f32[] reduce(%u, %nothing), dimensions={{0,1}}, to_apply=%sum
  %k = f32[8,8] copy(%u)
  ROOT %r = (f32[8,8], f32[]) tuple(%k, %loss)
}}
)",
                                type, before, cut, inside),
                    "m.hlo");
}

void expect_kept(const ImportedStep& step) {
  EXPECT_EQ(step.steps, 6);
  EXPECT_EQ(step.rows, 6 * 16);
  EXPECT_EQ(step.work.batch.value, 0);
  EXPECT_EQ(step.stays.value, data_bytes + weight_bytes);
}

TEST(CompiledTurnParts, that_are_gathered_are_the_rows_of_a_step_and_their_data_set_stays) {
  expect_kept(read("f32[96,8]", "copy(%x)",
                   "%q = s32[16,1] broadcast(%j), dimensions={}\n"
                   "  %b = f32[16,8] gather(%d, %q), offset_dims={1}, collapsed_slice_dims={0}, "
                   "start_index_map={0}, index_vector_dim=1, slice_sizes={1,8}"));
}

// As of a table of positions.
TEST(CompiledTurnParts, that_are_the_same_in_each_turn_are_no_rows) {
  const ImportedStep step =
      read("f32[96,8]", "copy(%x)",
           "%f = s32[16,1] iota(), iota_dimension=0\n"
           "  %q = s32[16,1] add(%f, %f)\n"
           "  %b = f32[16,8] gather(%d, %q), offset_dims={1}, collapsed_slice_dims={0}, "
           "start_index_map={0}, index_vector_dim=1, slice_sizes={1,8}");
  EXPECT_EQ(step.rows, 0);
  EXPECT_EQ(step.stays.value, data_bytes + weight_bytes);
}

TEST(CompiledTurnParts, inside_of_a_fusion_that_begin_anywhere_are_rows_too) {
  expect_kept(read("f32[96,8]", "multiply(%x, %x)",
                   "%b = f32[16,8] fusion(%d, %i), kind=kLoop, calls=%fused",
                   "ROOT %b = f32[16,8] dynamic-slice(%d, %i, %none), "
                   "dynamic_slice_sizes={16,8}"));
}

TEST(CompiledTurnParts, that_are_all_read_once_in_their_order_are_sent) {
  const ImportedStep step =
      read("f32[6,16,8]", "bitcast(%x)", "%b = f32[16,8] fusion(%d, %i), kind=kLoop, calls=%fused",
           "%o = f32[1,16,8] dynamic-slice(%d, %i, %none, %none), "
           "dynamic_slice_sizes={1,16,8}\n  ROOT %b = f32[16,8] bitcast(%o)");
  EXPECT_EQ(step.rows, 6 * 16);
  EXPECT_EQ(step.work.batch.value, data_bytes);
}

TEST(CompiledTurnParts, are_none_of_what_each_turn_reads_as_a_whole) {
  const ImportedStep step = read("f32[96,8]", "copy(%x)", "%b = f32[96,8] multiply(%d, %d)");
  EXPECT_EQ(step.rows, 6 * 96);
  EXPECT_EQ(step.work.batch.value, data_bytes);
}

// A turn takes one of x, which lies in the loop as `in_loop`, and makes %g of it, as %b, and of
// what turns before have left, %c.
struct Loop {
  std::string_view x;
  std::string_view in_loop;
  std::string_view one;
  int rows = 0;
  std::string carried = "f32[8,8]";
  std::string turn =
      "%p = f32[8,8] dot(%b, %b), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n"
      "  %g = f32[8,8] add(%c, %p)";
};

ImportedStep read(const Loop& loop) {
  return import_hlo(
      fmt::format(R"(HloModule m, is_scheduled=true

%fused (d: {1}, i: s32[]) -> f32[{4},8] {{
  %d = {1} parameter(0)
  %i = s32[] parameter(1)
  %none = s32[] constant(0)
  %o = {2} dynamic-slice(%d, %i, %none, %none), dynamic_slice_sizes={{{3}}}
  ROOT %b = f32[{4},8] bitcast(%o)
}}

%body (s: (s32[], {5}, {1})) -> (s32[], {5}, {1}) {{
  %s = (s32[], {5}, {1}) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %c = {5} get-tuple-element(%s), index=1
  %d = {1} get-tuple-element(%s), index=2
  %one = s32[] constant(1)
  %j = s32[] add(%i, %one)
  %b = f32[{4},8] fusion(%d, %i), kind=kLoop, calls=%fused
  {6}
  ROOT %t = (s32[], {5}, {1}) tuple(%j, %g, %d)
}}

%condition (s: (s32[], {5}, {1})) -> pred[] {{
  %s = (s32[], {5}, {1}) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %n = s32[] constant(4)
  ROOT %c = pred[] compare(%i, %n), direction=LT
}}

%sum (a: f32[], b: f32[]) -> f32[] {{
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %c = f32[] add(%a, %b)
}}

ENTRY %main (w: f32[8,8], x: {0}) -> (f32[8,8], f32[]) {{
  %w = f32[8,8] parameter(0)
  %x = {0} parameter(1)
  %zero = s32[] constant(0)
  %nothing = f32[] constant(0)
  %zeros = {5} broadcast(%nothing), dimensions={{}}
  %d = {1} bitcast(%x)
  %s = (s32[], {5}, {1}) tuple(%zero, %zeros, %d)
  %l = (s32[], {5}, {1}) while(%s), condition=%condition, body=%body
  %a = {5} get-tuple-element(%l), index=1
  %g = f32[8,8] dot(%a, %a), lhs_contracting_dims={{0}}, rhs_contracting_dims={{0}}
  %u = f32[8,8] subtract(%w, %g)
  %loss = f32[] reduce(%g, %nothing), dimensions={{0,1}}, to_apply=%sum
  ROOT %r = (f32[8,8], f32[]) tuple(%u, %loss)
}}
)",
                  loop.x, fmt::format("f32[{}]", loop.in_loop), fmt::format("f32[{}]", loop.one),
                  loop.one, loop.rows, loop.carried, loop.turn),
      "m.hlo");
}

// Which a compiler gives an axis of one more, or takes it.
TEST(CompiledTurnParts, are_the_rows_of_all_microbatches) {
  const ImportedStep step = read({"f32[4,32,8]", "4,32,8,1", "1,32,8,1", 32});
  EXPECT_EQ(step.steps, 1);
  EXPECT_EQ(step.rows, 4 * 32);
  EXPECT_EQ(step.work.batch.value, 4 * 32 * 8 * 4);
  EXPECT_EQ(read({"f32[1,4,32,8]", "4,32,8", "1,32,8", 32}).rows, 4 * 32);
}

TEST(CompiledTurnParts, of_one_row_each_are_as_many_rows_as_microbatches) {
  EXPECT_EQ(read({"f32[16,8]", "16,1,8", "1,1,8", 1}).rows, 16);
  EXPECT_EQ(read({"f32[16,1,8]", "16,8", "1,8", 1}).rows, 16);
  EXPECT_EQ(read({"f32[16]", "16,1,1", "1,1,1", 1}).rows, 16);
}

// Four turns along time, whose state has 32 rows.
TEST(CompiledTurnParts, that_lie_along_time_have_the_rows_of_its_state) {
  const ImportedStep step = read({.x = "f32[4,32,8]",
                                  .in_loop = "4,32,8",
                                  .one = "1,32,8",
                                  .rows = 32,
                                  .carried = "f32[32,8]",
                                  .turn = "%g = f32[32,8] add(%c, %b)"});
  EXPECT_EQ(step.rows, 32);
  EXPECT_EQ(step.work.batch.value, 4 * 32 * 8 * 4);
  // Two at once.
  EXPECT_EQ(read({.x = "f32[8,32,8]",
                  .in_loop = "4,2,32,8",
                  .one = "1,2,32,8",
                  .rows = 2 * 32,
                  .carried = "f32[32,8]",
                  .turn = "%p = f32[32,8] slice(%b), slice={[0:32], [0:8]}\n"
                          "  %q = f32[32,8] slice(%b), slice={[32:64], [0:8]}\n"
                          "  %e = f32[32,8] add(%c, %p)\n"
                          "  %g = f32[32,8] multiply(%e, %q)"})
                .rows,
            32);
}

// Of one row, whose axis the compiler has dropped.
TEST(CompiledTurnParts, of_one_row_may_lie_along_time) {
  EXPECT_EQ(read({.x = "f32[4,1,8]",
                  .in_loop = "4,1,8",
                  .one = "1,1,8",
                  .rows = 1,
                  .carried = "f32[1,8]",
                  .turn = "%q = f32[8] bitcast(%b)\n  %p = f32[8] bitcast(%c)\n"
                          "  %e = f32[8] add(%p, %q)\n  %f = f32[8] multiply(%e, %p)\n"
                          "  %g = f32[1,8] bitcast(%f)"})
                .rows,
            1);
}

TEST(CompiledTurnParts, may_lie_along_time_where_the_state_looks_like_the_weights) {
  EXPECT_EQ(read({.x = "f32[4,8,8]",
                  .in_loop = "4,8,8",
                  .one = "1,8,8",
                  .rows = 8,
                  .carried = "f32[8,8]",
                  .turn = "%g = f32[8,8] add(%c, %b)"})
                .rows,
            8);
}

// Of a step whose entry may sum with %sum.
std::int64_t rows_of(std::string_view entry) {
  constexpr std::string_view head = R"(HloModule m, is_scheduled=true

%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %c = f32[] add(%a, %b)
}

)";
  return import_hlo(fmt::format("{}{}", head, entry), "m.hlo").rows;
}

TEST(CompiledTurnParts, are_none_of_random_keys) {
  EXPECT_EQ(rows_of(R"(ENTRY %main (w: f32[8,8], x: f32[32,8], k: u32[4,2]) -> (f32[8,8], f32[]) {
  %w = f32[8,8] parameter(0)
  %x = f32[32,8] parameter(1)
  %k = u32[4,2] parameter(2)
  %nothing = f32[] constant(0)
  %g = f32[8,8] dot(%x, %x), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  %u = f32[8,8] subtract(%w, %g)
  %loss = f32[] reduce(%g, %nothing), dimensions={0,1}, to_apply=%sum
  ROOT %q = (f32[8,8], f32[]) tuple(%u, %loss)
}
)"),
            32);
}

TEST(CompiledTurnParts, that_are_written_out_add_up_gradients) {
  EXPECT_EQ(rows_of(R"(ENTRY %main (w: f32[8,8], x: f32[2,32,8]) -> (f32[8,8], f32[]) {
  %w = f32[8,8] parameter(0)
  %x = f32[2,32,8] parameter(1)
  %nothing = f32[] constant(0)
  %t0 = f32[1,32,8] slice(%x), slice={[0:1], [0:32], [0:8]}
  %t1 = f32[1,32,8] slice(%x), slice={[1:2], [0:32], [0:8]}
  %r0 = f32[32,8] bitcast(%t0)
  %r1 = f32[32,8] bitcast(%t1)
  %g0 = f32[8,8] dot(%r0, %r0), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  %g1 = f32[8,8] convolution(%r1, %r1), dim_labels=fb_io->bf
  %g = f32[8,8] add(%g0, %g1)
  %u = f32[8,8] subtract(%w, %g)
  %loss = f32[] reduce(%g, %nothing), dimensions={0,1}, to_apply=%sum
  ROOT %q = (f32[8,8], f32[]) tuple(%u, %loss)
}
)"),
            2 * 32);
}

}  // namespace
}  // namespace tpulab::compiled_turn_parts_test
