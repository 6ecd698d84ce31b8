// What the screen may know: immutable, plain, made by the engine thread at most 30 times a second.
// TPU time is the estimated clock of the emulated machine; wall time is this computer's.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/share.h"
#include "engine/base/units.h"

namespace tpulab {

enum class RunState : std::uint8_t { none, training, paused, finished, stopped, failed };
std::string_view name_of(RunState state);

// Devices count up along x, then y, then z: those of a chip first; slices one after the other.
struct TorusView {
  std::array<int, 3> chips{1, 1, 1};  // along each axis of one slice
  std::array<bool, 3> rings{};        // closed by wrap-around links
  int devices_per_chip = 1;
  int slices = 1;  // joined
};

// What binds: what would make a steady step shortest if it cost nothing.
struct Binding {
  std::string name;  // "host tracing"; "compile" while that takes most of the time; empty: unknown
  double saves = 0;  // of a step; 0: unknown
  std::string which{};            // of compiles: "first 2", "14 after the first"
  bool between_compiles = false;  // compiles took most of the newest steps; this binds the others

  bool empty() const { return name.empty(); }
  std::string brief() const;  // "host tracing, saves 94 %"
  std::string text() const;   // "host tracing, saves 94 % if free", "compile, first 2"
};

// A part of the machine that takes longer than its like.
struct SlowPart {
  std::string name;     // "core 5", "host 3", "links of chip 5"; empty: none
  std::string text;     // "core 5 takes 3x as long as the others"
  Picoseconds costs{};  // what a steady step is longer for it
  bool hidden = false;  // next to nothing: it waits itself for what takes longer

  bool empty() const { return name.empty(); }
  // "host 3 takes 2.1x as long as the others, hidden behind HBM"; empty if it is not hidden.
  std::string hidden_text(const Binding& bound) const;
};

struct RunView {
  std::int64_t number = 0;  // 1 for the first run of the session
  RunState state = RunState::none;
  bool compiling = false;  // shown while the emulated host compiles (TPU time)
  std::string model;       // "mlp 64-1024-1024-10"
  std::int64_t parameters = 0;
  std::string machine;          // "v3-8"
  std::string device = "core";  // what a device is called: "core", "chip"
  std::string devices;          // "8 of 8 cores", "core 1 of 8"
  int devices_per_host = 0;     // devices count up host by host
  TorusView torus{};
  int slow_link = -1;             // a chip whose links are slower than others; -1: none
  SlowPart slow{};                // that link, or a host or device; empty before steps that tell
  int recent_steps = 0;           // the newest, of which and of what lies between the shares are
  std::string batch;              // "32 x 8 = 256 global"
  std::string precision;          // effective
  std::string changed;            // the settings that changed while it ran, "batch, precision"
  std::int64_t from_step = 0;     // of the checkpoint from which it went on; 0: it began anew
  std::string from_file{};        // that checkpoint, wherever the program is begun
  std::uint64_t from_digest = 0;  // of what was in it; 0: not known
  std::int64_t step = 0;
  std::int64_t steps_total = 0;  // planned, 0 if unlimited
  std::int64_t epoch = 0;
  bool numbers = true;         // false: time only, no loss
  std::string products;        // what multiplies the matrices: "oneDNN, AVX-512"
  double loss = 0;             // of the newest step; NaN before it
  double test_accuracy = 0;    // of the newest finished epoch; NaN before it
  double tpu_rate_steady = 0;  // samples per second of TPU time, compile excluded
  double tpu_rate_with_compile = 0;
  double wall_rate = 0;    // samples per second of wall time, the pace's pauses left out
  Picoseconds tpu_time{};  // since the run began
  double wall_seconds = 0;
  double pause_seconds = 0;      // of these: what the pace waited
  double wall_step_seconds = 0;  // of a step since the first that compiled nothing; 0 before it
  Picoseconds step_time{};       // TPU time of a steady step (in the mean)
  Binding bound;
  std::string failure;      // of a failed run: what happened; what to do
  bool impossible = false;  // it is what the hardware or the stack cannot do
};

struct CoreView {
  int index = 0;
  bool used = false;       // part of this run
  double duty_cycle = 0;   // share of recent TPU time a program was running
  double utilisation = 0;  // unpadded matrix operations over bf16 peak, same window
  Shares shares{};         // same window; all idle for an unused core
  Picoseconds wait{};      // in collectives, for slower devices: TPU time of a steady step
  Bytes hbm_used;
  Bytes hbm_limit;
  std::vector<float> history;  // duty cycle per step, oldest first, at most 64
};

// A piece of one lane of the step strip, in TPU time.
struct StripPiece {
  Share share{};
  Picoseconds start{};
  Picoseconds end{};
};
struct StripLane {
  std::string label;               // "cores 0-7", "core 4", "host"
  std::vector<StripPiece> pieces;  // ordered; gaps are idle
};
struct StripView {
  std::int64_t first_step = 0;
  std::vector<Picoseconds> step_ends;  // boundaries of the steps shown, last one is the end
  Picoseconds start{};
  std::vector<StripLane> lanes;
};

struct CompileEvent {
  std::int64_t step = 0;
  std::string graph;  // "train step", "evaluation", "loss.item()"
  std::string cause;  // "input 0: f32[32,64] -> f32[20,64], last batch"; "first graph"
  int nodes = 0;
  Picoseconds time{};                                             // TPU time, host blocked
  std::shared_ptr<const std::vector<std::string>> differences{};  // the cause in full; may be null
  bool loaded = false;  // from disk, in place of a compile
  bool again = false;   // none of the first ones, which every run has
};
struct CompileView {
  std::int64_t compiled = 0;  // UncachedCompile
  std::int64_t cached = 0;    // CachedCompile
  std::int64_t loaded = 0;    // of these: PersistentCacheHit
  std::int64_t again = 0;     // of those compiled: behind the first ones, which every run has
  Picoseconds total{};
  std::vector<CompileEvent> events;  // newest last, at most 64

  std::string which() const;  // "first 2", "14 after the first"; empty before one
};

struct FallbackRow {
  std::string op;  // "aten::nonzero", "aten::_local_scalar_dense" (item())
  std::int64_t count = 0;
  Picoseconds download{};  // totals, TPU time; as TransferFromDeviceTime counts it
  Picoseconds waited{};    // of the downloads, for programs that were still at work
  Picoseconds cpu{};
  Picoseconds upload{};
  std::string why;      // "data-dependent shape"
  std::string instead;  // "topk of a fixed number": what runs on the TPU
};

// What happened, in words for people and in fields for scripts.
using EventValue = std::variant<std::monostate, std::int64_t, double, std::string>;  // or none
struct EventField {
  std::string name;
  EventValue value;
};
struct OutputLine {
  enum class Kind : std::uint8_t { text, command, warning, error, good };
  std::int64_t id = 0;  // counts up over the session, so a reader knows what is new
  Kind kind = Kind::text;
  std::string text;
  std::string event;               // "epoch", "compile", "fallback", "item", "summary", ...
  std::vector<EventField> fields;  // the same facts by name
};

struct LossPoint {
  float step = 0;
  float loss = 0;
};

struct RunTimeline;  // run_timeline.h
struct EndedRun;     // ended_runs.h

struct Snapshot {
  std::uint64_t sequence = 0;
  RunView run;
  std::vector<CoreView> cores;  // every core of the slice
  StripView strip;
  std::shared_ptr<const RunTimeline> timeline;  // of the whole run; null before its first step
  std::shared_ptr<const std::vector<LossPoint>> losses;  // thinned to at most 2,048; never null
  std::vector<std::shared_ptr<const EndedRun>> ended;    // the newest few, the newest last
  CompileView compiles;
  std::vector<FallbackRow> fallbacks;  // most time first
  std::vector<OutputLine> output;      // the newest 256
};

}  // namespace tpulab
