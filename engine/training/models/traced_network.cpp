// The kernels of a traced network: its step on one device of a mesh, compiled.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <variant>

#include "engine/base/error.h"
#include "engine/base/work.h"
#include "engine/compiler/compile.h"
#include "engine/ops/ops.h"
#include "engine/training/models/models.h"
#include "engine/training/models/pipeline.h"
#include "engine/training/models/program_blocks.h"
#include "engine/training/models/traced_step.h"

namespace tpulab {

namespace {

// The same devices of another number of replicas.
DeviceSet moved(DeviceSet among, const Mesh& from, const Mesh& to) {
  if (among.apart >= from.inside()) return devices_along(MeshAxis::slices, to);
  if (among.apart >= from.of_stage()) return devices_along(MeshAxis::pipeline, to);
  const bool replicas = among.size * among.apart == from.of_stage();
  if (replicas) among.size = among.size / from.data * to.data;
  return among;
}

struct LaterUpdate {
  std::vector<NamedKernel> kernels;
  int ops = 0;  // that were traced
};

// Each device updates its share of a parameter and its state, or all that it has.
LaterUpdate later_update(const Parameter& parameter, const WorkOptions& options) {
  const std::int64_t count = parameter.shape.elements();
  const int shards = further_shards(options);
  const std::int64_t share = (count + shards - 1) / shards;
  const Shape part{std::max<std::int64_t>(1, (share + lane_count - 1) / lane_count),
                   std::min(share, lane_count)};
  Graph graph;
  auto leaf = [&, buffer = BufferId{0}]() mutable {
    return graph.leaf(++buffer, {part, options.storage, Placement::shared});
  };
  const Tensor weight = leaf();
  const Tensor change = leaf();
  std::vector<Tensor> state;
  for (int k = 0; k < state_count({.kind = options.optimizer}); ++k) state.push_back(leaf());
  const Updated next = update({.kind = options.optimizer}, 1, weight, change, state);
  std::vector<NodeId> outputs{next.parameter.id};
  for (const Tensor& made : next.state) outputs.push_back(made.id);
  const std::vector<BufferId> overwrites(outputs.size(), -1);
  std::vector<NamedKernel> kernels;
  const auto program = compile(make_cut(graph, outputs, overwrites, {}, 1));
  for (const Kernel& kernel : program->kernels) kernels.push_back({"update", kernel.work});
  return {std::move(kernels), graph.traced_ops()};
}

std::vector<std::int64_t> normalised_channels(const std::vector<Parameter>& parameters) {
  std::vector<std::int64_t> channels;
  for (const Parameter& one : parameters) {
    if (one.name.ends_with(".norm.weight")) channels.push_back(one.shape[0]);
  }
  return channels;
}

// The block of each parameter; those outside of layers belong to the one in which they are first
// used.
std::vector<std::size_t> blocks_of(const std::vector<Parameter>& parameters) {
  std::vector<std::size_t> blocks;
  std::size_t at = 0;
  for (const Parameter& one : parameters) {
    const auto layer = static_cast<std::size_t>(one.region.layer);
    at = layer != 0 ? 2 * layer - 1 : at + at % 2;
    blocks.push_back(at);
  }
  return blocks;
}

void count_parameters(std::vector<Block>& blocks, const std::vector<Parameter>& parameters,
                      int stages) {
  const std::vector<std::size_t> places = blocks_of(parameters);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Block& block = blocks[places[i]];
    const bool of_layer = parameters[i].region.layer != 0;
    block.parameters += parameters[i].shape.elements() * (of_layer ? stages : 1);
    ++block.weights;
    block.repeats = of_layer ? parameters[i].region.runs / stages : 1;
    if (places[i] % 2 == 1) block.name = parameters[i].name.substr(0, parameters[i].name.find('.'));
  }
}

void add_updates(StepWork& work, const std::vector<Parameter>& parameters,
                 const WorkOptions& options) {
  const std::vector<std::size_t> places = blocks_of(parameters);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    LaterUpdate update = later_update(parameters[i], options);
    Block& block = work.blocks[places[i]];
    std::ranges::move(update.kernels, std::back_inserter(block.update));
    const int ops = update.ops * static_cast<int>(block.repeats);
    work.update_ops += ops;
    if (options.scanned && block.repeats > 1) work.looped[block.repeats] += ops;
  }
}

void name_others(std::vector<Block>& blocks) {
  for (Block& block : blocks) {
    if (!block.name.empty()) continue;
    block.of_loss = block.repeats > 1;
    block.name = block.of_loss ? "pieces" : "between layers";
  }
  if (blocks.size() == 1) {
    blocks[0].name = "step";
    return;
  }
  blocks.front().name = "embedding";
  blocks.back().name = "head";
}

// What one device reads of a row whose tokens devices share.
Example part_of_row(Example row, const Mesh& mesh) {
  if (mesh.context == 1) return row;
  row.row[row.row.rank() - 1] /= mesh.context;
  row.labels /= mesh.context;
  return row;
}

std::string key_of(const TracedNetwork& network, const Example& row, const WorkOptions& options) {
  const Mesh mesh = traced_mesh(options.mesh);
  return fmt::format("{} {} {} {} {} {} {} {} {} {} mesh {} {} {} {} {} {}",
                     network.model.name(row), text_of(row.dtype, row.row), row.classes, row.labels,
                     options.batch, name_of(options.storage), name_of(options.compute),
                     passes_of(options.products), static_cast<int>(options.optimizer),
                     further_shards(options), mesh.slices, mesh.data, mesh.fsdp, mesh.tensor,
                     mesh.pipeline, mesh.microbatches) +
         fmt::format(" {} {} {} {} {} {} {} {} {} {} {} {} {}",
                     name_of(options.sent.value_or(options.compute)), mesh.expert, mesh.context,
                     options.fused_attention, options.random_operations,
                     static_cast<int>(options.row_blocks), static_cast<int>(options.remat),
                     options.loss_pieces, static_cast<int>(options.softmax), options.scanned,
                     options.narrow_sums, options.sums_batches, options.on_chip.value);
}

// They depend neither on the batch nor on what is made again: such a step declares them no more.
std::shared_ptr<const std::vector<Parameter>> known_parameters(const TracedNetwork& network,
                                                               const Example& row,
                                                               WorkOptions options) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const std::vector<Parameter>>> known;
  options.batch = 1;
  options.softmax = {};
  options.scanned = false;
  options.narrow_sums = false;
  options.sums_batches = false;
  options.on_chip = {};
  const std::string key = key_of(network, row, options);
  const std::lock_guard lock(mutex);
  constexpr std::size_t most_parameters = 64;
  if (known.size() >= most_parameters && !known.contains(key)) known.clear();
  auto& kept = known[key];
  if (kept == nullptr) {
    kept = std::make_shared<const std::vector<Parameter>>(parameters_of(
        network.model, row, options.storage, traced_mesh(options.mesh), tracing_of(options)));
  }
  return kept;
}

bool divides_parameters(const Mesh& mesh) {
  return mesh.fsdp > 1 || mesh.tensor > 1 || mesh.expert > 1 || mesh.context > 1 ||
         mesh.pipeline > 1;
}

void count_ops(const TracedStep& step, StepWork& work) {
  work.update_ops = step.update_ops();
  work.traced_ops = step.traced_ops() - work.update_ops;
  work.forward_ops = step.forward_ops();
  work.looped = step.looped_ops();
}

// How many ops a step is traced as, whatever its loops keep of parts of them.
void count_ops_once(const TracedNetwork& network, const Example& part, WorkOptions options,
                    const TracedStep& step, StepWork& work) {
  const bool by_parts = tracing_of(options).found_behind_layers == Region::Finds::slopes;
  if (!by_parts) return count_ops(step, work);
  options.remat = Remat::full;  // the same, a function an op
  count_ops(TracedStep(network.model, part, options, step.parameters()), work);
}

StepWork traced(const TracedNetwork& network, const Example& row, const WorkOptions& options) {
  const Example part = part_of_row(row, options.mesh);
  const TracedStep step(network.model, part, options, *known_parameters(network, part, options));
  const auto program = step.compiled();
  int layers = 0;
  for (const Node& node : program->nodes) layers = std::max(layers, node.region.layer);
  StepWork work{.batch = step.batch()};
  work.blocks = blocks_of(*program, layers, {options.remat, options.mesh.tensor});
  count_parameters(
      work.blocks,
      divides_parameters(options.mesh)
          ? parameters_of(network.model, row, options.storage, one_device, {.layers_once = true})
          : step.parameters(),
      options.mesh.pipeline);
  name_others(work.blocks);
  count_ops_once(network, part, options, step, work);
  if (step.updates_later()) add_updates(work, step.parameters(), options);
  work.traced_ops += work.update_ops;
  work.blocks.front().normalised = normalised_channels(step.parameters());
  // Its state is in the program unless the update comes later.
  const int copies = 1 + (step.updates_later() ? 0 : state_count({.kind = options.optimizer}));
  work.weights = step.weights();
  work.state = step.state();
  work.working = program->peak_bytes - work.weights * copies + step.held_sums();
  work.offloaded = program->offloaded;
  work.made_again = program->made_again;
  work.squeezed = program->squeezed;
  if (is_integer(row.dtype)) {
    work.tokens_per_row = row.row.at(-1);
  } else {
    work.row = row.row;
  }
  return work;
}

// One stage of a pipeline: its layers for each microbatch, and its share of what lies outside.
StepWork staged(const TracedNetwork& network, const Example& row, WorkOptions options) {
  options.batch /= options.mesh.microbatches;
  const Example part = part_of_row(row, options.mesh);
  return stage_of(
      traced(network, row, options),
      TracedStep(network.model, part, options, *known_parameters(network, part, options)), options);
}

Bytes needed(const StepWork& step) { return step.working + step.weights + step.state; }

// About 60 MB of the largest networks here.
constexpr std::size_t most_known = 256;

// Threads trace side by side: two that ask for the same at once both do.
using SharedWork = std::shared_ptr<const StepWork>;
SharedWork kept(const std::string& key, const TracedNetwork& network, const Example& row,
                const WorkOptions& options) {
  static std::mutex mutex;
  static std::map<std::string, SharedWork> known;
  {
    const std::lock_guard lock(mutex);
    const auto found = known.find(key);
    if (found != known.end()) return found->second;
  }
  auto step = std::make_shared<const StepWork>(
      options.mesh.pipeline > 1 ? staged(network, row, options) : traced(network, row, options));
  const std::lock_guard lock(mutex);
  if (known.size() >= most_known) known.clear();
  known.emplace(key, step);
  return step;
}

// As large as it is asked for.
Example row_of(const TracedNetwork& network, const WorkOptions& options) {
  Example row = network.row;
  if (options.image > 0 && network.of_pixels != nullptr) {
    row = network.of_pixels(row, options.image);
  } else if (options.image > 0 && row.row.rank() == 3) {
    row.row[0] = row.row[1] = options.image;
  }
  if (options.sequence > 0 && network.of_tokens != nullptr) {
    row = network.of_tokens(row, options.sequence);
  }
  return row;
}

bool is_collective(const Work& item) { return std::holds_alternative<CollectiveWork>(item); }

void move_collectives(StepWork& step, const Mesh& mesh) {
  for (Block& block : step.blocks) {
    for (auto* kernels : {&block.forward, &block.backward, &block.update}) {
      for (NamedKernel& kernel : *kernels) {
        if (std::ranges::none_of(kernel.work->items, is_collective)) continue;
        KernelWork work = kernel.work;
        for (Work& item : work.items) {
          auto* const sent = std::get_if<CollectiveWork>(&item);
          if (sent != nullptr) sent->among = moved(sent->among, traced_mesh(mesh), mesh);
        }
        kernel.work = std::move(work);
      }
    }
  }
}

}  // namespace

StepCalls calls_of(const TracedNetwork& network, const WorkOptions& options) {
  const Example row = part_of_row(row_of(network, options), options.mesh);
  return TracedStep(network.model, row, options, *known_parameters(network, row, options)).calls();
}

SharedWork known_work(const TracedNetwork& network, const WorkOptions& options) {
  const Example row = row_of(network, options);
  const std::string key = key_of(network, row, options);
  WorkOptions unlimited = options;
  unlimited.hbm = {};
  SharedWork step = kept(key, network, row, unlimited);
  if (options.hbm.value > 0 && needed(*step) > options.hbm) {
    step = kept(fmt::format("{} in {}", key, options.hbm.value), network, row, options);
  }
  return step;
}

StepWork work_of(const TracedNetwork& network, const WorkOptions& options) {
  StepWork step = *known_work(network, options);
  move_collectives(step, options.mesh);
  return step;
}

}  // namespace tpulab
