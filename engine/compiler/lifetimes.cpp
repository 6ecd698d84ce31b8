#include "engine/compiler/lifetimes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "engine/compiler/packing.h"
#include "engine/compiler/stored.h"
#include "engine/machine/price.h"

namespace tpulab {

namespace {

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
  const std::vector<int> kernel_of = makers_of(program);
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    for (const NodeId id : program.kernels[k].nodes) {
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

// Element by element, in another order at most; or a sum of devices.
bool works_in_place(const Program& program, const Kernel& kernel) {
  return sums_in_place(kernel) || std::ranges::all_of(kernel.nodes, [&](NodeId id) {
           const OpTraits& traits = program.node(id).traits;
           return traits.elementwise || traits.bitcast || traits.reorders || traits.constant ||
                  traits.repeats;
         });
}

// Which value that the kernel reads and nobody after it lies there already: as large as its result,
// of the same type. -1: none.
NodeId made_in_place(const Program& program, int kernel, NodeId result) {
  const Kernel& one = program.kernels[static_cast<std::size_t>(kernel)];
  if (!works_in_place(program, one)) return -1;
  for (const NodeId id : one.nodes) {
    for (const NodeId input : stored_inputs(program, program.node(id))) {
      if (program.node(input).leaf()) continue;
      const bool last = program.last_use[static_cast<std::size_t>(input)] == kernel;
      const bool alike = program.node(input).type.dtype == program.node(result).type.dtype &&
                         device_bytes(program, input) == device_bytes(program, result);
      if (last && alike && std::ranges::find(one.nodes, input) == one.nodes.end()) return input;
    }
  }
  return -1;
}

// Results that take over no input have memory from the start: they have none of their own any more,
// nor has what comes to lie there before them: a sum of gradients, and the gradient.
Bytes take_results(const Program& program, std::vector<Bytes>& bytes) {
  const std::vector<int> kernel_of = makers_of(program);
  Bytes all;
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    if (program.donated[i] >= 0) continue;
    NodeId memory = memory_of(program, program.outputs[i]);
    all += std::exchange(bytes[static_cast<std::size_t>(memory)], {});
    while (memory >= 0 && kernel_of[static_cast<std::size_t>(memory)] >= 0) {
      memory = made_in_place(program, kernel_of[static_cast<std::size_t>(memory)], memory);
      if (memory >= 0) bytes[static_cast<std::size_t>(memory)] = {};
    }
  }
  return all;
}

// Per kernel: from which on its results have memory. What comes from the host is under way as soon
// as what came before is there.
std::vector<int> begins_of_results(const Program& program) {
  std::vector<int> begins(program.kernels.size());
  std::optional<int> before;
  for (int k = 0; k < std::ssize(program.kernels); ++k) {
    const bool taken = taken_from_host(program, k);
    begins[static_cast<std::size_t>(k)] = taken ? before.value_or(k) : k;
    if (taken) before = k;
  }
  return begins;
}

// What lives at once where layers take turns. Layers that are written out take one value after the
// other from those that wait for them and leave as many for later ones: most live in the first run
// or in the last. What runs of a loop leave is one array: there before the first of them and until
// the last run of the loop that reads it [TPU: four decoders, array by array].
class Walk {
 public:
  Walk(const Program& program, const WaitingValues& waiting, const std::vector<Bytes>& bytes,
       bool stacks)
      : program_(program),
        waiting_(waiting),
        bytes_(bytes),
        stacks_(stacks),
        ends_(ends_of_passes(program)),
        begun_(ends_.size()),
        ended_(ends_.size()),
        over_(ends_.size()),
        left_(ends_.size()),
        taken_(ends_.size()) {
    note_begun();
    for (std::size_t id = 0; id < program.nodes.size(); ++id) end(static_cast<NodeId>(id));
  }

  Bytes most() {
    Bytes live;
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
      live = live - ended_[k] - over_[k];
    }
    return most;
  }

 private:
  void note_begun() {
    const std::vector<int> begins = begins_of_results(program_);
    std::map<int, int> first;  // kernel of the pass that ends there
    for (std::size_t k = 0; k < begins.size(); ++k) {
      const int enters = first.try_emplace(ends_[k], begins[k]).first->second;
      for (const NodeId id : program_.kernels[k].nodes) {
        const Bytes one = bytes_[static_cast<std::size_t>(id)];
        if (stacked(id)) {
          const int last = program_.last_use[static_cast<std::size_t>(id)];
          live_from_to(enters, ends_[static_cast<std::size_t>(last)], waiting_.stack(id, one));
          live_from_to(begins[k], ends_[k], one - waiting_.part(id, one));
        } else {
          begun_[static_cast<std::size_t>(begins[k])] += one;
        }
      }
    }
  }
  bool stacked(NodeId id) const { return stacks_ && waiting_.copies(id) > 1; }
  void live_from_to(int begin, int end, Bytes bytes) {
    begun_[static_cast<std::size_t>(begin)] += bytes;
    over_[static_cast<std::size_t>(end)] += bytes;
  }
  Bytes further(NodeId id) const {
    return waiting_.further(id, bytes_[static_cast<std::size_t>(id)]);
  }
  void note_left(NodeId id, int end) {
    if (!stacked(id)) left_[static_cast<std::size_t>(end)] += further(id);
  }

  // All runs of a pass have to be over before the last of many values has been read.
  void end(NodeId id) {
    int last = program_.last_use[static_cast<std::size_t>(id)];
    if (last < 0 || stacked(id)) return;
    if (waiting_.copies(id) > 1) last = ends_[static_cast<std::size_t>(last)];
    const auto at = static_cast<std::size_t>(last);
    ended_[at] += bytes_[static_cast<std::size_t>(id)] + further(id);
    taken_[at] += further(id);
  }

  const Program& program_;
  const WaitingValues& waiting_;
  const std::vector<Bytes>& bytes_;
  bool stacks_;
  std::vector<int> ends_;
  std::vector<Bytes> begun_;  // per kernel: what has memory from then on
  std::vector<Bytes> ended_;  // and what nobody reads after it
  std::vector<Bytes> over_;   // the same of stacks, of which no exchange takes the place
  std::vector<Bytes> left_;   // per end of a pass: what its runs but one leave behind
  std::vector<Bytes> taken_;  // and what they have read
};

// Where no more is read of an image than which of its numbers are above zero, the TPU compiler
// keeps that beside it: bits in words along its height or width, in time a byte each [libtpu
// 0.0.42.1: u32[256,28,32] and pred[256,28,28,32] of f32[256,28,28,32]; none of images of 56 or
// 64].
Bytes bytes_of_mask(const Program& program, NodeId id) {
  constexpr std::int64_t bits = 32;
  const Shape& shape = program.node(id).type.shape;
  if (shape.rank() != 4 || std::min(shape[1], shape[2]) > bits) return {};
  return padded_bytes(program.laid_out[static_cast<std::size_t>(id)], DType::pred);
}

struct OwnValue : Lifetime {
  NodeId id = -1;
};

// Kernel k begins at 2k, and is over at 2k + 1. What loops over layers keep beside their images was
// not looked at.
std::vector<OwnValue> lifetimes(const Program& program, const std::vector<Bytes>& bytes,
                                bool loops) {
  std::vector<OwnValue> values;
  const std::vector<int> begins = begins_of_results(program);
  const std::vector<int> of_numbers =
      loops ? program.last_use : last_reads(program, ReadersOf::numbers);
  for (std::size_t k = 0; k < begins.size(); ++k) {
    const int begin = 2 * begins[k];
    for (const NodeId id : program.kernels[k].nodes) {
      const int read = program.last_use[static_cast<std::size_t>(id)];
      const int numbers = of_numbers[static_cast<std::size_t>(id)];
      const bool inside = read < std::ssize(program.kernels);
      const bool masks = inside && numbers < read;
      const Bytes own = bytes[static_cast<std::size_t>(id)];
      const Bytes mask = own > Bytes{} && masks ? bytes_of_mask(program, id) : Bytes{};
      const bool sums = inside && sums_in_place(program.kernels[static_cast<std::size_t>(read)]);
      const int end = 2 * read + (sums ? -1 : 1);
      values.push_back({{begin, mask > Bytes{} ? 2 * numbers + 1 : end, own}, id});
      if (mask > Bytes{}) values.push_back({{begin, end, mask}, id});
    }
  }
  return values;
}

// What stays on the chip takes no HBM: nothing that leaves the program, or a run of a loop.
void keep_on_chip(const Program& program, const WaitingValues& waiting, Bytes room,
                  std::vector<OwnValue>& values, std::vector<Bytes>& bytes) {
  if (room <= Bytes{}) return;
  std::vector<OwnValue*> asked;
  std::vector<Lifetime> in_kernels;
  for (OwnValue& value : values) {
    const int read = program.last_use[static_cast<std::size_t>(value.id)];
    if (read >= std::ssize(program.kernels) || waiting.copies(value.id) > 1) continue;
    asked.push_back(&value);
    in_kernels.push_back({value.begin / 2, value.end / 2, value.bytes});
  }
  const std::vector<char> held = held_beside(in_kernels, room);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (held[i] == 0) continue;
    asked[i]->bytes = {};
    bytes[static_cast<std::size_t>(asked[i]->id)] = {};
  }
}

}  // namespace

Bytes device_bytes(const Program& program, NodeId id) {
  return padded_bytes(program.laid_out[static_cast<std::size_t>(id)], program.node(id).type.dtype);
}

std::vector<int> makers_of(const Program& program) {
  std::vector<int> makers(program.nodes.size(), -1);
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    for (const NodeId id : program.kernels[k].nodes) {
      makers[static_cast<std::size_t>(id)] = static_cast<int>(k);
    }
  }
  return makers;
}

bool sums_in_place(const Kernel& kernel) {
  if (!kernel.collective) return false;
  const auto& work = std::get<CollectiveWork>(kernel.work->items.at(0));
  return work.kind == CollectiveKind::all_reduce;
}

bool taken_from_host(const Program& program, int kernel) {
  const Node& first = program.node(program.kernels[static_cast<std::size_t>(kernel)].nodes.front());
  return first.traits.host_link && first.inputs.empty();
}

Bytes hbm_of_values(const Program& program, const WaitingValues& waiting, const Scheduling& how) {
  std::vector<Bytes> bytes = own_bytes(program);
  const Bytes results = how.results_first ? take_results(program, bytes) : Bytes{};
  const bool loops =
      std::ranges::any_of(program.kernels, [](const Kernel& one) { return one.runs > 1; });
  std::vector<OwnValue> values;
  if (!loops || how.on_chip > Bytes{}) {
    values = lifetimes(program, bytes, loops);
    keep_on_chip(program, waiting, how.on_chip, values, bytes);
  }
  // Holes beside what the runs of a loop leave are 0 to 3 % of the compiler's heap.
  return results + (loops ? Walk(program, waiting, bytes, how.stacks).most()
                          : packed({values.begin(), values.end()}));
}

}  // namespace tpulab
