#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "engine/formats/stablehlo/divided_program.h"

namespace tpulab::stablehlo {

namespace {

// One direction of one operation.
class Spreader {
 public:
  Spreader(DividedProgram& program, const DeviceMesh& mesh) : program_(program), mesh_(mesh) {}

  bool pass(const DividedLink& link) {
    struct Wish {
      int factor;
      MeshAxes axes;
      std::int64_t weight;
    };
    std::vector<Wish> wishes;
    for (std::size_t i = 0; i < link.values.size(); ++i) {
      const DividedValue& value = of(link, i);
      if (value.made_anywhere) continue;
      for (int axis = 0; axis < value.type.shape.rank(); ++axis) {
        const MeshAxes axes = value.divided[static_cast<std::size_t>(axis)] & ~link.hidden;
        const int factor = link.rule.factor(i, axis);
        if (axes != 0 && factor >= 0) {
          wishes.push_back({factor, axes, value.type.shape.elements()});
        }
      }
    }
    std::ranges::stable_sort(wishes, std::greater<>(), &Wish::weight);
    bool changed = false;
    std::set<std::pair<int, MeshAxes>> granted;
    for (const Wish& one : wishes) {
      const bool anew = granted.insert({one.factor, one.axes}).second;
      if (anew) changed |= grant(link, one.factor, one.axes);
    }
    return changed;
  }

 private:
  DividedValue& of(const DividedLink& link, std::size_t i) {
    return program_.values[static_cast<std::size_t>(link.values[i])];
  }

  bool grant(const DividedLink& link, int factor, MeshAxes axes) {
    bool changed = false;
    for (std::size_t i = 0; i < link.values.size(); ++i) {
      DividedValue& value = of(link, i);
      if (value.fixed || value.made_anywhere) continue;
      MeshAxes taken = all_of(value.divided);
      for (int axis = 0; axis < value.type.shape.rank(); ++axis) {
        if (link.rule.factor(i, axis) != factor) continue;
        MeshAxes& own = value.divided[static_cast<std::size_t>(axis)];
        const MeshAxes more = axes & ~taken & ~link.hidden;
        if (more == 0 || !fits(value.type.shape, axis, own | more, mesh_)) continue;
        own |= more;
        taken |= more;
        changed = true;
      }
    }
    return changed;
  }

  DividedProgram& program_;
  const DeviceMesh& mesh_;
};

bool has_folds(const DivisionRule& rule) {
  return std::ranges::find(rule.folded, true) != rule.folded.end();
}

}  // namespace

void spread_divisions(DividedProgram& program, const DeviceMesh& mesh) {
  Spreader spreader(program, mesh);
  for (const bool all : {false, true}) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const DividedLink& link : program.links) {
        if (all || !has_folds(link.rule)) changed |= spreader.pass(link);
      }
      for (auto link = program.links.rbegin(); link != program.links.rend(); ++link) {
        if (all || !has_folds(link->rule)) changed |= spreader.pass(*link);
      }
    }
  }
}

}  // namespace tpulab::stablehlo
