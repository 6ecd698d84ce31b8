#include "engine/session/answers/remedy_worth.h"

#include <algorithm>

namespace tpulab {

namespace {

// How much a family's gain counts in the order: what a script does for nothing, and a part that is
// slow, are the fault before a batch that could be larger or another machine.
double weight_of(Family family) {
  switch (family) {
    case Family::habits:
      return 25;
    case Family::shapes:
      return 2;
    case Family::hardware:
      return 5;
    case Family::structure:
      return 0.5;
    case Family::software:
      break;
  }
  return 0.25;
}

// What is gained or lost once, when a run begins, counts for less than what every step gains.
constexpr double weight_of_once = 0.1;
constexpr double weight_of_recurring = 0.5;

double least_of(const Diagnosis& cause) {
  if (cause.least_gain > 0) return cause.least_gain;
  if (cause.changes_training) return least_gain_of_a_trade;
  return cause.family == Family::habits ? least_gain_of_a_habit : least_gain;
}

// Of the time, the part that the remedy saves.
double saved(double gain) { return gain / (1 + gain); }

}  // namespace

bool gains_enough(const Diagnosis& cause, const Gain& gain) {
  return gain.steady >= least_of(cause) ||
         (!cause.changes_training && gain.with_compile >= least_of(cause));
}

double rank_of(const Remedy& remedy) {
  const Gain& own = remedy.own;
  const bool lasting = own.steady >= least_of(*remedy.cause);
  const bool recurs = remedy.cause->recurs || remedy.cause->between_steps;
  const double whole = (recurs ? weight_of_recurring : weight_of_once) * saved(own.with_compile);
  const double lost_once = weight_of_once * std::min(own.with_compile, 0.0);
  const double steps = lasting ? saved(own.steady) + lost_once : 0;
  return weight_of(remedy.cause->family) * (lasting && !recurs ? steps : std::max(steps, whole));
}

bool is_a_fault(const Diagnosis& cause) {
  return !cause.changes_training && cause.family != Family::software &&
         cause.family != Family::structure;
}

}  // namespace tpulab
