// Which results are arguments updated by arithmetic on what they were, as weights and their moments
// are; a cache has parts written into it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "engine/formats/stablehlo/module.h"
#include "engine/formats/step_arguments.h"

namespace tpulab::stablehlo {

class ArgumentUpdates {
 public:
  ArgumentUpdates(const Module& module, const Function& entry) : module_(module), entry_(entry) {}

  // Whether the result is the argument with something added to each element, or the like. Of texts
  // that would take very many looks: it is.
  Update of(int argument, int result);
  // It is made of single numbers, joined or written one by one.
  bool one_by_one(int result);
  // Whether a loop of no steps begins with the argument, as the state of a recurrent network, and
  // leaves it as the result.
  bool goes_along(int argument, int result, const std::set<int>& loops_of_steps);

 private:
  // How a result contains something that stands before it.
  struct Way {
    bool as_it_was = false;
    bool updated = false;
    std::set<int> loops{};  // lines of loops each of whose turns did so

    void add(const Way& other);
    Way then(const Way& next) const;
    Way behind_arithmetic() const;
  };
  // An argument of a region, or a name from outside of it.
  struct Ways {
    std::map<int, Way> arguments{};
    std::map<std::pair<std::string_view, int>, Way> outside{};
    bool of_numbers = false;
  };
  // By the place of the operation that makes it, -1 for arguments, and which of its results it is.
  using Place = std::pair<int, int>;
  using Pending = std::map<Place, Way>;

  // The argument of a region that a value is, under other names and as loops leave it.
  struct Origin {
    int argument = -1;
    bool along = false;  // one of these is of no steps
  };

  Origin origin(const Region& region, int result, const std::set<int>& loops_of_steps);
  std::optional<Use> before(const Operation& by, Place from, const std::set<int>& loops_of_steps,
                            Origin& found);
  const Ways& ways(const Region& region, int result);
  void follow(const Region& region, Pending& pending, Ways& found);
  void step_back(const Region& region, Place from, const Way& way, Pending& pending, Ways& found);
  void into(const Operation& by, const Region& inner, Place from, const Way& way,
            const Region& region, Pending& pending, Ways& found);
  void want(const Region& region, Use use, const Way& way, Pending& pending, Ways& found);
  const std::map<std::string_view, Place>& names(const Region& region);

  const Module& module_;
  const Function& entry_;
  std::map<std::pair<const Region*, int>, Ways> known_;
  std::map<const Region*, std::map<std::string_view, Place>> names_;
  int depth_ = 0;  // of calls
  int looks_ = 0;
};

}  // namespace tpulab::stablehlo
