// How many rows of a batch a script's collate function keeps: what it drops changes the shape of
// the step's inputs.
#pragma once

#include <cstdint>
#include <string_view>

namespace tpulab {

enum class Shapes : std::uint8_t { fixed, random, bucketed };
Shapes shapes_named(std::string_view name);  // throws Error

// Steps after which the counts come round again, so that long runs are told from a part of them.
inline constexpr std::int64_t kept_rows_period = 1000;

// Of `rows` of one device in that step, at least half. random: one of at most 32 counts; bucketed:
// the next of at most 4, filled up with other rows.
std::int64_t kept_rows(Shapes shapes, std::int64_t rows, std::uint64_t seed, std::int64_t step);

}  // namespace tpulab
