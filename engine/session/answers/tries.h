// Changes of settings, each tried as a run of its own.
#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "engine/session/answers/advise.h"

namespace tpulab {

// Where steps are trained again, a run is no beginning of a longer one: its whole time is what
// counts.
bool counts_whole(const Settings& settings);
// Nor do steady steps tell what lies between them.
bool counts_whole(const Settings& settings, const Diagnosis& cause);

// A change as it is typed beside other settings, and all of them then.
struct Change {
  Assignment typed;
  Settings settings;
};
// None where it changes nothing, cannot be, or leaves out rows that are trained now.
std::optional<Change> changed(const Settings& base, Assignment change);

// It needs more HBM than a device has; of steps that are refused nothing is known.
bool has_no_room(const Settings& settings);

// Values of one setting stand in each other's place; another setting cures a part of its own, as
// the second of two operations on the CPU.
std::map<std::string, Finding> by_setting(Finding finding);

class Tries {
 public:
  // For a run with the settings `asked`. Every try takes at most `steps`; 0: all there are.
  Tries(Settings asked, std::stop_token stop, std::int64_t steps = 0)
      : asked_(std::move(asked)), stop_(std::move(stop)), steps_(steps) {}

  // None where it cannot be. Throws Error when `stop` is asked for.
  std::optional<Trial> run(const Settings& settings, std::int64_t times_as_long = 1) const;
  // Of what may help, the first that comes close to the best.
  std::optional<Remedy> best(const Diagnosis& cause, const Finding& finding, const Settings& base,
                             const Trial& now) const;

 private:
  Settings asked_;
  std::stop_token stop_;
  std::int64_t steps_;
};

}  // namespace tpulab
