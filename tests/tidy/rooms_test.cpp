// Rule: the README files list the rooms that are there, and the root holds what belongs there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <stdexcept>

#include "tests/tidy/source_tree.h"

namespace tpulab::tidy::rooms_test {
namespace {

using Names = std::set<std::string>;
using Tree = std::vector<SourceFile>;

const SourceFile& file_named(const Tree& tree, std::string_view path) {
  const auto found = std::ranges::find(tree, path, &SourceFile::path);
  if (found == tree.end()) throw std::runtime_error(fmt::format("no file {}", path));
  return *found;
}

// First parts of the paths below `folder` ("" is the root): names of files, or of folders only.
Names entries(const Tree& tree, std::string_view folder, bool folders_only) {
  Names names;
  for (const auto& file : tree) {
    if (!file.path.starts_with(folder)) continue;
    const std::string rest = file.path.substr(folder.size());
    const auto slash = rest.find('/');
    if (slash != std::string::npos || !folders_only) names.insert(rest.substr(0, slash));
  }
  return names;
}

// Names in lines like "    1  graph | machine    text": one floor, its rooms side by side.
Names rooms_in_readme(std::string_view text) {
  static const std::regex floor(R"(^ +[0-9]  ([a-z]+)(?: \| ([a-z]+))?(?: |$))");
  Names names;
  for (const auto line : lines_of(text)) {
    std::match_results<std::string_view::const_iterator> match;
    if (!std::regex_search(line.begin(), line.end(), match, floor)) continue;
    names.insert(match[1]);
    if (match[2].matched) names.insert(match[2]);
  }
  return names;
}

Complaints wrong_floors(const Tree& tree) {
  const Names listed_rooms = rooms_in_readme(file_named(tree, "engine/README.md").text);
  const Names folders = entries(tree, "engine/", true);
  Complaints complaints;
  for (const auto& name : folders) {
    if (!listed_rooms.contains(name)) {
      complaints.push_back(fmt::format("engine/README.md does not name engine/{}/", name));
    }
  }
  for (const auto& name : listed_rooms) {
    if (!folders.contains(name)) {
      complaints.push_back(fmt::format("engine/README.md names {}, which is not there", name));
    }
  }
  return complaints;
}

Complaints strangers_in_the_root(const Tree& tree) {
  static const Names allowed{"CMakeLists.txt",
                             "CMakePresets.json",
                             "LICENSE",
                             "README.md",
                             "bench",
                             "commands",
                             "dev",
                             "engine",
                             "tests",
                             "themes",
                             "tui"};
  Complaints complaints;
  for (const auto& name : entries(tree, "", false)) {
    if (!allowed.contains(name)) complaints.push_back(fmt::format("{} in the root", name));
  }
  return complaints;
}

// The root's README writes a room as `name/`.
Complaints unnamed_rooms(const Tree& tree) {
  const std::string& text = file_named(tree, "README.md").text;
  Complaints complaints;
  for (const auto& name : entries(tree, "", true)) {
    if (text.find(fmt::format("`{}/`", name)) == std::string::npos) {
      complaints.push_back(fmt::format("README.md does not name `{}/`", name));
    }
  }
  return complaints;
}

TEST(TidyRooms, the_engine_lists_its_floors) { EXPECT_EQ(listed(wrong_floors(source_tree())), ""); }

TEST(TidyRooms, the_root_holds_nothing_else) {
  EXPECT_EQ(listed(strangers_in_the_root(source_tree())), "");
}

TEST(TidyRooms, the_readme_names_every_room) {
  EXPECT_EQ(listed(unnamed_rooms(source_tree())), "");
}

TEST(TidyRooms, a_floor_that_is_missing_and_one_that_is_invented_are_found) {
  const Tree planted{{"engine/README.md", "    1  graph | cloud   text\n    0  base\n"},
                     {"engine/base/a.h", ""},
                     {"engine/graph/a.h", ""},
                     {"engine/machine/a.h", ""}};
  EXPECT_EQ(listed(wrong_floors(planted)),
            "engine/README.md does not name engine/machine/\n"
            "engine/README.md names cloud, which is not there");
}

TEST(TidyRooms, a_stranger_in_the_root_is_found) {
  EXPECT_EQ(listed(strangers_in_the_root({{"README.md", ""}, {"helpers/a.h", ""}})),
            "helpers in the root");
}

TEST(TidyRooms, a_room_that_the_readme_forgets_is_found) {
  EXPECT_EQ(listed(unnamed_rooms({{"README.md", "`tui/`"}, {"tui/a.h", ""}, {"bench/a.h", ""}})),
            "README.md does not name `bench/`");
}

}  // namespace
}  // namespace tpulab::tidy::rooms_test
