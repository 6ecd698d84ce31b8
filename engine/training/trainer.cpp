#include "engine/training/trainer.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/machine/loader.h"
#include "engine/training/clip.h"
#include "engine/training/restart_event.h"

namespace tpulab {

namespace {

LoopPlan plan_of(const TrainerOptions& options) {
  return {.batch = options.batch,
          .max_epochs = options.max_epochs,
          .max_steps = options.max_steps,
          .drop_last = options.drop_last,
          .options = options.loop};
}

}  // namespace

std::int64_t rows_of_epoch(const TrainerOptions& options) {
  return training_rows(*options.data, options.split, options.rows);
}

Trainer::Trainer(Machine machine, ProgramCache& cache, WorkerPool& workers, Metrics& metrics,
                 const TrainerOptions& options, ExecuteOptions execution)
    : options_(options),
      data_(split(*options.data, options.split, options.seed)),
      example_(data_.train.example(options.model.input)),
      parameters_(parameters_of(options.model, example_, options.storage)),
      runtime_(std::move(machine), cache, workers, metrics, execution),
      train_sampler_(rows_of_epoch(options), runtime_.world(), !options.loop.in_order,
                     options.seed),
      test_sampler_(data_.test.rows(), runtime_.world(), false, options.seed),
      loop_({train_sampler_.rows_per_core(), test_sampler_.rows_per_core()}, plan_of(options),
            !as_lightning()) {
  runtime_.begin_step(StepKind::setup, 0, 0);
  upload_model({}, first_moments());
  runtime_.end_step();
}

// Lazily traced steps make the optimizer's state in the first of them; others call init() before.
std::size_t Trainer::first_moments() const {
  return as_lightning() ? 0 : static_cast<std::size_t>(state_count(options_.optimizer));
}

void Trainer::upload_model(std::span<const NamedArray> saved, std::size_t moments) {
  std::vector<Array> initial;
  if (runtime_.numbers() && saved.empty()) initial = initial_values(parameters_, options_.seed);
  const auto upload = [&](const Parameter& parameter, std::string name, const Array* values) {
    const Type type{parameter.shape, options_.storage, Placement::shared};
    Array held = zeros(type);
    if (values != nullptr) std::ranges::copy(values->values(), held.values().begin());
    return runtime_.create(type, std::move(held), std::move(name));
  };
  states_.clear();
  const NamedArray* next = saved.data();
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const Parameter& one = parameters_[i];
    const auto values = [&]() -> const Array* {
      if (!saved.empty()) return &(next++)->values;
      return initial.empty() ? nullptr : &initial[i];
    };
    State state;
    state.weight = upload(one, one.name, values());
    for (std::size_t k = 0; k < moments; ++k) {
      state.moments.push_back(upload(one, moment_name(one, k), saved.empty() ? nullptr : values()));
    }
    states_.push_back(std::move(state));
  }
}

Array Trainer::zeros(const Type& type) const {
  const Shape held = held_shape(type, runtime_.world());
  return runtime_.numbers() ? Array(held, type.dtype) : Array::without_values(held, type.dtype);
}

StepReport Trainer::advance() {
  expects(!done(), "a finished trainer does not advance");
  const std::int64_t epoch = loop_.epoch();
  StepReport report = next_in_order(*this, loop_);
  if (loop_.epoch() != epoch && runtime_.numbers()) train_sampler_.begin_epoch(loop_.epoch());
  report.compiles = runtime_.take_notices();
  note_saved();
  return report;
}

void Trainer::note_saved() {
  if (loop_.restart_ahead() && loop_.just_saved() && runtime_.numbers()) saved_ = state().arrays;
}

// Everything but what was saved begins anew. Steps behind that are trained again, to the same bits.
StepTimeline Trainer::restart() {
  const LoopPlace saved = loop_.saved();
  const std::size_t moments =
      saved_.empty() ? states_.front().moments.size() : saved_.size() / states_.size() - 1;
  runtime_.begin_step(StepKind::restart, loop_.step(),
                      -samples_since(saved.step, runtime_.records()));
  runtime_.lose_process(restart_event(loop_));
  upload_model(saved_, saved.step > 0 ? moments : first_moments());
  saved_.clear();
  loss_ = -1;
  kept_losses_ = -1;
  remembered_.clear();
  return runtime_.end_step();
}

void Trainer::change(const TrainerOptions& options) {
  TrainerOptions changed = options;
  // What only a new run can change keeps its value.
  changed.model = options_.model;
  changed.optimizer.kind = options_.optimizer.kind;
  changed.seed = options_.seed;
  changed.data = options_.data;
  changed.split = options_.split;
  changed.loop.in_order = options_.loop.in_order;
  changed.storage = options_.storage;
  changed.compute = options_.compute;
  changed.sent = options_.sent;
  const std::int64_t epoch = loop_.epoch();
  loop_.change(plan_of(changed));
  if (loop_.epoch() > epoch && runtime_.numbers()) train_sampler_.begin_epoch(loop_.epoch());
  options_ = std::move(changed);
  remembered_.clear();
  note_saved();  // other limits may have ended the epoch
}

void Trainer::begin(StepKind kind, std::int64_t rows) {
  now_ = {};
  runtime_.begin_step(kind, loop_.step(), samples_of(kind, rows));
}

std::int64_t Trainer::samples_of(StepKind kind, std::int64_t rows) const {
  return kind == StepKind::train ? kept(rows) * runtime_.world() : 0;
}

void Trainer::load_training(std::int64_t first, std::int64_t rows) {
  load(data_.train, train_sampler_, first, rows);
}

void Trainer::load_validation(std::int64_t first, std::int64_t rows) {
  load(data_.test, test_sampler_, first, rows);
}

void Trainer::load(const Dataset& data, const Sampler& sampler, std::int64_t first,
                   std::int64_t taken) {
  const bool trains = &data == &data_.train;
  const std::int64_t rows = trains ? kept(taken) : taken;
  const StackRow& stack = *runtime_.machine().stack;
  const DType integers = stack.integers;
  const DType numbers = options_.sent.value_or(stack.sends(options_.storage, options_.compute));
  const DType dtype = is_integer(example_.dtype) ? integers : numbers;
  const bool cut = trains && lengths_vary();
  const Shape row = cut ? Shape{tokens_now()} : example_.row;
  const std::int64_t positions = cut ? tokens_now() : example_.labels;
  const Type input_type{row.of_rows(rows), dtype, Placement::per_core};
  const Shape asked = example_.labels == 1 ? Shape{} : Shape{positions};
  const Type label_type{asked.of_rows(rows), integers, Placement::per_core};
  Array inputs = zeros(input_type);
  Array labels = zeros(label_type);
  if (runtime_.numbers()) {
    std::vector<std::int64_t> all;  // one core after the other
    for (int core = 0; core < runtime_.world(); ++core) {
      const auto own = sampler.rows(core, first, rows);
      all.insert(all.end(), own.begin(), own.end());
    }
    fill(inputs, labels, data, all, dtype == DType::u8 ? example_.byte_scale : 1);
  }
  const std::vector<BufferId> buffers{
      runtime_.place(input_type, std::move(inputs), std::string(data.row_name)),
      runtime_.place(label_type, std::move(labels), "labels")};
  runtime_.next_batch(buffers, rows);
  now_.batches.push_back({buffers[0], buffers[1], taken < options_.batch});
}

void Trainer::release_batches() {
  for (const Batch& batch : std::exchange(now_.batches, {})) {
    runtime_.release(batch.inputs);
    runtime_.release(batch.labels);
  }
}

// Where texts vary, their length does and their number does not.
std::int64_t Trainer::kept(std::int64_t rows) const {
  return lengths_vary() ? rows : options_.habits.rows_kept(rows, loop_.step());
}

Bytes Trainer::hbm_used() const {
  std::int64_t ahead = batches_kept_ready(machine());
  if (loop_.has_epochs()) ahead = std::clamp(loop_.train_batches() - 1, std::int64_t{0}, ahead);
  return runtime_.hbm_used() + runtime_.largest_batch() * ahead;
}

// Texts of which each position is asked may end anywhere.
bool Trainer::lengths_vary() const {
  return options_.habits.shapes != Shapes::fixed && is_integer(example_.dtype) &&
         example_.labels == example_.row.elements();
}

std::int64_t Trainer::tokens_now() const {
  const std::int64_t all = example_.row.elements();
  return lengths_vary() ? options_.habits.rows_kept(all, loop_.step()) : all;
}

Example Trainer::example_of(const Tensor& inputs) const {
  Example example = example_;
  const std::int64_t tokens = inputs.shape().elements() / inputs.shape()[0];
  if (tokens == example_.row.elements()) return example;
  example.row = Shape{tokens};
  example.labels = tokens;
  example.positions = example_.row.elements();
  return example;
}

// As many values and labels of each row as there is room for.
void Trainer::fill(Array& inputs, Array& labels, const Dataset& data,
                   std::span<const std::int64_t> rows, double scale) const {
  const auto each = inputs.elements() / std::max<std::int64_t>(std::ssize(rows), 1);
  const auto asked = labels.elements() / std::max<std::int64_t>(std::ssize(rows), 1);
  auto input = inputs.values().begin();
  auto label = labels.values().begin();
  for (const std::int64_t row : rows) {
    input = std::ranges::copy_n(data.values_of(row).begin(), each, input).out;
    label = std::ranges::copy_n(data.labels_of(row).begin(), asked, label).out;
  }
  if (scale == 1) return;
  for (float& value : inputs.values()) value = std::round(value * static_cast<float>(scale));
}

std::vector<Tensor> Trainer::parameter_leaves() {
  std::vector<Tensor> leaves;
  for (const State& state : states_) leaves.push_back(runtime_.leaf(state.weight));
  return leaves;
}

// Leaves in a fixed order: the batch is inputs 0 and 1.
void Trainer::trace_forward() {
  const Tensor inputs = runtime_.leaf(now_.batches.back().inputs);
  const Tensor labels = runtime_.leaf(now_.batches.back().labels);
  if (now_.parameters.empty()) now_.parameters = parameter_leaves();
  now_.loss = traced_loss(inputs, labels, now_.parameters);
}

void Trainer::cut_update() {
  Kept kept = traced_updates();
  if (options_.habits.keeps_losses(loop_.step())) keep_losses(kept);
  const std::vector<BufferId> made = runtime_.mark_step(
      kept.live, std::string(train_step_program), now_.batches.back().last ? "last batch" : "");
  for (std::size_t i = 0; i < made.size(); ++i) *kept.places[i] = made[i];
  release_batches();
  for (const BufferId sum : now_.held) runtime_.release(sum);
  for (const BufferId constant : std::exchange(constants_, {})) runtime_.release(constant);
}

std::optional<float> Trainer::loss() const {
  if (!runtime_.numbers()) return std::nullopt;
  return runtime_.peek(loss_)[0];
}

// A seed of the run and the step, larger than any constant that a program has, and exact in f32.
Draws Trainer::random_of(std::int64_t step) const {
  constexpr std::uint64_t seeds = 1 << 22;
  const std::uint64_t mixed = static_cast<std::uint64_t>(step) + options_.seed * 1'000'003;
  return {static_cast<double>(seeds + mixed % seeds),
          static_cast<int>(machine().stack->random_operations)};
}

// Scalars that are others in another step.
std::vector<double> Trainer::changing(std::int64_t step) const {
  std::vector<double> scalars = changing_scalars(options_.optimizer, step);
  if (options_.model.drops) scalars.push_back(random_of(step).seed);
  return scalars;
}

Tensor Trainer::traced_logits(Tensor inputs, std::span<const Tensor> parameters, Draws random,
                              Tensor labels) {
  Scope scope(parameters, options_.compute, options_.precision, one_device,
              {.random = random, .labels = labels});
  return logits_of(options_.model, scope, inputs, example_of(inputs), options_.storage);
}

Tensor Trainer::traced_loss(Tensor inputs, Tensor labels, std::span<const Tensor> parameters) {
  labels = reshape(labels, Shape{labels.shape().elements()});
  const Tensor logits = traced_logits(inputs, parameters, random_of(loop_.step()), labels);
  Tensor rows = losses_of(options_.model, logits, labels, example_);
  const bool of_one_class = options_.model.objective.losses == nullptr;
  if (options_.class_weights && of_one_class && as_lightning()) rows = weighted(rows, labels);
  if (options_.habits.cpu_constant && as_lightning()) rows = weighted_from_cpu(rows);
  // Called at once, whoever reads its result.
  const std::string& op = options_.habits.fallback_op;
  if (!op.empty() && as_lightning()) host_statistic(op, rows);
  // Losses are not below 0: a turn changes no bit, but is traced like any other.
  for (std::int64_t turn = options_.habits.turns_in(loop_.step()); turn > 0; --turn) {
    rows = relu(rows);
  }
  losses_ = rows;
  if (options_.hard_examples && as_lightning()) rows = hard(rows);
  return mean(rows);
}

// self.kept = losses: one result more, in the place of those that were kept before.
void Trainer::keep_losses(Kept& kept) {
  if (kept_losses_ >= 0) runtime_.release(kept_losses_);
  kept_losses_ = -1;
  kept.add(losses_, kept_losses_, "losses that are kept");
}

// The rows whose loss is above the batch's mean; their number depends on values, so the shape does
// too.
Tensor Trainer::hard(Tensor rows) {
  const Tensor chosen = nonzero(greater(rows, mean(rows)));
  return chosen.shape()[0] > 0 ? gather(rows, chosen) : rows;
}

// Each row counts by the rarity of its class in this core's batch: rows / (classes x count).
Tensor Trainer::weighted(Tensor rows, Tensor labels) {
  Graph& graph = *rows.graph;
  const std::int64_t classes = data_.train.classes;
  const Tensor counts = maximum(bincount(labels, classes), scalar(graph, 1));
  const double share = static_cast<double>(rows.shape()[0]) / static_cast<double>(classes);
  const Tensor weights = divide(scalar(graph, share, "rows per class"), counts);
  return multiply(rows, gather(weights, labels));
}

// rows * torch.ones(len(rows)).to(device): changes no bit, but is made and sent in every step.
Tensor Trainer::weighted_from_cpu(Tensor rows) {
  const Type type{rows.shape(), rows.type().dtype, Placement::per_core};
  Array ones = zeros(type);
  if (runtime_.numbers()) std::ranges::fill(ones.values(), 1.0f);
  constants_.push_back(runtime_.create(type, std::move(ones), "constant made on the CPU"));
  return multiply(rows, runtime_.leaf(constants_.back()));
}

Trainer::Kept Trainer::traced_updates() {
  const int world = runtime_.world();
  std::vector<Tensor> gradients = now_.gradients;
  // One call over all gradients (reduce_gradients), the logged loss with them.
  for (Tensor& one : gradients) one = all_reduce(one, world, true);
  const LoopOptions& loop = options_.loop;
  if (loop.clip_at > 0) gradients = clipped(std::move(gradients), loop.clip, loop.clip_at);
  const Tensor logged = all_reduce(now_.loss, world, true);
  Kept kept;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    std::vector<BufferId>& moments = states_[i].moments;
    std::vector<Tensor> state;
    state.reserve(moments.size());
    for (const BufferId moment : moments) state.push_back(runtime_.leaf(moment));
    const Updated updated =
        update(options_.optimizer, loop_.step(), now_.parameters[i], gradients[i], state);
    kept.add(updated.parameter, states_[i].weight);
    moments.resize(std::max(moments.size(), updated.state.size()), -1);
    for (std::size_t k = 0; k < updated.state.size(); ++k) {
      kept.add(updated.state[k], moments[k], moment_name(parameters_[i], k));
    }
  }
  kept.add(logged, loss_);
  return kept;
}

void Trainer::save() {
  std::vector<BufferId> all;
  for (const State& state : states_) {
    all.push_back(state.weight);
    all.insert(all.end(), state.moments.begin(), state.moments.end());
  }
  runtime_.save(all);
}

std::vector<Array> Trainer::weights() const {
  std::vector<Array> result;
  for (const State& state : states_) result.push_back(runtime_.peek(state.weight));
  return result;
}

}  // namespace tpulab
