#include "engine/forecast/timed_training.h"

#include <algorithm>
#include <utility>

#include "engine/base/error.h"
#include "engine/compiler/compile_cause.h"
#include "engine/forecast/known_steps.h"
#include "engine/forecast/memory.h"
#include "engine/machine/loader.h"
#include "engine/ops/ops.h"
#include "engine/runtime/batch_events.h"
#include "engine/runtime/made_program.h"
#include "engine/training/restart_event.h"

namespace tpulab {

namespace {

using Part = ProgramKind::Part;

constexpr Bytes scalar_bytes{4};

// Loader processes that a host lends to one of its devices: half of its CPUs load.
double loaders_of(const Machine& machine) {
  return loaders_at_work(machine, host_cpus(machine) / 2 / devices_of_host(machine));
}

std::shared_ptr<TimedPrograms> programs_that_fit(const ForecastRequest& request,
                                                 const Machine& machine) {
  auto programs = known_programs(request, machine);
  const ResolvedStep& step = programs->step();
  const std::string failure = out_of_memory_text(memory_in_run(step, machine), step.work);
  if (!failure.empty()) throw Impossible(failure);
  return programs;
}

}  // namespace

TimedTraining::TimedTraining(Machine machine, ProgramCache& cache, Metrics& metrics,
                             TimedOptions options)
    : cache_(cache),
      metrics_(metrics),
      simulator_(std::move(machine), options.detail),
      options_(std::move(options)),
      programs_(programs_that_fit(options_.request, this->machine())),
      loop_(options_.rows, plan_of(options_, *programs_),
            !as_lightning() || options_.rows.training == rows_without_end),
      loss_(options_.loss) {}

LoopPlan TimedTraining::plan_of(const TimedOptions& options, const TimedPrograms& programs) {
  LoopPlan plan = options.plan;
  plan.batch = programs.batch();
  return plan;
}

void TimedTraining::change(const TimedOptions& options) {
  TimedOptions changed = options;
  // What only a new run can change keeps its value: files may have been read again.
  changed.detail = options_.detail;
  changed.request.network = options_.request.network;
  if (changed.request.batch == options_.request.batch) {
    changed.request.given = options_.request.given;
  }
  auto programs = programs_that_fit(changed.request, machine());
  loop_.change(plan_of(changed, *programs));
  programs_ = std::move(programs);
  options_ = std::move(changed);
}

ForecastMemory TimedTraining::memory() const {
  const ForecastMemory step = memory_in_run(step_now(), machine());
  if (most_validated_ == 0) return step;
  auto validation = memory_of_validation(step_now(), most_validated_, machine().slice);
  validation.batches_ahead = step.batches_ahead;
  return validation.total() > step.total() ? validation : step;
}

void TimedTraining::add_program(const ProgramKind& kind, const std::string& name) {
  const std::shared_ptr<const Program> made = programs_->of(kind, machine());
  std::shared_ptr<const Program> program = cache_.find(made->fingerprint.key);
  if (program != nullptr) {
    metrics_.count("CachedCompile");
  } else {
    program = made;
    const bool last = options_.habits.shapes == Shapes::fixed && kind.part != Part::length &&
                      kind.rows < programs_->batch();
    const CompileCause cause = options_.detail == Detail::times
                                   ? CompileCause()
                                   : compile_cause(cache_, *program, last ? "last batch" : "");
    events_.push_back(made_program(program, name, cause, cache_, metrics_, machine()));
    notices_.push_back({name, events_.back().cause, program->traced});
  }
  if (kind.part == Part::step) send_scalars();
  const std::int64_t nodes = program->traced;
  events_.push_back(
      {.kind = EventKind::dispatch, .count = nodes, .program = std::move(program), .name = name});
}

// A program that somebody gave, and a kernel alone, train nothing.
bool TimedTraining::trains() const {
  return !step_now().alone && step_now().request.given == nullptr;
}

bool TimedTraining::sends_scalars() const {
  return trains() && machine().stack->traces_each_step();
}

// As Runtime::send_new_scalars().
void TimedTraining::send_scalars() {
  if (!sends_scalars()) return;
  for (const std::uint32_t bits : tpulab::sent_scalars(optimizer(), loop_.step())) {
    if (!sent_scalars_.send(bits)) continue;
    add_upload(scalar_bytes);
    metrics_.count("DeviceDataCacheMiss");
  }
}

std::int64_t TimedTraining::steps_alike_ahead() const {
  return sends_scalars() ? steps_sending_alike(optimizer(), loop_.step()) : all_steps;
}

void TimedTraining::begin(StepKind kind, std::int64_t rows) {
  constexpr std::size_t events_of_most_steps = 8;
  record_ = {kind, loop_.step(), kind == StepKind::train ? kept(rows) : 0, {}, process_};
  kind_ = {};
  pending_ = false;
  events_ = recent_events_.begun();
  events_.reserve(events_of_most_steps);
  if (!step_now().alone) events_.push_back({.kind = EventKind::python});
}

StepTimeline TimedTraining::end() {
  record_.row = row_now();
  record_.events = recent_events_.shared(std::move(events_));
  keep_record(records_, std::move(record_));
  StepTimeline timeline = simulator_.step(records_.back());
  if (options_.detail != Detail::times) count_step(timeline, metrics_);
  return timeline;
}

void TimedTraining::load_training(std::int64_t, std::int64_t rows) {
  kind_.turns = options_.habits.turns_in(loop_.step());
  kind_.tokens = tokens_now();
  add_batch(kept(rows));
  // A weight for each loss; the step's own program is taken to be the same.
  if (!options_.habits.cpu_constant || !as_lightning()) return;
  add_upload(Bytes{bytes_of(DType::f32)} * losses_of_device());
}

// Without a cut behind the batch before, both are of one graph.
void TimedTraining::add_batch(std::int64_t rows) {
  kind_.rows = rows;
  if (pending_) ++kind_.before;
  pending_ = true;
  const StepWork& work = programs_->step_of(rows, kind_.tokens, machine()).work;
  if (work.batch.value == 0) return;
  std::ranges::move(
      batch_events(rows / machine().world(), work.batch, loaders_of(machine()), machine()),
      std::back_inserter(events_));
}

void TimedTraining::add_trace(std::int64_t ops) {
  const bool goes_on = !events_.empty() && events_.back().kind == EventKind::trace;
  if (!goes_on) events_.push_back({.kind = EventKind::trace});
  events_.back().count += ops;
}

void TimedTraining::add_upload(Bytes bytes) {
  events_.push_back({.kind = EventKind::upload, .sent = bytes});
}

void TimedTraining::add_read(Bytes received) {
  events_.push_back(
      {.kind = EventKind::read_back, .received = received, .name = "aten::_local_scalar_dense"});
}

void TimedTraining::trace_forward() {
  add_trace(step_now().work.forward_ops + kind_.turns);
  count_calls({&StepCalls::forward});
  if (!options_.habits.fallback_op.empty() && as_lightning()) add_fallback();
}

void TimedTraining::trace_backward() {
  const StepWork& work = step_now().work;
  const std::int64_t both = work.traced_ops - work.update_ops + kind_.turns * ops_of_a_turn;
  add_trace(both - work.forward_ops - kind_.turns);
  count_calls({&StepCalls::backward});
}

// One for each row, or for each of its tokens; devices may share a row.
std::int64_t TimedTraining::losses_of_device() const {
  const std::int64_t own = std::max<std::int64_t>(kind_.rows / machine().world(), 1);
  const std::int64_t tokens = kind_.tokens > 0 ? kind_.tokens : step_now().work.tokens_per_row;
  return own * std::max<std::int64_t>(tokens, 1);
}

void TimedTraining::add_fallback() {
  add_program({.part = Part::loss, .rows = kind_.rows, .tokens = kind_.tokens},
              "inputs of " + options_.habits.fallback_op);
  const Type losses{{losses_of_device()}};
  const auto op = host_statistic(options_.habits.fallback_op);
  const std::span<const Type> inputs(&losses, 1);
  events_.push_back(host_op_event(*op, inputs, op->infer(inputs)));
}

void TimedTraining::read_batch_loss(const std::string& reader) {
  add_program(
      {.part = Part::loss, .rows = kind_.rows, .tokens = kind_.tokens, .turns = kind_.turns},
      reader);
  add_read(scalar_bytes);
}

void TimedTraining::hold_sums() {
  kind_.part = Part::sums;
  add_program(kind_, "accumulation");
  events_.push_back({.kind = EventKind::mark_step});
  kind_.held = true;
  pending_ = false;
}

std::int64_t TimedTraining::kept(std::int64_t rows) const {
  const std::int64_t world = machine().world();
  // A mesh may share fewer rows than it has devices.
  if (options_.habits.shapes == Shapes::fixed || rows < world || lengths_vary()) return rows;
  return options_.habits.rows_kept(rows / world, loop_.step()) * world;
}

// As in the trainer: texts keep their number.
bool TimedTraining::lengths_vary() const {
  return options_.habits.shapes != Shapes::fixed && step_now().work.tokens_per_row > 0;
}

RowShare TimedTraining::row_now() {
  if (kind_.tokens == 0) return {};
  const StepWork& whole = step_now().work;
  const StepWork& now = programs_->step_of(kind_.rows, kind_.tokens, machine()).work;
  const StepWork& all = programs_->step_of(kind_.rows, 0, machine()).work;
  return {static_cast<double>(kind_.tokens) / static_cast<double>(whole.tokens_per_row),
          static_cast<double>(now.forward_flops().value) /
              static_cast<double>(all.forward_flops().value)};
}

// Devices that share a row's tokens have equal parts of it.
std::int64_t TimedTraining::tokens_now() const {
  if (!lengths_vary()) return 0;
  const std::int64_t parts = step_now().mesh.context;
  const std::int64_t all = step_now().work.tokens_per_row;
  const std::int64_t tokens = options_.habits.rows_kept(all / parts, loop_.step()) * parts;
  return tokens == all ? 0 : tokens;
}

void TimedTraining::cut_update() {
  kind_.part = Part::step;
  kind_.state = has_state_ && as_lightning();
  kind_.keeps = options_.habits.keeps_losses(loop_.step());
  if (step_now().work.update_ops > 0) add_trace(step_now().work.update_ops);
  count_calls({&StepCalls::update});
  add_program(kind_, std::string(train_step_program));
  events_.push_back({.kind = EventKind::mark_step});
  has_state_ = trains() && state_count(optimizer()) > 0;
}

// Weights and optimizer state of each device.
void TimedTraining::save() {
  if (step_now().alone) return;
  const ForecastMemory memory = memory_of(step_now(), machine().slice);
  events_.push_back({.kind = EventKind::read_back,
                     .received = memory.weights + memory.optimizer_state,
                     .name = std::string(checkpoint_read)});
}

void TimedTraining::read_loss() { add_read(scalar_bytes); }

std::optional<float> TimedTraining::loss() const {
  if (!loss_) return std::nullopt;
  return loss_();
}

// Only where a report is read: whoever asks for shares alone asks thousands of times.
void TimedTraining::count_calls(std::initializer_list<CallsOf> parts) {
  if (!trains() || !as_lightning() || options_.detail != Detail::kernels) return;
  const StepCalls& calls = programs_->calls(machine());
  for (const CallsOf part : parts) {
    for (const auto& [name, times] : calls.*part) metrics_.count(name, times);
  }
}

void TimedTraining::repeat(std::int64_t steps) {
  expects(!records_.empty(), "a step is repeated that was there");
  StepRecord record = records_.back();
  const std::int64_t first = loop_.step();
  for (std::int64_t i = std::max<std::int64_t>(0, steps - run_records); i < steps; ++i) {
    record.step = first + i;
    keep_record(records_, record);
  }
  loop_.skip(steps);
}

StepTimeline TimedTraining::restart() {
  const std::int64_t saved = loop_.saved().step;
  cache_.lose();
  sent_scalars_.clear();
  ++process_;
  begin(StepKind::restart, 0);
  record_.samples = -samples_since(saved, records_);
  events_ = {restart_event(loop_)};
  has_state_ = has_state_ && saved > 0;
  return end();
}

StepReport TimedTraining::advance() {
  StepReport report = next_in_order(*this, loop_);
  report.compiles = std::exchange(notices_, {});
  return report;
}

}  // namespace tpulab
