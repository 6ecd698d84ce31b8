// The manual page lists what the tables have, no more and no less.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "commands/command.h"
#include "commands/console.h"

namespace tpulab::man_page_test {
namespace {

using Names = std::set<std::string>;

std::string text_of(const char* path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string section(const std::string& title) {
  const std::string page = text_of(TPULAB_SOURCE_DIR "/commands/tpulab.1");
  const auto start = page.find(".SH " + title + "\n");
  if (start == std::string::npos) return {};
  return page.substr(start, page.find("\n.SH ", start + 1) - start);
}

Names found(const std::string& text, const std::regex& pattern) {
  Names names;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) {
    names.insert((*at)[1]);
  }
  return names;
}

TEST(ManPage, lists_every_command) {
  Names wanted;
  for (const Command* command : all_commands()) wanted.insert(std::string(command->name));
  EXPECT_EQ(found(section("COMMANDS"), std::regex(R"(\n\.TP\n\.B[RI]? ([a-z_]+))")), wanted);
}

// Whoever asks for files gets waits in TPU time too.
TEST(ManPage, and_the_readme_say_which_setting_the_rhythm_of_checkpoints_changes) {
  const std::string page = section("COMMANDS");
  const auto start = page.find(".BR checkpoint ");
  const std::string entry = page.substr(start, page.find("\n.TP", start) - start);
  EXPECT_NE(entry.find("save_every_n_steps"), std::string::npos) << entry;
  const std::string readme = text_of(TPULAB_SOURCE_DIR "/README.md");
  const std::string told = readme.substr(readme.find("`checkpoint FILE.safetensors every"));
  EXPECT_LT(told.find("save_every_n_steps"), told.find("\n\n")) << told.substr(0, 300);
}

TEST(ManPage, lists_every_setting) {
  Names wanted;
  for (const SettingRow& row : setting_rows()) wanted.insert(std::string(row.name));
  const std::string text = section("SETTINGS").substr(section("SETTINGS").find(".TP"));
  EXPECT_EQ(found(text, std::regex(R"(\n\.BR? ([a-z_.]+))")), wanted);
}

TEST(ManPage, lists_every_exit_code) {
  EXPECT_EQ(found(section("EXIT STATUS"), std::regex(R"(\n\.BR? (\d+))")),
            (Names{"0", std::to_string(exit_code_failed), "2", std::to_string(exit_code_impossible),
                   "130", "128"}));
}

TEST(ManPage, lists_the_options_of_the_program) {
  const std::string source = text_of(TPULAB_SOURCE_DIR "/tui/main.cpp");
  Names wanted = found(source, std::regex(R"re(\(\s*"(?:-[a-z],)?!?--([a-z-]+)")re"));
  wanted.insert("help");  // CLI11 adds it by itself
  std::string text = section("OPTIONS");
  text = std::regex_replace(text, std::regex(R"(\\-)"), "-");
  EXPECT_EQ(found(text, std::regex("--([a-z-]+)")), wanted);
}

}  // namespace
}  // namespace tpulab::man_page_test
