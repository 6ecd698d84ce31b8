#include "tui/prompt/prompt.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
// clang-format off
#include <readline/history.h>
#include <readline/readline.h>
// clang-format on

#include <algorithm>
#include <utility>

#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/base/utf8.h"
#include "tui/terminal/input.h"

namespace tpulab {
namespace {

constexpr std::string_view word_breaks = " \t\n;";
constexpr int most_repeats = 1000;    // of a key: Meta-9 eight times would insert a million letters
constexpr int most_commands = 10000;  // by one key
constexpr int longest_line = 2 * static_cast<int>(InputParser::paste_limit);
Prompt* the_prompt = nullptr;

char* copy_for_readline(const std::string& text) { return ::strdup(text.c_str()); }

std::size_t common_length(std::string_view a, std::string_view b) {
  const auto [end, unused] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(end - a.begin());
}

// How many of the last characters of `typed` every candidate begins with: what a candidate
// replaces.
std::size_t overlap(std::string_view typed, const std::vector<std::string>& candidates) {
  for (std::size_t length = typed.size(); length > 0; --length) {
    const auto tail = typed.substr(typed.size() - length);
    if (std::ranges::all_of(candidates, [&](const auto& one) { return one.starts_with(tail); })) {
      return length;
    }
  }
  return 0;
}

// readline's form: the common beginning, then all (only the one if there is one), then null.
char** matches_for_readline(const std::vector<std::string>& words) {
  std::size_t common = words.front().size();
  for (const auto& word : words) common = std::min(common, common_length(words.front(), word));
  const auto count = words.size() + 2;
  auto** matches = static_cast<char**>(std::calloc(count, sizeof(char*)));
  expects(matches != nullptr, "there is memory for the completions");
  matches[0] = copy_for_readline(words.front().substr(0, common));
  if (words.size() > 1) std::ranges::transform(words, matches + 1, copy_for_readline);
  return matches;
}

// Control keys that mean nothing to Ctrl-R. readline 8.2 would end the search itself, but crashes
// if such a key begins a longer one (Ctrl-R, Ctrl-X, any letter).
bool ends_search(char key) {
  constexpr std::string_view of_search = "\x07\x08\n\r\x12\x13\x17\x19\x1b";  // ^G ^H ... ^W ^Y ESC
  return key >= 0 && key < 0x20 && of_search.find(key) == std::string_view::npos;
}

// readline 8.2 lays out what is searched for in quadratic time, and Ctrl-W and Ctrl-Y fetch it from
// the line: a pasted megabyte would take hours.
bool is_long_search(char key) {
  constexpr std::size_t longest_search = 512;
  const bool fetches = key == 0x17 || key == 0x19;
  return std::string_view(rl_display_prompt).size() > longest_search ||
         (fetches && rl_end > static_cast<int>(longest_search));
}

// readline 8.2 frees the undo list of a history line twice after these; Ctrl-R does the same job.
void unbind_unsafe_keys() {
  for (auto* unsafe : {rl_noninc_forward_search, rl_noninc_reverse_search, rl_operate_and_get_next,
                       rl_vi_editing_mode}) {
    for (auto* keys : {emacs_standard_keymap, emacs_meta_keymap, emacs_ctlx_keymap}) {
      rl_unbind_function_in_map(unsafe, keys);
    }
  }
}

void load_history(const std::vector<std::string>& lines) {
  clear_history();
  for (const auto& line : lines) add_history(line.c_str());
  using_history();  // the next arrow up is the newest line
}

// readline 8.2 takes an edited line of the history for unchanged if all that was typed joined its
// newest undo record. A search would then put the old line in its place, with the cursor outside.
void keep_edits_of_history_line() {
  const auto* entry = current_history();
  const bool taken_for_unchanged =
      entry != nullptr && rl_undo_list != nullptr && entry->data == rl_undo_list;
  if (!taken_for_unchanged || std::string_view(entry->line) == rl_line_buffer) return;
  auto* old = replace_history_entry(where_history(), rl_line_buffer, entry->data);
  free_history_entry(old);
}

// The mark of another line (Ctrl-X Ctrl-X) may lie inside a character of this one.
int start_of_character(int offset) {
  int start = std::min(offset, rl_end);
  while (start > 0 && start < rl_end && character_length(rl_line_buffer[start]) == 0) --start;
  return start;
}

// The visible form of a line, and where an offset into the line is in it.
PromptView visible(std::string_view line, std::size_t cursor, std::string_view line_end_mark) {
  PromptView view;
  for (std::size_t at = 0; at < line.size();) {
    if (at == cursor) view.cursor = view.line.size();
    const char byte = line[at];
    const auto size = std::max<std::size_t>(character_size(line, at), 1);
    if (byte == '\n') {
      view.line += line_end_mark;
    } else if (static_cast<unsigned char>(byte) < 0x20) {
      view.line += {'^', static_cast<char>(byte + '@')};
    } else if (size == 1 && byte >= 0x20 && byte < 0x7F) {
      view.line += byte;
    } else {
      view.line += printable(line.substr(at, size));
    }
    at += size;
  }
  if (cursor >= line.size()) view.cursor = view.line.size();
  return view;
}

}  // namespace

// readline calls back without a context, so these reach the one prompt.
struct Prompt::Readline {
  static int next_byte(FILE*) {
    if (the_prompt->ring_.empty()) return EOF;
    const auto byte = static_cast<unsigned char>(the_prompt->ring_.front());
    the_prompt->ring_.erase(0, 1);
    return byte;
  }

  static int input_available() { return the_prompt->ring_.empty() ? 0 : 1; }

  // Called after each command. A macro of ~/.inputrc that ends in its own key never ends.
  static void redisplay() {
    if (++the_prompt->commands_of_key_ <= most_commands) return;
    the_prompt->commands_of_key_ = 0;
    rl_abort(0, 0);  // leaves by longjmp, past frames of readline only
  }

  static void on_line(char* line) {
    if (line == nullptr) {
      the_prompt->end_of_input_ = true;
      return;
    }
    const std::string text(line);
    std::free(line);
    the_prompt->enter(text);
  }

  static char** complete(const char* text, int, int) {
    rl_attempted_completion_over = 1;  // file names are among ours
    const auto before = the_prompt->line_before_cursor();
    auto candidates = the_prompt->complete_(before.substr(before.rfind('\n') + 1));
    if (candidates.empty()) return nullptr;
    const std::string_view typed(text);
    const auto kept = typed.substr(0, typed.size() - overlap(typed, candidates));
    const char last = candidates.front().empty() ? ' ' : candidates.front().back();
    rl_completion_suppress_append =
        std::string_view("=([/").find(last) != std::string_view::npos ? 1 : 0;
    auto words = candidates;
    for (auto& word : words) word.insert(0, kept);
    if (candidates.size() > 1) the_prompt->candidates_ = std::move(candidates);
    return matches_for_readline(words);
  }

  static void show_matches(char**, int, int) {}  // candidates_ has them
};

// The terminal and the signals belong to others: readline must not touch either.
Prompt::Prompt(Complete complete, const std::vector<std::string>& history,
               std::string line_end_mark)
    : complete_(std::move(complete)), line_end_mark_(std::move(line_end_mark)) {
  expects(the_prompt == nullptr, "there is one prompt at a time");
  the_prompt = this;
  rl_readline_name = "tpulab";
  rl_change_environment = 0;
  rl_catch_signals = 0;
  rl_catch_sigwinch = 0;
  rl_prep_term_function = nullptr;
  rl_deprep_term_function = nullptr;
  if (rl_outstream == nullptr) rl_outstream = std::fopen("/dev/null", "we");
  rl_getc_function = Readline::next_byte;
  rl_input_available_hook = Readline::input_available;
  rl_redisplay_function = Readline::redisplay;
  rl_attempted_completion_function = Readline::complete;
  rl_completion_display_matches_hook = Readline::show_matches;
  rl_completer_word_break_characters = word_breaks.data();
  rl_completer_quote_characters = nullptr;
  rl_sort_completion_matches = 0;
  load_history(history);
  rl_callback_handler_install("", Readline::on_line);
  rl_variable_bind("show-all-if-ambiguous", "on");
  // A letter beyond ASCII is a letter in every locale, and no Meta key that could fetch a line.
  rl_variable_bind("convert-meta", "off");
  rl_variable_bind("input-meta", "on");
  rl_variable_bind("output-meta", "on");
  rl_variable_bind("enable-bracketed-paste", "off");
  unbind_unsafe_keys();
  rl_bind_keyseq_if_unbound("\\e[1;5C", rl_forward_word);
  rl_bind_keyseq_if_unbound("\\e[1;5D", rl_backward_word);
  rl_bind_keyseq_if_unbound("\\e[3~", rl_delete);
  rl_bind_keyseq_if_unbound("\\e[1~", rl_beg_of_line);
  rl_bind_keyseq_if_unbound("\\e[4~", rl_end_of_line);
  // readline 8.2 records one byte of a longer character and breaks the line when it plays it.
  rl_unbind_function_in_map(rl_start_kbd_macro, emacs_ctlx_keymap);
}

Prompt::~Prompt() {
  rl_callback_handler_remove();
  the_prompt = nullptr;
}

void Prompt::set_prompt(std::string_view prompt) {
  if (prompt == prompt_ || searching()) return;
  prompt_ = prompt;
  rl_set_prompt(prompt_.c_str());
}

void Prompt::feed(std::string_view whole) {
  candidates_.clear();
  ring_ += whole;
  commands_of_key_ = 0;
  rl_numeric_arg = std::clamp(rl_numeric_arg, -most_repeats, most_repeats);
  while (!ring_.empty()) rl_callback_read_char();
  limit_line();
  rl_point = start_of_character(rl_point);
  rl_mark = start_of_character(rl_mark);
}

// Cut and paste keys double a line each time: readline 8.2 counts its bytes in an int.
void Prompt::limit_line() {
  if (rl_end <= longest_line) return;
  const int end = start_of_character(longest_line);
  rl_delete_text(end, rl_end);
  rl_point = std::min(rl_point, end);
}

// Whole characters at a time: Ctrl-R loses letters that come in single bytes.
void Prompt::type(std::string_view whole_characters) {
  for (std::size_t at = 0; at < whole_characters.size();) {
    const char key = whole_characters[at];
    if (searching() && (ends_search(key) || is_long_search(key))) end_search();
    if (key >= 0 && key < 0x20 && !searching()) keep_edits_of_history_line();
    const bool enters = key == '\r' || key == '\n';
    if (enters && RL_ISSTATE(RL_STATE_NUMERICARG)) feed("\x07");  // Meta-5 Enter: also unsafe
    const auto length = character_length(key);
    if (length > 1) leave_prefix();
    const auto step = std::max<std::size_t>(length, 1);
    feed(whole_characters.substr(at, step));
    at += step;
  }
}

// readline would insert the rest of a sequence it does not know.
void Prompt::press(std::string_view sequence) {
  end_search();
  keep_edits_of_history_line();
  if (character_length(sequence.back()) != 1) leave_prefix();
  const bool at_root = !RL_ISSTATE(RL_STATE_MULTIKEY) && !wants_escape();
  int kind = 0;
  const std::string keys(sequence);
  auto* known = rl_function_of_keyseq_len(keys.c_str(), keys.size(), nullptr, &kind);
  if (at_root && (known == nullptr || kind == ISKMAP)) return;
  feed(sequence);
}

void Prompt::paste(std::string_view text) {
  candidates_.clear();
  while (text.ends_with('\n')) text.remove_suffix(1);
  end_search();
  rl_insert_text(std::string(text).c_str());
  limit_line();
}

// An edited line of the history owns the undo list: it keeps its edits as on an arrow down, and the
// new line is what is cleared.
void Prompt::clear_line() {
  end_search();
  candidates_.clear();
  keep_edits_of_history_line();
  if (current_history() != nullptr) rl_end_of_history(1, 0);
  rl_replace_line("", 1);
  rl_point = 0;
}

void Prompt::end_search() {
  if (searching()) feed("\x1b");
}

// Behind Ctrl-X and behind Meta-minus readline takes one byte, and would insert the rest of a
// longer character.
void Prompt::leave_prefix() {
  if (RL_ISSTATE(RL_STATE_MULTIKEY | RL_STATE_NUMERICARG)) feed("\x07");
}

PromptView Prompt::view() const {
  auto view = visible(rl_line_buffer, static_cast<std::size_t>(rl_point), line_end_mark_);
  view.prompt = rl_display_prompt != nullptr ? rl_display_prompt : "";
  return view;
}

std::string Prompt::line() const { return rl_line_buffer; }

std::string Prompt::line_before_cursor() const {
  return {rl_line_buffer, static_cast<std::size_t>(rl_point)};
}

bool Prompt::empty() const { return rl_end == 0; }

bool Prompt::searching() const { return RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH) != 0; }

bool Prompt::wants_escape() const { return rl_editing_mode == 0; }

void Prompt::enter(std::string_view line) {
  if (trimmed(line).empty()) entered_.emplace_back();  // Enter alone goes on with a lesson
  const bool several = line.find('\n') != std::string_view::npos;
  for (const auto& one : several ? split_lines(line) : std::vector{std::string(line)}) {
    std::string text(trimmed(one));
    if (text.empty()) continue;
    std::ranges::replace(text, '\n', ' ');
    const auto* newest = history_get(history_base + history_length - 1);
    if (newest == nullptr || text != newest->line) add_history(text.c_str());
    entered_.push_back(text);
  }
}

std::vector<std::string> Prompt::take_entered() { return std::exchange(entered_, {}); }

bool Prompt::take_end_of_input() { return std::exchange(end_of_input_, false); }

}  // namespace tpulab
