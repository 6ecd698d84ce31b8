// A training step from a text, as the work of one device.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/training/workload.h"

namespace tpulab {

// That one program may hold, so that counts multiplied by them stay in 63 bits.
inline constexpr std::int64_t most_steps = 1 << 20;

struct ImportedStep {
  std::string file{};
  StepWork work{};
  std::int64_t operations = 0;        // of the text
  std::int64_t kernels = 0;           // that a device launches a step, loops multiplied
  Flops flops{};                      // of products and convolutions, loops multiplied
  bool open = false;                  // its batch: `rows` is what it was read with
  std::int64_t rows = 0;              // of a batch, as tell_arguments() has it; 0: unknown
  std::int64_t alike = 1;             // devices that have the same rows
  std::vector<std::string> inputs{};  // "f32[64,32]", in the order of the text; empty: unknown
  Bytes state{};           // arguments that come back changed: weights and optimizer state, caches
  bool trains = false;     // else it is a call, whose arguments all stay where they are
  bool of_jax = false;     // says the name of its module
  std::int64_t steps = 1;  // that the program holds, of `rows` together
  Bytes stays{};           // on a device between steps
  int devices = 1;         // that the text was made for
  int exchanging = 1;      // devices that its collectives span
  std::vector<std::string> notes{};  // what was read and left out: "12 shardings left out, .."
};

Bytes bytes_of_type(const Type& type);  // unpadded
// Adds the operations of products that run so often. Throws Error where they are more than any TPU
// is given at once: they are counted in 63 bits.
void add_flops(ImportedStep& step, Flops flops, std::int64_t repeats);
// Says how many steps the program holds, if they are several.
void note_steps(ImportedStep& step);
// And what it has in the host's memory, if anything.
void note_host_memory(ImportedStep& step);
// JAX calls its modules jit_step, and of old pmap_step.
bool named_by_jax(std::string_view module);
// "src/train.py", 42 -> "train.py:42"; empty without a file or a line.
std::string text_of_place(std::string_view file, std::int64_t line);
int device_count(std::int64_t partitions, std::int64_t replicas);

}  // namespace tpulab
