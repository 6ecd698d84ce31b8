// In which order kernels run, and when each value is read for the last time.
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "engine/compiler/compile.h"
#include "engine/compiler/lifetimes.h"
#include "engine/compiler/stored.h"
#include "engine/compiler/waiting.h"

namespace tpulab {

namespace {

// Per kernel the one behind which it stands. What takes over memory waits for the last kernel that
// reads it, if nobody reads its results before. Sums that devices exchange come as soon as they can
// and what returns them follows: their memory serves others then [TPU: gradients of 64 MiB].
std::vector<int> places_of_updates(const Program& program) {
  const auto count = static_cast<int>(program.kernels.size());
  std::vector<int> places(program.kernels.size());
  std::vector<int> known(program.kernels.size(), -1);  // behind it all that is read is there
  std::vector<char> of_sums(program.kernels.size());
  std::vector<std::array<int, 2>> readers(program.nodes.size(), {-1, -1});  // the last two kernels
  std::vector<int> first_read(program.kernels.size(), count);
  const std::vector<int> kernel_of = makers_of(program);
  for (std::size_t k = 0; k < places.size(); ++k) {
    for (const NodeId id : program.kernels[k].nodes) {
      for (const NodeId input : stored_inputs(program, program.node(id))) {
        auto& [last, before] = readers[static_cast<std::size_t>(input)];
        if (last != static_cast<int>(k)) before = std::exchange(last, static_cast<int>(k));
        const int maker = kernel_of[static_cast<std::size_t>(input)];
        if (maker < 0 || maker == static_cast<int>(k)) continue;
        const auto made = static_cast<std::size_t>(maker);
        first_read[made] = std::min(first_read[made], static_cast<int>(k));
        known[k] = std::max(known[k], places[made]);
        if (sums_in_place(program.kernels[made])) of_sums[k] = 1;
      }
    }
    const bool early = sums_in_place(program.kernels[k]) && known[k] >= 0;
    places[k] = early ? known[k] : static_cast<int>(k);
  }
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    const int maker = kernel_of[static_cast<std::size_t>(memory_of(program, program.outputs[i]))];
    if (maker < 0) continue;
    const auto at = static_cast<std::size_t>(maker);
    if (of_sums[at] != 0 && first_read[at] == count && places[at] == maker) places[at] = known[at];
    if (program.donated[i] < 0) continue;
    const NodeId input = program.inputs[static_cast<std::size_t>(program.donated[i])];
    const auto& [last, before] = readers[static_cast<std::size_t>(input)];
    const int others = last == maker ? before : last;
    if (others < first_read[at]) places[at] = std::max(places[at], others);
  }
  return places;
}

// Nothing comes before what it reads, which may have been made to wait since.
void follow_makers(const Program& program, std::vector<int>& places) {
  const std::vector<int> kernel_of = makers_of(program);
  for (std::size_t k = 0; k < places.size(); ++k) {
    for (const NodeId id : program.kernels[k].nodes) {
      for (const NodeId input : stored_inputs(program, program.node(id))) {
        const int maker = kernel_of[static_cast<std::size_t>(input)];
        if (maker < 0 || maker == static_cast<int>(k)) continue;
        places[k] = std::max(places[k], places[static_cast<std::size_t>(maker)]);
      }
    }
  }
}

bool sent_to_host(const Program& program, int kernel) {
  const Kernel& one = program.kernels[static_cast<std::size_t>(kernel)];
  return program.node(one.nodes.front()).traits.host_link && !taken_from_host(program, kernel);
}

// Kernels in the order of these numbers.
void reorder(Program& program, const std::vector<int>& numbers) {
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return numbers[k]; });
  std::vector<Kernel> kernels;
  kernels.reserve(order.size());
  for (const std::size_t k : order) kernels.push_back(std::move(program.kernels[k]));
  program.kernels = std::move(kernels);
  program.last_use = last_reads(program, ReadersOf::values);
}

void wait_with_updates(Program& program) {
  std::vector<int> numbers = places_of_updates(program);
  follow_makers(program, numbers);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    numbers[k] = 2 * numbers[k] + (numbers[k] != static_cast<int>(k) ? 1 : 0);
  }
  reorder(program, numbers);
}

// What comes from the host stands where it is waited for, before the first kernel that reads it;
// what goes there begins behind the kernel that makes it.
void place_host_copies(Program& program) {
  std::vector<int> numbers(program.kernels.size());
  std::vector<int> made(program.nodes.size(), -1);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    numbers[k] = 2 * static_cast<int>(k);
    int last = -1;  // of the kernels whose results it reads
    for (const NodeId id : program.kernels[k].nodes) {
      for (const NodeId input : stored_inputs(program, program.node(id))) {
        const int maker = made[static_cast<std::size_t>(input)];
        last = std::max(last, maker);
        if (maker < 0 || !taken_from_host(program, maker)) continue;
        int& place = numbers[static_cast<std::size_t>(maker)];
        if (place == 2 * maker) place = numbers[k] - 1;
      }
      made[static_cast<std::size_t>(id)] = static_cast<int>(k);
    }
    const bool sent = sent_to_host(program, static_cast<int>(k));
    if (sent && (last < 0 || !taken_from_host(program, last))) numbers[k] = 2 * last + 1;
  }
  reorder(program, numbers);
}

}  // namespace

void schedule(Program& program, const Keeping& keeping, const Scheduling& how) {
  program.last_use = last_reads(program, ReadersOf::values);
  if (how.updates_wait) wait_with_updates(program);
  const bool offloads =
      std::ranges::any_of(program.nodes, [](const Node& node) { return node.traits.host_link; });
  if (offloads) place_host_copies(program);
  const WaitingValues waiting(program, keeping);
  program.input_bytes = {};
  for (const NodeId input : program.inputs) {
    program.input_bytes += device_bytes(program, input) * waiting.copies(input);
  }
  program.offloaded = {};
  for (NodeId id = 0; id < static_cast<NodeId>(program.nodes.size()); ++id) {
    program.offloaded += waiting.on_host(id, device_bytes(program, id));
  }
  program.peak_bytes = program.input_bytes + hbm_of_values(program, waiting, how);
}

}  // namespace tpulab
