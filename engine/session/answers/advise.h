// What would make training faster: every cause that a run's records show, with the remedy that was
// tried and what it gained.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "engine/advice/diagnosis.h"
#include "engine/session/answers/run_evidence.h"
#include "engine/session/answers/trial.h"

namespace tpulab {

struct Gain {
  double steady = 0;        // 0.33: 33 % more samples a second in steps that compile nothing
  double with_compile = 0;  // the same of the whole run; 0 where a trial has no such figure
};
Gain gain_of(const Trial& now, const Trial& then);

// Why a remedy is not among all together: what those before it, if any, make of it.
enum class LeftOut : std::uint8_t {
  no,
  adds_nothing,
  sets_the_same,
  leaves_out_rows,
  no_room,
  refused,
  costs_time
};

struct Remedy {
  const Diagnosis* cause = nullptr;
  Finding finding;
  Assignment change;  // as typed
  Settings settings;  // of the next run with all that is typed
  Trial then;
  Gain gain;  // of all that is typed
  // Where it gains only with other remedies: these, and what it adds to them.
  std::vector<Assignment> others{};
  LeftOut left_out = LeftOut::no;
  std::vector<std::pair<const Diagnosis*, Finding>> cures_too{};  // causes that are worth less
  Gain own{};
  // `own` in a run times_longer as long, where in this one it costs more than it gains.
  std::optional<Gain> longer{};

  std::vector<Assignment> typed() const;
};

// Changes of several settings at once.
struct Together {
  std::vector<Assignment> changes;
  Settings settings;
  Trial then;
  Gain gain;
};

struct Advice {
  std::int64_t run = 0;  // advised on; 0: on the settings as they are
  Settings settings;     // what was advised on
  Trial now;
  bool replayed = false;             // what is seen are no steps of the run, but of `now`
  std::vector<Remedy> remedies;      // the one that is worth most first
  std::vector<Remedy> small;         // that gain something alone, and too little to be one of them
  std::optional<Together> together;  // all of them that go together; none for less than two
};

// A gain below this is not named. What a script does for nothing costs nothing to leave out, what
// changes what is learned needs more.
inline constexpr double least_gain = 0.05;
inline constexpr double least_gain_of_a_habit = 0.02;
inline constexpr double least_gain_of_a_trade = 0.20;

// As long as that a run is tried in which what comes once, as a compile, counts for little.
inline constexpr std::int64_t times_longer = 100;

// Of the run, or of the settings where there is none. Every remedy is tried as a run of its own
// from a cold start, to its end or to where a run went whose steps cannot be tried. Throws Error as
// such a run does, and when `stop` is asked for.
Advice advise(const Settings& settings, const std::optional<RunEvidence>& run,
              const std::stop_token& stop);

}  // namespace tpulab
