#include "engine/formats/hlo/result_origins.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/formats/hlo/compiled_step.h"

namespace tpulab::result_origins_test {
namespace {

ImportedStep imported(const std::string& others, const std::string& entry) {
  return import_hlo(
      "HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) "
      "}, entry_computation_layout={()->()}\n\n" +
          others + "ENTRY %main () -> () {\n" + entry + "}\n",
      "f.hlo");
}

// Weights or a cache, one row, and a number that comes out.
ImportedStep one_row(const std::string& opcode, const std::string& operands) {
  return imported(fmt::format("%f (k: f32[32,64], x: f32[1,64]) -> f32[32,64] {{\n"
                              "  %k = f32[32,64]{{1,0}} parameter(0)\n"
                              "  %x = f32[1,64]{{1,0}} parameter(1)\n"
                              "  %z = s32[] constant(0)\n"
                              "  ROOT %r = f32[32,64]{{1,0}} {}({})\n}}\n\n",
                              opcode, operands),
                  "  %a = f32[32,64]{1,0} parameter(0)\n"
                  "  %b = f32[1,64]{1,0} parameter(1)\n"
                  "  %c = f32[32,64]{1,0} fusion(%a, %b), kind=kLoop, calls=%f\n"
                  "  %n = f32[] custom-call(%b), custom_call_target=\"Sum\"\n"
                  "  ROOT %t = (f32[32,64]{1,0}, f32[]) tuple(%c, %n)\n");
}

TEST(ResultOrigins, of_a_cache_are_no_updates_though_a_number_comes_out) {
  EXPECT_FALSE(one_row("dynamic-update-slice", "%k, %x, %z, %z").trains);
  EXPECT_TRUE(one_row("negate", "%k").trains);
}

// A cache of which one row is chosen, or written by its index.
TEST(ResultOrigins, of_a_cache_are_none_in_any_of_the_ways_to_write_a_row) {
  const auto trains = [](const std::string& row, const std::string& adds) {
    return imported(
               "%g (u: f32[], v: f32[]) -> f32[] {\n  %u = f32[] parameter(0)\n"
               "  %v = f32[] parameter(1)\n  ROOT %s = f32[] " +
                   adds +
                   "\n}\n\n%f (k: f32[32,64], x: f32[1,64], p: pred[32,64], i: s32[1]) -> "
                   "f32[32,64] {\n  %k = f32[32,64]{1,0} parameter(0)\n"
                   "  %x = f32[1,64]{1,0} parameter(1)\n"
                   "  %p = pred[32,64]{1,0} parameter(2)\n  %i = s32[1]{0} parameter(3)\n"
                   "  %b = f32[32,64]{1,0} broadcast(%x), dimensions={0,1}\n"
                   "  %n = f32[32,64]{1,0} subtract(%k, %b)\n  ROOT %r = f32[32,64]{1,0} " +
                   row + "\n}\n\n",
               "  %a = f32[32,64]{1,0} parameter(0)\n"
               "  %b = f32[1,64]{1,0} parameter(1)\n"
               "  %p = pred[32,64]{1,0} parameter(2)\n"
               "  %i = s32[1]{0} parameter(3)\n"
               "  %c = f32[32,64]{1,0} fusion(%a, %b, %p, %i), kind=kLoop, calls=%f\n"
               "  %m = f32[] custom-call(%b), custom_call_target=\"Sum\"\n"
               "  ROOT %t = (f32[32,64]{1,0}, f32[]) tuple(%c, %m)\n")
        .trains;
  };
  const std::string scatter =
      "scatter(%k, %i, %x), update_window_dims={1}, inserted_window_dims={0}, "
      "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=%g";
  EXPECT_FALSE(trains("select(%p, %b, %k)", "add(%u, %v)"));
  EXPECT_TRUE(trains("select(%p, %n, %k)", "add(%u, %v)"));  // where its gradient is finite
  EXPECT_TRUE(trains("select(%p, %k, %n)", "add(%u, %v)"));
  EXPECT_FALSE(trains(scatter, "copy(%v)"));
  EXPECT_TRUE(trains(scatter, "add(%u, %v)"));
}

// Weights that change where gradients are finite, and a cache that is written while there is room.
TEST(ResultOrigins, are_looked_for_in_each_branch) {
  const auto trains = [](const std::string& made) {
    const std::string row = " (s: (f32[32,64], f32[1,64])) -> f32[32,64] {\n";
    const std::string operands =
        "  %s = (f32[32,64]{1,0}, f32[1,64]{1,0}) parameter(0)\n"
        "  %k = f32[32,64]{1,0} get-tuple-element(%s), index=0\n"
        "  %x = f32[1,64]{1,0} get-tuple-element(%s), index=1\n"
        "  %z = s32[] constant(0)\n";
    return imported("%keep" + row + operands + "  ROOT %r = f32[32,64]{1,0} copy(%k)\n}\n\n%make" +
                        row + operands + "  ROOT %r = f32[32,64]{1,0} " + made + "\n}\n\n",
                    "  %a = f32[32,64]{1,0} parameter(0)\n"
                    "  %b = f32[1,64]{1,0} parameter(1)\n"
                    "  %p = pred[] parameter(2)\n"
                    "  %s = (f32[32,64]{1,0}, f32[1,64]{1,0}) tuple(%a, %b)\n"
                    "  %c = f32[32,64]{1,0} conditional(%p, %s, %s), true_computation=%keep, "
                    "false_computation=%make\n"
                    "  %m = f32[] custom-call(%b), custom_call_target=\"Sum\"\n"
                    "  ROOT %t = (f32[32,64]{1,0}, f32[]) tuple(%c, %m)\n")
        .trains;
  };
  EXPECT_TRUE(trains("negate(%k)"));
  EXPECT_FALSE(trains("dynamic-update-slice(%k, %x, %z, %z)"));
}

const std::string state = "(s32[], f32[64,64], f32[10,8,64], f32[10])";

// A loop's body and condition, and the loop over `from`: ten batches below each other, a loss each.
std::string functions_of(const std::string& name, const std::string& step) {
  return "%body" + name + " (s: " + state + ") -> " + state + " {\n  %s = " + state +
         " parameter(0)\n" +
         "  %i = s32[] get-tuple-element(%s), index=0\n"
         "  %w = f32[64,64]{1,0} get-tuple-element(%s), index=1\n"
         "  %x = f32[10,8,64]{2,1,0} get-tuple-element(%s), index=2\n"
         "  %l = f32[10]{0} get-tuple-element(%s), index=3\n"
         "  %one = s32[] constant(1)\n"
         "  %j = s32[] add(%i, %one)\n" +
         step +
         "  %n = f32[1]{0} custom-call(%w, %x), custom_call_target=\"Loss\"\n"
         "  %m = f32[10]{0} dynamic-update-slice(%l, %n, %i)\n"
         "  ROOT %t = " +
         state + " tuple(%j, %v, %x, %m)\n}\n\n%test" + name + " (s: " + state +
         ") -> pred[] {\n  %s = " + state +
         " parameter(0)\n"
         "  %i = s32[] get-tuple-element(%s), index=0\n"
         "  %n = s32[] constant(10)\n"
         "  ROOT %c = pred[] compare(%i, %n), direction=LT\n}\n\n";
}
const std::string one_step =
    "  %v = f32[64,64]{1,0} custom-call(%w, %x), custom_call_target=\"Step\"\n";

std::string loop_of(const std::string& name, const std::string& functions,
                    const std::string& weight, const std::string& more = "") {
  return "  %i" + name + " = " + state + " tuple(%z, " + weight + ", %b, %l)\n  %o" + name + " = " +
         state + " while(%i" + name + "), condition=%test" + functions + ", body=%body" +
         functions + more + "\n  %v" + name + " = f32[64,64]{1,0} get-tuple-element(%o" + name +
         "), index=1\n  %m" + name + " = f32[10]{0} get-tuple-element(%o" + name + "), index=3\n";
}
const std::string given =
    "  %a = f32[64,64]{1,0} parameter(0)\n"
    "  %b = f32[10,8,64]{2,1,0} parameter(1)\n"
    "  %z = s32[] constant(0)\n"
    "  %l = f32[10]{0} custom-call(%z), custom_call_target=\"Zeros\"\n";
std::string returned(const std::string& name) {
  return "  ROOT %t = (f32[64,64]{1,0}, f32[10]{0}) tuple(%v" + name + ", %m" + name + ")\n";
}

TEST(ResultOrigins, in_each_turn_of_a_loop_are_a_step_each) {
  const ImportedStep step =
      imported(functions_of("", one_step), given + loop_of("1", "", "%a") + returned("1"));
  EXPECT_TRUE(step.trains);
  EXPECT_EQ(step.steps, 10);
  EXPECT_EQ(step.rows, 80);
  EXPECT_EQ(step.work.batch.value, 10 * 8 * 64 * 4);
}

TEST(ResultOrigins, in_loops_that_follow_each_other_are_the_sum_of_their_turns) {
  const ImportedStep step =
      imported(functions_of("", one_step),
               given + loop_of("1", "", "%a") + loop_of("2", "", "%v1") + returned("2"));
  EXPECT_TRUE(step.trains);
  EXPECT_EQ(step.steps, 20);
}

TEST(ResultOrigins, in_loops_inside_of_each_other_are_the_product_of_their_turns) {
  const std::string inner = "  %z = s32[] constant(0)\n  %b = f32[10,8,64]{2,1,0} copy(%x)\n" +
                            loop_of("in", "", "%w") + "  %v = f32[64,64]{1,0} copy(%vin)\n";
  const ImportedStep step = imported(functions_of("", one_step) + functions_of("out", inner),
                                     given + loop_of("1", "out", "%a") + returned("1"));
  EXPECT_EQ(step.steps, 100);
}

// What a text says of its turns is no number to multiply with.
TEST(ResultOrigins, are_at_most_a_million_steps) {
  const std::string said =
      ", backend_config={\"known_trip_count\":{\"n\":\"1152921504606846976\"}}";
  const std::string entry = given + loop_of("1", "", "%a", said) + returned("1");
  const ImportedStep step = imported(functions_of("", one_step), entry);
  EXPECT_EQ(step.steps, most_steps);
  EXPECT_EQ(step.rows, 10 * most_steps);
}

// lax.map over the members of an ensemble: a turn updates one, and what it leaves is stacked.
TEST(ResultOrigins, that_are_stacked_are_updates_where_each_turn_makes_one) {
  const auto member = [](const std::string& made) {
    const std::string state = "(s32[], f32[4,64], f32[4,64])";
    return imported(
        "%body (s: " + state + ") -> " + state + " {\n  %s = " + state + " parameter(0)\n" +
            "  %i = s32[] get-tuple-element(%s), index=0\n"
            "  %w = f32[4,64]{1,0} get-tuple-element(%s), index=1\n"
            "  %l = f32[4,64]{1,0} get-tuple-element(%s), index=2\n"
            "  %one = s32[] constant(1)\n"
            "  %j = s32[] add(%i, %one)\n"
            "  %z = s32[] constant(0)\n"
            "  %v = f32[1,64]{1,0} dynamic-slice(%w, %i, %z), dynamic_slice_sizes={1,64}\n" +
            made +
            "  %m = f32[4,64]{1,0} dynamic-update-slice(%l, %u, %i, %z)\n"
            "  ROOT %t = " +
            state + " tuple(%j, %w, %m)\n}\n\n%test (s: " + state +
            ") -> pred[] {\n  %s = " + state +
            " parameter(0)\n"
            "  %i = s32[] get-tuple-element(%s), index=0\n"
            "  %n = s32[] constant(4)\n"
            "  ROOT %c = pred[] compare(%i, %n), direction=LT\n}\n\n",
        "  %a = f32[4,64]{1,0} parameter(0)\n"
        "  %b = f32[8,64]{1,0} parameter(1)\n"
        "  %z = s32[] constant(0)\n"
        "  %l = f32[4,64]{1,0} custom-call(%z), custom_call_target=\"Zeros\"\n"
        "  %i = " +
            state + " tuple(%z, %a, %l)\n  %o = " + state +
            " while(%i), condition=%test, body=%body\n"
            "  %v = f32[4,64]{1,0} get-tuple-element(%o), index=2\n"
            "  %n = f32[] custom-call(%b), custom_call_target=\"Sum\"\n"
            "  ROOT %t = (f32[4,64]{1,0}, f32[]) tuple(%v, %n)\n");
  };
  const ImportedStep updated = member("  %u = f32[1,64]{1,0} negate(%v)\n");
  EXPECT_TRUE(updated.trains);
  EXPECT_EQ(updated.steps, 1);
  const std::string written =
      "  %x = f32[1,1]{1,0} constant({...})\n"
      "  %u = f32[1,64]{1,0} dynamic-update-slice(%v, %x, %z, %z)\n";
  EXPECT_FALSE(member(written).trains);
}

}  // namespace
}  // namespace tpulab::result_origins_test
