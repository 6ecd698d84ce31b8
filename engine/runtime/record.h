// What a step was, without its numbers: enough to price it again on any machine.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/compiler/program.h"
#include "engine/graph/op.h"

namespace tpulab {

enum class EventKind : std::uint8_t {
  python,      // the host's own work of a step, outside tensor operations
  trace,       // `count` ops appended to the graph
  compile,     // a cache miss: `program` is compiled while the host waits
  next_batch,  // the loader hands over `count` rows of `sent` bytes, loaded and uploaded in the
               // background
  next_rows,   // the loader's processes hand over `count` rows, made in the background; the host
               // sends them
  load,        // the host itself loads `count` rows (one core: no background loader)
  upload,      // the host itself sends `sent` bytes
  dispatch,    // `program` is handed to the devices
  read_back,   // the host waits for the devices and takes `received` bytes
  host_op,     // un-lowered op `name`: wait, take `received`, compute `host`, send `sent`
  mark_step,   // a sync; an empty one if nothing was pending
  restart,  // the processes are gone with all they held, `count` steps behind what was saved; new
            // ones begin
};

// Whether a loader does it while the host does something else.
constexpr bool in_background(EventKind kind) {
  return kind == EventKind::next_batch || kind == EventKind::next_rows;
}

struct Event {
  EventKind kind{};
  std::int64_t count = 0;
  double loaders = 1;  // in_background(): loader processes at work for one device
  Bytes sent{};        // to one device
  Bytes received{};    // from one device
  HostWork host{};
  std::shared_ptr<const Program> program{};
  std::string name{};   // of a host op ("aten::bincount"), a read-back, a program ("train step")
  std::string cause{};  // of a compile, a restart
  std::shared_ptr<const std::vector<std::string>> differences{};  // all of them, of a compile
  bool from_disk = false;  // of a compile: the program is loaded, an earlier process compiled it
};

std::string_view name_of(EventKind kind);  // "read back"

// The program of an optimizer step.
inline constexpr std::string_view train_step_program = "train step";
// Null: the event does not run it.
std::shared_ptr<const Program> train_step_of(const Event& event);

// Of each step: the value of a progress bar and the one that it shows. [xla-counts, Lightning]
inline constexpr int reads_of_a_bar = 2;

// Of the read-back that saves a state.
inline constexpr std::string_view checkpoint_read = "checkpoint";
// Of the program that makes what a bar reads between the batches of a step.
inline constexpr std::string_view program_of_bar = "progress bar";

// check: lengths alone, where no row is validated before the first step.
enum class StepKind : std::uint8_t { setup, check, train, evaluate, restart };
std::string_view name_of(StepKind kind);  // "train"

// What a row of a step is of a whole one, where their lengths vary.
struct RowShare {
  double tokens = 1;
  double operations = 1;  // of products
};

// Steps that did the same share one list of events.
struct StepRecord {
  StepKind kind = StepKind::train;
  std::int64_t step = 0;     // optimizer steps done when it began
  std::int64_t samples = 0;  // over all cores; of a restart less than 0: those that were lost
  std::shared_ptr<const std::vector<Event>> events;
  int process = 0;  // which of the run's: after a restart the next one
  RowShare row{};
};

bool operator==(const Event& a, const Event& b);

// A run keeps the newest of its records, so many at least; of twice as many the older half goes.
inline constexpr std::ptrdiff_t run_records = 65'536;
void keep_record(std::vector<StepRecord>& records, StepRecord record);

// Of the training steps since that one, over all cores.
std::int64_t samples_since(std::int64_t step, std::span<const StepRecord> records);

// Of an op that falls back: what it takes of these, and gives.
Event host_op_event(const Op& op, std::span<const Type> inputs, const Type& output);

}  // namespace tpulab
