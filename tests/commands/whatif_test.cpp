#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/commands/desk.h"

namespace tpulab::whatif_test {
namespace {

std::map<std::string, EventValue> by_name(const Reply& reply) {
  std::map<std::string, EventValue> fields;
  for (const EventField& field : reply.fields) fields[field.name] = field.value;
  return fields;
}

TEST(WhatIf, has_fields_of_both_sides_and_their_phases) {
  Desk desk;
  desk.type("model resnet50; numbers off; max_steps 100");
  const auto told = by_name(desk.type("whatif batch=64"));
  const auto now = by_name(desk.type("forecast"));
  const auto then = by_name(desk.type("batch 64; forecast"));
  int compared = 0;
  for (const auto& [name, value] : now) {
    if (name == "batch") continue;  // what set it
    ASSERT_TRUE(told.contains("now_" + name)) << name;
    EXPECT_EQ(told.at("now_" + name), value) << name;
    EXPECT_EQ(told.at(name), then.at(name)) << name;
    ++compared;
  }
  EXPECT_GT(compared, 20);
  double phases = 0;
  for (const auto& [name, value] : told) {
    if (name.starts_with("now_") && name.ends_with("_s")) phases += std::get<double>(value);
  }
  EXPECT_NEAR(phases, std::get<double>(told.at("now_step_seconds")), 1e-9);
}

const std::string imported = TPULAB_SOURCE_DIR "/tests/engine/formats/stablehlo/mlp_step.mlir";

// They were refused, as of a network that reads no tokens or images.
TEST(WhatIf, says_before_its_table_that_a_program_is_what_its_text_says) {
  Desk desk;
  desk.type("stack jax; slice v5e-1; model \"" + imported + "\"");
  for (const std::string change : {"sequence=512", "image=224", "batch=64", "remat=full"}) {
    const std::vector<std::string> lines = desk.type("whatif " + change).lines;
    ASSERT_FALSE(lines.empty()) << change;
    const std::string name = change.substr(0, change.find('='));
    EXPECT_EQ(lines[0], name + ": no effect on " + imported + ", which is what its text says");
    EXPECT_TRUE(lines.at(1).starts_with("now ")) << lines[1];
  }
}

// It was that of the settings, 32-true, which the text knows nothing of.
TEST(WhatIf, has_no_precision_of_a_program_whose_types_its_text_says) {
  Desk desk;
  desk.type("stack jax; slice v5e-1; model \"" + imported + "\"");
  const auto told = by_name(desk.type("whatif slice=v6e-1"));
  EXPECT_EQ(told.at("precision"), EventValue());
  EXPECT_EQ(told.at("now_precision"), EventValue());
}

TEST(WhatIf, of_copies_that_exchange_nothing_says_so_once) {
  Desk desk;
  desk.type("stack jax; slice v5e-1; model \"" + imported + "\"");
  const std::string note = imported +
                           ": several devices run copies of the step that exchange nothing, no "
                           "gradients either";
  const auto times = [&](const std::string& line) {
    return std::ranges::count(desk.type(line).lines, note);
  };
  EXPECT_EQ(times("whatif slice=v5e-8"), 1);
  EXPECT_EQ(times("compare slice=v5e-1,v5e-4,v5e-8"), 1);
  EXPECT_EQ(times("sweep slice=v5e-4,v5e-8"), 1);
  EXPECT_EQ(times("compare slice=v5e-1,v6e-1"), 0);
}

}  // namespace
}  // namespace tpulab::whatif_test
