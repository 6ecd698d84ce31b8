#include "engine/runtime/runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/compiler/compile.h"
#include "engine/compiler/compile_cause.h"
#include "engine/runtime/batch_events.h"
#include "engine/runtime/made_program.h"
#include "engine/runtime/traced_calls.h"

namespace tpulab {

Runtime::Runtime(Machine machine, ProgramCache& cache, WorkerPool& workers, Metrics& metrics,
                 ExecuteOptions options)
    : cache_(cache),
      metrics_(metrics),
      numbers_(options.numbers),
      donates_(options.donates),
      any_memory_(options.any_memory),
      simulator_(std::move(machine)),
      executor_(workers, options) {
  graph_.run_on_host = [this](const std::shared_ptr<const Op>& op, std::span<const Tensor> inputs) {
    return run_on_host(op, inputs);
  };
}

BufferId Runtime::place(const Type& type, Array values, std::string label) {
  expects(values.elements() == held_shape(type, world()).elements(), "values of all cores");
  round_to(type.dtype, values.values());
  buffers_[next_buffer_] = {type, std::move(label), std::move(values)};
  count("CreateDataHandles");
  return next_buffer_++;
}

BufferId Runtime::create(const Type& type, Array values, std::string label) {
  record({.kind = EventKind::upload, .sent = {type.shape.elements() * bytes_of(type.dtype)}});
  return place(type, std::move(values), std::move(label));
}

void Runtime::next_batch(std::span<const BufferId> batch, std::int64_t rows) {
  Bytes bytes;
  for (const BufferId id : batch) {
    const Type& type = buffers_.at(id).type;
    bytes += {type.shape.elements() * bytes_of(type.dtype)};
  }
  largest_batch_ = std::max(largest_batch_, bytes);
  for (Event& event : batch_events(rows, bytes, 1, machine())) record(std::move(event));
}

void Runtime::release(BufferId buffer) {
  const auto found = buffers_.find(buffer);
  if (found == buffers_.end()) return;
  executor_.pool().give(std::move(found->second.values));
  buffers_.erase(found);
  count("DestroyDataHandles");
}

Tensor Runtime::leaf(BufferId buffer) {
  const Buffer& found = buffers_.at(buffer);
  return graph_.leaf(buffer, found.type, found.label);
}

void Runtime::lose_process(Event restart) {
  record(std::move(restart));
  open_.process = ++process_;
  while (!buffers_.empty()) release(buffers_.begin()->first);
  step_buffers_.clear();
  sent_scalars_.clear();
  cache_.lose();
}

void Runtime::save(std::span<const BufferId> buffers) {
  Bytes bytes;
  for (const BufferId id : buffers) {
    const Type& type = buffers_.at(id).type;
    bytes += {type.shape.elements() * bytes_of(type.dtype)};
  }
  record({.kind = EventKind::read_back, .received = bytes, .name = std::string(checkpoint_read)});
}

const Array& Runtime::peek(BufferId buffer) const { return buffers_.at(buffer).values; }

void Runtime::begin_step(StepKind kind, std::int64_t step, std::int64_t samples) {
  open_ = {kind, step, samples, nullptr, process_};
  newest_ = {};
  newest_.kind = kind;
  events_.clear();
  const bool steps = kind != StepKind::setup && kind != StepKind::restart;
  if (steps) record({.kind = EventKind::python});
}

StepTimeline Runtime::end_step() {
  note_trace();
  open_.events = recent_events_.shared(std::exchange(events_, {}));
  newest_.events = open_.events;
  return keep_step();
}

StepTimeline Runtime::keep_step() {
  keep_record(records_, open_);
  StepTimeline timeline = simulator_.step(open_);
  count_step(timeline, metrics_);
  return timeline;
}

std::vector<BufferId> Runtime::mark_step(std::span<const Live> live, const std::string& graph_name,
                                         const std::string& note) {
  std::vector<NodeId> outputs;
  std::vector<BufferId> overwrites;
  for (const Live& value : live) {
    outputs.push_back(value.tensor.id);
    overwrites.push_back(donates_ ? value.overwrites : -1);
  }
  note_trace();
  const Cut cut = make_cut(graph_, outputs, overwrites, topology(), world());
  std::vector<Array> results = run_cut(cut, graph_name, note);
  std::vector<BufferId> made;
  for (std::size_t i = 0; i < live.size(); ++i) {
    const BufferId target = live[i].overwrites;
    if (target >= 0) {
      Buffer& buffer = buffers_.at(target);
      executor_.pool().give(std::exchange(buffer.values, std::move(results[i])));
      count("CreateDataHandles");
      count("DestroyDataHandles");
      made.push_back(target);
    } else {
      made.push_back(place(live[i].tensor.type(), std::move(results[i]), live[i].label));
    }
  }
  forget_trace(outputs);
  for (const BufferId buffer : std::exchange(step_buffers_, {})) release(buffer);
  record({.kind = EventKind::mark_step});
  return made;
}

void Runtime::forget_trace(std::span<const NodeId> kept) {
  note_trace();
  count("DestroyXlaTensor", graph_.traced_ops());
  if (machine().stack->traces_each_step()) {
    const CallCounts calls = traced_calls(graph_, 0, graph_.size(), kept);
    for (const auto& [name, times] : calls) count(name, times);
  }
  graph_.reset();
  traced_before_ = 0;
}

void Runtime::mark_empty_step() {
  expects(graph_.traced_ops() == 0, "nothing is pending at an empty sync");
  record({.kind = EventKind::mark_step});
}

float Runtime::item(Tensor scalar, const std::string& graph_name) {
  return read(partial_cut({&scalar, 1}, graph_name)[0]);
}

float Runtime::item(BufferId scalar) { return read(peek(scalar)); }

float Runtime::read(const Array& value) {
  record({.kind = EventKind::read_back,
          .received = {bytes_of(value.dtype())},
          .name = "aten::_local_scalar_dense"});
  return numbers_ ? value[0] : std::nanf("");
}

std::vector<Array> Runtime::partial_cut(std::span<const Tensor> tensors,
                                        const std::string& graph_name) {
  note_trace();
  // Device data needs no program; a partial cut donates nothing, as the rest still needs its
  // inputs.
  std::vector<NodeId> computed;
  for (const Tensor& tensor : tensors) {
    if (!graph_.node(tensor.id).leaf()) computed.push_back(tensor.id);
  }
  std::vector<Array> results;
  if (!computed.empty()) {
    const std::vector<BufferId> overwrites(computed.size(), -1);
    results = run_cut(make_cut(graph_, computed, overwrites, topology(), world()), graph_name, "");
  }
  std::vector<Array> values;
  std::size_t next = 0;
  for (const Tensor& tensor : tensors) {
    const Node& node = graph_.node(tensor.id);
    if (!node.leaf()) {
      values.push_back(std::move(results[next++]));
    } else {
      values.push_back(node.scalar ? Array::scalar(*node.scalar) : peek(node.buffer));
    }
  }
  return values;
}

Tensor Runtime::run_on_host(const std::shared_ptr<const Op>& op, std::span<const Tensor> inputs) {
  const std::vector<Array> held = partial_cut(inputs, fmt::format("inputs of {}", op->name()));
  std::vector<Type> types;
  for (const Tensor& input : inputs) types.push_back(input.type());
  std::vector<Array> results;
  if (numbers_) results = each_core_on_host(*op, held, types);
  // Without numbers only a shape that follows from the inputs' types can be told; others throw.
  Type type = numbers_ ? Type{results[0].shape(), results[0].dtype()} : op->infer(types);
  type.placement = Placement::per_core;
  Array all = held_together(type, results);
  record(host_op_event(*op, types, type));
  const BufferId buffer = place(type, std::move(all), std::string(op->name()));
  step_buffers_.push_back(buffer);
  return leaf(buffer);
}

// One array that holds every core's result; without values if there are no results.
Array Runtime::held_together(const Type& type, std::span<const Array> results) const {
  const Shape shape = held_shape(type, world());
  if (results.empty()) return Array::without_values(shape, type.dtype);
  Array all(shape, type.dtype);
  auto out = all.values().begin();
  for (const Array& result : results) out = std::ranges::copy(result.values(), out).out;
  return all;
}

std::vector<Array> Runtime::each_core_on_host(const Op& op, std::span<const Array> held,
                                              std::span<const Type> types) const {
  std::vector<Array> results;
  for (int core = 0; core < world(); ++core) {
    std::vector<ArrayView> views;
    for (std::size_t i = 0; i < types.size(); ++i) {
      const bool shared = types[i].placement == Placement::shared;
      const std::int64_t offset = shared ? 0 : core * types[i].shape.elements();
      views.push_back({held[i].values().data() + offset, types[i].shape, types[i].dtype});
    }
    results.push_back(op.evaluate_on_host(views));
    if (results.back().shape() == results.front().shape()) continue;
    throw Error(fmt::format(
        "{} gave {} on one device and {} on another: they would run different programs, and on "
        "a "
        "real TPU their all-reduce would hang; use devices 1, or an op whose shape is fixed",
        op.name(), text_of(results.front().dtype(), results.front().shape()),
        text_of(results.back().dtype(), results.back().shape())));
  }
  return results;
}

std::vector<Array> Runtime::run_cut(const Cut& cut, const std::string& graph_name,
                                    const std::string& note) {
  const std::shared_ptr<const Program> program = program_for(cut, graph_name, note);
  check_memory(*program);
  hbm_peak_ = std::max(hbm_peak_, program->peak_bytes);
  send_new_scalars(cut);
  record({.kind = EventKind::dispatch,
          .count = program->traced,
          .program = program,
          .name = graph_name});
  std::vector<float> scalars(cut.nodes.size());
  std::vector<ArrayView> views;
  std::vector<Array*> owners;
  std::size_t used = 0;
  for (const NodeId id : cut.nodes) {
    const Node& node = cut.graph->node(id);
    if (!node.leaf()) continue;
    if (node.scalar) {
      scalars[used] = *node.scalar;
      views.push_back({&scalars[used++], {}, DType::f32});
      owners.push_back(nullptr);
    } else {
      Array& values = buffers_.at(node.buffer).values;
      views.push_back(values.view());
      owners.push_back(&values);
    }
  }
  return executor_.run(*program, views, owners);
}

std::shared_ptr<const Program> Runtime::program_for(const Cut& cut, const std::string& graph_name,
                                                    const std::string& note) {
  if (auto program = cache_.find(fingerprint_key(cut))) {
    count("CachedCompile");
    return program;
  }
  std::shared_ptr<const Program> program =
      compile(cut, {.identified = true,
                    .hbm = machine().slice.usable_hbm_per_device(),
                    .scheduling = {.on_chip = machine().generation().on_chip()}});
  const CompileCause cause = compile_cause(cache_, *program, note);
  Event made = made_program(program, graph_name, cause, cache_, metrics_, machine());
  notices_.push_back({graph_name, made.cause, program->traced});
  record(std::move(made));
  return program;
}

// How many devices work is part of a program; which ones is not, as all links of a slice are alike
// here.
std::string Runtime::topology() const {
  const Machine& machine = simulator_.machine();
  return fmt::format("{}, {} of {} devices", machine.slice.name, machine.world(),
                     machine.slice.devices());
}

void Runtime::note_trace() {
  const int traced = graph_.traced_ops() - traced_before_;
  traced_before_ = graph_.traced_ops();
  if (traced > 0) record({.kind = EventKind::trace, .count = traced});
}

void Runtime::record(Event event) { events_.push_back(std::move(event)); }

void Runtime::check_memory(const Program& program) const {
  const Bytes limit = machine().slice.usable_hbm_per_device();
  if (any_memory_ || program.peak_bytes <= limit) return;
  throw Impossible(
      fmt::format("RESOURCE_EXHAUSTED: this program needs {} of HBM on each device ({} of it "
                  "inputs), a {} device "
                  "has {}; use a smaller batch or bf16-true",
                  text_of(program.peak_bytes), text_of(program.input_bytes), machine().slice.name,
                  text_of(limit)));
}

std::vector<CompileNotice> Runtime::take_notices() { return std::exchange(notices_, {}); }

}  // namespace tpulab
