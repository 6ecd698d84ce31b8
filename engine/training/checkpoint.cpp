#include "engine/training/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "engine/base/error.h"
#include "engine/training/trainer.h"

namespace tpulab {

namespace {

std::uint64_t digest_of(const TrainerOptions& options) {
  return digest_of(*options.data, options.split, options.seed);
}

using Arrays = std::map<std::string, const Array*, std::less<>>;

Arrays by_name(const TrainerState& state) {
  Arrays arrays;
  for (const NamedArray& array : state.arrays) arrays[array.name] = &array.values;
  return arrays;
}

// Takes it out; what is left at the end is not of this model.
const Array& taken(Arrays& arrays, const std::string& name, const Shape& shape, DType dtype) {
  const auto found = arrays.find(name);
  if (found == arrays.end()) throw Error(fmt::format("it has no {}", name));
  const Array& values = *found->second;
  if (values.shape() != shape || values.dtype() != dtype) {
    throw Error(fmt::format("its {} is {}, and the model's is {}", name,
                            text_of(values.dtype(), values.shape()), text_of(dtype, shape)));
  }
  arrays.erase(found);
  return values;
}

// Momentum may have changed since sgd made its state, or before it will: one moment or none.
std::size_t moments_of(const OptimizerOptions& options, std::span<const Parameter> parameters,
                       const Arrays& arrays) {
  if (options.kind != OptimizerKind::sgd || parameters.empty()) {
    return static_cast<std::size_t>(state_count(options));
  }
  return arrays.contains(moment_name(parameters.front(), 0)) ? 1 : 0;
}

void check_place(const TrainerState& state, const TrainerOptions& options, int world) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  const Sampler sampler(rows_of_epoch(options), world, false, options.seed);
  const auto& [step, epoch, rows_seen, checks] = state.place;
  const bool counted =
      std::min({step, epoch, rows_seen, checks}) >= 0 && std::max({step, epoch, checks}) <= most;
  if (!counted) throw Error("what it counts of steps, epochs and rows is below zero or too large");
  if (rows_seen <= sampler.rows_per_core()) return;
  throw Error(
      fmt::format("it stands at row {} of epoch {}, and an epoch has {} rows on each device",
                  rows_seen, epoch + 1, sampler.rows_per_core()));
}

}  // namespace

std::string moment_name(const Parameter& parameter, std::size_t moment) {
  return fmt::format("{}.moment{}", parameter.name, moment + 1);
}

void check_fits(const TrainerState& state, const TrainerOptions& options, int world) {
  check_place(state, options, world);
  if (state.data != 0 && state.data != digest_of(options)) {
    throw Error(
        fmt::format("the rows of {} that train are others than those it was trained on: data, "
                    "split, or the seed of a shuffled one, differ",
                    options.data->name));
  }
  const Example example = options.data->example(options.model.input);
  Arrays arrays = by_name(state);
  const std::vector<Parameter> parameters = parameters_of(options.model, example, options.storage);
  const std::size_t moments = moments_of(options.optimizer, parameters, arrays);
  const bool begun = state.place.step > 0;
  for (const Parameter& parameter : parameters) {
    taken(arrays, parameter.name, parameter.shape, options.storage);
    for (std::size_t i = 0; begun && i < moments; ++i) {
      taken(arrays, moment_name(parameter, i), parameter.shape, options.storage);
    }
  }
  if (arrays.empty()) return;
  throw Error(
      fmt::format("its {} is no part of this model with this optimizer", arrays.begin()->first));
}

TrainerState Trainer::state() const {
  expects(runtime_.numbers(), "only numbers can be kept");
  TrainerState state{loop_.place(), {}, digest_of(options_)};
  for (std::size_t i = 0; i < states_.size(); ++i) {
    state.arrays.push_back({parameters_[i].name, runtime_.peek(states_[i].weight)});
    for (std::size_t k = 0; k < states_[i].moments.size(); ++k) {
      state.arrays.push_back(
          {moment_name(parameters_[i], k), runtime_.peek(states_[i].moments[k])});
    }
  }
  return state;
}

void Trainer::restore(const TrainerState& state) {
  check_fits(state, options_, runtime_.world());
  Arrays arrays = by_name(state);
  const auto upload = [&](const std::string& name) {
    const Array& values = *arrays.at(name);
    const Type type{values.shape(), values.dtype(), Placement::shared};
    return runtime_.create(type, values, name);
  };
  runtime_.begin_step(StepKind::setup, 0, 0);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    runtime_.release(states_[i].weight);
    states_[i].weight = upload(parameters_[i].name);
    for (const BufferId moment : std::exchange(states_[i].moments, {})) runtime_.release(moment);
    for (std::size_t k = 0; arrays.contains(moment_name(parameters_[i], k)); ++k) {
      states_[i].moments.push_back(upload(moment_name(parameters_[i], k)));
    }
  }
  runtime_.end_step();
  loop_.go_on_from(state.place);
  if (loop_.restart_ahead()) saved_ = state.arrays;
  train_sampler_.begin_epoch(loop_.epoch());
}

}  // namespace tpulab
