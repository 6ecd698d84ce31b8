#include "engine/formats/step_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/formats/imported_step.h"

namespace tpulab {

namespace {

bool succeeds(std::span<const int> successors, std::size_t result) {
  return std::ranges::find(successors, static_cast<int>(result)) != successors.end();
}

bool is_number(const Type& type) { return is_real(type.dtype) && type.shape.elements() == 1; }

// More than a random key.
bool is_list(const Type& type) { return is_integer(type.dtype) && type.shape.elements() > 4; }

// Where memory goes; a number's says nothing of what it is.
void check_named(std::string_view file, std::span<const Type> arguments,
                 std::span<const Type> results, std::vector<int>& named) {
  for (std::size_t i = 0; i < named.size(); ++i) {
    const auto result = static_cast<std::size_t>(named[i]);
    const bool there = named[i] >= 0 && result < results.size();
    if (there && !(results[result] == arguments[i])) {
      throw Error(
          fmt::format("{}: argument {} is taken over by result {}, which is not of its type", file,
                      i, named[i]));
    }
    if (!there || is_number(arguments[i])) named[i] = -1;
  }
}

// Without numbers: one of them may be the loss.
std::vector<int> arrays_alike(std::span<const Type> arguments, std::span<const Type> results,
                              std::vector<int> successors) {
  for (std::size_t result = 0; result < results.size(); ++result) {
    if (is_number(results[result]) || succeeds(successors, result)) continue;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (successors[i] >= 0 || !(results[result] == arguments[i])) continue;
      successors[i] = static_cast<int>(result);
      break;
    }
  }
  return successors;
}

struct Loss {
  int result = -1;
  std::vector<bool> made_of{};
};

bool are_numbers(const Type& type) {
  return type.shape.rank() == 1 && type.shape.elements() > 1 && !is_integer(type.dtype) &&
         type.dtype != DType::pred;
}

Loss loss_among(std::span<const Type> arguments, const std::vector<int>& results,
                std::span<const int> successors, const Origins& origins) {
  Loss of_state;  // made of nothing but what comes back
  for (const int number : results) {
    if (!origins.made_of) return {number, {}};
    const std::vector<bool> behind = origins.made_of(number);
    for (std::size_t i = 0; i < behind.size(); ++i) {
      if (!behind[i] || arguments[i].shape.elements() == 1) continue;
      if (successors[i] < 0) return {number, behind};
      if (of_state.result < 0) of_state = {number, behind};
    }
  }
  return of_state;
}

// So many numbers, of rows or of groups of them that are given, where not all that comes back is of
// these as the state of a recurrent call is, and it is more than what stays: weights of an
// evaluation, or of a call.
bool are_losses_of_rows(std::span<const Type> arguments, std::span<const int> successors,
                        std::int64_t numbers) {
  double back = 0;
  double stays = 0;
  bool given = false;
  bool others = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& [shape, dtype, placement] = arguments[i];
    const bool of_rows = shape.rank() > 0 && shape[0] % numbers == 0;
    const double bytes =
        is_integer(dtype) ? 0 : static_cast<double>(bytes_of_type(arguments[i]).value);
    if (successors[i] >= 0) {
      others = others || (bytes > 0 && shape.rank() > 0 && shape[0] != numbers);
      back += bytes;
    } else if (of_rows && (is_integer(dtype) || shape.rank() > 1)) {
      given = true;
    } else {
      stays += bytes;
    }
  }
  return given && others && back > stays;
}

Loss loss_of(std::span<const Type> arguments, std::span<const Type> results,
             std::span<const int> successors, const Origins& origins) {
  std::vector<int> numbers;
  std::vector<int> lists;
  std::vector<int> of_rows;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const int result = static_cast<int>(i);
    if (succeeds(successors, i)) continue;
    if (is_number(results[i])) numbers.push_back(result);
    if (!are_numbers(results[i])) continue;
    if (origins.one_by_one && origins.one_by_one(result)) {
      lists.push_back(result);
    } else if (are_losses_of_rows(arguments, successors, results[i].shape[0])) {
      of_rows.push_back(result);
    }
  }
  // An optimizer that needs no moment of an array has a list of one number in its place.
  std::ranges::stable_partition(
      numbers, [&](int one) { return results[static_cast<std::size_t>(one)].shape.rank() == 0; });
  Loss found;
  for (const auto& results_of_kind : {numbers, lists, of_rows}) {
    found = loss_among(arguments, results_of_kind, successors, origins);
    if (found.result >= 0) break;
  }
  return found;
}

// Of the largest arrays that come back updated.
Update update_of(std::span<const Type> arguments, std::span<const int> successors,
                 const Origins& origins) {
  Update largest;
  Bytes most;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Bytes bytes = bytes_of_type(arguments[i]);
    const bool real = !is_integer(arguments[i].dtype);
    if (successors[i] < 0 || !real || arguments[i].shape.elements() <= 1 || bytes < most) continue;
    Update one{.updated = true};
    if (origins.update) one = origins.update(static_cast<int>(i), successors[i]);
    if (!one.updated) continue;
    if (bytes > most) largest.loops.clear();
    largest.updated = true;
    largest.loops.merge(one.loops);
    most = bytes;
  }
  return largest;
}

bool takes_the_place(std::span<const Type> arguments, std::span<const Type> results,
                     std::span<const int> named) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!is_number(results[i]) && !succeeds(named, i)) return false;
  }
  double back = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto bytes = static_cast<double>(bytes_of_type(arguments[i]).value);
    back += named[i] >= 0 ? bytes : -bytes;
  }
  return back > 0;
}

}  // namespace

bool is_arithmetic(std::string_view operation) {
  constexpr std::array<std::string_view, 4> words{"add", "subtract", "multiply", "divide"};
  return std::ranges::find(words, operation) != words.end();
}

StepArguments step_arguments(std::string_view file, std::span<const Type> arguments,
                             std::span<const Type> results, std::vector<int> named,
                             const Origins& origins) {
  check_named(file, arguments, results, named);
  std::vector<int> all = arrays_alike(arguments, results, named);
  Loss loss = loss_of(arguments, results, all, origins);
  const bool has_loss = loss.result >= 0;
  const bool lists = std::ranges::any_of(results, is_list);
  Update update;
  if (has_loss && !lists) update = update_of(arguments, all, origins);
  const bool trains =
      !lists && (has_loss ? update.updated : takes_the_place(arguments, results, named));
  return {.successors = trains && has_loss ? std::move(all) : std::move(named),
          .loss = loss.result,
          .of_loss = std::move(loss.made_of),
          .trains = trains,
          .loops_of_steps = std::move(update.loops)};
}

}  // namespace tpulab
