// Other processes that compute the same run in step with this one, each some of its cores:
// `mpirun -n 4 tpulab`. All do the same calls in the same order, one after the other.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

class Peers {
 public:
  virtual ~Peers() = default;

  virtual int rank() const = 0;  // 0 has the prompt, the others follow it
  virtual int size() const = 0;
  virtual int here() const = 0;  // how many of them this computer has
  // Sends `mine` to that rank while its own come in; lengths may differ.
  virtual void exchange(int rank, std::span<const float> mine, std::span<float> theirs) = 0;
  // The text of rank `from`, on all. May wait for long, and lets the CPU rest then.
  virtual std::string broadcast(int from, std::string text) = 0;
  // Ends every process, with a sentence on standard error.
  [[noreturn]] virtual void end_all(std::string_view why) = 0;
};

// Those that were started together with this process, null if it was started alone. TPULAB_MPI=0
// starts it alone whatever else the launcher says, TPULAB_MPI=1 is for launchers but OpenMPI's.
// Throws Error for a program that was built without MPI (CMake option TPULAB_MPI).
std::unique_ptr<Peers> started_peers();

// What every rank says, by rank.
std::vector<std::string> texts_of_all(Peers& peers, const std::string& text);
// `all` is equal parts by rank, of which each has filled its own: the others' come in.
void gather_parts(Peers& peers, std::span<float> all);

}  // namespace tpulab
