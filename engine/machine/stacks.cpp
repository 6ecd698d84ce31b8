#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/machine/machine.h"
#include "engine/machine/names.h"

// Source tags: XLA-nnnn is github.com/pytorch/xla/issues/nnnn; XLA-tpu is
// torch_xla/_internal/tpu.py of release 2.4; MT is github.com/AI-Hypercomputer/maxtext, M05
// github.com/mlcommons/training_results_v0.5; XLA-doc is docs/source of github.com/pytorch/xla;
// TFTPU is github.com/tensorflow/tpu tools/colab/mnist_tpuestimator.ipynb; PTS, PALLAS-MM and TPUR
// as in generations.cpp; JAX-prng is docs.jax.dev/en/latest/jax.random.html, JAX-cache
// persistent_compilation_cache.html there; VLLM-7533 is github.com/vllm-project/vllm/pull/7533.

namespace tpulab {

namespace {

using enum Mark;

constexpr std::array<StackRow, 5> rows{{
    {.name = "pytorch-xla",
     .about = "PyTorch/XLA 2.x, lazy: every step is traced again, one replica a process",
     .effort = Effort::ordinary,
     .year = 2022,
     .integers = DType::s64,  // torch.long
     // XLA-8059: 3,525,066 LazyTracing samples take 46.35 s, 13.1 us each in C++. Python and the
     // autograd engine come on top; half as much again is assumed.
     .trace_seconds_per_op = {20e-6, derived, "XLA-8059: 13.1 us in C++, plus Python"},
     .step_seconds = {500e-6, assumed, "loader, hooks and loop of one step in Python"},
     // A jit call costs 32 to 48 us more than its device time [PTS], 0.11 ms [PALLAS-MM],
     // 0.13 ms [TPUR].
     .dispatch_seconds = {100e-6, derived, "PTS, PALLAS-MM, TPUR: 30 to 130 us"},
     .run_ahead = {4, documented, "XLA-tpu: MAX_INFLIGHT of r2.4; 32 at head"},
     .batches_ahead = {8, documented, "XLA: MpDeviceLoader's device_prefetch_size"},
     .compile_seconds_base = {0.15, derived, "XLA-2019: graphs of a few nodes, median 150 ms"},
     // 136,000 nodes take 210 to 270 s, 1.8 ms each [XLA-1155]; a decoder of 50 layers written out,
     // about 8,800 of our operations, takes 63 s, 7.2 ms each [XLA-doc scan]. Between the two both
     // are met within a factor of two; nothing is left for a growth with the square [XLA-8824 names
     // one].
     .compile_seconds_per_node = {3.5e-3, derived, "XLA-1155, XLA-doc scan: 1.8 and 7.2 ms a node"},
     .compile_seconds_per_node_squared = {0, derived, "XLA-1155: none left at 136k nodes"},
     .load_share_of_compile = {0.1, derived, "VLLM-7533: starts of 10 to 30 min, then 1 to 3"},
     .read_back_seconds = {45e-6, derived, "XLA-8059: median TensorToData 44.9 us"},
     .kernel_efficiency = {0.85, assumed, "as jax: fewer than 4 points of 2 models"},
     .collective_overlap = {0, assumed, "XLA: one synchronous all-reduce unless flags ask"},
     .network_share = {0.55, assumed, "as jax: fewer than 4 points of 2 models"}},
    {.name = "jax",
     .about = "Flax or JAX: a step is one compiled function, nothing is traced again",
     .effort = Effort::tuned,
     .year = 2024,
     .trace_seconds_per_op = {0, documented, "a jitted function is traced once"},
     .step_seconds = {300e-6, assumed, "loader and loop of one step in Python"},
     .dispatch_seconds = {100e-6, derived, "PTS, PALLAS-MM, TPUR: 30 to 130 us"},
     .run_ahead = {32, assumed, "as the PJRT client of PyTorch/XLA at head"},
     .batches_ahead = {2, assumed, "as Flax's ImageNet example: prefetch_to_device(it, 2)"},
     .compile_seconds_base = {0.15, assumed, "as pytorch-xla"},
     .compile_seconds_per_node = {3.5e-3, assumed, "as pytorch-xla"},
     .compile_seconds_per_node_squared = {0, assumed, "as pytorch-xla"},
     .load_share_of_compile = {0.1, assumed, "as pytorch-xla"},
     .least_kept_compile_seconds = {1, documented, "JAX-cache: persistent_cache_min_compile_time"},
     .read_back_seconds = {45e-6, assumed, "as pytorch-xla"},
     .kernel_efficiency = {0.85, fitted,
                           "MT, TPUR, M05: steps of bench/points; plausible 0.7 to 1"},
     .collective_overlap = {0.5, fitted, "MT, TPUR: steps of bench/points; plausible 0 to 1"},
     .fused_attention = {1, documented,
                         "MT, TPUR: attention=flash, of whole blocks of 128 tokens, or from 4,096 "
                         "on (MaxDiffusion)"},
     .scanned_layers = {1, documented, "MT: scan_layers is true unless it is changed"},
     .loop_compiles_as = {15, derived, "XLA-doc scan: 50 layers 63 s written out, 19 s as a loop"},
     .narrow_sums = {1, documented, "XLA's TPU compiler: bf16 all-reduces behind products of jit"},
     .network_share = {0.55, fitted, "MT: joined slices of bench/points; plausible 0.2 to 1"}},
    {.name = "jax-ordinary",
     .about = "JAX as in examples of Flax and Hugging Face, with its own random numbers",
     .effort = Effort::ordinary,
     .year = 2021,
     .trace_seconds_per_op = {0, documented, "a jitted function is traced once"},
     .step_seconds = {300e-6, assumed, "as jax"},
     .dispatch_seconds = {100e-6, assumed, "as jax"},
     .run_ahead = {32, assumed, "as jax"},
     .batches_ahead = {2, assumed, "as jax"},
     .compile_seconds_base = {0.15, assumed, "as pytorch-xla"},
     .compile_seconds_per_node = {3.5e-3, assumed, "as pytorch-xla"},
     .compile_seconds_per_node_squared = {0, assumed, "as pytorch-xla"},
     .load_share_of_compile = {0.1, assumed, "as pytorch-xla"},
     .least_kept_compile_seconds = {1, documented, "JAX-cache: persistent_cache_min_compile_time"},
     .read_back_seconds = {45e-6, assumed, "as pytorch-xla"},
     .kernel_efficiency = {0.85, assumed, "as jax: fewer than 4 points of 2 models"},
     .collective_overlap = {0, assumed, "one psum of all gradients before the update"},
     .network_share = {0.55, assumed, "as jax"},
     // Two numbers take 20 rounds of five operations and 5 keys of three; each 4 to be compared.
     .random_operations = {62, documented, "JAX-prng: threefry2x32 by default"}},
    {.name = "tensorflow",
     .about = "TensorFlow: a tf.function whose steps run in a loop on the device",
     .effort = Effort::tuned,
     .year = 2019,
     .trace_seconds_per_op = {0, documented, "a tf.function is traced once"},
     .step_seconds = {1e-3, derived, "TFTPU: 984 steps a second with one infeed each"},
     .dispatch_seconds = {100e-6, assumed, "as jax"},
     .run_ahead = {1, assumed, "steps run in a loop on the device"},
     .batches_ahead = {2, assumed, "as jax"},
     .compile_seconds_base = {0.15, assumed, "as pytorch-xla"},
     .compile_seconds_per_node = {3.5e-3, assumed, "as pytorch-xla"},
     .compile_seconds_per_node_squared = {0, assumed, "as pytorch-xla"},
     .read_back_seconds = {45e-6, assumed, "as pytorch-xla"},
     .kernel_efficiency = {0.85, assumed, "as jax: fewer than 4 points of 2 models"},
     .collective_overlap = {0.5, assumed, "as jax: fewer than 4 points of 2 models"},
     .sharded_update = {1, documented, "arXiv 2004.13336: weight-update sharding from v0.6 on"},
     .network_share = {0.55, assumed, "as jax: fewer than 4 points of 2 models"}},
    {.name = "tensorflow-ordinary",
     .about = "TensorFlow as in examples with TPUEstimator: every replica updates all weights",
     .effort = Effort::ordinary,
     .year = 2018,
     .trace_seconds_per_op = {0, documented, "a tf.function is traced once"},
     .step_seconds = {1e-3, assumed, "as tensorflow"},
     .dispatch_seconds = {100e-6, assumed, "as jax"},
     .run_ahead = {1, assumed, "steps run in a loop on the device"},
     .batches_ahead = {2, assumed, "as jax"},
     .compile_seconds_base = {0.15, assumed, "as pytorch-xla"},
     .compile_seconds_per_node = {3.5e-3, assumed, "as pytorch-xla"},
     .compile_seconds_per_node_squared = {0, assumed, "as pytorch-xla"},
     .read_back_seconds = {45e-6, assumed, "as pytorch-xla"},
     .kernel_efficiency = {0.85, assumed, "as jax: fewer than 4 points of 2 models"},
     .collective_overlap = {0, assumed, "CrossShardOptimizer: one sum before the update"},
     .network_share = {0.55, assumed, "as jax: fewer than 4 points of 2 models"}},
}};

}  // namespace

std::string_view name_of(Effort effort) { return effort == Effort::tuned ? "tuned" : "ordinary"; }

std::span<const StackRow> stack_rows() { return rows; }

const StackRow& stack_named(std::string_view name) {
  std::vector<std::string> names;
  for (const StackRow& row : rows) {
    if (row.name == name) return row;
    names.emplace_back(row.name);
  }
  throw unknown_name("software stack", name, names);
}

const StackRow& stack_of(std::string_view framework, Effort effort) {
  const StackRow& row = stack_named(framework);
  if (row.effort == effort) return row;
  const auto* const other = std::ranges::find_if(rows, [&](const StackRow& one) {
    return one.effort == effort && one.name.starts_with(fmt::format("{}-", framework));
  });
  return other == rows.end() ? row : *other;
}

}  // namespace tpulab
