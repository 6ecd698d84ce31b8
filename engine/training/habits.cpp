#include "engine/training/habits.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/training/random.h"

namespace tpulab {

namespace {

constexpr std::int64_t random_counts = 32;
constexpr std::int64_t buckets = 4;

// The count that is `place` of `count` steps below all rows, down to half of them.
std::int64_t count_at(std::int64_t place, std::int64_t count, std::int64_t rows) {
  return count > 1 ? rows - place * (rows / 2) / (count - 1) : rows;
}

std::int64_t counts_of(std::int64_t most, std::int64_t rows) {
  return std::min(most, rows / 2 + 1);
}

std::int64_t drawn(std::uint64_t seed, std::int64_t step, std::int64_t below) {
  Random random(seed * 1'000'003 + static_cast<std::uint64_t>(step % habits_period));
  return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(below)));
}

bool comes_after(std::int64_t every, std::int64_t step) {
  return every > 0 && (step + 1) % every == 0;
}

}  // namespace

Shapes shapes_named(std::string_view name) {
  if (name == "fixed") return Shapes::fixed;
  if (name == "random") return Shapes::random;
  if (name == "bucketed") return Shapes::bucketed;
  throw Error(fmt::format("shapes cannot be {}; they are fixed, random or bucketed", name));
}

std::int64_t kept_rows(Shapes shapes, std::int64_t rows, std::uint64_t seed, std::int64_t step) {
  if (shapes == Shapes::fixed) return rows;
  const std::int64_t counts = counts_of(random_counts, rows);
  const std::int64_t kept = count_at(drawn(seed, step, counts), counts, rows);
  if (shapes == Shapes::random) return kept;
  const std::int64_t sizes = counts_of(buckets, rows);
  std::int64_t bucket = sizes - 1;
  while (count_at(bucket, sizes, rows) < kept) --bucket;
  return count_at(bucket, sizes, rows);
}

bool Habits::logged_after(std::int64_t step) const { return comes_after(log_every_n_steps, step); }

bool Habits::item_inside(std::int64_t step) const { return comes_after(item_every_n_steps, step); }

bool Habits::keeps_losses(std::int64_t step) const { return comes_after(keep_every_n_steps, step); }

std::int64_t Habits::turns_in(std::int64_t step) const {
  const std::uint64_t other = ~seed;  // that of rows would have short batches take short loops
  return loop_turns > 0 ? 1 + drawn(other, step, loop_turns) : 0;
}

}  // namespace tpulab
