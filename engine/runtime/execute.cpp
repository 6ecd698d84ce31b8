#include "engine/runtime/execute.h"

#include "engine/base/error.h"
#include "engine/base/workers.h"
#include "engine/runtime/merged_run.h"
#include "engine/runtime/separate_run.h"

namespace tpulab {

namespace {

std::vector<Array> outputs_without_values(const Program& program) {
  std::vector<Array> outputs;
  for (const NodeId id : program.outputs) {
    const Type& type = program.node(id).type;
    outputs.push_back(Array::without_values(held_shape(type, program.world), type.dtype));
  }
  return outputs;
}

}  // namespace

Shape held_shape(const Type& type, int world) {
  if (type.placement == Placement::shared || world == 1) return type.shape;
  if (type.shape.scalar()) return {world};
  Shape held = type.shape;
  held[0] *= world;
  return held;
}

Array ArrayPool::take(const Shape& shape, DType dtype) {
  const auto size = static_cast<std::size_t>(shape.elements());
  const auto found = free_.find(size);
  if (found == free_.end()) return Array(shape, dtype);
  std::vector<float> storage = std::move(found->second);
  free_.erase(found);
  held_ -= size;
  return Array(shape, std::move(storage), dtype);
}

void ArrayPool::give(Array array) {
  constexpr std::size_t most_held = std::size_t{64} << 20;  // floats: 256 MiB
  constexpr std::size_t most_of_a_size = 16;
  const auto size = array.values().size();
  if (size == 0 || held_ + size > most_held || free_.count(size) >= most_of_a_size) return;
  held_ += size;
  free_.emplace(size, std::move(array).release());
}

std::vector<Array> Executor::run(const Program& program, std::span<const ArrayView> inputs,
                                 std::span<Array* const> owners) {
  expects(inputs.size() == program.inputs.size(), "one value for each program input");
  if (!options_.numbers) return outputs_without_values(program);
  const bool apart = options_.separate_replicas || workers_.peers() != nullptr;
  merged_ = program.merges && !(apart && program.world > 1);
  return merged_ ? run_merged(program, inputs, owners, workers_, pool_, options_.reference)
                 : run_separate(program, inputs, workers_, options_.reference,
                                !options_.separate_replicas);
}

}  // namespace tpulab
