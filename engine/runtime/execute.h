// execute(): the numbers of a program. Per-core values of P cores lie one after the other in one
// array, so that the merged way (identical replicas as one product) and the separate way (each core
// on its own, a real reduction) read and write the same buffers.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "engine/compiler/program.h"

namespace tpulab {

struct ExecuteOptions {
  bool reference = false;          // EvaluateContext::reference
  bool separate_replicas = false;  // never merge
  bool numbers = true;             // false: a time-only run; arrays have shapes but no values
  bool donates = true;             // outputs take over the buffers that they replace
  bool any_memory = false;         // does not refuse what the HBM cannot hold: to ask how much
};

// Shape of the array that holds a value of this type on all cores.
Shape held_shape(const Type& type, int world);

// Keeps the storage of dead arrays for the next ones of the same size.
class ArrayPool {
 public:
  // Values are not initialised.
  Array take(const Shape& shape, DType dtype);
  void give(Array array);

 private:
  std::multimap<std::size_t, std::vector<float>> free_;
  std::size_t held_ = 0;
};

class Executor {
 public:
  Executor(WorkerPool& workers, ExecuteOptions options) : workers_(workers), options_(options) {}

  // `inputs` as held, one per program input; answers the outputs as held, in order. `owners` of
  // inputs whose memory an output may take over, null of others: what was taken is empty then.
  std::vector<Array> run(const Program& program, std::span<const ArrayView> inputs,
                         std::span<Array* const> owners = {});
  // True if the last run merged the replicas.
  bool merged() const { return merged_; }
  ArrayPool& pool() { return pool_; }

 private:
  WorkerPool& workers_;
  ExecuteOptions options_;
  ArrayPool pool_;
  bool merged_ = false;
};

}  // namespace tpulab
