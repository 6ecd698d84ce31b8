#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/machine/machine.h"
#include "engine/machine/own_generations.h"

namespace tpulab {

namespace {

// The sides of the squarest rectangle of a power of two chips: 8x8, 8x16.
std::array<int, 3> plane_of(int chips) {
  int short_side = 1;
  while (short_side * short_side * 4 <= chips) short_side *= 2;
  return {short_side, chips / short_side, 1};
}

// The most cubic box of chips; from 64 chips on it is built of 4x4x4 cubes [GC-v4].
std::array<int, 3> box_of(int chips) {
  const int block = chips >= 64 ? 4 : 1;
  const int units = chips / (block * block * block);
  std::array<int, 3> best{1, 1, units};
  int best_sum = 2 + units;
  for (int a = 1; a * a * a <= units; ++a) {
    for (int b = a; a * b * b <= units; ++b) {
      if (units % (a * b) != 0) continue;
      const int c = units / (a * b);
      if (a + b + c < best_sum) best = {a, b, c}, best_sum = a + b + c;
    }
  }
  for (int& side : best) side *= block;
  if (best[0] == 1) std::ranges::rotate(best, best.begin() + 1);  // 2x2x1, not 1x2x2
  return best;
}

constexpr int most_joined = 256;

bool power_of_two(int number) { return number > 0 && (number & (number - 1)) == 0; }

// Whether a slice of so many chips can be requested.
bool offered(const Generation& generation, int chips) {
  if (chips < 1 || chips > generation.max_chips) return false;
  if (generation.torus_rank == 3) {
    return chips >= 64 ? chips % 64 == 0 : chips >= 4 && power_of_two(chips);
  }
  // v2-8 is 2x2 and v2-32 is 4x4 chips; the newer ones start at one chip, without 1x2.
  const int smallest = generation.name_counts_cores ? 4 : 1;
  const bool hole = chips == 2 || (generation.name_counts_cores && chips == 8);
  return chips >= smallest && power_of_two(chips) && !hole;
}

std::vector<int> usual_chips(const Generation& generation) {
  std::vector<int> sizes;
  for (int chips = 1; chips <= generation.max_chips; chips *= 2) {
    if (offered(generation, chips)) sizes.push_back(chips);
  }
  if (sizes.back() != generation.max_chips) sizes.push_back(generation.max_chips);
  return sizes;
}

int number_in_name(const Generation& generation, int chips) {
  return generation.name_counts_cores ? chips * generation.cores_per_chip : chips;
}

std::string name_of(const Generation& generation, int chips) {
  return fmt::format("{}-{}", generation.name, number_in_name(generation, chips));
}

Slice make_slice(const Generation& generation, int chips, int joined) {
  Slice slice{.name = name_of(generation, chips), .generation = &generation, .joined = joined};
  if (joined > 1) slice.name = fmt::format("{}x{}", joined, slice.name);
  slice.torus = generation.torus_rank == 3 ? box_of(chips) : plane_of(chips);
  // The rings of a 3-D torus close over the optical switches between whole 4x4x4 cubes [GC-v4].
  const bool has_rings = generation.torus_rank < 3 || chips >= 64;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const int extent = slice.torus[axis];
    slice.wraps[axis] = has_rings && extent >= generation.smallest_ring && extent % 4 == 0;
  }
  const int chips_per_host =
      chips <= generation.chips_per_host ? chips : std::min(4, generation.chips_per_host);
  slice.chips = chips * joined;
  slice.hosts = std::max(1, chips / chips_per_host) * joined;
  return slice;
}

struct TypedName {
  int joined = 1;  // 0 if it is none
  std::string family{};
  const Generation* generation = nullptr;
  int number = 0;  // 0 if it is none
};

// 0 if the text is not a whole number.
int whole_number(std::string_view digits) { return number_in<int>(digits).value_or(0); }

TypedName parse(std::string_view as_typed) {
  const std::string in_small = lowered(as_typed);
  std::string_view name = in_small;
  TypedName typed;
  const auto times = name.find('x');
  if (times != std::string_view::npos && whole_number(name.substr(0, times)) > 0) {
    typed.joined = whole_number(name.substr(0, times));
    name.remove_prefix(times + 1);
  }
  const auto dash = name.find('-');
  const std::string_view family = name.substr(0, dash);
  typed.generation = find_generation(family);
  typed.family = family;
  if (dash == std::string_view::npos) return typed;
  typed.number = whole_number(name.substr(dash + 1));
  return typed;
}

// Offered slices of this generation whose size is nearest, smaller ones first.
std::vector<std::string> nearest_slices(const Generation& generation, int number,
                                        std::size_t most) {
  std::vector<int> sizes = usual_chips(generation);
  const auto distance = [&](int chips) {
    const double asked = std::max(1, number);
    return std::abs(std::log2(number_in_name(generation, chips) / asked));
  };
  std::ranges::stable_sort(sizes, {}, distance);
  sizes.resize(std::min(sizes.size(), most));
  std::ranges::sort(sizes);
  std::vector<std::string> names;
  for (const int chips : sizes) names.push_back(name_of(generation, chips));
  return names;
}

// "bighbm-8" by "bigbhm-8"; empty if nothing of the user's own is near.
std::string own_one_near(const TypedName& typed) {
  std::vector<std::string> names;
  for (const Generation& row : own_generations()) names.emplace_back(without_mark(row.name));
  const std::string near = nearest_name(without_mark(typed.family), names);
  if (near.empty()) return {};
  const std::string slice = nearest_slices(*find_generation(near), typed.number, 1).front();
  const std::string joined = typed.joined > 1 ? fmt::format("{}x", typed.joined) : "";
  return fmt::format("{}{}", joined, without_mark(slice));
}

// "v5e-8" and "v5p-8" by "v5-8", "v3-8" by "w3-8"; to "v9-8" nothing is near.
std::vector<std::string> meant_by(std::string_view name, const TypedName& typed) {
  std::vector<std::string> meant;
  if (std::string own = own_one_near(typed); !own.empty()) meant.push_back(std::move(own));
  if (typed.number == 0) {
    if (std::string one = nearest_name(name, slice_names()); !one.empty()) meant.push_back(one);
    return meant;
  }
  const auto digit = typed.family.find_first_of("0123456789");
  if (digit == std::string::npos) return meant;
  for (const Generation& row : generations()) {
    if (row.name.find(typed.family.substr(digit)) == std::string_view::npos) continue;
    meant.push_back(nearest_slices(row, typed.number, 1).front());
  }
  return meant;
}

// A list of many would hide what stands beside it.
std::string families() {
  constexpr std::size_t most_own = 8;
  std::vector<std::string_view> names;
  for (const Generation& row : generations()) names.push_back(row.name);
  const std::span<const Generation> own = own_generations();
  for (const Generation& row : own.first(std::min(own.size(), most_own))) names.push_back(row.name);
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (own.size() > most_own) text += fmt::format(" and {} more of yours", own.size() - most_own);
  return text;
}

Error unknown_slice(std::string_view name, const TypedName& typed) {
  if (typed.generation != nullptr) {
    const std::string_view counts = typed.generation->name_counts_cores ? "cores" : "chips";
    return Error(fmt::format("unknown slice '{}'; {} names count {}, the nearest are {}", name,
                             typed.generation->name, counts,
                             fmt::join(nearest_slices(*typed.generation, typed.number, 3), ", ")));
  }
  if (const std::string why = why_no_machine(typed.family); !why.empty()) {
    return Error(fmt::format("unknown slice '{}': {}", name, why));
  }
  const std::vector<std::string> meant = meant_by(name, typed);
  const std::string hint =
      meant.empty() ? "" : fmt::format("did you mean {}? ", fmt::join(meant, " or "));
  return Error(
      fmt::format("unknown slice '{}'; {}a slice is a generation ({}) and a size, "
                  "for example v2-8, v3-8, v3-32, v4-8, v5e-4; ironwood is v7",
                  name, hint, families()));
}

}  // namespace

Bytes Slice::hbm_per_device() const {
  return {static_cast<std::int64_t>(generation->hbm_gib * (1 << 30))};
}

Bytes Slice::usable_hbm_per_device() const {
  return {static_cast<std::int64_t>(generation->usable_hbm_gib * (1 << 30))};
}

Bytes Slice::host_memory_per_device() const {
  return {static_cast<std::int64_t>(generation->host_gb * 1e9 / generation->devices_per_chip)};
}

Bytes Slice::hbm() const { return hbm_per_device() * devices(); }

Slice slice_named(std::string_view name) {
  const TypedName typed = parse(name);
  if (typed.generation == nullptr || typed.number <= 0) throw unknown_slice(name, typed);
  const Generation& generation = *typed.generation;
  const int divisor = generation.name_counts_cores ? generation.cores_per_chip : 1;
  if (typed.number % divisor != 0 || !offered(generation, typed.number / divisor)) {
    throw unknown_slice(name, typed);
  }
  if (typed.joined > most_joined) {
    throw Error(
        fmt::format("{} joins too many slices; at most {} can be joined", name, most_joined));
  }
  return make_slice(generation, typed.number / divisor, typed.joined);
}

std::vector<std::string> slice_names() {
  std::vector<std::string> names;
  for (const auto& rows : {generations(), own_generations()}) {
    for (const Generation& generation : rows) {
      for (const int chips : usual_chips(generation)) names.push_back(name_of(generation, chips));
    }
  }
  return names;
}

std::vector<int> Machine::chips() const {
  std::vector<int> found;
  for (const int device : devices) {
    const int chip = device / generation().devices_per_chip;
    if (found.empty() || found.back() != chip) found.push_back(chip);
  }
  return found;
}

}  // namespace tpulab
