#include "commands/wrapped.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "engine/base/text.h"

namespace tpulab {

namespace {

// Lists and examples are indented, tables have columns.
bool is_prose(std::string_view line) {
  return !line.empty() && line.front() != ' ' && line.find("  ") == std::string_view::npos;
}

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

// Whether a line was broken where the next one begins.
bool is_full(std::string_view line, std::string_view next) {
  next.remove_prefix(indent_of(next));
  return line.size() + 1 + std::min(next.find(' '), next.size()) > page_columns;
}

// Where the lines of an item hang: under its text behind a number, or behind a label and two
// blanks; 0: they do not.
std::size_t hanging(std::string_view line, std::string_view next) {
  const std::size_t indent = indent_of(next);
  if (indent < 2 || indent >= line.size() || line[indent] == ' ') return 0;
  const bool labelled = line.rfind("  ") == indent - 2 && indent_of(line) < indent;
  const bool numbered = is_digit(line.front()) && line[indent - 1] == ' ';
  return labelled || numbered ? indent : 0;
}

}  // namespace

void append_wrapped(std::vector<std::string>& lines, std::string line, std::string_view text,
                    std::size_t indent, std::size_t columns) {
  bool fresh = true;
  for (const std::string& word : split(text, ' ')) {
    if (!fresh && line.size() + 1 + word.size() > columns) {
      lines.push_back(std::exchange(line, std::string(indent, ' ')));
      fresh = true;
    }
    line += (fresh ? "" : " ") + word;
    fresh = false;
  }
  lines.push_back(std::move(line));
}

std::vector<std::string> reflowed(const std::vector<std::string>& page, std::size_t columns) {
  if (columns >= page_columns) return page;
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < page.size(); ++at) {
    const std::size_t first = at;
    const std::size_t hang = at + 1 < page.size() ? hanging(page[at], page[at + 1]) : 0;
    const auto goes_on = [&](const std::string& next) {
      const bool of_text =
          hang > 0 ? indent_of(next) == hang : is_prose(page[at]) && is_prose(next);
      return of_text && is_full(page[at], next);
    };
    std::string text = page[at];
    while (at + 1 < page.size() && goes_on(page[at + 1])) text += " " + page[++at].substr(hang);
    if (at > first || is_prose(text)) {
      const auto words = words_in(std::string_view(text).substr(hang));
      append_wrapped(lines, text.substr(0, hang), fmt::format("{}", fmt::join(words, " ")), hang,
                     columns);
    } else {
      lines.push_back(std::move(text));
    }
  }
  return lines;
}

}  // namespace tpulab
