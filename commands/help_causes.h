// The page `help causes` and those of its words, made of the diagnoses themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

// A cause, the settings that bring it about here, and those that cure it; lines of at most 78
// columns.
std::string causes_text();
// That of one, by its name or title; empty for other words.
std::vector<std::string> cause_page(std::string_view word);

}  // namespace tpulab
