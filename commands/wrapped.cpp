#include "commands/wrapped.h"

#include <utility>

#include "engine/base/text.h"

namespace tpulab {

void append_wrapped(std::vector<std::string>& lines, std::string line, std::string_view text,
                    std::size_t indent) {
  bool fresh = true;
  for (const std::string& word : split(text, ' ')) {
    if (!fresh && line.size() + 1 + word.size() > page_columns) {
      lines.push_back(std::exchange(line, std::string(indent, ' ')));
      fresh = true;
    }
    line += (fresh ? "" : " ") + word;
    fresh = false;
  }
  lines.push_back(std::move(line));
}

}  // namespace tpulab
