#include "engine/formats/stablehlo/regrouped.h"

#include <map>
#include <string_view>
#include <vector>

#include "engine/formats/stablehlo/lower.h"

namespace tpulab::stablehlo {

namespace {

struct Parted {
  int from = 0;
  int to = 0;
};

// Axes of the operand that several of the result are made of, by the first of these.
std::vector<Parted> parted(const Operation& operation, const Shape& operand, const Shape& result) {
  std::vector<Parted> found;
  if (without_dialect(operation.name) != "reshape" || operand.elements() == 0) return found;
  for (int i = 0, o = 0; i < operand.rank() && o < result.rank();) {
    if (operand[i] == 1 || result[o] == 1) {
      (operand[i] == 1 ? i : o) += 1;
      continue;
    }
    const bool two = o + 1 < result.rank() && operand[i] % result[o] == 0;
    if (two && result[o] < operand[i]) found.push_back({i, o});
    std::int64_t left = operand[i++];
    std::int64_t right = result[o++];
    while (left != right) {
      if (left < right ? i >= operand.rank() : o >= result.rank()) return found;
      left < right ? left *= operand[i++] : right *= result[o++];
    }
  }
  return found;
}

}  // namespace

void Regrouped::add(std::size_t place, Divided& divided) const {
  if (place == 0) {
    divided[static_cast<std::size_t>(from)] |= axes;
  } else {
    divided[static_cast<std::size_t>(to)] |= leading;
    divided[static_cast<std::size_t>(to) + 1] |= axes & ~leading;
  }
}

std::optional<Regrouped> regrouped(const Operation& operation, const Shape& operand,
                                   const Shape& result, const Divided& divided,
                                   const DeviceMesh& mesh) {
  for (const auto& [from, to] : parted(operation, operand, result)) {
    const MeshAxes axes = divided[static_cast<std::size_t>(from)];
    const std::int64_t devices = mesh.size(axes);
    if (devices <= result[to] || devices % result[to] != 0) continue;
    const MeshAxes leading = mesh.leading(axes, result[to]);
    const bool fits = leading != 0 && result[to + 1] % (devices / result[to]) == 0;
    if (fits) return Regrouped{from, axes, to, leading};
  }
  return std::nullopt;
}

void split_axes(const Function& entry, DeviceMesh& mesh) {
  std::map<std::string_view, const Argument*> arguments;
  for (const Argument& one : entry.body.arguments) arguments.emplace(one.name, &one);
  for (const Operation& one : entry.body.operations) {
    if (one.operands.size() != 1 || one.result_types.size() != 1) continue;
    const auto argument = arguments.find(one.operands[0].name);
    if (argument == arguments.end()) continue;
    const Shape& whole = argument->second->type.shape;
    for (const auto& [from, to] : parted(one, whole, one.result_types[0].shape)) {
      const auto divided = mesh.of(sharding_of(argument->second->attributes));
      if (!divided) continue;
      mesh.split((*divided)[static_cast<std::size_t>(from)], one.result_types[0].shape[to]);
    }
  }
}

}  // namespace tpulab::stablehlo
