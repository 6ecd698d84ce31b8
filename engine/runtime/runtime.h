// The lazy runtime: tensors are traced into a graph, cuts compile (or find) a program and run it.
// Everything it does is also written down as events, from which simulate() tells the time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/compiler/cache.h"
#include "engine/machine/machine.h"
#include "engine/runtime/execute.h"
#include "engine/runtime/metrics.h"
#include "engine/runtime/recent_events.h"
#include "engine/runtime/sent_scalars.h"
#include "engine/runtime/simulate.h"

namespace tpulab {

struct CompileNotice {
  std::string graph;  // "train step"
  std::string cause;
  int nodes = 0;
};

// What a step without numbers did, for steps that do the same and need no trace of their own.
struct KnownStep {
  StepKind kind = StepKind::train;
  std::shared_ptr<const std::vector<Event>> events;
  std::vector<std::uint32_t> scalars;  // bits, those of each cut in its order
  std::map<std::string_view, std::int64_t> counts;
};

// A value that stays alive over a full cut.
struct Live {
  Tensor tensor;
  BufferId overwrites = -1;  // whose place it takes (its memory is donated), -1: a new buffer
  std::string label{};       // of a new buffer, for people
};

class Runtime {
 public:
  Runtime(Machine machine, ProgramCache& cache, WorkerPool& workers, Metrics& metrics,
          ExecuteOptions options);

  const Machine& machine() const { return simulator_.machine(); }
  int world() const { return machine().world(); }
  const std::vector<DeviceGroup>& groups() const { return simulator_.groups(); }
  Graph& graph() { return graph_; }

  // Device data. `values` as held (see execute.h). `create` costs a foreground upload; `batch`
  // comes through the loader (batch_events.h).
  BufferId create(const Type& type, Array values, std::string label);
  void next_batch(std::span<const BufferId> batch, std::int64_t rows);
  BufferId place(const Type& type, Array values, std::string label);  // no cost: see next_batch
  void release(BufferId buffer);
  // The buffer as an input of the graph being traced.
  Tensor leaf(BufferId buffer);
  // What the instrument itself reads: costs no TPU time and is no event.
  const Array& peek(BufferId buffer) const;
  // False in a time-only run: no buffer has values, item() answers NaN.
  bool numbers() const { return numbers_; }

  // The process ends before its time: buffers, programs in memory and what devices had under way
  // are gone; `restart` says why.
  void lose_process(Event restart);
  // A checkpoint: the host reads all of these at once, as xm.save() does.
  void save(std::span<const BufferId> buffers);

  // A step's events are collected from begin_step to end_step.
  void begin_step(StepKind kind, std::int64_t step, std::int64_t samples);
  StepTimeline end_step();
  // The newest step; none with numbers, and none that compiled, as no other step is like it.
  std::optional<KnownStep> known_step() const;
  // A step that does what `known` did, whose scalars are sent anew where it sent them.
  StepTimeline repeat_step(const KnownStep& known, std::int64_t step, std::int64_t samples);
  // Whether the host finds the scalar among those it sent.
  bool knows_scalar(double value) const;
  // Of the newest steps, 65,536 at least, from which the run can be simulated again.
  const std::vector<StepRecord>& records() const { return records_; }
  Picoseconds now() const { return simulator_.now(); }
  std::vector<Picoseconds> clocks() const { return simulator_.clocks(); }

  // Full cut: computes what is alive, forgets the graph. `graph_name` and `note` are for people.
  std::vector<BufferId> mark_step(std::span<const Live> live, const std::string& graph_name,
                                  const std::string& note);
  // The loader's second sync of a batch: nothing is pending.
  void mark_empty_step();
  // What is pending dies without having run, as nobody keeps it.
  // `kept` are its results.
  void forget_trace(std::span<const NodeId> kept = {});
  // item() of a traced tensor: a partial cut, then a read-back. The rest stays pending.
  float item(Tensor scalar, const std::string& graph_name);
  // item() of device data: a read-back only.
  float item(BufferId scalar);

  // Compiles since the last call.
  std::vector<CompileNotice> take_notices();
  // HBM in use on each device of the run: buffers, or the peak of the largest program so far.
  Bytes hbm_used() const { return hbm_peak_; }
  Bytes largest_batch() const { return largest_batch_; }  // of a device, from the loader
  bool merged() const { return executor_.merged(); }

 private:
  struct Buffer {
    Type type;
    std::string label;
    Array values;
  };

  Tensor run_on_host(const std::shared_ptr<const Op>& op, std::span<const Tensor> inputs);
  Array held_together(const Type& type, std::span<const Array> results) const;
  std::vector<Array> each_core_on_host(const Op& op, std::span<const Array> held,
                                       std::span<const Type> types) const;
  std::vector<Array> run_cut(const Cut& cut, const std::string& graph_name,
                             const std::string& note);
  void send_new_scalars(const Cut& cut);
  StepTimeline keep_step();
  void count(std::string_view name, std::int64_t times = 1);
  std::shared_ptr<const Program> program_for(const Cut& cut, const std::string& graph_name,
                                             const std::string& note);
  std::vector<Array> partial_cut(std::span<const Tensor> tensors, const std::string& graph_name);
  std::string topology() const;
  void note_trace();
  float read(const Array& value);
  void record(Event event);
  void check_memory(const Program& program) const;

  ProgramCache& cache_;
  Metrics& metrics_;
  bool numbers_;
  bool donates_;
  bool any_memory_;
  Simulator simulator_;
  Executor executor_;
  Graph graph_;
  int traced_before_ = 0;
  std::map<BufferId, Buffer> buffers_;
  BufferId next_buffer_ = 0;
  SentScalars sent_scalars_;
  std::vector<BufferId> step_buffers_;  // results of host ops, dead after the next full cut
  std::vector<Event> events_;
  StepRecord open_;
  int process_ = 0;
  KnownStep newest_;  // filled while a step is open
  RecentEvents recent_events_;
  std::vector<StepRecord> records_;
  std::vector<CompileNotice> notices_;
  Bytes hbm_peak_;
  Bytes largest_batch_;
};

// Adds what a step did to the counters and timers, under PyTorch/XLA's names.
void count_step(const StepTimeline& step, Metrics& metrics);

}  // namespace tpulab
