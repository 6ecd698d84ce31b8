// The program's own licence as characters: small letters, blanks, full stops and commas. Each
// position of a window is asked for the character after it.
#include "engine/base/text.h"

#include <string>

#include "engine/training/data/embedded_data.h"
#include "engine/training/dataset.h"

namespace tpulab {

namespace {

constexpr std::string_view characters = " abcdefghijklmnopqrstuvwxyz.,";
constexpr std::int64_t window = 32;

// Anything else is a blank, and of several blanks one.
std::string plain(std::string_view text) {
  std::string letters;
  for (const char small : lowered(text)) {
    const bool known = characters.find(small) != std::string_view::npos;
    const char next = known ? small : ' ';
    if (next != ' ' || (!letters.empty() && letters.back() != ' ')) letters += next;
  }
  return letters;
}

Dataset windows(std::string_view text) {
  Dataset data{.name = "text",
               .row_name = "tokens",
               .views = {{Input::tokens, {window}}},
               .dtype = DType::s32,
               .classes = std::ssize(characters),
               .labels_per_row = window,
               .training_rows = 0,
               .values = {},
               .labels = {}};
  const std::string letters = plain(text);
  for (std::size_t start = 0; start + window < letters.size(); start += window) {
    for (std::size_t at = start; at < start + window; ++at) {
      data.values.push_back(static_cast<float>(characters.find(letters[at])));
      data.labels.push_back(static_cast<int>(characters.find(letters[at + 1])));
    }
  }
  data.training_rows = data.rows() * 9 / 10;
  return data;
}

}  // namespace

const Dataset& text() {
  static const Dataset data = windows(embedded_file("LICENSE"));
  return data;
}

}  // namespace tpulab
