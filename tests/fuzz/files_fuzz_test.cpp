// Files that people write or damage: themes, the digits, the history.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/base/error.h"
#include "engine/training/dataset.h"
#include "tests/fuzz/mutation.h"
#include "tests/temporary_folder.h"
#include "tui/draw/theme.h"
#include "tui/prompt/history.h"

namespace tpulab::fuzz::files_fuzz_test {
namespace {

namespace fs = std::filesystem;

class FilesFuzz : public testing::Test {
 protected:
  FilesFuzz() { ::setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1); }
  ~FilesFuzz() override { ::unsetenv("XDG_CONFIG_HOME"); }

  void fuzz_themes(Effort effort) const;
  void fuzz_history(Effort effort) const;

  test::TemporaryFolder folder_;
};
using SlowFilesFuzz = FilesFuzz;

std::string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return std::move(text).str();
}

Corpus themes() {
  Corpus corpus{.seeds = {contents(fs::path(TPULAB_SOURCE_DIR) / "themes/dark.toml"),
                          "light = true\n[roles]\ntext = { foreground = \"#102030\" }\n",
                          "[roles]\nerror = { background = [\"#ff0000\", 196, 9], bold = true }\n",
                          "roles.dim = { foreground = \"default\" }", ""},
                .words = {"light", "[roles]", "foreground", "background", "bold", "=",
                          "{",     "}",       "[",          "]",          "\"#",  "\"default\"",
                          "true",  "'''",     "\"\"\"",     "1979-05-27", "\n",   "[[roles]]",
                          ".",     "0b1",     "\\u0041",    "\\UFFFFFFFF"}};
  for (int i = 0; i < role_count; ++i) {
    corpus.words.emplace_back(name_of(static_cast<Role>(i)));
  }
  return corpus;
}

void FilesFuzz::fuzz_themes(Effort effort) const {
  expect_holds(themes(), effort, [&](const std::string& text, Random&) {
    folder_.write("tpulab/themes/mine.toml", text);
    try {
      const Theme theme = theme_named("mine");
      for (const Style& style : theme.styles) {
        for (const Color& color : {style.foreground, style.background}) {
          EXPECT_TRUE(color.index_256 >= -1 && color.index_256 < 256);
          EXPECT_TRUE(color.index_16 >= -1 && color.index_16 < 16);
        }
      }
    } catch (const Error& refusal) {
      const std::string_view what = refusal.what();
      EXPECT_NE(what.find("mine.toml:"), std::string_view::npos) << what;
    }
  });
}

void FilesFuzz::fuzz_history(Effort effort) const {
  const Corpus corpus{.seeds = {"batch 64\nrun\ndevices [1]\n", "", "\n\n", "grün\r\nrun"},
                      .words = {"\n", "run\n"}};
  expect_holds(corpus, effort, [&](const std::string& text, Random&) {
    const std::vector<std::string> lines = History(folder_.write("history", text)).load();
    EXPECT_LE(lines.size(), History::kept_lines);
    for (const std::string& line : lines) EXPECT_FALSE(line.empty());
  });
}

void fuzz_digits(Effort effort) {
  std::string row;
  for (int i = 0; i < 64; ++i) row += std::to_string(i % 17) + ",";
  const Corpus corpus{.seeds = {row + "7\n", row + "0\n" + row + "9\n" + row + "1\n", ""},
                      .words = {",", "\n", "16", "17", row, "-"}};
  expect_holds(corpus, effort, [](const std::string& csv, Random&) {
    try {
      const Dataset data = parse_digits(csv);
      EXPECT_EQ(static_cast<std::int64_t>(data.values.size()), data.rows() * data.features());
      for (const float value : data.values) EXPECT_TRUE(value >= 0 && value <= 1) << value;
      for (const int label : data.labels) EXPECT_TRUE(label >= 0 && label < data.classes) << label;
    } catch (const Error& refusal) {
      EXPECT_NE(std::string_view(refusal.what()).find("line"), std::string_view::npos);
    }
  });
}

TEST_F(FilesFuzz, a_damaged_theme_is_refused_with_file_and_line) { fuzz_themes({.inputs = 4000}); }
TEST_F(FilesFuzz, a_damaged_history_still_loads) { fuzz_history({.inputs = 4000}); }
TEST_F(FilesFuzz, damaged_digits_are_refused_with_the_line) { fuzz_digits({.inputs = 20000}); }

TEST_F(SlowFilesFuzz, a_damaged_theme_is_refused_with_file_and_line) {
  fuzz_themes({.slow = true});
}
TEST_F(SlowFilesFuzz, a_damaged_history_still_loads) { fuzz_history({.slow = true}); }
TEST_F(SlowFilesFuzz, damaged_digits_are_refused_with_the_line) { fuzz_digits({.slow = true}); }

}  // namespace
}  // namespace tpulab::fuzz::files_fuzz_test
