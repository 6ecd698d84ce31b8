#include <gtest/gtest.h>

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

}  // namespace
}  // namespace tpulab::whatif_test
