// Which arguments come back updated: by arithmetic on what they were, as weights and their moments
// are; a cache has parts written into it.
#pragma once

#include <list>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "engine/formats/stablehlo/module.h"

namespace tpulab::stablehlo {

class ArgumentUpdates {
 public:
  ArgumentUpdates(const Module& module, const Function& entry);
  ArgumentUpdates(const ArgumentUpdates&) = delete;
  ArgumentUpdates& operator=(const ArgumentUpdates&) = delete;

  // The result is the argument with something added to each element, or the like. Of texts of very
  // many operations: true.
  bool updates(int argument, int result);
  // Lines of the loops whose turns did so, in all that was asked of.
  const std::set<int>& loops() const { return loops_; }
  // Its numbers were made one after the other, by the turns of a loop or apart from each other.
  bool one_by_one(int result);

 private:
  struct Made {
    const Operation* by = nullptr;  // null: an argument of the region
    int index = 0;
  };
  // A region, where it is used.
  struct Frame {
    const Region* region = nullptr;
    const Operation* user = nullptr;
    const Frame* outer = nullptr;
    int carried = -1;      // result of a loop that is looked into
    bool updated = false;  // behind the loop already
    std::map<std::string_view, Made> names{};
  };
  struct Item {
    const Frame* frame = nullptr;
    Use use{};
    bool updated = false;
    std::set<int> loops{};
  };

  const Frame* frame(const Region& region, const Operation* user, const Frame* outer,
                     int carried = -1, bool updated = false);
  // Nothing behind what is not followed.
  std::pair<const Frame*, Made> found(const Frame* at, Use use) const;
  std::vector<Item> behind(const Item& item, const Frame* at, const Made& made);
  std::vector<Item> outside(const Item& item, const Frame* at, int argument) const;

  const Module& module_;
  std::list<Frame> frames_;
  std::map<std::tuple<const Region*, const Operation*, const Frame*, int, bool>, const Frame*>
      known_;
  const Frame* entry_ = nullptr;  // behind what it is made with
  std::set<int> loops_;
};

}  // namespace tpulab::stablehlo
