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
                             std::vector<int> successors, int loss) {
  for (std::size_t result = 0; result < results.size(); ++result) {
    if (static_cast<int>(result) == loss || succeeds(successors, result)) continue;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (successors[i] >= 0 || !(results[result] == arguments[i])) continue;
      successors[i] = static_cast<int>(result);
      break;
    }
  }
  return successors;
}

int loss_among(std::span<const Type> results, std::span<const int> named,
               const std::function<std::ptrdiff_t(int)>& made_of) {
  constexpr int most_asked = 16;
  int loss = -1;
  int asked = 0;
  std::ptrdiff_t most = 0;
  for (std::size_t i = 0; i < results.size() && asked < most_asked; ++i) {
    const bool number = results[i].dtype == DType::f32 || results[i].dtype == DType::bf16;
    if (!number || !results[i].shape.scalar() || succeeds(named, i)) continue;
    ++asked;
    const std::ptrdiff_t behind = made_of ? made_of(static_cast<int>(i)) : 1;
    if (behind > most) loss = static_cast<int>(i);
    most = std::max(most, behind);
  }
  return loss;
}

bool takes_the_place(std::span<const Type> arguments, std::span<const Type> results,
                     std::span<const int> named) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    const bool list = is_integer(results[i].dtype) && !results[i].shape.scalar();
    if (list || !succeeds(named, i)) return false;
  }
  double back = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    back += named[i] >= 0 ? bytes_in(arguments[i]) : -bytes_in(arguments[i]);
  }
  return back > 0;
}

}  // namespace

StepArguments step_arguments(std::string_view file, std::span<const Type> arguments,
                             std::span<const Type> results, std::vector<int> named,
                             const std::function<std::ptrdiff_t(int)>& made_of) {
  check_named(file, arguments, results, named);
  const int loss = loss_among(results, named, made_of);
  if (loss < 0) return {named, -1, takes_the_place(arguments, results, named)};
  std::vector<int> all = first_alike(arguments, results, named, loss);
  const bool returns = std::ranges::any_of(all, [](int result) { return result >= 0; });
  return {std::move(all), loss, returns};
}

}  // namespace tpulab
