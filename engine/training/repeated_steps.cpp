// Steps without numbers: most do what one before them did, and are told from its record.
#include <algorithm>
#include <bit>
#include <limits>

#include "engine/training/trainer.h"

namespace tpulab {

namespace {

std::uint32_t bits_of(double value) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

// 0, 1 and -1 are constants of the program. [xla-counts]
double known_to_program(double value) {
  return value == 0 || value == 1 || value == -1 ? value : std::numeric_limits<double>::max();
}

}  // namespace

std::vector<bool> Trainer::bars_of_step(std::int64_t rows) const {
  std::vector<bool> bars;
  for (std::int64_t seen = 0; seen < rows;) {
    seen = std::min(seen + options_.batch, rows);
    bars.push_back(refreshes_bar(loop_, seen));
  }
  return bars;
}

Trainer::StepKey Trainer::key_of_step(std::int64_t rows) const {
  const auto moments = static_cast<std::size_t>(state_count(options_.optimizer));
  StepKey key{.rows = kept(rows),
              .tokens = lengths_vary() ? tokens_now() : 0,
              .first = loss_ < 0 || states_.front().moments.size() < moments,
              .item = options_.habits.item_inside(loop_.step()),
              .logged = options_.habits.logged_after(loop_.step()),
              .turns = options_.habits.turns_in(loop_.step()),
              .keeps = options_.habits.keeps_losses(loop_.step()),
              .saves = loop_.saves_in_step(),
              .bars = bars_of_step(rows),
              .scalars = {},
              .sent = {}};
  if (runtime_.numbers()) return key;
  for (const double scalar : changing(loop_.step())) {
    key.scalars.push_back(known_to_program(scalar));
    key.sent.push_back(runtime_.knows_scalar(scalar));
  }
  return key;
}

std::int64_t Trainer::steps_alike_ahead() const {
  return steps_sending_alike(options_.optimizer, loop_.step());
}

// False where the step must be traced: none is like it, or a scalar has become equal to another,
// which are one input then.
bool Trainer::retell(StepKind kind, std::int64_t rows, StepReport& report) {
  key_ = kind == StepKind::train ? key_of_step(rows) : StepKey{};
  const auto like = std::ranges::find(remembered_, key_, &Remembered::key);
  if (like == remembered_.end()) return false;
  const std::vector<double> now = changing(loop_.step());
  std::vector<std::uint32_t>& scalars = like->step.scalars;
  for (std::size_t i = 0; i < like->changing.size(); ++i) {
    const std::uint32_t bits = bits_of(now[i]);
    if (bits == bits_of(like->changing[i])) continue;
    if (std::ranges::find(scalars, bits) != scalars.end()) {
      remembered_.erase(like);
      return false;
    }
    std::ranges::replace(scalars, bits_of(like->changing[i]), bits);
    like->changing[i] = now[i];
  }
  report.timeline = runtime_.repeat_step(like->step, loop_.step(), samples_of(kind, rows));
  return true;
}

void Trainer::remember() {
  std::optional<KnownStep> known = runtime_.known_step();
  if (!known) return;
  remembered_.push_back({key_, *std::move(known), {}});
  if (key_.rows > 0) remembered_.back().changing = changing(loop_.step());
}

}  // namespace tpulab
