#include "engine/formats/hlo/parameters.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/formats/hlo/compiled_step.h"

namespace tpulab::parameters_test {
namespace {

// A call on 256 tokens of a device of eight.
ImportedStep tokens_with(std::string_view sharding, std::string_view devices = "8") {
  return import_hlo(fmt::format("HloModule m, is_scheduled=true, num_partitions={}\n\n"
                                "ENTRY %main (p: s32[256]) -> s32[256] {{\n"
                                "  %p = s32[256] parameter(0){}\n"
                                "  ROOT %c = s32[256] copy(%p)\n}}\n",
                                devices, sharding),
                    "m.hlo");
}

TEST(Parameters, have_rows_of_as_many_devices_as_their_sharding_divides_them_among) {
  struct Row {
    std::string_view sharding;
    std::int64_t alike;
  };
  for (const auto& [sharding, alike] :
       {Row{", sharding={devices=[8]<=[8]}", 1},
        Row{", sharding={devices=[4,2]<=[8] last_tile_dim_replicate}", 2},
        Row{", sharding={devices=[2,4]<=[4,2]T(1,0) last_tile_dim_replicate}", 4},
        Row{", sharding={replicated}", 8}, Row{"", 1}}) {
    const ImportedStep step = tokens_with(sharding);
    EXPECT_EQ(step.rows, 256) << sharding;
    EXPECT_EQ(step.alike, alike) << sharding;
  }
}

TEST(Parameters, are_shared_by_no_more_devices_than_there_may_be) {
  const ImportedStep step = tokens_with(", sharding={replicated}", "1152921504606846976");
  EXPECT_EQ(step.alike, 1 << 20);
}

// In one program, of which each makes %b of 64 rows; `tiles` divide x among eight devices.
ImportedStep ten_steps(std::string_view type, std::string_view tiles, std::string_view cut) {
  return import_hlo(fmt::format(R"(HloModule m, is_scheduled=true, num_partitions=8

%body (s: (s32[], {0}, f32[64,8])) -> (s32[], {0}, f32[64,8]) {{
  %s = (s32[], {0}, f32[64,8]) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %x = {0} get-tuple-element(%s), index=1
  %w = f32[64,8] get-tuple-element(%s), index=2
  %zero = s32[] constant(0)
  %one = s32[] constant(1)
  {2}
  %u = f32[64,8] subtract(%w, %b)
  %j = s32[] add(%i, %one)
  ROOT %t = (s32[], {0}, f32[64,8]) tuple(%j, %x, %u)
}}

%condition (s: (s32[], {0}, f32[64,8])) -> pred[] {{
  %s = (s32[], {0}, f32[64,8]) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %n = s32[] constant(10)
  ROOT %c = pred[] compare(%i, %n), direction=LT
}}

%sum (a: f32[], b: f32[]) -> f32[] {{
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %c = f32[] add(%a, %b)
}}

ENTRY %main (w: f32[64,8], x: {0}) -> (f32[64,8], f32[]) {{
  %w = f32[64,8] parameter(0), sharding={{replicated}}
  %x = {0} parameter(1), sharding={{devices={1}<=[8] last_tile_dim_replicate}}
  %zero = s32[] constant(0)
  %nothing = f32[] constant(0)
  %s = (s32[], {0}, f32[64,8]) tuple(%zero, %x, %w)
  %l = (s32[], {0}, f32[64,8]) while(%s), condition=%condition, body=%body
  %u = f32[64,8] get-tuple-element(%l), index=2
  %loss = f32[] reduce(%u, %nothing), dimensions={{0,1}}, to_apply=%sum
  %k = f32[64,8] copy(%u)
  ROOT %r = (f32[64,8], f32[]) tuple(%k, %loss)
}}
)",
                                type, tiles, cut),
                    "m.hlo");
}

// The first axis counts them, the second one is divided.
TEST(Parameters, of_each_step_have_rows_on_their_second_axis) {
  const ImportedStep step =
      ten_steps("f32[10,64,8]", "[1,4,1,2]",
                "%part = f32[1,64,8] dynamic-slice(%x, %i, %zero, %zero), "
                "dynamic_slice_sizes={1,64,8}\n  %b = f32[64,8] bitcast(%part)");
  EXPECT_EQ(step.steps, 10);
  EXPECT_EQ(step.rows, 10 * 64);
  EXPECT_EQ(step.alike, 2);
}

// Two devices have the same quarter of the data set, and take the same of it.
TEST(Parameters, of_which_a_step_takes_a_part_are_shared_as_a_whole_is) {
  const ImportedStep step =
      ten_steps("f32[96,8]", "[4,1,2]",
                "%b = f32[64,8] dynamic-slice(%x, %i, %zero), dynamic_slice_sizes={64,8}");
  EXPECT_EQ(step.rows, 10 * 64);
  EXPECT_EQ(step.alike, 2);
}

}  // namespace
}  // namespace tpulab::parameters_test
