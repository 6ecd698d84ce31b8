#include <gtest/gtest.h>

#include <algorithm>

#include "commands/help.h"
#include "engine/session/answers/advise.h"
#include "tests/commands/desk.h"

namespace tpulab::help_causes_test {
namespace {

// True if advice on these settings names the diagnosis.
bool is_named(Desk& desk, std::string_view name) {
  const Reply reply = desk.type("advise");
  EXPECT_FALSE(reply.failed) << name << ": " << reply.lines.back();
  return std::ranges::any_of(reply.rows, [&](const OutputLine& row) {
    return row.event == "advice.remedy" && std::get<std::string>(row.fields.at(1).value) == name;
  });
}

TEST(HelpCauses, lists_every_diagnosis) {
  std::string page;
  for (const std::string& line : help_page("causes")) page += line + "\n";
  for (const Diagnosis* one : all_diagnoses()) {
    EXPECT_NE(page.find("\n" + std::string(one->name) + " ("), std::string::npos) << one->name;
  }
}

TEST(HelpCauses, each_has_a_page_by_its_name_and_by_its_title) {
  Desk desk;
  for (const Diagnosis* one : all_diagnoses()) {
    EXPECT_FALSE(desk.type("help " + std::string(one->name)).failed) << one->name;
    const Reply titled = desk.type("help " + std::string(one->title));
    ASSERT_FALSE(titled.failed) << one->title;
    EXPECT_TRUE(titled.lines.at(0).starts_with(one->name)) << titled.lines.at(0);
  }
}

TEST(EachCause, is_brought_about_and_cured_by_what_help_says) {
  int tried = 0;
  for (const Diagnosis* one : all_diagnoses()) {
    if (one->in_run == nullptr) continue;
    Desk desk{Settings()};
    const Reply caused = desk.type(one->caused_by);
    ASSERT_FALSE(caused.failed) << one->name << ": " << caused.lines.back();
    EXPECT_TRUE(is_named(desk, one->name)) << one->name;
    ASSERT_FALSE(desk.type(one->cured_by).failed) << one->name;
    EXPECT_FALSE(is_named(desk, one->name)) << one->name;
    ++tried;
  }
  EXPECT_GE(tried, 13);
}

TEST(HelpCauses, what_is_for_reports_alone_can_be_typed_too) {
  for (const Diagnosis* one : all_diagnoses()) {
    if (one->in_run != nullptr || one->caused_by.empty()) continue;
    Desk desk;
    EXPECT_FALSE(desk.type(one->caused_by).failed) << one->name;
    EXPECT_FALSE(desk.type(one->cured_by).failed) << one->name;
  }
}

}  // namespace
}  // namespace tpulab::help_causes_test
