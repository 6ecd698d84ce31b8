#include "engine/session/answers/software_words.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/machine/machine.h"
#include "engine/session/settings/settings.h"

namespace tpulab::software_words_test {
namespace {

bool says(const std::vector<std::string>& lines, std::string_view words) {
  for (const std::string& line : lines) {
    if (line.find(words) != std::string::npos) return true;
  }
  return false;
}

TEST(SoftwareWords, a_host_tells_what_it_is_and_where_its_constants_come_from) {
  const std::vector<std::string> lines = host_in_words("colab-node-2021").lines;
  EXPECT_TRUE(says(lines, "a Colab notebook until spring 2024"));
  EXPECT_TRUE(says(lines, "documented, XLA-3001: median transfer 95 ms"));
}

TEST(SoftwareWords, every_row_has_words_of_its_own) {
  for (const HostRow& row : host_rows()) EXPECT_FALSE(row.about.empty()) << row.name;
  for (const StackRow& row : stack_rows())
    EXPECT_TRUE(says(stack_in_words(row.name).lines, row.about));
}

TEST(SoftwareWords, the_settings_name_every_row) {
  for (const HostRow& row : host_rows()) {
    EXPECT_NE(setting_named("host").values.find(row.name), std::string_view::npos) << row.name;
  }
  for (const StackRow& row : stack_rows()) {
    EXPECT_NE(setting_named("stack").values.find(row.name), std::string_view::npos) << row.name;
  }
}

TEST(SoftwareWords, an_unknown_name_is_told_the_nearest) {
  EXPECT_THROW(host_in_words("tpu-wm"), Error);
  EXPECT_THROW(stack_in_words("jaxx"), Error);
}

}  // namespace
}  // namespace tpulab::software_words_test
