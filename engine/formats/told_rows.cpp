#include "engine/formats/told_rows.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace tpulab {

namespace {

class ResultRows {
 public:
  ResultRows(const RowGraph& graph, bool trains, const std::vector<Type>& arguments,
             const std::vector<bool>& asked)
      : graph_(graph), trains_(trains), arguments_(arguments), asked_(asked) {}

  // Of one result; all -1 where that is not clear.
  std::vector<ToldAxis> of(int value) const {
    std::vector<ToldAxis> told = none();
    const bool summed = trains_ || graph_.shape(value).elements() == 1;
    const RowsBehind behind = graph_.behind(value, summed ? RowGraph::all : 0);
    for (const ArgumentAxis& one : behind.axes) {
      if (!may_tell(one.argument)) continue;
      auto& [axis, behind_turns] = told[static_cast<std::size_t>(one.argument)];
      const int found = one.axis + (behind.along_time ? 1 : 0);
      if (axis >= 0 && axis != found) return none();
      if (are_features(one)) return none();
      axis = found;
      behind_turns |= one.behind_turns;
      if (behind.along_time && !lies_behind_time(one)) return none();
      if (one.by_turns && !summed && has_next(value, one) != behind.along_time) return none();
    }
    return say_rows(told) && (trains_ || are_few(told)) ? told : none();
  }

 private:
  std::vector<ToldAxis> none() const { return std::vector<ToldAxis>(arguments_.size()); }
  const Type& type(int argument) const { return arguments_[static_cast<std::size_t>(argument)]; }

  bool may_tell(int argument) const {
    return asked_[static_cast<std::size_t>(argument)] && type(argument).shape.elements() > 1;
  }

  // The last of several axes of numbers, as is left where a compiler drops a batch of one.
  bool are_features(const ArgumentAxis& of) const {
    const int rank = type(of.argument).shape.rank();
    return rank > 1 && of.axis + 1 == rank && !is_integer(type(of.argument).dtype);
  }

  // Whether rows are: with features behind them, but of whole numbers.
  bool lies_behind_time(const ArgumentAxis& time) const {
    const Type& of = type(time.argument);
    return of.shape.rank() > time.axis + (is_integer(of.dtype) ? 1 : 2);
  }

  // Behind time lie rows, else features as of layers; what turns take one by one for themselves may
  // be batches, whose rows would be those of all. A compiler drops a batch of one.
  bool has_next(int value, const ArgumentAxis& taken) const {
    if (type(taken.argument).shape.at(taken.axis + 1) == 1) return true;
    const RowsBehind next = graph_.behind(value, 1);
    return std::ranges::any_of(next.axes, [&](const ArgumentAxis& one) {
      return one.argument == taken.argument && one.axis == taken.axis + 1;
    });
  }

  // A row of numbers alone says nothing of a batch.
  bool say_rows(const std::vector<ToldAxis>& told) const {
    for (std::size_t i = 0; i < told.size(); ++i) {
      const Type& of = type(static_cast<int>(i));
      if (told[i].axis >= 0 && (is_integer(of.dtype) || of.shape.rank() > 1)) return true;
    }
    return false;
  }

  // Weights are most arguments; of an ensemble they too have an axis that all results have.
  bool are_few(const std::vector<ToldAxis>& told) const {
    constexpr int most_of_one = 2;
    int few = 0;
    int others = 0;
    for (std::size_t i = 0; i < told.size(); ++i) {
      if (may_tell(static_cast<int>(i))) ++(told[i].axis >= 0 ? few : others);
    }
    return few <= most_of_one * others;
  }

  const RowGraph& graph_;
  bool trains_;
  const std::vector<Type>& arguments_;
  const std::vector<bool>& asked_;
};

}  // namespace

std::vector<int> results_with_rows(const StepArguments& step, const std::vector<Type>& arguments,
                                   const std::vector<Type>& results) {
  if (step.trains) return step.loss < 0 ? std::vector<int>() : std::vector{step.loss};
  const auto comes_out = [&](const Type& type) {
    return !is_integer(type.dtype) && std::ranges::find(results, type) != results.end();
  };
  const bool gradients = std::ranges::count_if(arguments, comes_out) * 2 > std::ssize(arguments);
  std::vector<int> made;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const int result = static_cast<int>(i);
    const bool takes_over = std::ranges::find(step.successors, result) != step.successors.end();
    const bool alike = std::ranges::find(arguments, results[i]) != arguments.end();
    if (!takes_over && !(gradients && alike)) made.push_back(result);
  }
  return made;
}

std::vector<ToldAxis> told_axes(const RowGraph& graph, const std::vector<int>& values, bool trains,
                                const std::vector<Type>& arguments,
                                const std::vector<bool>& asked) {
  const ResultRows rows(graph, trains, arguments, asked);
  std::vector<ToldAxis> told(arguments.size());
  std::vector<bool> unclear(arguments.size());
  constexpr std::size_t most_results = 64;  // each is a search of its own
  for (const int value : std::span(values).first(std::min(values.size(), most_results))) {
    if (value < 0) continue;
    const std::vector<ToldAxis> of_result = rows.of(value);
    for (std::size_t i = 0; i < told.size(); ++i) {
      if (of_result[i].axis < 0) continue;
      if (told[i].axis >= 0 && told[i].axis != of_result[i].axis) unclear[i] = true;
      told[i].axis = of_result[i].axis;
      told[i].behind_turns |= of_result[i].behind_turns;
    }
  }
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (unclear[i]) told[i] = {};
  }
  return told;
}

}  // namespace tpulab
