#include "tui/config.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/base/text.h"
#include "tests/temporary_folder.h"

namespace tpulab::config_test {
namespace {

namespace fs = std::filesystem;

class ConfigFiles : public testing::Test {
 protected:
  ConfigFiles() { ::setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1); }
  ~ConfigFiles() override { ::unsetenv("XDG_CONFIG_HOME"); }
  Config read(const std::string& text) const {
    return read_config({}, {folder_.write("mine.toml", text)});
  }
  // The one complaint about a text, without the folder.
  std::string complaint_of(const std::string& text) const {
    const Config config = read(text);
    EXPECT_EQ(config.complaints.size(), 1U) << text;
    if (config.complaints.empty()) return "";
    const std::string folder = folder_.path();
    EXPECT_TRUE(config.complaints[0].starts_with(folder)) << config.complaints[0];
    return config.complaints[0].substr(folder.size() + 1);
  }

  test::TemporaryFolder folder_;
};

// Every setting away from its default, together.
Settings other_settings() {
  Settings settings;
  const std::vector<Assignment> assignments{{"slice", "v6e-8"},
                                            {"stack", "jax"},
                                            {"precision", "bf16-true"},
                                            {"batch", "8"},
                                            {"hidden", "(16,8)"},
                                            {"learning_rate", "1e-05"},
                                            {"momentum", "0.5"},
                                            {"max_epochs", "-1"},
                                            {"matmul.precision", "high"},
                                            {"gpu.precision", "fp32"},
                                            {"class_weights", "on"},
                                            {"drop_last", "on"},
                                            {"pace", "1/10"},
                                            {"straggler", "host:0:1.4"},
                                            {"workers", "2"},
                                            {"seed", "4294967295"},
                                            {"devices", "[0]"}};
  change_all(settings, assignments);
  return settings;
}

// The entries that are commented out, too.
std::string uncommented(const std::string& text) {
  std::string all;
  for (const std::string& line : split(text, '\n')) {
    const bool entry = line.starts_with("# ") && line.find(" = ") != std::string::npos;
    const bool derived = line.find("batch.global") != std::string::npos;
    if (!derived) all += (entry ? line.substr(2) : line) + "\n";
  }
  return all;
}

TEST_F(ConfigFiles, what_is_dumped_reads_back_as_the_same) {
  for (const Settings& settings : {Settings(), other_settings()}) {
    const Config config{.settings = settings, .theme = "light"};
    for (const std::string& text : {config_text(config), uncommented(config_text(config))}) {
      const Config back = read(text);
      EXPECT_TRUE(back.complaints.empty()) << back.complaints.front();
      EXPECT_EQ(back.settings, settings);
      EXPECT_EQ(back.theme, "light");
    }
  }
}

TEST_F(ConfigFiles, history_is_kept_unless_they_say_otherwise) {
  EXPECT_TRUE(read("batch = 8\n").history);
  EXPECT_FALSE(read("history = false\n").history);
  Config off;
  off.history = false;
  EXPECT_FALSE(read(config_text(off)).history);
  EXPECT_EQ(read("history = 'never'\n").complaints.size(), 1U);
}

TEST_F(ConfigFiles, a_value_of_several_lines_is_dumped_so_that_it_reads_back) {
  Config config;
  change(config.settings, "model", "dense 32 relu\n\t| dense 10");
  const std::string text = config_text(config);
  EXPECT_NE(text.find("\nmodel = \"dense 32 relu\\u000A\\u0009| dense 10\"\n"), std::string::npos);
  const Config back = read(text);
  EXPECT_TRUE(back.complaints.empty()) << back.complaints.front();
  EXPECT_EQ(back.settings, config.settings);
}

TEST_F(ConfigFiles, every_key_is_dumped_and_what_is_built_in_is_commented_out) {
  const std::string text = config_text({});
  for (const SettingRow& row : setting_rows()) {
    EXPECT_NE(text.find(std::string(row.name)), std::string::npos) << row.name;
    EXPECT_NE(text.find(std::string(row.values)), std::string::npos) << row.name;
  }
  EXPECT_EQ(read_config({}, {folder_.write("dump.toml", text)}).settings, Settings());
  for (const std::string& line : split(text, '\n')) {
    EXPECT_TRUE(line.empty() || line.starts_with('#')) << line;
  }
  EXPECT_NE(config_text({.settings = other_settings()}).find("\nbatch = 8\n"), std::string::npos);
}

TEST_F(ConfigFiles, a_later_file_wins_and_one_that_is_missing_counts_nothing) {
  const fs::path site = folder_.write("site.toml", "batch = 8\nslice = 'v2-8'\ntheme = 'light'\n");
  const fs::path own = folder_.write("own.toml", "batch = 16\n");
  Config built_in;
  built_in.settings.pace = "watch";
  const Config config = read_config(built_in, {folder_ / "none.toml", site, own});
  EXPECT_TRUE(config.complaints.empty());
  EXPECT_EQ(config.settings.batch, 16);
  EXPECT_EQ(config.settings.slice, "v2-8");
  EXPECT_EQ(config.settings.pace, "watch");
  EXPECT_EQ(config.theme, "light");
}

TEST_F(ConfigFiles, values_are_written_as_toml_has_them) {
  const Config config = read(
      "hidden = [16, 8]\nclass_weights = true\nlearning_rate = 1e-3\nmatmul.precision = 'high'\n"
      "devices = [1]\n\"batch.global\" = 64\n");
  ASSERT_TRUE(config.complaints.empty()) << config.complaints.front();
  EXPECT_EQ(config.settings.hidden, (std::vector<std::int64_t>{16, 8}));
  EXPECT_TRUE(config.settings.class_weights);
  EXPECT_EQ(config.settings.matmul_precision, "high");
  EXPECT_EQ(config.settings.devices, "[1]");
  EXPECT_EQ(config.settings.batch, 64);
}

TEST_F(ConfigFiles, a_wrong_value_is_told_with_its_line_and_the_others_hold) {
  const Config config = read("batch = 0\nslice = 'v2-8'\nseed = 7\n");
  EXPECT_EQ(config.settings.batch, 32);
  EXPECT_EQ(config.settings.slice, "v2-8");
  EXPECT_EQ(config.settings.seed, 7);
  EXPECT_EQ(complaint_of("seed = 7\nbatch = 0\n"),
            "mine.toml:2: batch cannot be 0; it takes a whole number from 1 to 16,777,216, or 1/N "
            "of a row");
  EXPECT_EQ(complaint_of("batch = 1979-05-27\n"),
            "mine.toml:1: batch takes a whole number from 1 to 16,777,216, or 1/N of a row");
}

TEST_F(ConfigFiles, an_unknown_key_is_told_the_nearest) {
  EXPECT_EQ(complaint_of("bacth = 8\n"),
            "mine.toml:1: there is no setting 'bacth'; did you mean batch?");
  EXPECT_EQ(complaint_of("[matmul]\nprecison = 'high'\n"),
            "mine.toml:2: there is no setting 'matmul.precison'; did you mean matmul.precision?");
  EXPECT_NE(complaint_of("theme = 'drak'\n").find("mine.toml:1: there is no theme 'drak'"),
            std::string::npos);
}

TEST_F(ConfigFiles, a_file_that_cannot_be_read_is_told_and_changes_nothing) {
  EXPECT_TRUE(complaint_of("batch = 8\n[[").starts_with("mine.toml:2: "));
  EXPECT_EQ(read("batch = 8\n[[").settings, Settings());
  const Config config = read_config({}, {folder_.path()});
  ASSERT_EQ(config.complaints.size(), 1U);
  EXPECT_NE(config.complaints[0].find("it is a folder"), std::string::npos);
}

TEST_F(ConfigFiles, the_sites_files_come_before_the_users) {
  ::setenv("XDG_CONFIG_DIRS", "/first:relative:/second", 1);
  const std::vector<fs::path> files = config_files();
  ::unsetenv("XDG_CONFIG_DIRS");
  EXPECT_EQ(files, (std::vector<fs::path>{"/second/tpulab/config.toml", "/first/tpulab/config.toml",
                                          folder_ / "tpulab/config.toml"}));
}

}  // namespace
}  // namespace tpulab::config_test
