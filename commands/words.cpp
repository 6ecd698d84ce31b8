#include "commands/words.h"

#include <cctype>
#include <cstdlib>

#include "engine/base/file.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

// Follows quotes and brackets character by character. A quote opens only where a word could begin:
// the one in "it's" does not.
class Nesting {
 public:
  void take(char c) {
    if (quote_ != 0) {
      if (c == quote_) quote_ = 0;
    } else if ((c == '\'' || c == '"') && !in_word_) {
      quote_ = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth_;
    } else if ((c == ')' || c == ']' || c == '}') && depth_ > 0) {
      --depth_;
    }
    in_word_ = std::isalnum(static_cast<unsigned char>(c)) != 0;
  }
  bool quoted() const { return quote_ != 0; }
  bool in_brackets() const { return depth_ > 0; }
  bool outside() const { return !quoted() && !in_brackets(); }

 private:
  char quote_ = 0;
  int depth_ = 0;
  bool in_word_ = false;
};

// Of a line that a text processor has made typographic, its double quotes as they were typed.
std::string with_plain_quotes(std::string_view text) {
  std::string plain(text);
  for (const std::string_view quote : {"\u201c", "\u201d", "\u201e"}) {
    for (std::size_t at = plain.find(quote); at != std::string::npos; at = plain.find(quote, at)) {
      plain.replace(at, quote.size(), "\"");
    }
  }
  return plain;
}

bool is_read_back(std::string_view typed, std::string_view value) {
  const std::string line = "set a=" + std::string(typed) + " b=1";
  const std::vector<std::string> words = typed_words(line);
  return without_comment(line) == line && parts_of(line, ';').size() == 1 && words.size() == 3 &&
         unquoted(name_and_value(words[1]).value) == value;
}

}  // namespace

bool leaves_brackets_open(std::string_view line) {
  Nesting nesting;
  for (const char c : without_comment(line)) nesting.take(c);
  return nesting.in_brackets();
}

std::string_view without_comment(std::string_view line) {
  Nesting nesting;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '#' && !nesting.quoted()) return line.substr(0, at);
    nesting.take(line[at]);
  }
  return line;
}

std::vector<std::string> parts_of(std::string_view text, char separator) {
  std::vector<std::string> parts;
  Nesting nesting;
  std::size_t start = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == separator && nesting.outside()) {
      parts.emplace_back(trimmed(text.substr(start, at - start)));
      start = at + 1;
    }
    nesting.take(text[at]);
  }
  parts.emplace_back(trimmed(text.substr(start)));
  return parts;
}

std::vector<std::string> typed_words(std::string_view line) {
  std::string spaced(line);
  for (char& c : spaced) {
    if (c == '\t') c = ' ';
  }
  std::vector<std::string> words;
  for (std::string& word : parts_of(spaced, ' ')) {
    if (!word.empty()) words.push_back(std::move(word));
  }
  return words;
}

Assignment name_and_value(std::string_view word) {
  Nesting nesting;
  for (std::size_t at = 0; at < word.size(); ++at) {
    if (word[at] == '=' && nesting.outside()) {
      return {std::string(trimmed(word.substr(0, at))), std::string(trimmed(word.substr(at + 1)))};
    }
    nesting.take(word[at]);
  }
  return {"", std::string(word)};
}

std::string_view unquoted(std::string_view word) {
  const bool quoted = word.size() >= 2 && (word.front() == '"' || word.front() == '\'') &&
                      word.back() == word.front();
  return quoted ? word.substr(1, word.size() - 2) : word;
}

std::string in_quotes_if_needed(std::string_view value) {
  std::string bare(value);
  const std::string in_double = '"' + bare + '"';
  const std::string in_single = "'" + bare + "'";
  const bool words = bare.find_first_of(" ;|#") != std::string::npos && !bare.starts_with('[');
  if (!words && is_read_back(bare, value)) return bare;
  return is_read_back(in_double, value) || !is_read_back(in_single, value) ? in_double : in_single;
}

std::string file_named(std::string_view word) {
  if (unquoted(word).size() != word.size()) return std::string(unquoted(word));
  const char* const home = std::getenv("HOME");
  if (word.starts_with("~/") && home != nullptr) return home + std::string(word.substr(1));
  return std::string(word);
}

std::vector<std::string> split_lines(std::string_view text) {
  std::string code;
  for (const std::string& line : split(with_plain_quotes(text), '\n')) {
    code += without_comment(without_byte_order_mark(line));
    code += '\n';
  }
  return parts_of(code, '\n');
}

}  // namespace tpulab
