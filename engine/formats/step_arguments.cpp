#include "engine/formats/step_arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"

namespace tpulab {

namespace {

double bytes_in(const Type& type) {
  return static_cast<double>(type.shape.elements()) * static_cast<double>(bytes_of(type.dtype));
}

bool succeeds(std::span<const int> successors, std::size_t result) {
  return std::ranges::find(successors, static_cast<int>(result)) != successors.end();
}

void check_named(std::string_view file, std::span<const Type> arguments,
                 std::span<const Type> results, std::vector<int>& named) {
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (named[i] < 0 || static_cast<std::size_t>(named[i]) >= results.size()) {
      named[i] = -1;
    } else if (!(results[static_cast<std::size_t>(named[i])] == arguments[i])) {
      throw Error(
          fmt::format("{}: argument {} is taken over by result {}, which is not of its type", file,
                      i, named[i]));
    }
  }
}

std::vector<int> first_alike(std::span<const Type> arguments, std::span<const Type> results,
                             std::vector<int> successors) {
  for (std::size_t result = 0; result < results.size(); ++result) {
    if (succeeds(successors, result)) continue;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (successors[i] >= 0 || !(results[result] == arguments[i])) continue;
      successors[i] = static_cast<int>(result);
      break;
    }
  }
  return successors;
}

int loss_among(std::span<const int> successors, std::span<const Type> results) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    const bool number = results[i].dtype == DType::f32 || results[i].dtype == DType::bf16;
    if (number && results[i].shape.elements() == 1 && !succeeds(successors, i)) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

bool returns_most(std::span<const Type> arguments, std::span<const Type> results,
                  std::span<const int> successors) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!succeeds(successors, i)) return false;
  }
  double back = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    back += successors[i] >= 0 ? bytes_in(arguments[i]) : -bytes_in(arguments[i]);
  }
  return back > 0;
}

}  // namespace

StepArguments step_arguments(std::string_view file, std::span<const Type> arguments,
                             std::span<const Type> results, std::vector<int> named) {
  check_named(file, arguments, results, named);
  std::vector<int> all = first_alike(arguments, results, named);
  const int loss = loss_among(all, results);
  const bool returns = std::ranges::any_of(all, [](int result) { return result >= 0; });
  const bool trains = returns && (loss >= 0 || returns_most(arguments, results, all));
  return {trains ? std::move(all) : std::move(named), loss, trains};
}

}  // namespace tpulab
