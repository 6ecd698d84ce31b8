#include "tests/fuzz/mutation.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>

namespace tpulab::fuzz {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t ordinary_seed = 20240817;
constexpr std::uint64_t slow_seed = 7;

const Texts& hostile_words() {
  static const Texts words{"\x1b",
                           "\x1b[2J",
                           "\r",
                           "\n",
                           "\t",
                           "\x7f",
                           "\x01",
                           std::string(1, '\0'),
                           "\xff",
                           "\xc3",
                           "\xe2\x82",
                           "\xed\xa0\x80",      // a surrogate
                           "\xf4\x90\x80\x80",  // beyond the last code point
                           "\xc0\xaf",          // overlong
                           "é",
                           "日本",
                           "e\u0301",
                           "\u200b",
                           "\u202e",
                           "\U0001f600",
                           "\u0085",
                           " ",
                           ";",
                           "#",
                           "\"",
                           "'",
                           "\\",
                           "(",
                           ")",
                           "[",
                           "]",
                           ",",
                           "=",
                           "%s%n",
                           "{}",
                           "{:>99}"};
  return words;
}

const Texts& hostile_numbers() {
  static const Texts numbers{"0",
                             "-0",
                             "-1",
                             "+1",
                             "1.5",
                             "0x10",
                             "1e999",
                             "-1e-999",
                             "nan",
                             "inf",
                             "00",
                             "1_000",
                             "256",
                             "65536",
                             "2147483647",
                             "2147483648",
                             "4294967296",
                             "9223372036854775807",
                             "9223372036854775808",
                             "-9223372036854775808",
                             "99999999999999999999999999"};
  return numbers;
}

std::string escaped(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, 2000)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= 0x20 && byte < 0x7F && c != '"' && c != '\\';
    shown += plain ? std::string(1, c) : fmt::format("\\{:03o}", byte);
  }
  return fmt::format("\"{}\" ({} bytes)", shown, text.size());
}

std::chrono::seconds slow_time() {
  const char* wanted = std::getenv("TPULAB_FUZZ_SECONDS");
  return std::chrono::seconds(wanted != nullptr ? std::atoi(wanted) : 30);
}

}  // namespace

std::string Mutator::next() {
  std::string text = pick(corpus_.seeds);
  if (random_.below(16) == 0) return text;
  do {
    mutate(text);
  } while (random_.below(3) > 0);
  return text;
}

void Mutator::mutate(std::string& text) {
  switch (random_.below(7)) {
    case 0:
      return change_byte(text);
    case 1:
      return change_order(text);
    case 2:
      return change_number(text);
    case 3:
      return repeat(text);
    default:
      return insert(text);
  }
}

void Mutator::change_byte(std::string& text) {
  if (text.empty()) return;
  char& byte = text[random_.below(text.size())];
  if (random_.below(2) == 0) {
    byte = static_cast<char>(byte ^ 1 << random_.below(8));
  } else {
    byte = static_cast<char>(random_.below(256));
  }
}

// Cuts a piece out, cuts the end off, or puts the end of another text in its place.
void Mutator::change_order(std::string& text) {
  const std::size_t at = place_in(text);
  const std::uint64_t kind = random_.below(3);
  if (kind == 0) {
    text.erase(at, random_.below(8) + 1);
  } else {
    text.erase(at);
    if (kind == 2) {
      const std::string& other = pick(corpus_.seeds);
      text += other.substr(place_in(other));
    }
  }
}

void Mutator::change_number(std::string& text) {
  constexpr std::string_view digits = "0123456789";
  const std::size_t begin = text.find_first_of(digits, place_in(text));
  if (begin == std::string::npos) return;
  const std::size_t end = std::min(text.size(), text.find_first_not_of(digits, begin));
  text.replace(begin, end - begin, pick(hostile_numbers()));
}

void Mutator::insert(std::string& text) {
  const bool hostile = corpus_.words.empty() || random_.below(3) == 0;
  text.insert(place_in(text), hostile ? pick(hostile_words()) : pick(corpus_.words));
}

// Mostly a few times, now and then some thousand.
void Mutator::repeat(std::string& text) {
  const std::size_t begin = place_in(text);
  const std::string piece = text.substr(begin, random_.below(12) + 1);
  const std::uint64_t most = random_.below(64) == 0 ? 8000 : 12;
  std::string repeated;
  for (std::uint64_t times = random_.below(most) + 1; times > 0; --times) repeated += piece;
  text.insert(begin, repeated);
}

void expect_holds(const Corpus& corpus, Effort effort,
                  const std::function<void(const std::string&, Random&)>& accepts) {
  Mutator mutator(corpus, effort.slow ? slow_seed : ordinary_seed);
  const Clock::time_point end = Clock::now() + slow_time();
  for (std::int64_t i = 0; effort.slow ? Clock::now() < end : i < effort.inputs; ++i) {
    const std::string input = mutator.next();
    try {
      accepts(input, mutator.random());
    } catch (const std::exception& error) {
      ADD_FAILURE() << "threw " << error.what();
    }
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "input " << i << ": " << escaped(input);
      return;
    }
  }
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if ((lead >= 0x80 && lead < 0xC2) || lead > 0xF4 || at + length > text.size()) return false;
    for (std::size_t i = 1; i < length; ++i) {
      if ((static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80) return false;
    }
    const auto second = length > 1 ? static_cast<unsigned char>(text[at + 1]) : 0;
    const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool outside = (lead == 0xED && second >= 0xA0) || (lead == 0xF4 && second >= 0x90);
    if (overlong || outside) return false;
    at += length;
  }
  return true;
}

bool is_printable_line(std::string_view text) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; };
  // U+0080 to U+009F
  const auto second_control = [](char a, char b) {
    return a == '\xc2' && static_cast<unsigned char>(b) < 0xA0;
  };
  if (std::ranges::adjacent_find(text, second_control) != text.end()) return false;
  return is_utf8(text) && std::ranges::none_of(text, control);
}

}  // namespace tpulab::fuzz
