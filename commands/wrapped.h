// Text broken into lines of a page.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

inline constexpr std::size_t page_columns = 78;

// Of a page where a row of the screen has `columns`; 0: as many as it takes.
constexpr std::size_t page_columns_in(std::size_t columns) {
  return columns > 0 && columns < page_columns ? columns : page_columns;
}

// Breaks `text` between words and begins behind `line`; the lines after the first begin with
// `indent` spaces.
void append_wrapped(std::vector<std::string>& lines, std::string line, std::string_view text,
                    std::size_t indent, std::size_t columns = page_columns);

// The paragraphs of a page broken anew for so many columns, and items behind a number or a label:
// lines that go on where the next word had no room. Tables and examples stay.
std::vector<std::string> reflowed(const std::vector<std::string>& page, std::size_t columns);

}  // namespace tpulab
