#include "tui/walk/reader.h"

#include <algorithm>
#include <utility>

#include "tui/draw/fit.h"
#include "tui/screen/output_rows.h"
#include "tui/walk/panes_keys.h"

namespace tpulab {
namespace {

constexpr std::string_view output_title = "output";

// A run has begun, or was asked for.
bool has_live_panes(const CommandContext& context) {
  return context.run_requested.value_or(false) ||
         context.engine.latest()->run.state != RunState::none;
}

}  // namespace

void Reader::toggle_help() {
  if (open()) return close();
  show(TextView("help", run_line("help", dialogue_.context()).lines));
}

void Reader::toggle_keys() {
  if (open()) return close();
  show(TextView("keys", key_list()));
}

bool Reader::press(const InputEvent& event) {
  const bool known = view_.press(event, text_rows_);
  if (!open()) awaiting_.reset();
  return known;
}

void Reader::open_chosen(const Opened& opened, std::int64_t first, bool answer_will_come) {
  std::vector<std::string> lines = opened.lines;
  auto replies = dialogue_.output().since(first);
  if (!replies.empty() && replies.front().kind == OutputLine::Kind::command) {
    replies = replies.subspan(1);
  }
  for (std::string& text : output_texts(replies, glyphs_)) lines.push_back(std::move(text));
  show(TextView(opened.title, std::move(lines)));
  if (answer_will_come) awaiting_ = opened.lines.size();
}

bool Reader::find(std::string_view sought, bool back) {
  const auto lines = dialogue_.output().lines();
  const std::int64_t oldest = dialogue_.output().count() - std::ssize(lines);  // before the first
  if (std::exchange(sought_, sought) != sought) found_ = 0;
  const std::int64_t from = found_ > oldest ? found_ : dialogue_.output().count() + 1;
  for (std::int64_t at = from + (back ? -1 : 1); at > oldest && at <= dialogue_.output().count();
       at += back ? -1 : 1) {
    const OutputLine& line = lines[static_cast<std::size_t>(at - oldest - 1)];
    if (find_in(output_text(line, glyphs_), sought) == std::string_view::npos) continue;
    found_ = at;
    output_scroll_ = 0;
    scroll(static_cast<int>(dialogue_.output().count() - at));
    return true;
  }
  return false;
}

void Reader::toggle_output() {
  if (open() && view_.title() == output_title) return close();
  show(TextView(std::string(output_title), output_texts(dialogue_.output().lines(), glyphs_)));
  view_.to_end();
}

bool Reader::is_long(std::span<const OutputLine> lines) const {
  return output_rows(lines, pane_.columns, pane_.rows, glyphs_) > pane_.rows;
}

bool Reader::show_reply(std::int64_t first, bool of_lesson) {
  const auto lines = dialogue_.output().since(first);
  if (open() || lines.empty()) return true;
  constexpr auto command = OutputLine::Kind::command;
  const bool single =
      lines.front().kind == command && std::ranges::count(lines, command, &OutputLine::kind) == 1;
  const auto replies = lines.subspan(single ? 1 : 0);  // the title says what was typed
  if (!is_long(replies)) return true;
  if (!single && !of_lesson && has_live_panes(dialogue_.context())) return false;
  const std::string title = single      ? lines.front().text.substr(2)
                            : of_lesson ? std::string(reply_title)
                                        : "replies";
  show(TextView(title, output_texts(replies, glyphs_)));
  if (of_lesson) view_.read_on();
  return true;
}

bool Reader::offer_of_lesson(std::span<const OutputLine> lines, bool typing) {
  const bool follows = open() && (view_.title() == answer_title || view_.title() == reply_title);
  if (lines.empty() || !follows) {
    const bool was_open = open();
    const bool seen = offer(lines, std::string(reply_title), typing);
    if (open() && !was_open) view_.read_on();
    return seen;
  }
  std::vector<std::string> texts = view_.lines();
  for (std::string& text : output_texts(lines, glyphs_)) texts.push_back(std::move(text));
  const int scroll = view_.scroll();
  show(TextView(view_.title(), std::move(texts), scroll));
  view_.read_on();
  return true;
}

bool Reader::offer(std::span<const OutputLine> lines, const std::string& title, bool typing) {
  if (!lines.empty() && title == answer_title && open() && awaiting_) {
    std::vector<std::string> texts = view_.lines();
    texts.resize(*std::exchange(awaiting_, std::nullopt));
    for (std::string& text : output_texts(lines, glyphs_)) texts.push_back(std::move(text));
    show(TextView(view_.title(), std::move(texts)));
    return true;
  }
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
