// Prints it. Words and thresholds are those of torch_xla. [X:torch_xla/csrc/debug_util.cpp,
// X:torch_xla/csrc/runtime/metrics_analysis.cpp]
#include "engine/session/answers/xla_debug.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "engine/base/error.h"
#include "engine/compiler/lifetimes.h"
#include "engine/formats/metrics_report.h"
#include "engine/machine/price.h"

namespace tpulab {

namespace {

constexpr std::array<std::string_view, 3> unknown_here{
    "# As PT_XLA_DEBUG=1 prints it with torch_xla's newest words. Not known here: lines and paths",
    "# of frames, the frames above those named, your own functions, the computation's hash and",
    "# the compiled program's size. Graph hashes are this program's own."};

constexpr std::size_t rule_length = 80;
constexpr double too_frequent = 0.5;  // of the syncs
constexpr std::int64_t syncs_before_compiles_count = 10;
constexpr double slow_compile = 300e9;  // nanoseconds
constexpr double slow_execution = 30e9;

enum class CutCause : std::uint8_t { user_sync, loader_sync, access };

// The cut behind a program: what follows it, and which program it is.
CutCause cut_of(std::span<const TimedEvent> events, std::size_t at) {
  while (at < events.size() && events[at].event->kind != EventKind::dispatch) ++at;
  if (at == events.size()) return CutCause::access;
  const Event& program = *events[at].event;
  const bool synced = at + 1 < events.size() && events[at + 1].event->kind == EventKind::mark_step;
  if (!synced) return CutCause::access;
  return program.name == train_step_program ? CutCause::user_sync : CutCause::loader_sync;
}

std::string_view sentence(CutCause cut) {
  switch (cut) {
    case CutCause::user_sync:
      return "user torch_xla.sync";
    case CutCause::loader_sync:
      return "torch_xla.sync in parallel loader at step end";
    case CutCause::access:
      break;
  }
  return "most likely user code trying to access tensor value before torch_xla.sync";
}

// Functions and files as far as Lightning's own source names them; no line is known.
std::vector<std::string> frames(CutCause cut, std::string_view program) {
  if (cut == CutCause::user_sync) {
    return {"sync (torch_xla/torch_xla.py)",
            "optimizer_step (lightning/pytorch/plugins/precision/xla.py)"};
  }
  if (cut == CutCause::loader_sync) {
    return {"sync (torch_xla/torch_xla.py)", "next (torch_xla/distributed/parallel_loader.py)"};
  }
  if (program == "length of a loader") {
    return {"has_len_all_ranks (lightning/pytorch/utilities/data.py)"};
  }
  if (program == program_of_bar || program == "evaluation") {
    return {"metrics (lightning/pytorch/trainer/connectors/logger_connector/result.py)"};
  }
  return {"training_step (your script)"};
}

std::string gigabytes(Bytes bytes) {
  return fmt::format("{:.6f} GB", static_cast<double>(bytes.value) / (1024.0 * 1024 * 1024));
}

class DebugOutput {
 public:
  void add(const StepTimeline& step, bool printed) {
    printed_ = printed;
    for (std::size_t i = 0; i < step.events.size(); ++i) add(step.events, i);
  }
  std::vector<std::string> take() { return std::move(lines_); }

 private:
  void add(std::span<const TimedEvent> events, std::size_t at) {
    const TimedEvent& timed = events[at];
    const Event& event = *timed.event;
    switch (event.kind) {
      case EventKind::compile:
        ++compiles_;
        longest_compile_ = std::max(longest_compile_, timed.compile());
        say_cause("Compilation", events, at);
        say_sizes(*event.program);
        break;
      case EventKind::dispatch:
        longest_execution_ =
            std::max(longest_execution_, timed.finished - timed.start - timed.waited);
        say_cause("Execution", events, at);
        break;
      case EventKind::host_op:
        unlowered_.insert(event.name);
        ++downloads_;
        break;
      case EventKind::read_back:
        ++downloads_;
        break;
      case EventKind::mark_step:
        ++syncs_;
        say_complaints();
        break;
      default:
        break;
    }
  }

  void say(std::string line) {
    if (printed_) lines_.push_back(std::move(line));
  }

  void say_cause(std::string_view what, std::span<const TimedEvent> events, std::size_t at) {
    if (!printed_) return;
    const Event& event = *events[at].event;
    const CutCause cut = cut_of(events, at);
    const Program& program = *event.program;
    const auto& words = program.fingerprint.key.words;
    const std::string head = fmt::format("{} Analysis: ", what);
    say("");
    say(head + std::string(rule_length, '='));
    say(fmt::format("{}{} Cause", head, what));
    say(fmt::format("{}  {}", head, sentence(cut)));
    say(head + "Graph Info: ");
    say(fmt::format("{}  Graph Hash: {:x}{:016x}", head, words[0], words[1]));
    // A program that is known by its kernels alone has no list of them.
    if (!program.nodes.empty()) {
      say(fmt::format("{}  Number of Graph Inputs: {}", head, program.inputs.size()));
      say(fmt::format("{}  Number of Graph Outputs: {}", head, program.outputs.size()));
    }
    say(head + "Python Frame Triggered Execution: ");
    for (const std::string& frame : frames(cut, event.name))
      say(fmt::format("{}  {}", head, frame));
    say(head + "  ..........");
    say(head + std::string(rule_length, '-'));
    say(head + std::string(rule_length, '='));
  }

  // What the compiler does not tell is "Unknown " in the original, too.
  void say_sizes(const Program& program) {
    if (!printed_) return;
    Bytes outputs{};
    Bytes aliased{};
    for (std::size_t i = 0; i < program.outputs.size(); ++i) {
      outputs += device_bytes(program, program.outputs[i]);
      const int input = i < program.donated.size() ? program.donated[i] : -1;
      if (input < 0) continue;
      aliased += device_bytes(program, program.inputs[static_cast<std::size_t>(input)]);
    }
    const bool known = !program.nodes.empty();
    const std::int64_t between =
        program.peak_bytes.value - program.input_bytes.value - (outputs.value - aliased.value);
    const auto line = [this](std::string_view name, const std::string& value) {
      say(fmt::format("Post Compilation Analysis: {}: {}", name, value));
    };
    const std::string unknown = "Unknown  GB";
    say("");
    say("Post Compilation Analysis: " + std::string(rule_length, '='));
    line("Graph input size", known ? gigabytes(program.input_bytes) : unknown);
    line("Graph output size", known ? gigabytes(outputs) : unknown);
    line("Aliased Input size", known ? gigabytes(aliased) : unknown);
    line("Intermediate tensor size",
         known ? gigabytes({std::max<std::int64_t>(between, 0)}) : unknown);
    line("Compiled program size", unknown);
    say("Post Compilation Analysis: " + std::string(rule_length, '-'));
    say("Post Compilation Analysis: " + std::string(rule_length, '='));
  }

  void say_frequent(std::string_view name, std::int64_t times) {
    if (static_cast<double>(times) <= too_frequent * static_cast<double>(syncs_)) return;
    say(fmt::format("pt-xla-profiler: {} too frequent: {} counts during {} steps", name, times,
                    syncs_));
  }

  void say_slow(std::string_view name, Picoseconds longest, double limit) {
    constexpr double picoseconds_per_nanosecond = 1000;
    const double nanoseconds = static_cast<double>(longest.count()) / picoseconds_per_nanosecond;
    if (nanoseconds <= limit) return;
    say(
        fmt::format("pt-xla-profiler: {} too slow: longest instance took {}. Please open a GitHub "
                    "issue with the graph dump for our team to optimize.",
                    name, metric_text(MetricUnit::time, nanoseconds)));
  }

  void say_complaints() {
    if (!printed_) return;
    if (syncs_ > syncs_before_compiles_count) say_frequent("CompileTime", compiles_);
    say_frequent("TransferFromDeviceTime", downloads_);
    say_slow("CompileTime", longest_compile_, slow_compile);
    say_slow("ExecuteTime", longest_execution_, slow_execution);
    if (unlowered_.empty()) return;
    std::string names;
    for (const std::string& name : unlowered_) names += name + ", ";
    say(
        fmt::format("pt-xla-profiler: Op(s) not lowered: {} Please open a GitHub issue with the "
                    "above op lowering requests.",
                    names));
  }

  std::vector<std::string> lines_;
  bool printed_ = true;
  std::int64_t compiles_ = 0;
  std::int64_t downloads_ = 0;
  std::int64_t syncs_ = 0;
  Picoseconds longest_compile_{};
  Picoseconds longest_execution_{};
  std::set<std::string> unlowered_;
};

}  // namespace

std::vector<std::string> xla_debug_of(const RunEvidence& run, std::int64_t most) {
  if (!run.machine.stack->traces_each_step()) {
    throw Error(fmt::format("{} has no PT_XLA_DEBUG: it is PyTorch/XLA's; stack pytorch-xla has it",
                            run.machine.stack->name));
  }
  const std::vector<StepTimeline> steps = timeline_of(run, Detail::shares);
  DebugOutput output;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    output.add(steps[i], std::ssize(steps) - static_cast<std::int64_t>(i) <= most);
  }
  std::vector<std::string> lines(unknown_here.begin(), unknown_here.end());
  if (const std::int64_t first = first_step_of(run, steps); first > 0) {
    lines.push_back(fmt::format("# Steps before {} are not kept, and not counted.", first));
  }
  std::ranges::move(output.take(), std::back_inserter(lines));
  return lines;
}

}  // namespace tpulab
