#include "engine/formats/hlo/schedule_memory.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/formats/hlo/parser.h"

namespace tpulab::schedule_memory_test {
namespace {

// KiB of HBM, of arrays of one KiB each.
std::int64_t kib(const std::string& other, const std::string& body,
                 const std::string& header = "") {
  const hlo::Module module = hlo::parse(
      fmt::format("HloModule m, is_scheduled=true{}\n\n{}ENTRY %main (p: f32[256]) -> f32[256] "
                  "{{\n{}}}\n",
                  header, other, body),
      "f.hlo");
  return hlo::memory_of_schedule(module).value / 1024;
}

std::string taken_over(const std::string& indices) {
  return R"(, backend_config={"aliasing_operands":{"lists":[{"indices":[)" + indices + "]}]}}\n";
}

// As XLA prints it of a kernel that writes where its operand lay.
TEST(ScheduleMemory, a_kernel_takes_over_an_operand_as_its_text_says) {
  const auto chain = [](const std::string& how) {
    return kib("",
               "  %p = f32[256]{0} parameter(0)\n"
               "  %a = f32[256]{0} copy(%p)\n"
               "  %b = f32[256]{0} negate(%a)" +
                   how + "  ROOT %c = f32[256]{0} negate(%b)" + how);
  };
  EXPECT_EQ(chain("\n"), 3);
  EXPECT_EQ(chain(taken_over(R"("0","1")")), 2);
}

TEST(ScheduleMemory, what_is_taken_over_stays_as_long_as_the_result) {
  EXPECT_EQ(kib("",
                "  %p = f32[256]{0} parameter(0)\n"
                "  %a = f32[256]{0} copy(%p)\n"
                "  %b = f32[256]{0} negate(%a)" +
                    taken_over(R"("0","1")") +
                    "  %c = f32[256]{0} copy(%p)\n"
                    "  ROOT %d = f32[256]{0} add(%b, %c)\n"),
            4);
}

// Two of one group: each has memory of its own.
TEST(ScheduleMemory, results_take_over_operands_of_their_group_one_by_one) {
  const std::string fused =
      "%f (x: f32[256], y: f32[256]) -> (f32[256], f32[256]) {\n"
      "  %x = f32[256]{0} parameter(0)\n"
      "  %y = f32[256]{0} parameter(1)\n"
      "  ROOT %t = (f32[256]{0}, f32[256]{0}) tuple(%x, %y)\n}\n\n";
  const auto both = [&](const std::string& how) {
    return kib(fused,
               "  %p = f32[256]{0} parameter(0)\n"
               "  %a = f32[256]{0} copy(%p)\n"
               "  %b = f32[256]{0} copy(%p)\n"
               "  ROOT %c = (f32[256]{0}, f32[256]{0}) fusion(%a, %b), kind=kLoop, calls=%f" +
                   how);
  };
  EXPECT_EQ(both("\n"), 5);
  EXPECT_EQ(both(taken_over(R"("0","1","2","3")")), 3);
  EXPECT_EQ(both(taken_over(R"("0","2","3")")), 4);
}

// Its compiler copies what a turn reads after it was written over.
TEST(ScheduleMemory, a_turn_leaves_its_state_where_it_was) {
  const std::string loop =
      "%body (s: (f32[256], s32[])) -> (f32[256], s32[]) {\n"
      "  %s = (f32[256]{0}, s32[]) parameter(0)\n"
      "  %v = f32[256]{0} get-tuple-element(%s), index=0\n"
      "  %n = s32[] get-tuple-element(%s), index=1\n"
      "  %w = f32[256]{0} negate(%v)\n"
      "  ROOT %t = (f32[256]{0}, s32[]) tuple(%w, %n)\n}\n\n"
      "%test (s: (f32[256], s32[])) -> pred[] {\n"
      "  %s = (f32[256]{0}, s32[]) parameter(0)\n"
      "  %n = s32[] get-tuple-element(%s), index=1\n"
      "  ROOT %c = pred[] compare(%n, %n), direction=LT\n}\n\n";
  EXPECT_EQ(kib(loop,
                "  %p = f32[256]{0} parameter(0)\n"
                "  %a = f32[256]{0} copy(%p)\n"
                "  %z = s32[] constant(0)\n"
                "  %i = (f32[256]{0}, s32[]) tuple(%a, %z)\n"
                "  %l = (f32[256]{0}, s32[]) while(%i), condition=%test, body=%body\n"
                "  ROOT %r = f32[256]{0} get-tuple-element(%l), index=0\n"),
            2);
}

TEST(ScheduleMemory, what_a_core_gives_up_lies_in_hbm_until_it_comes_back) {
  const auto kept = [](const std::string& to, const std::string& from) {
    return kib("",
               "  %p = f32[256]{0} parameter(0)\n"
               "  %a = f32[256]" +
                   from +
                   " copy(%p)\n"
                   "  %s = (f32[256]" +
                   to + ", f32[256]" + from + ", u32[]{:S(2)}) " +
                   "copy-start(%a)\n"
                   "  %d = f32[256]" +
                   to +
                   " copy-done(%s)\n"
                   "  ROOT %r = f32[256]{0} negate(%d)\n");
  };
  EXPECT_EQ(kept("{0}", "{0:S(1)}"), 3);
  EXPECT_EQ(kept("{0:S(1)}", "{0}"), 2);
}

// Their results are those of the conditional; what else they need counts as well.
TEST(ScheduleMemory, branches_share_the_results_of_their_conditional) {
  const std::string branches =
      "%one (x: f32[256]) -> f32[256] {\n"
      "  %x = f32[256]{0} parameter(0)\n"
      "  %y = f32[512]{0} custom-call(%x), custom_call_target=\"Twice\"\n"
      "  ROOT %z = f32[256]{0} custom-call(%y), custom_call_target=\"Half\"\n}\n\n"
      "%other (w: f32[256]) -> f32[256] {\n"
      "  %w = f32[256]{0} parameter(0)\n"
      "  ROOT %v = f32[256]{0} copy(%w)\n}\n\n";
  EXPECT_EQ(kib(branches,
                "  %p = f32[256]{0} parameter(0)\n"
                "  %q = s32[] constant(0)\n"
                "  ROOT %r = f32[256]{0} conditional(%q, %p, %p), branch_computations={%one, "
                "%other}\n"),
            1 + 1 + 2);
}

}  // namespace
}  // namespace tpulab::schedule_memory_test
