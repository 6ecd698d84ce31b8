#include "tui/terminal/input.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "engine/base/utf8.h"

namespace tpulab {
namespace {

constexpr char escape = '\x1b';
constexpr std::string_view paste_begin = "\x1b[200~";
constexpr std::string_view paste_end = "\x1b[201~";
constexpr std::size_t longest_sequence = 64;  // longer ones are noise, not keys

// The forms over which terminals disagree, by name: "ESC [ 11 ~", "ESC O P" and "ESC [ [ A" are
// all F1.
int function_key(std::string_view sequence) {
  struct Row {
    std::string_view tail;
    int number;
  };
  static constexpr std::array<Row, 25> rows{{
      {"OP", 1},   {"OQ", 2},    {"OR", 3},    {"OS", 4},    {"[P", 1},   {"[Q", 2},   {"[R", 3},
      {"[S", 4},   {"[[A", 1},   {"[[B", 2},   {"[[C", 3},   {"[[D", 4},  {"[[E", 5},  {"[11~", 1},
      {"[12~", 2}, {"[13~", 3},  {"[14~", 4},  {"[15~", 5},  {"[17~", 6}, {"[18~", 7}, {"[19~", 8},
      {"[20~", 9}, {"[21~", 10}, {"[23~", 11}, {"[24~", 12},
  }};
  for (const auto& row : rows) {
    if (sequence.substr(1) == row.tail) return row.number;
  }
  return 0;
}

bool is_page_key(std::string_view sequence, char digit) {
  return sequence.size() >= 4 && sequence[1] == '[' && sequence[2] == digit &&
         (sequence[3] == '~' || sequence[3] == ';') && sequence.back() == '~';
}

// "ESC [ < button ; column ; row M", counted from 1; m when it is let go. Others than the left
// button and the wheel mean nothing.
std::optional<InputEvent> mouse_event(std::string_view sequence) {
  constexpr std::string_view start = "\x1b[<";
  if (!sequence.starts_with(start) || sequence.back() != 'M') return std::nullopt;
  std::array<int, 3> numbers{};
  const char* at = sequence.data() + start.size();
  const char* end = sequence.data() + sequence.size() - 1;
  for (int& number : numbers) {
    const auto read = std::from_chars(at, end, number);
    if (read.ec != std::errc() || number < 0) return std::nullopt;
    at = read.ptr == end ? end : read.ptr + 1;
  }
  InputEvent event{.row = numbers[2] - 1, .column = numbers[1] - 1};
  if (numbers[0] == 0) event.key = Key::click;
  if (numbers[0] == 64) event.key = Key::wheel_up;
  if (numbers[0] == 65) event.key = Key::wheel_down;
  if (event.key == Key::text) return std::nullopt;
  return event;
}

// Reports of the mouse that mean nothing, and of the focus, which are never asked for.
bool is_report(std::string_view sequence) {
  return sequence.substr(0, 3) == "\x1b[<" || sequence == "\x1b[I" || sequence == "\x1b[O" ||
         sequence.back() == 'y' || sequence.back() == 'c' || sequence.back() == 'R';
}

void add_text(std::string text, std::vector<InputEvent>& events) {
  if (!events.empty() && events.back().key == Key::text) {
    events.back().text += text;
  } else {
    events.push_back({Key::text, std::move(text)});
  }
}

// Terminals send a pasted line end as CR; pasted controls must not act as keys.
std::string cleaned_paste(std::string_view raw) {
  std::string clean;
  clean.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const char byte = raw[i];
    if (byte == '\r') {
      if (i + 1 == raw.size() || raw[i + 1] != '\n') clean += '\n';
    } else if (byte == '\t') {
      clean += ' ';
    } else if (byte == '\n' || (static_cast<unsigned char>(byte) >= 0x20 && byte != '\x7f')) {
      clean += byte;
    }
  }
  return clean;
}

std::string valid_utf8(std::string_view bytes) {
  std::string valid;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto length = character_size(bytes, at);
    valid += bytes.substr(at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return valid;
}

}  // namespace

std::size_t character_length(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  if (byte < 0x80) return 1;
  if (byte >= 0xC2 && byte <= 0xDF) return 2;
  if (byte >= 0xE0 && byte <= 0xEF) return 3;
  if (byte >= 0xF0 && byte <= 0xF4) return 4;
  return 0;
}

std::vector<InputEvent> InputParser::take(std::string_view bytes) {
  pending_ += bytes;
  std::vector<InputEvent> events;
  while (!pending_.empty() && (in_paste_ ? take_paste(events) : take_one(events))) {
  }
  return events;
}

std::vector<InputEvent> InputParser::give_up() {
  std::vector<InputEvent> events;
  if (in_paste_) {
    paste_ += std::exchange(pending_, {});
    finish_paste(events);
  } else if (pending_ == "\x1b") {
    pending_.clear();
    events.push_back({Key::escape});
  } else if (pending_ == "\x1b[" || pending_ == "\x1bO" || pending_ == "\x1b]") {
    events.push_back({Key::sequence, std::exchange(pending_, {})});  // Meta-[, Meta-O, Meta-]
  } else {
    pending_.clear();
  }
  return events;
}

Waiting InputParser::waiting() const {
  if (in_paste_) return Waiting::paste;
  return !pending_.empty() && pending_.front() == escape ? Waiting::escape : Waiting::nothing;
}

std::string InputParser::cut(std::size_t length) {
  auto front = pending_.substr(0, length);
  pending_.erase(0, length);
  return front;
}

// The end mark may be split over reads, so its possible beginning stays in pending_.
bool InputParser::take_paste(std::vector<InputEvent>& events) {
  const auto end = pending_.find(paste_end);
  const auto keep = std::min(pending_.size(), paste_end.size() - 1);
  paste_ += cut(end == std::string::npos ? pending_.size() - keep : end);
  if (paste_.size() > paste_limit) {
    paste_.resize(paste_limit);
    paste_clipped_ = true;
  }
  if (end == std::string::npos) return false;
  pending_.erase(0, paste_end.size());
  finish_paste(events);
  return true;
}

void InputParser::finish_paste(std::vector<InputEvent>& events) {
  events.push_back({Key::paste, valid_utf8(cleaned_paste(paste_)), 0, paste_clipped_});
  paste_.clear();
  in_paste_ = false;
  paste_clipped_ = false;
}

bool InputParser::take_one(std::vector<InputEvent>& events) {
  if (pending_.front() == escape) return take_escape(events);
  if (pending_.front() == '\f') {
    pending_.erase(0, 1);
    events.push_back({Key::redraw});
    return true;
  }
  return take_character(events);
}

bool InputParser::take_character(std::vector<InputEvent>& events) {
  const auto length = character_length(pending_.front());
  const auto rest = std::string_view(pending_).substr(1, length == 0 ? 0 : length - 1);
  if (length == 0 || !std::ranges::all_of(rest, is_continuation)) {
    pending_.erase(0, 1);
    return true;
  }
  if (pending_.size() < length) return false;
  if (character_size(pending_, 0) == 0) {
    pending_.erase(0, length);
  } else {
    add_text(cut(length), events);
  }
  return true;
}

bool InputParser::take_escape(std::vector<InputEvent>& events) {
  if (pending_.size() == 1) return false;
  const char second = pending_[1];
  if (second == '[') return take_control_sequence(events);
  if (second == ']') return take_answer(events);
  if (second == 'O') {
    if (pending_.size() < 3) return false;
    if (pending_[2] > 0x20 && pending_[2] < 0x7F) {
      finish_sequence(3, events);
    } else {
      pending_.erase(0, 2);  // broken off: the byte that broke it is read afresh
    }
    return true;
  }
  if (second == escape) {
    pending_.erase(0, 1);
    events.push_back({Key::escape});
    return true;
  }
  const auto length = character_length(second);
  if (pending_.size() < 1 + length) return false;
  if (character_size(pending_, 1) == 0) {
    pending_.erase(0, 2);
  } else {
    events.push_back({Key::sequence, cut(1 + length)});  // Meta and a character
  }
  return true;
}

// ESC ], digits and words, ended by BEL or ESC \\. Meta-] followed by no digit is a key.
bool InputParser::take_answer(std::vector<InputEvent>& events) {
  if (pending_.size() == 2) return false;
  if (pending_[2] < '0' || pending_[2] > '9') {
    events.push_back({Key::sequence, cut(2)});
    return true;
  }
  std::size_t end = 2;
  while (end < pending_.size() && pending_[end] >= 0x20 && pending_[end] < 0x7F) ++end;
  if (end > longest_sequence) {
    pending_.erase(0, end);
    return true;
  }
  if (end == pending_.size()) return false;
  const bool string_end = pending_[end] == escape;
  if (string_end && end + 1 == pending_.size()) return false;
  const bool ended = string_end ? pending_[end + 1] == '\\' : pending_[end] == '\a';
  if (ended) events.push_back({Key::answer, pending_.substr(2, end - 2)});
  pending_.erase(0, end + (ended ? (string_end ? 2 : 1) : 0));
  return true;
}

// ECMA-48: ESC [, parameters 0x30-0x3F, intermediates 0x20-0x2F, a final byte 0x40-0x7E. The Linux
// console sends F1 to F5 as ESC [ [ and a letter.
bool InputParser::take_control_sequence(std::vector<InputEvent>& events) {
  std::size_t at = pending_.size() > 2 && pending_[2] == '[' ? 3 : 2;
  while (at < pending_.size() && pending_[at] >= 0x20 && pending_[at] <= 0x3F) ++at;
  if (at > longest_sequence) {
    pending_.erase(0, at);
    return true;
  }
  if (at == pending_.size()) return false;
  const bool final = pending_[at] >= 0x40 && pending_[at] <= 0x7E;
  if (final) {
    finish_sequence(at + 1, events);
  } else {
    pending_.erase(0, at);  // broken off: the byte that broke it is read afresh
  }
  return true;
}

void InputParser::finish_sequence(std::size_t length, std::vector<InputEvent>& events) {
  auto sequence = cut(length);
  if (sequence == paste_begin) {
    in_paste_ = true;
  } else if (const int number = function_key(sequence); number > 0) {
    events.push_back({Key::function, {}, number});
  } else if (is_page_key(sequence, '5')) {
    events.push_back({Key::page_up});
  } else if (is_page_key(sequence, '6')) {
    events.push_back({Key::page_down});
  } else if (auto mouse = mouse_event(sequence)) {
    events.push_back(std::move(*mouse));
  } else if (!is_report(sequence) && sequence != paste_end) {
    events.push_back({Key::sequence, std::move(sequence)});
  }
}

}  // namespace tpulab
