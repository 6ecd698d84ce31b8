#include "engine/forecast/timed_programs.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/compiler/price_program.h"
#include "engine/forecast/memory.h"
#include "engine/training/optimizer.h"

namespace tpulab {

namespace {

using Part = ProgramKind::Part;

bool of_loss(Pass pass) {
  return pass == Pass::forward || pass == Pass::gather || pass == Pass::exchange;
}

// What a step does for each batch that it sums.
bool of_batch(Pass pass) {
  return of_loss(pass) || pass == Pass::backward || pass == Pass::turned || pass == Pass::scatter ||
         pass == Pass::offload;
}

bool belongs(const StepKernel& kernel, Part part) {
  switch (part) {
    case Part::step:
      return true;
    case Part::sums:
      return of_batch(kernel.pass);
    case Part::length:
      return false;
    case Part::loss:
    case Part::evaluation:
      break;
  }
  return of_loss(kernel.pass);
}

// Those of that part; what each batch does, so many times.
void add_kernels(const ResolvedStep& step, Part part, std::int64_t batches,
                 std::vector<Kernel>& kernels) {
  kernels.reserve(kernels.size() + step.kernels.size());
  const auto in_part = [part](const StepKernel& one) { return belongs(one, part); };
  for (auto at = step.kernels.begin(); at != step.kernels.end(); ++at) {
    const StepKernel& one = *at;
    if (!in_part(one)) continue;
    kernels.push_back(one.kernel);
    // It began so many kernels of the step before; some are in no part.
    if (one.kernel.begun > 0) {
      kernels.back().begun = static_cast<int>(std::count_if(at - one.kernel.begun, at, in_part));
    }
    if (!of_batch(one.pass)) continue;
    kernels.back().runs *= batches;
    kernels.back().empty *= batches;
  }
}

// As many numbers as weights of a device.
std::pair<Shape, DType> gradients_of(const ResolvedStep& step) {
  const DType dtype = storage_of(step.request);
  return {Shape{step.work.weights.value / bytes_of(dtype)}, dtype};
}

// Where one program sums batches, what makes the gradients of the next reads those before, too.
Kernel sums_read(const ResolvedStep& step, std::int64_t times) {
  const auto [all, dtype] = gradients_of(step);
  return {.name = "sums of gradients, read",
          .nodes = {},
          .work = KernelWork{.items = {VectorWork{.shape = all, .cheap = 1}},
                             .reads = {{all, dtype}},
                             .writes = {}},
          .runs = times};
}

// Gradients of a batch are added to what is held.
Kernel sum_of(const ResolvedStep& step) {
  const auto [all, dtype] = gradients_of(step);
  return {.name = "sums of gradients",
          .nodes = {},
          .work = KernelWork{.items = {VectorWork{.shape = all, .cheap = 1}},
                             .reads = {{all, dtype}, {all, dtype}},
                             .writes = {{all, dtype}}}};
}

// A step's own are known, however often they run.
std::vector<int> alike_of(const ProgramKind& kind, const ResolvedStep& step,
                          const std::vector<Kernel>& kernels) {
  const bool whole = kind.part == Part::step && kernels.size() == step.kernels.size();
  if (whole) return step.alike;
  std::vector<const Kernel*> all;
  all.reserve(kernels.size());
  for (const Kernel& kernel : kernels) all.push_back(&kernel);
  return first_alike(all);
}

const char* output_of(Part part) {
  switch (part) {
    case Part::step:
      break;
    case Part::sums:
      return "sums of gradients";
    case Part::loss:
      return "loss";
    case Part::evaluation:
      return "right answers";
    case Part::length:
      return "an answer";
  }
  return "weights and optimizer state";
}

// Arrays whose memory the step's results take over: weights, and state that it finds.
std::int64_t aliases_of(const ProgramKind& kind, const ResolvedStep& step, const Machine& machine) {
  if (kind.part != Part::step || !step.request.donate || !step.request.optimizer) return 0;
  const bool finds_state = kind.state || !machine.stack->traces_each_step();
  const int states = finds_state ? state_count({.kind = *step.request.optimizer}) : 0;
  return step.work.weight_arrays() * (1 + states);
}

void tell_kind(const ProgramKind& kind, const ResolvedStep& step, Fingerprint& parts) {
  const std::string_view dtype = name_of(storage_of(step.request));
  if (kind.part == Part::length) {
    const std::string_view integers = name_of(stack_named(step.request.stack).integers);
    parts.inputs = {fmt::format("{} length of a loader", integers)};
    parts.ops = {kind.rows > 0 ? "length > 0" : "0 > length"};
  }
  if (kind.state) {
    parts.inputs.push_back(fmt::format("{}[{}] optimizer state", dtype, step.work.parameters()));
  }
  if (kind.held) {
    parts.inputs.push_back(fmt::format("{}[{}] sums of gradients", dtype, step.work.parameters()));
  }
  if (kind.before > 0) parts.ops.push_back(fmt::format("{} batches", kind.before + 1));
  if (kind.turns > 0) parts.ops.push_back(fmt::format("{} turns of a loop", kind.turns));
  parts.outputs = {output_of(kind.part)};
  if (kind.keeps) parts.outputs.emplace_back("losses that are kept");
}

}  // namespace

TimedPrograms::TimedPrograms(std::shared_ptr<const ResolvedStep> step)
    : step_(std::move(step)), batch_(step_->request.batch) {}

const ResolvedStep& TimedPrograms::step_of(std::int64_t rows, std::int64_t tokens,
                                           const Machine& machine) {
  if (rows == batch_ && tokens == 0) return *step_;
  const std::lock_guard lock(mutex_);
  return shorter(rows, tokens, machine);
}

const ResolvedStep& TimedPrograms::shorter(std::int64_t rows, std::int64_t tokens,
                                           const Machine& machine) {
  const std::pair size{rows, tokens};
  const auto known = shorter_.find(size);
  if (known != shorter_.end()) return known->second;
  ForecastRequest request = step_->request;
  request.batch = rows;
  if (tokens > 0) request.sequence = tokens;
  return shorter_.emplace(size, resolved_step(request, machine)).first->second;
}

std::shared_ptr<const Program> TimedPrograms::of(const ProgramKind& kind, const Machine& machine) {
  const std::lock_guard lock(mutex_);
  for (const auto& [known, program] : programs_) {
    if (known == kind) return program;
  }
  programs_.emplace_back(kind, std::make_shared<const Program>(made(kind, machine)));
  return programs_.back().second;
}

const StepCalls& TimedPrograms::calls(const Machine& machine) {
  const std::lock_guard lock(mutex_);
  if (!calls_) calls_ = calls_of(*step_, machine);
  return *calls_;
}

// What is traced once goes through batches in a loop.
int TimedPrograms::nodes(const ProgramKind& kind, const Machine& machine) const {
  const StepWork& work = step_->work;
  const auto batches = machine.stack->traces_each_step() ? static_cast<int>(kind.before + 1) : 1;
  const auto turns = static_cast<int>(kind.turns);
  const int forward = work.forward_ops + turns;
  const int both = work.traced_ops - work.update_ops + turns * ops_of_a_turn;
  switch (kind.part) {
    case Part::step:
      break;
    case Part::length:
      return 3;  // [xla-counts]
    case Part::sums:
      return both;
    case Part::loss:
    case Part::evaluation:
      return forward * batches;
  }
  return both * batches + work.update_ops;
}

Program TimedPrograms::made(const ProgramKind& kind, const Machine& machine) {
  const bool all_rows = kind.part == Part::length || kind.rows == batch_;
  const ResolvedStep& last =
      all_rows && kind.tokens == 0 ? *step_ : shorter(kind.rows, kind.tokens, machine);
  std::vector<Kernel> kernels;
  if (kind.before > 0 && !all_rows) {
    const Part of_each = kind.part == Part::step ? Part::sums : kind.part;
    add_kernels(*step_, of_each, kind.before, kernels);
  }
  add_kernels(last, kind.part, all_rows ? kind.before + 1 : 1, kernels);
  const bool makes_gradients = kind.part == Part::step || kind.part == Part::sums;
  // A pipeline reads them in each of its turns.
  if (makes_gradients && kind.before > 0 && step_->mesh.pipeline <= 1) {
    kernels.push_back(sums_read(*step_, kind.before));
  }
  if (kind.held) kernels.push_back(sum_of(*step_));
  Program program = step_program(last, std::move(kernels), machine);
  program.alike = alike_of(kind, last, program.kernels);
  program.traced = nodes(kind, machine);
  program.compiled = step_->work.share_compiled(machine.stack->loop_compiles_as);
  // So many of its results; of which inputs, nobody asks without a graph.
  program.donated.resize(static_cast<std::size_t>(aliases_of(kind, last, machine)));
  if (kind.part == Part::evaluation) {
    program.input_bytes = last.work.batch * (kind.before + 1);
    program.peak_bytes = memory_of_validation(*step_, kind.before + 1, machine.slice).total();
  }
  tell_kind(kind, last, program.fingerprint);
  program.fingerprint.key = key_of_parts(program.fingerprint, program.kernels);
  return program;
}

}  // namespace tpulab
