#include "tui/reader.h"

#include <algorithm>
#include <utility>

#include "tui/output_rows.h"

namespace tpulab {
namespace {

constexpr std::string_view output_title = "output";

}  // namespace

void Reader::toggle_help() {
  if (open()) return close();
  show(TextView("help", run_line("help", dialogue_.context()).lines));
}

void Reader::toggle_output() {
  if (open() && view_.title() == output_title) return close();
  show(TextView(std::string(output_title), output_texts(dialogue_.output().lines(), glyphs_)));
  view_.to_end();
}

bool Reader::is_long(std::span<const OutputLine> lines) const {
  return output_rows(lines, pane_.columns, pane_.rows, glyphs_) > pane_.rows;
}

void Reader::show_reply(std::int64_t first) {
  const auto lines = dialogue_.output().since(first);
  if (open() || lines.empty()) return;
  constexpr auto command = OutputLine::Kind::command;
  const bool single =
      lines.front().kind == command && std::ranges::count(lines, command, &OutputLine::kind) == 1;
  const auto replies = lines.subspan(single ? 1 : 0);  // the title says what was typed
  if (!is_long(replies)) return;
  const std::string title = single ? lines.front().text.substr(2) : "replies";
  show(TextView(title, output_texts(replies, glyphs_)));
}

bool Reader::offer(std::span<const OutputLine> lines, const std::string& title, bool typing) {
  if (!is_long(lines)) return true;
  if (typing || open() || output_scroll_ > 0) return false;
  show(TextView(title, output_texts(lines, glyphs_)));
  return true;
}

void Reader::scroll(int lines) {
  const int most =
      furthest_output_scroll(dialogue_.output().lines(), pane_.rows, pane_.columns, glyphs_);
  output_scroll_ = std::clamp(output_scroll_ + lines, 0, most);
}

// A row says how many lines are hidden, another one stays for the eye.
void Reader::scroll_pages(int pages) { scroll(pages * std::max(1, pane_.rows - 2)); }

void Reader::measure(const DrawnScreen& drawn) {
  pane_ = drawn.output;
  text_rows_ = drawn.overlay_rows;
  view_.limit_scroll(drawn.overlay_scroll_limit);
}

}  // namespace tpulab
