#include "engine/compiler/known_groups.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <variant>

#include "engine/compiler/fuse.h"
#include "engine/compiler/mixer.h"

namespace tpulab {

namespace {

std::uint64_t bits(std::int64_t number) { return static_cast<std::uint64_t>(number); }

// Numbers the counts that it meets.
class Counts {
 public:
  std::size_t number_of(std::int64_t count) {
    const auto known = std::ranges::find(met_, count);
    const auto number = static_cast<std::size_t>(known - met_.begin());
    if (known == met_.end()) met_.push_back(count);
    return number;
  }

 private:
  std::vector<std::int64_t> met_{0, 1};  // nothing and one number are always the first
};

void add_traits(Mixer& mixer, const Program& program, NodeId id) {
  const Node& node = program.node(id);
  const OpTraits& traits = node.traits;
  std::uint64_t flags = 0;
  for (const bool flag :
       {node.leaf(), program.folded[static_cast<std::size_t>(id)] != 0, traits.constant,
        traits.elementwise, traits.reduces, traits.collective, traits.host_link, traits.repeats,
        traits.reduces && folds_rows(program, id)}) {
    flags = flags << 1U | (flag ? 1 : 0);
  }
  mixer.add(flags);
}

void add_call(Mixer& mixer, const Program& program, NodeId id) {
  const CollectiveWork work = collective_of(program, id);
  mixer.add(program.node(id).op->name());
  mixer.add(static_cast<std::uint64_t>(work.kind));
  mixer.add(bits(work.among.size));
  mixer.add(bits(work.among.apart));
  // One call sends so many bytes at most.
  if (work.kind == CollectiveKind::all_reduce) mixer.add(bits(work.bytes.value));
}

struct Memory {
  std::mutex mutex;
  std::map<FingerprintKey, std::shared_ptr<const KernelNodes>> groups;
};

Memory& memory() {
  static Memory all;
  return all;
}

}  // namespace

FingerprintKey fusion_key(const Program& program, bool rows_in_vmem) {
  Mixer mixer;
  Counts counts;
  mixer.add(rows_in_vmem ? 1 : 0);
  for (NodeId id = 0; id < static_cast<NodeId>(program.nodes.size()); ++id) {
    const Node& node = program.node(id);
    add_traits(mixer, program, id);
    mixer.add(counts.number_of(node.type.shape.elements()));
    mixer.add(bits(node.region.layer) << 8U | static_cast<std::uint64_t>(node.region.pass));
    mixer.add(bits(node.region.runs));
    mixer.add(bits(node.inputs.size()));
    for (const NodeId input : node.inputs) mixer.add(bits(input));
    if (node.traits.collective) add_call(mixer, program, id);
  }
  return mixer.key();
}

std::shared_ptr<const KernelNodes> known_groups(const FingerprintKey& key) {
  const std::lock_guard lock(memory().mutex);
  const auto found = memory().groups.find(key);
  return found == memory().groups.end() ? nullptr : found->second;
}

void remember_groups(const FingerprintKey& key, std::shared_ptr<const KernelNodes> groups) {
  constexpr std::size_t most = 64;  // 50 kB each of the largest networks
  const std::lock_guard lock(memory().mutex);
  if (memory().groups.size() >= most) memory().groups.clear();
  memory().groups[key] = std::move(groups);
}

}  // namespace tpulab
