// The emulated machine: a slice of a generation, its hosts and the software that drives it.
// Constants and formulas only, no state.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/dtype.h"
#include "engine/machine/generation.h"

namespace tpulab {

// A part of a pod that can be requested by its public name, for example v3-8; or several equal ones
// joined by the data-centre network, for example 2xv5e-256.
struct Slice {
  std::string name;
  const Generation* generation = nullptr;
  int joined = 1;  // slices; their chips and hosts are counted together
  int chips = 0;
  int hosts = 0;
  std::array<int, 3> torus{1, 1, 1};               // chips along each axis, of one slice
  std::array<bool, 3> wraps{false, false, false};  // axis closed to a ring by wrap-around links

  int cores() const { return chips * generation->cores_per_chip; }
  int devices() const { return chips * generation->devices_per_chip; }
  int devices_per_host() const { return devices() / hosts; }
  // What a device is called, wherever one is named: "core" where a chip has two, else "chip".
  std::string_view device_word() const {
    return generation->devices_per_chip > 1 ? "core" : "chip";
  }
  Bytes hbm() const;  // of the whole slice
  Bytes hbm_per_device() const;
  Bytes usable_hbm_per_device() const;  // by one program
  Bytes host_memory_per_device() const;
};

// Throws Error with the nearest names: "unknown slice 'v3-9'; ..."
Slice slice_named(std::string_view name);
// Names worth offering for completion and help.
std::vector<std::string> slice_names();

// A host environment: the computer that traces, loads and compiles.
struct HostRow {
  std::string_view name;           // "tpu-vm"
  std::string_view about{};        // what it is, and since when
  std::optional<Constant> cpus{};  // none: as VMs of the slice have
  Constant cpu_flops_per_second;   // one core, plain framework code
  Constant memory_bytes_per_second;
  Constant python_speed;          // of one core, against a TPU VM's, of which the stacks' times are
  Constant link_latency_seconds;  // host to device, one transfer call
  Constant link_share;            // share of the generation's host link it reaches
  Constant
      rows_per_second_per_worker;  // input pipeline: small rows collated per second by one loader
};
std::span<const HostRow> host_rows();
const HostRow& host_named(std::string_view name);

// How far a program is fitted to the machine: as in recipes of vendors and MLPerf, or as examples
// of the framework run as they are.
enum class Effort : unsigned char { tuned, ordinary };
std::string_view name_of(Effort effort);

// A software stack: what tracing, dispatch and compilation cost the host.
struct StackRow {
  std::string_view name;     // "pytorch-xla"
  std::string_view about{};  // how it runs a step
  Effort effort = Effort::tuned;
  int year = 0;                 // of the releases it describes
  DType integers = DType::s32;  // what labels and tokens are
  Constant trace_seconds_per_op;
  Constant step_seconds;      // Python per step outside tensor operations
  Constant dispatch_seconds;  // hand one program to the device
  Constant run_ahead;         // programs the host may be ahead of the device
  Constant batches_ahead;     // that a loader keeps ready on a device
  Constant compile_seconds_base;
  Constant compile_seconds_per_node;
  Constant compile_seconds_per_node_squared;
  // A program that an earlier process left on disk is read in this share of its compile; what
  // compiles faster than that is not kept there.
  Constant load_share_of_compile{1, Mark::documented, "keeps no TPU program on disk"};
  Constant least_kept_compile_seconds{0, Mark::documented, "each program is kept"};
  Constant read_back_seconds;  // framework cost of one value read by the host
  // What whole steps reach beside the sum of their kernels.
  Constant kernel_efficiency{1, Mark::assumed, "kernels as measured one by one"};
  Constant collective_overlap{0, Mark::assumed, "one after the other"};  // share hidden
  Constant steps_per_dispatch{1, Mark::assumed, "one program a step"};
  Constant fused_attention{0, Mark::assumed, "scores go to HBM"};       // 1: stay in VMEM
  Constant scanned_layers{0, Mark::assumed, "layers are written out"};  // 1: a loop, of decoders
  // A loop compiles as long as so many of its layers, however often it runs.
  Constant loop_compiles_as{1, Mark::assumed, "no layers are a loop"};
  Constant narrow_sums{0, Mark::assumed, "replicas add up f32"};  // 1: what products make
  Constant sharded_update{0, Mark::assumed, "each replica updates all weights"};  // 1: its share
  Constant network_share{1, Mark::assumed, "all of it"};  // of the network's peak
  // Of the vector unit, for one random number of dropout, compared and used.
  Constant random_operations{8, Mark::assumed, "the core's own generator"};

  bool traces_each_step() const { return trace_seconds_per_op > 0; }
  bool can_keep_programs() const { return load_share_of_compile < 1; }
  // How rows of numbers leave the host: PyTorch sends what the data set holds and rounds on the
  // device, loaders of other frameworks round themselves.
  DType sends(DType storage, DType compute) const { return traces_each_step() ? storage : compute; }
};
std::span<const StackRow> stack_rows();
const StackRow& stack_named(std::string_view name);
// The row of that framework and effort; of another effort where there is none.
const StackRow& stack_of(std::string_view framework, Effort effort);

enum class StragglerKind : unsigned char { host, core, link };
struct Straggler {
  StragglerKind kind = StragglerKind::host;
  int index = 0;
  double factor = 1;  // how much longer it takes
};

// What a script asks of its loader, instead of what is usual.
struct LoaderHabits {
  int workers = -1;        // num_workers for each device; -1: as usual
  double row_seconds = 0;  // of one worker; 0: as the host's row says
  int ahead = 0;           // batches kept ready on a device; 0: as the stack does
  int cpus = 0;            // of the host; 0: as its row says
};

struct Machine {
  Slice slice;
  const HostRow* host = nullptr;
  const StackRow* stack = nullptr;
  std::vector<int> devices;  // which devices of the slice work, zero-based; sorted
  std::vector<Straggler> stragglers{};
  LoaderHabits loader{};

  const Generation& generation() const { return *slice.generation; }
  int world() const { return static_cast<int>(devices.size()); }
  std::vector<int> chips() const;  // on which those lie, in their order
};

}  // namespace tpulab
