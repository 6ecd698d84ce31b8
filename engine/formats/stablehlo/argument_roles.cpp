#include "engine/formats/stablehlo/argument_roles.h"

#include <algorithm>

#include "engine/formats/element_types.h"
#include "engine/formats/given_arguments.h"
#include "engine/formats/stablehlo/argument_updates.h"
#include "engine/formats/stablehlo/loss_arguments.h"
#include "engine/formats/stablehlo/scopes.h"
#include "engine/formats/stablehlo/turn_reads.h"
#include "engine/formats/stablehlo/types.h"
#include "engine/formats/told_rows.h"

namespace tpulab::stablehlo {

namespace {

bool is_donor(const Argument& argument) {
  return !argument.attributes.find("jax.buffer_donor").empty();
}

int named_result(const Argument& argument) {
  const std::vector<std::int64_t> to =
      whole_numbers(argument.attributes.find("tf.aliasing_output"));
  return to.empty() ? -1 : static_cast<int>(std::clamp<std::int64_t>(to[0], -1, 1 << 30));
}

Type type_of(const TensorType& written) {
  return {written.shape, dtype_of_mlir(written.element).value_or(DType::u8), Placement::shared};
}

std::vector<Type> results_of(const Function& entry) {
  std::vector<Type> types;
  if (entry.body.operations.empty()) return types;
  for (const TensorType& one : entry.body.operations.back().operand_types) {
    types.push_back(type_of(one));
  }
  return types;
}

// A donor gives its memory to the first result of its type that no argument names.
std::vector<int> donated_results(const Function& entry, const std::vector<Type>& arguments,
                                 const std::vector<Type>& results) {
  std::vector<int> donated;
  for (const Argument& one : entry.body.arguments) donated.push_back(named_result(one));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (donated[i] >= 0 || !is_donor(entry.body.arguments[i])) continue;
    for (std::size_t result = 0; result < results.size() && donated[i] < 0; ++result) {
      const int number = static_cast<int>(result);
      const bool taken = std::ranges::find(donated, number) != donated.end();
      if (!taken && results[result] == arguments[i]) donated[i] = number;
    }
  }
  return donated;
}

std::vector<TurnPart> parts_read(const Module& module, const Function& entry,
                                 const std::vector<Type>& types, const std::vector<Type>& results,
                                 const ArgumentRoles& roles) {
  const StepArguments& step = roles.step;
  std::vector<bool> asked;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const bool comes_back = step.successors[i] >= 0 || gives_memory(entry.body.arguments[i]);
    asked.push_back(!comes_back && may_be_batch(types[i]));
  }
  return parts_of_turns(
      module, entry,
      {.asked = asked,
       .types = types,
       .by_devices = roles.by_devices,
       .loops_of_steps = step.loops_of_steps,
       .weights = step.trains ? WeightShapes::of_step(types, step.successors)
                              : WeightShapes::of_call(types, results),
       .trains = step.trains,
       .results = roles.by_devices ? std::vector<int>() : results_with_rows(step, types, results)});
}

// From which most results follow that come back. What an optimizer keeps of an array is read by
// what comes of that alone.
std::vector<bool> behind_most(LossArguments& origins, const std::vector<Type>& types,
                              const std::vector<int>& successors) {
  constexpr std::size_t most_asked = 16;
  std::vector<int> results;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const bool array = types[i].shape.elements() > 1 && !is_integer(types[i].dtype);
    if (successors[i] >= 0 && array) results.push_back(successors[i]);
  }
  std::vector<std::size_t> times(types.size());
  std::size_t asked = 0;
  const std::size_t apart = results.size() / most_asked + 1;
  for (std::size_t at = 0; at < results.size(); at += apart, ++asked) {
    const std::vector<bool> behind = origins.behind(results[at]);
    for (std::size_t i = 0; i < behind.size(); ++i) times[i] += behind[i] ? 1 : 0;
  }
  std::vector<bool> most;
  most.reserve(times.size());
  for (const std::size_t one : times) most.push_back(one * 3 > asked * 2);
  return most;
}

}  // namespace

std::int64_t said(const Module& module, std::string_view attribute) {
  const std::vector<std::int64_t> numbers = whole_numbers(module.attributes.find(attribute));
  return numbers.empty() ? 1 : numbers[0];
}

bool gives_memory(const Argument& argument) {
  return is_donor(argument) || named_result(argument) >= 0;
}

ArgumentRoles roles_of(const Module& module, const Function& entry) {
  std::vector<Type> types;
  for (const Argument& one : entry.body.arguments) types.push_back(type_of(one.type));
  std::vector<Type> results = results_of(entry);
  ArgumentRoles roles;
  const std::int64_t devices = said(module, "mhlo.num_partitions");
  roles.by_devices = devices > 1 && are_by_devices(types, results, devices);
  if (roles.by_devices) {
    take_away_first_axes(types);
    take_away_first_axes(results);
  }
  roles.donated = donated_results(entry, types, results);
  ArgumentUpdates updates(module, entry);
  LossArguments loss(module, entry);
  roles.step = step_arguments(
      module.file, types, results, roles.donated,
      {.made_of = [&](int result) { return loss.behind(result); },
       .update = [&](int argument, int result) { return updates.of(argument, result); },
       .one_by_one = [&](int result) { return updates.one_by_one(result); }});
  roles.by_turns = read_by_turns(module, entry);
  roles.parts = parts_read(module, entry, types, results, roles);
  if (!roles.step.loops_of_steps.empty() && roles.step.loss >= 0) {
    roles.step.of_loss = loss.behind(roles.step.loss, roles.step.loops_of_steps);
  }
  if (!roles.step.trains) return roles;
  const std::vector<bool> matters =
      roles.step.loss >= 0 ? roles.step.of_loss : behind_most(loss, types, roles.step.successors);
  roles.weights.resize(types.size());
  for (std::size_t i = 0; i < matters.size(); ++i) {
    const int successor = roles.step.successors[i];
    const bool some = successor >= 0 && matters[i] && !is_integer(types[i].dtype);
    if (some && !updates.goes_along(static_cast<int>(i), successor, roles.step.loops_of_steps)) {
      roles.parameters += types[i].shape.elements();
      roles.weights[i] = true;
    }
  }
  return roles;
}

}  // namespace tpulab::stablehlo
