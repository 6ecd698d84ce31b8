// The files of the repository as values, for the rules in this folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tpulab::tidy {

struct SourceFile {
  std::string path;  // from the root: "engine/base/units.h"
  std::string text;
};

// What breaks a rule: "engine/base/units.h:12: line of 104 columns".
using Complaints = std::vector<std::string>;

// Every text file of the house, by path. Hidden entries and the build folder do not belong to it.
const std::vector<SourceFile>& source_tree();
bool is_cpp(const SourceFile& file);
bool is_header(const SourceFile& file);
std::vector<std::string_view> lines_of(std::string_view text);
// The same text with comments, string and character literals and preprocessor lines blanked out;
// every line stays on its line.
std::string code_only(std::string_view text);
std::string complaint(const SourceFile& file, std::size_t line, std::string_view what);

// A rule sees one file at a time, from the tree or planted by a test.
using Rule = Complaints (*)(const SourceFile& file);
Complaints check_tree(Rule rule);
// One complaint a line; empty if there is none.
std::string listed(const Complaints& complaints);

}  // namespace tpulab::tidy
