// A machine with one resource made faster or slower: exact virtual speed-ups within the model.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "engine/machine/machine.h"

namespace tpulab {

enum class Resource : unsigned char {
  matrix_units,
  vector_unit,
  hbm,
  links,
  network,  // between joined slices
  hops,
  kernel_starts,
  host_tracing,
  dispatch,
  host_link,
  loader,
  host_cpu,
  read_backs,
  compiler,
};
std::span<const Resource> resources();
std::string_view name_of(Resource resource);  // "HBM", "links", "host tracing"

// Owns changed copies of the rows; the machine is valid as long as this lives.
class ScaledMachine {
 public:
  explicit ScaledMachine(const Machine& machine);
  ScaledMachine(const ScaledMachine&) = delete;
  ScaledMachine& operator=(const ScaledMachine&) = delete;

  // `factor` 2 is twice as fast; free_factor makes it cost nothing that counts.
  static constexpr double free_factor = 1e12;
  void speed_up(Resource resource, double factor);
  const Machine& machine() const { return machine_; }

 private:
  Generation generation_;
  HostRow host_;
  StackRow stack_;
  Machine machine_;
};

}  // namespace tpulab
