#include "engine/session/settings/model_with_data.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab::model_with_data_test {
namespace {

std::string refusal(const Settings& settings, const std::vector<Assignment>& assignments) {
  Settings changed = settings;
  try {
    change_all(changed, assignments);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// The change of both that a refusal ends with, as it is typed, without its verb.
std::vector<Assignment> both_in(const std::string& refusal) {
  const std::string start = "or both at once: `set ";
  const std::size_t at = refusal.find(start);
  if (at == std::string::npos) return {};
  std::string typed = refusal.substr(at + start.size());
  typed.pop_back();
  std::size_t second = typed.rfind(" data=");
  if (second == std::string::npos) second = typed.rfind(" model=");
  std::vector<Assignment> changes;
  for (const std::string& one : {typed.substr(0, second), typed.substr(second + 1)}) {
    const std::size_t equals = one.find('=');
    changes.push_back({one.substr(0, equals), one.substr(equals + 1)});
  }
  return changes;
}

TEST(ModelWithData, each_hint_of_a_change_of_both_is_taken) {
  const std::vector<std::pair<Assignment, Assignment>> misfits{
      {{"data", "digits"}, {"model", "gpt-tiny"}},
      {{"data", "digits"}, {"data", "addition"}},
      {{"data", "spirals"}, {"model", "lenet"}},
      {{"data", "spirals"}, {"model", "dense 8 relu | dense 10"}},
      {{"model", "conv 4 3x3 | dense 10"}, {"data", "text"}},
      {{"model", "dense 8 relu | dense 10"}, {"data", "spirals"}}};
  for (const auto& [first, second] : misfits) {
    Settings settings;
    change_all(settings, {&first, 1});
    const std::string told = refusal(settings, {second});
    const std::vector<Assignment> both = both_in(told);
    ASSERT_EQ(both.size(), 2U) << told;
    EXPECT_EQ(refusal(settings, both), "") << told;
  }
}

TEST(ModelWithData, a_hint_keeps_what_else_was_set) {
  EXPECT_TRUE(refusal({}, {{"model", "lenet"}, {"data", "text"}, {"batch", "8"}})
                  .ends_with("`set model=lenet batch=8 data=digits`"));
}

TEST(ModelWithData, no_hint_is_given_where_the_fault_is_another) {
  EXPECT_EQ(refusal({}, {{"model", "dense 9"}}).find("both at once"), std::string::npos);
  EXPECT_EQ(refusal({}, {{"model", "dens 10"}}).find("both at once"), std::string::npos);
  EXPECT_EQ(refusal({}, {{"batch", "0"}}).find("both at once"), std::string::npos);
}

}  // namespace
}  // namespace tpulab::model_with_data_test
