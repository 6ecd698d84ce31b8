#include "commands/wrapped.h"

#include <algorithm>
#include <utility>

#include "engine/base/text.h"

namespace tpulab {

namespace {

// Lists and examples are indented, tables have columns.
bool is_prose(std::string_view line) {
  return !line.empty() && line.front() != ' ' && line.find("  ") == std::string_view::npos;
}

bool goes_on(std::string_view line, std::string_view next) {
  const std::size_t word = std::min(next.find(' '), next.size());
  return is_prose(line) && is_prose(next) && line.size() + 1 + word > page_columns;
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
    std::string text = page[at];
    for (; at + 1 < page.size() && goes_on(page[at], page[at + 1]); ++at)
      text += " " + page[at + 1];
    if (is_prose(text)) {
      append_wrapped(lines, "", text, 0, columns);
    } else {
      lines.push_back(std::move(text));
    }
  }
  return lines;
}

}  // namespace tpulab
