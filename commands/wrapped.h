// Text broken into lines of a page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

inline constexpr std::size_t page_columns = 78;

// Breaks `text` between words and begins behind `line`; the lines after the first begin with
// `indent` spaces.
void append_wrapped(std::vector<std::string>& lines, std::string line, std::string_view text,
                    std::size_t indent);

}  // namespace tpulab
