#include "engine/formats/stablehlo/choose_division.h"

#include "engine/formats/element_types.h"

namespace tpulab::stablehlo {

namespace {

constexpr int nobody = -1;  // each device does all of it

class Chooser {
 public:
  Chooser(const DividedProgram& program, const DividedLink& link, const DeviceMesh& mesh)
      : program_(program), link_(link), mesh_(mesh), chosen_(link.rule.folded.size(), 0) {}

  std::vector<MeshAxes> run() && {
    MeshAxes present = 0;
    for (std::size_t i = 0; i < link_.values.size(); ++i) present |= all_of(value(i).divided);
    for (MeshAxes axis = 1; axis != 0 && axis <= present; axis <<= 1) {
      if ((present & axis) == 0) continue;
      const int factor = best(axis);
      if (factor != nobody) chosen_[static_cast<std::size_t>(factor)] |= axis;
    }
    return std::move(chosen_);
  }

 private:
  const DividedValue& value(std::size_t i) const {
    return program_.values[static_cast<std::size_t>(link_.values[i])];
  }
  int rank(std::size_t i) const { return value(i).type.shape.rank(); }

  // Bytes over all devices of the axis, whatever else divides them.
  double bytes(std::size_t i) const {
    const TensorType& type = value(i).type;
    const auto dtype = dtype_of_mlir(type.element);
    return static_cast<double>(type.shape.elements()) *
           static_cast<double>(dtype ? bytes_of(*dtype) : 1);
  }

  // Of products the factor that most arrays have there already, else the cheapest.
  int best(MeshAxes axis) const {
    const bool by_arrays = link_.rule.by_arrays;
    int found = nobody;
    int most = 0;
    double least = link_.rule.heavy ? 1e30 : cost(nobody, axis);
    for (int factor = 0; factor < static_cast<int>(chosen_.size()); ++factor) {
      const int arrays = standing(factor, axis);
      if (arrays == 0 || (by_arrays && arrays < most) || !divisible(factor, axis)) continue;
      const double moved = cost(factor, axis);
      if (moved >= least && !(by_arrays && arrays > most)) continue;
      least = moved;
      most = arrays;
      found = factor;
    }
    return found;
  }

  // Arrays that have it there.
  int standing(int factor, MeshAxes axis) const {
    int arrays = 0;
    for (std::size_t i = 0; i < link_.values.size(); ++i) {
      arrays += place(i, axis) == factor && !value(i).made_anywhere ? 1 : 0;
    }
    return arrays;
  }

  bool divisible(int factor, MeshAxes axis) const {
    const MeshAxes all = chosen_[static_cast<std::size_t>(factor)] | axis;
    for (std::size_t i = 0; i < link_.values.size(); ++i) {
      for (int at = 0; at < rank(i); ++at) {
        if (link_.rule.factor(i, at) == factor && !fits(value(i).type.shape, at, all, mesh_)) {
          return false;
        }
      }
    }
    return true;
  }

  static constexpr int whole = -2;      // no axis of the array is divided by it
  static constexpr int elsewhere = -1;  // one that needs to be whole is
  int place(std::size_t i, MeshAxes axis) const {
    for (int at = 0; at < rank(i); ++at) {
      const bool divided = (value(i).divided[static_cast<std::size_t>(at)] & axis) != 0;
      if (divided) return link_.rule.factor(i, at);
    }
    return whole;
  }

  bool has(std::size_t i, int factor) const {
    for (int at = 0; at < rank(i); ++at) {
      if (link_.rule.factor(i, at) == factor) return true;
    }
    return false;
  }

  double cost(int factor, MeshAxes axis) const {
    const double devices = static_cast<double>(mesh_.size(axis));
    const bool folded = factor != nobody && link_.rule.folded[static_cast<std::size_t>(factor)];
    double moved = 0;
    for (std::size_t i = 0; i < link_.values.size(); ++i) {
      if (value(i).made_anywhere) continue;
      const int now = place(i, axis);
      const bool result = i >= link_.rule.operands;
      if (result && folded) {
        moved += bytes(i) * (now == whole ? 2 : 1);
      } else if (factor != nobody && has(i, factor)) {
        if (now == factor) continue;
        if (now != whole) {
          moved += bytes(i) / devices;  // handed over
        } else if (result) {
          moved += bytes(i);
        }
      } else if (now != whole) {
        moved += bytes(i);  // gathered, or made whole by each
      }
    }
    return moved;
  }

  const DividedProgram& program_;
  const DividedLink& link_;
  const DeviceMesh& mesh_;
  std::vector<MeshAxes> chosen_;
};

}  // namespace

std::vector<MeshAxes> choose_division(const DividedProgram& program, const DividedLink& link,
                                      const DeviceMesh& mesh) {
  return Chooser(program, link, mesh).run();
}

}  // namespace tpulab::stablehlo
