// What is asked for where there is no page of that name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

// "depth" of "what is the depth?" and of "depth?"; what is asked in other words stays as it is.
std::string topic_of_question(std::string_view asked);

// Up to three of the names that share a word with what was typed, those with most of them first.
std::vector<std::string> names_near(std::string_view typed, std::span<const std::string> names);

}  // namespace tpulab
