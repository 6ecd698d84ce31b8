#include "engine/evidence/point_hardware.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/machine/machine.h"

namespace tpulab {

namespace {

bool exists(const std::string& name) {
  try {
    slice_named(name);
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::string smallest_slice(const Generation& generation) {
  for (int number = 1; number <= 64; ++number) {
    std::string name = fmt::format("{}-{}", generation.name, number);
    if (exists(name)) return name;
  }
  return std::string(generation.name);
}

// One slice of so many chips, or the fewest equal ones.
std::string slice_of_chips(const Generation& generation, std::int64_t chips) {
  const std::int64_t counts = generation.name_counts_cores ? generation.cores_per_chip : 1;
  for (std::int64_t joined = 1; joined <= 256; ++joined) {
    if (chips % joined != 0) continue;
    std::string name = fmt::format("{}-{}", generation.name, chips / joined * counts);
    if (!exists(name)) continue;
    return joined == 1 ? name : fmt::format("{}x{}", joined, name);
  }
  return {};
}

}  // namespace

std::string slice_word(std::string_view typed, std::int64_t chips, bool kernel) {
  std::string word = lowered(typed);
  std::erase_if(word, [](char letter) { return letter == ' ' || letter == '_'; });
  for (const std::string_view start : {"cloudtpu", "google", "tpu-", "tpu"}) {
    if (word.starts_with(start) && !word.starts_with("tpu7x")) word.erase(0, start.size());
  }
  const auto dash = std::min(word.find('-'), word.size());
  const std::string_view row = generation_called(word.substr(0, dash));
  if (!row.empty()) word.replace(0, dash, row);
  if (exists(word)) return word;
  const auto end = std::min(word.find('-'), word.size());
  const Generation* const generation =
      find_row(generations(), word.substr(0, end), &Generation::name);
  if (generation == nullptr) return std::string(typed);
  std::string name;
  if (end == word.size()) {
    name = kernel ? smallest_slice(*generation) : slice_of_chips(*generation, chips);
  } else {
    const std::int64_t number = std::strtoll(word.c_str() + end + 1, nullptr, 10);
    const int counts = generation->name_counts_cores ? generation->cores_per_chip : 1;
    const bool beyond = number / counts > generation->max_chips && number % counts == 0;
    if (beyond) name = slice_of_chips(*generation, number / counts);
  }
  return name.empty() ? std::string(typed) : name;
}

}  // namespace tpulab
