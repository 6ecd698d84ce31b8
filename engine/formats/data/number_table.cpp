#include "engine/formats/data/number_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/formats/data/number_array.h"

namespace tpulab {

namespace {

constexpr std::size_t most_columns = 65'536;
constexpr std::size_t most_classes_of_table = 65'536;
constexpr std::array<std::string_view, 5> label_names{"label", "class", "target", "species", "y"};

bool is_finite_number(std::string_view field) {
  return std::isfinite(number_in<double>(field).value_or(NAN));
}

// Rounded to the nearest float; 1e-50 is 0, as numpy has it.
std::optional<float> finite_number(std::string_view field) {
  const auto narrow = static_cast<float>(number_in<double>(field).value_or(NAN));
  return std::isfinite(narrow) ? std::optional(narrow) : std::nullopt;
}

// No two lines, to those who look for line feeds.
bool has_bare_returns_alone(std::string_view text) {
  text = trimmed(text);
  return text.find('\n') == std::string_view::npos && text.find('\r') != std::string_view::npos;
}

bool is_digit_text(std::string_view field) {
  return !field.empty() && std::ranges::all_of(field, is_digit);
}

// "-0,283"
bool has_decimal_comma(std::string_view field) {
  const auto comma = field.find(',');
  if (comma == std::string_view::npos || !is_digit_text(field.substr(comma + 1))) return false;
  return is_finite_number(field.substr(0, comma));
}

// The fields of a line, one more than are taken at most. A quoted one keeps its separators, and ""
// in it is one quote.
class Fields {
 public:
  const std::vector<std::string_view>& of(std::string_view line, char separator) {
    fields_.clear();
    if (line.find('"') != std::string_view::npos) {
      unquote(line, separator);
      for (const std::string& field : unquoted_) fields_.push_back(trimmed(field));
      return fields_;
    }
    for (std::size_t begin = 0; begin <= line.size() && fields_.size() <= most_columns;) {
      const auto end = std::min(line.find(separator, begin), line.size());
      fields_.push_back(trimmed(line.substr(begin, end - begin)));
      begin = end + 1;
    }
    return fields_;
  }

 private:
  void unquote(std::string_view line, char separator) {
    unquoted_.assign(1, "");
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (c == '"') {
        const bool twice = quoted && i + 1 < line.size() && line[i + 1] == '"';
        if (twice) unquoted_.back() += line[++i];
        quoted = twice ? quoted : !quoted;
      } else if (c == separator && !quoted) {
        if (unquoted_.size() > most_columns) return;
        unquoted_.emplace_back();
      } else {
        unquoted_.back() += c;
      }
    }
  }

  std::vector<std::string_view> fields_;
  std::vector<std::string> unquoted_;
};

std::string count_of(const std::vector<std::string_view>& fields, std::string_view word) {
  if (fields.size() <= most_columns) return count_with(std::ssize(fields), word);
  return fmt::format("more than {}", count_with(most_columns, word));
}

// The next line, taken off `text`.
std::string_view take_line(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  const std::string_view line = trimmed(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

bool has_in_column(std::string_view text, char separator, std::size_t column,
                   std::string_view word) {
  Fields reading;
  while (!text.empty()) {
    const std::vector<std::string_view>& fields = reading.of(take_line(text), separator);
    if (column < fields.size() && fields[column] == word) return true;
  }
  return false;
}

// Commas inside of numbers separate nothing.
char separator_of(std::string_view line) {
  Fields reading;
  for (const char separator : {';', '\t'}) {
    const std::vector<std::string_view>& fields = reading.of(line, separator);
    if (fields.size() > 1 && std::ranges::any_of(fields, has_decimal_comma)) return separator;
  }
  for (const char separator : {',', ';', '\t'}) {
    if (line.find(separator) != std::string_view::npos) return separator;
  }
  return ',';
}

std::string wanted_number(std::string_view field) {
  if (is_finite_number(field)) return "give what f32 holds, to 3.4e38";
  if (has_decimal_comma(field)) return "write decimal points, as 0.5; `;` may separate columns";
  return "expected a number";
}

std::optional<std::size_t> named_label(const std::vector<std::string_view>& fields) {
  for (const std::string_view name : label_names) {
    const auto found = std::ranges::find(fields, name, lowered);
    if (found != fields.end()) return static_cast<std::size_t>(found - fields.begin());
  }
  return std::nullopt;
}

class TableReading {
 public:
  explicit TableReading(const std::string& file) : file_(file) {}

  NumberTable read(std::string_view text) {
    if (has_bare_returns_alone(text)) {
      throw Error(
          fmt::format("{}: its lines end with carriage returns alone; write line feeds: tr "
                      "'\\r' '\\n' < OLD > NEW",
                      file_));
    }
    while (!text.empty()) {
      ++line_;
      const std::string_view line = take_line(text);
      if (!line.empty()) take(line, text);
    }
    if (words_.empty()) throw Error(fmt::format("{}: it has no rows; give some", file_));
    number_classes();
    return std::move(table_);
  }

 private:
  [[noreturn]] void wrong(const std::string& what) const {
    throw Error(fmt::format("{} line {}: {}", file_, line_, what));
  }

  void take(std::string_view line, std::string_view later) {
    if (width_ == 0) separator_ = separator_of(line);
    const std::vector<std::string_view>& fields = fields_.of(line, separator_);
    if (width_ == 0 && begin(fields, later)) return;
    if (fields.size() != width_) {
      wrong(fmt::format("it has {} and the first line {}", count_of(fields, "field"), width_));
    }
    for (std::size_t i = 0; i < width_; ++i) {
      if (i == label_) continue;
      const auto number = finite_number(fields[i]);
      if (!number) {
        wrong(
            fmt::format("{} is '{}'; {}", place_of_column(i), fields[i], wanted_number(fields[i])));
      }
      table_.values.push_back(*number);
    }
    if (std::ssize(table_.values) > most_values) wrong("more numbers than are taken");
    take_label(fields[label_]);
  }

  // Whether the first line names the columns.
  bool begin(const std::vector<std::string_view>& fields, std::string_view later) {
    width_ = fields.size();
    if (width_ < 2 || width_ > most_columns) {
      wrong(fmt::format("it has {}; expected numbers and a class between commas",
                        count_of(fields, "column")));
    }
    const auto label = named_label(fields);
    label_ = label.value_or(width_ - 1);
    label_named_ = label.has_value();
    const bool named = has_word(fields) || (label && names_label(fields, later));
    if (named) names_.assign(fields.begin(), fields.end());
    for (std::size_t i = names_.size(); i < width_; ++i) {
      names_.push_back(fmt::format("column {}", i + 1));
    }
    return named;
  }

  // A word where a number should be.
  bool has_word(const std::vector<std::string_view>& fields) const {
    for (std::size_t i = 0; i < width_; ++i) {
      const bool number = is_finite_number(fields[i]) || has_decimal_comma(fields[i]);
      if (i != label_ && !fields[i].empty() && !number) return true;
    }
    return false;
  }

  // Numbers before it are a row of the class "target", unless they count the columns, as pandas
  // names them, and no later row is of that class.
  bool names_label(const std::vector<std::string_view>& fields, std::string_view later) const {
    float next = 0;
    for (std::size_t i = 0; i < width_; ++i) {
      if (i == label_) continue;
      const auto number = finite_number(fields[i]);
      if (next == 0 && number == 1.0f) next = 1;
      if (number != next++) return false;
    }
    return !has_in_column(later, separator_, label_, fields[label_]);
  }

  std::string name_of_column(std::size_t column) const { return names_[column]; }
  // "column 2 (alcohol)"; "column 2" where no line names it.
  std::string place_of_column(std::size_t column) const {
    const std::string place = fmt::format("column {}", column + 1);
    return names_[column] == place ? place : fmt::format("{} ({})", place, names_[column]);
  }

  void take_label(std::string_view word) {
    if (word.empty()) wrong(fmt::format("its class ({}) is empty", name_of_column(label_)));
    const auto number = finite_number(word);
    if (number && std::floor(*number) != *number) {
      wrong(
          fmt::format("its class ({}) is {}; expected a whole number or a word, as classes are "
                      "trained and no quantities{}",
                      name_of_column(label_), word,
                      label_named_ ? ""
                                   : fmt::format("; a class in another column is found where the "
                                                 "first line names it {}",
                                                 fmt::join(label_names, " or "))));
    }
    whole_ = whole_ && is_digit_text(word) && word.size() < 10;
    auto found = found_.find(word);
    if (found == found_.end()) found = found_.emplace(word, 0).first;
    words_.push_back(&found->first);
    if (found_.size() > most_classes_of_table) wrong("more classes than are trained");
  }

  // 2 before 10 where all are numbers.
  void number_classes() {
    for (const auto& [word, index] : found_) table_.classes.push_back(word);
    if (whole_) {
      std::ranges::stable_sort(table_.classes, {},
                               [](const std::string& word) { return std::stol(word); });
    }
    for (std::size_t i = 0; i < table_.classes.size(); ++i) {
      found_[table_.classes[i]] = static_cast<int>(i);
    }
    for (const std::string* word : words_) table_.labels.push_back(found_[*word]);
    for (std::size_t i = 0; i < width_; ++i) {
      (i == label_ ? table_.label_column : table_.columns.emplace_back()) = names_[i];
    }
  }

  const std::string& file_;
  NumberTable table_;
  std::int64_t line_ = 0;
  char separator_ = ',';
  std::size_t width_ = 0;
  std::size_t label_ = 0;
  bool label_named_ = false;
  bool whole_ = true;
  std::vector<std::string> names_;
  std::vector<const std::string*> words_;  // the class of each row
  std::map<std::string, int, std::less<>> found_;
  Fields fields_;
};

}  // namespace

NumberTable parse_table(std::string_view text, const std::string& file) {
  return TableReading(file).read(text);
}

}  // namespace tpulab
