// Rule: no two headers define a type of one name in one namespace: the linker would take what
// belongs to one for the other's.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <vector>

#include "tests/tidy/source_tree.h"

namespace tpulab::tidy::names_test {
namespace {

using Tree = std::vector<SourceFile>;

// Types at the beginning of a line, with a body: not those inside another one.
Complaints types_of_one_name(const Tree& tree) {
  static const std::regex type(R"(^(?:struct|class|enum class) ([A-Za-z]+)(?: [^;]*)?\{)");
  std::map<std::string, std::string> first;
  Complaints complaints;
  for (const auto& file : tree) {
    if (!file.path.ends_with(".h") || file.path.starts_with("tests/")) continue;
    std::string inside;
    for (const auto line : lines_of(file.text)) {
      std::match_results<std::string_view::const_iterator> match;
      if (line.starts_with("namespace ")) inside = std::string(line);
      if (!std::regex_search(line.begin(), line.end(), match, type)) continue;
      const auto [known, fresh] = first.emplace(inside + match[1].str(), file.path);
      if (fresh) continue;
      complaints.push_back(
          fmt::format("{} is defined in {} and in {}", match[1].str(), known->second, file.path));
    }
  }
  return complaints;
}

TEST(TidyNames, no_two_headers_define_a_type_of_one_name) {
  EXPECT_EQ(listed(types_of_one_name(source_tree())), "");
}

TEST(TidyNames, a_type_that_is_defined_twice_is_found) {
  const Tree planted{{"engine/a.h", "struct Block {\n  struct Part {};\n};\nclass Later;\n"},
                     {"tui/b.h", "class Later final : Other {\n};\nstruct Block {\n"},
                     {"engine/d.h", "namespace tpulab::other {\nstruct Block {\n"},
                     {"tui/c.h", "class Later;\nclass C {\n  struct Part {};\n};\n"}};
  EXPECT_EQ(listed(types_of_one_name(planted)), "Block is defined in engine/a.h and in tui/b.h");
}

}  // namespace
}  // namespace tpulab::tidy::names_test
