// When each value is read for the last time, and the most HBM that is alive at once.
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>

#include "engine/compiler/compile.h"
#include "engine/compiler/stored.h"
#include "engine/compiler/waiting.h"
#include "engine/machine/price.h"

namespace tpulab {

namespace {

Bytes device_bytes(const Program& program, NodeId id) {
  return padded_bytes(program.laid_out[static_cast<std::size_t>(id)], program.node(id).type.dtype);
}

// A folded value is read together with all that it is made of.
void use(Program& program, NodeId id, int kernel) {
  const auto noted = [&] {
    return std::exchange(program.last_use[static_cast<std::size_t>(id)], kernel) == kernel;
  };
  if (noted()) return;
  while (!stored(program, id) && value_inputs(program.node(id)).size() == 1) {
    id = value_inputs(program.node(id))[0];
    if (noted()) return;
  }
  if (stored(program, id)) return;
  for (const NodeId input : value_inputs(program.node(id))) use(program, input, kernel);
}

void find_last_uses(Program& program) {
  program.last_use.assign(program.nodes.size(), -1);
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    for (const NodeId id : program.kernels[k].nodes) {
      use(program, id, static_cast<int>(k));
      for (const NodeId input : value_inputs(program.node(id))) {
        use(program, input, static_cast<int>(k));
      }
    }
  }
  for (const NodeId output : program.outputs) {
    use(program, output, static_cast<int>(program.kernels.size()));
  }
}

// Per kernel the one behind which it may wait: the last that reads what its results take over, if
// nobody reads these before.
std::vector<int> places_of_updates(const Program& program) {
  std::vector<int> places(program.kernels.size());
  std::vector<int> first_read(program.kernels.size(), static_cast<int>(program.kernels.size()));
  std::vector<int> kernel_of(program.nodes.size(), -1);
  for (std::size_t k = 0; k < places.size(); ++k) {
    places[k] = static_cast<int>(k);
    for (const NodeId id : program.kernels[k].nodes) {
      for (const NodeId input : stored_inputs(program, program.node(id))) {
        const int maker = kernel_of[static_cast<std::size_t>(input)];
        if (maker < 0) continue;
        int& first = first_read[static_cast<std::size_t>(maker)];
        if (maker != static_cast<int>(k)) first = std::min(first, static_cast<int>(k));
      }
      kernel_of[static_cast<std::size_t>(id)] = static_cast<int>(k);
    }
  }
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    const int maker = kernel_of[static_cast<std::size_t>(memory_of(program, program.outputs[i]))];
    if (program.donated[i] < 0 || maker < 0) continue;
    const NodeId input = program.inputs[static_cast<std::size_t>(program.donated[i])];
    const int last = program.last_use[static_cast<std::size_t>(input)];
    const auto at = static_cast<std::size_t>(maker);
    if (last < first_read[at]) places[at] = std::max(places[at], last);
  }
  return places;
}

const Node& first_node(const Program& program, int kernel) {
  return program.node(program.kernels[static_cast<std::size_t>(kernel)].nodes.front());
}
bool crosses_link(const Program& program, int kernel) {
  return first_node(program, kernel).traits.host_link;
}
bool taken_from_host(const Program& program, int kernel) {
  return crosses_link(program, kernel) && first_node(program, kernel).inputs.empty();
}
bool sent_to_host(const Program& program, int kernel) {
  return crosses_link(program, kernel) && !taken_from_host(program, kernel);
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
  find_last_uses(program);
}

void wait_with_updates(Program& program) {
  std::vector<int> numbers = places_of_updates(program);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    numbers[k] = 2 * numbers[k] + (numbers[k] > static_cast<int>(k) ? 1 : 0);
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

// Per kernel: the last one of the same pass of its layer, or itself.
std::vector<int> ends_of_passes(const Program& program) {
  std::vector<int> ends(program.kernels.size() + 1);
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    const Region& region = program.node(program.kernels[k].nodes[0]).region;
    ends[k] = static_cast<int>(k);
    for (std::size_t later = k + 1; region.layer != 0 && later < program.kernels.size(); ++later) {
      if (program.node(program.kernels[later].nodes[0]).region == region) {
        ends[k] = static_cast<int>(later);
      }
    }
  }
  ends.back() = static_cast<int>(program.kernels.size());
  return ends;
}

// Bytes that one value of each node takes of its own: none for inputs (counted once), for values
// that never leave their kernel or lie in the host's memory, and for outputs that take over an
// input's buffer.
std::vector<Bytes> own_bytes(const Program& program) {
  std::vector<Bytes> bytes(program.nodes.size());
  std::vector<int> kernel_of(program.nodes.size(), -1);
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    for (const NodeId id : program.kernels[k].nodes) {
      kernel_of[static_cast<std::size_t>(id)] = static_cast<int>(k);
      const Node& node = program.node(id);
      if (node.traits.host_link && !node.inputs.empty()) continue;
      if (program.last_use[static_cast<std::size_t>(id)] > static_cast<int>(k)) {
        bytes[static_cast<std::size_t>(id)] = device_bytes(program, id);
      }
    }
  }
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    const NodeId memory = memory_of(program, program.outputs[i]);
    if (program.donated[i] < 0 || kernel_of[static_cast<std::size_t>(memory)] < 0) continue;
    const NodeId input = program.inputs[static_cast<std::size_t>(program.donated[i])];
    // While a later kernel still reads the input, the result needs memory of its own.
    const bool free = program.last_use[static_cast<std::size_t>(input)] <=
                      kernel_of[static_cast<std::size_t>(memory)];
    if (free) bytes[static_cast<std::size_t>(memory)] = {};
  }
  return bytes;
}

// An all-reduce leaves its results where its operands lie, unless these are read later.
bool sums_in_place(const Kernel& kernel) {
  if (!kernel.collective) return false;
  const auto& work = std::get<CollectiveWork>(kernel.work->items.at(0));
  return work.kind == CollectiveKind::all_reduce;
}

// What lives at once. A loop over layers takes one value after the other from those that wait for
// it and leaves as many for later ones: most live in its first run or in its last.
class Walk {
 public:
  Walk(const Program& program, const WaitingValues& waiting, bool results_first)
      : program_(program),
        waiting_(waiting),
        bytes_(own_bytes(program)),
        ends_(ends_of_passes(program)),
        begun_(ends_.size()),
        ended_(ends_.size()),
        left_(ends_.size()),
        taken_(ends_.size()) {
    if (results_first) results_ = take_results();
    note_begun();
    for (std::size_t id = 0; id < program.nodes.size(); ++id) end(static_cast<NodeId>(id));
  }

  Bytes most() {
    Bytes live = results_;
    Bytes most = live;
    const auto& kernels = program_.kernels;
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      for (const NodeId id : kernels[k].nodes) note_left(id, ends_[k]);
    }
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      if (sums_in_place(kernels[k])) live = live - std::exchange(ended_[k], {});
      live += begun_[k];
      const auto end = static_cast<std::size_t>(ends_[k]);
      most = std::max({most, live, live + left_[end] - taken_[end]});
      if (end == k) live += left_[k];
      live = live - ended_[k];
    }
    return most;
  }

 private:
  // Of results that take over no input: they have no memory of their own any more.
  Bytes take_results() {
    Bytes all;
    for (std::size_t i = 0; i < program_.outputs.size(); ++i) {
      if (program_.donated[i] >= 0) continue;
      const NodeId memory = memory_of(program_, program_.outputs[i]);
      all += std::exchange(bytes_[static_cast<std::size_t>(memory)], {});
    }
    return all;
  }
  // What comes from the host is under way as soon as what came before is there.
  void note_begun() {
    std::optional<std::size_t> before;
    for (std::size_t k = 0; k < program_.kernels.size(); ++k) {
      const bool taken = taken_from_host(program_, static_cast<int>(k));
      const std::size_t from = taken ? before.value_or(k) : k;
      for (const NodeId id : program_.kernels[k].nodes) {
        begun_[from] += bytes_[static_cast<std::size_t>(id)];
      }
      if (taken) before = k;
    }
  }
  Bytes further(NodeId id) const {
    return waiting_.further(id, bytes_[static_cast<std::size_t>(id)]);
  }
  void note_left(NodeId id, int end) { left_[static_cast<std::size_t>(end)] += further(id); }

  // All runs of a pass have to be over before the last of many values has been read.
  void end(NodeId id) {
    int last = program_.last_use[static_cast<std::size_t>(id)];
    if (last < 0) return;
    if (waiting_.copies(id) > 1) last = ends_[static_cast<std::size_t>(last)];
    const auto at = static_cast<std::size_t>(last);
    ended_[at] += bytes_[static_cast<std::size_t>(id)] + further(id);
    taken_[at] += further(id);
  }

  const Program& program_;
  const WaitingValues& waiting_;
  std::vector<Bytes> bytes_;
  Bytes results_;  // there from the start
  std::vector<int> ends_;
  std::vector<Bytes> begun_;  // per kernel: what has memory from then on
  std::vector<Bytes> ended_;  // and what nobody reads after it
  std::vector<Bytes> left_;   // per end of a pass: what its runs but one leave behind
  std::vector<Bytes> taken_;  // and what they have read
};

}  // namespace

void schedule(Program& program, const Keeping& keeping, const Scheduling& how) {
  find_last_uses(program);
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
  program.peak_bytes = program.input_bytes + Walk(program, waiting, how.results_first).most();
}

}  // namespace tpulab
