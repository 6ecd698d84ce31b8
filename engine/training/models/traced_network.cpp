// The kernels of a traced network: its step on one device of a mesh, compiled.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "engine/base/error.h"
#include "engine/compiler/compile.h"
#include "engine/ops/ops.h"
#include "engine/training/gradient.h"
#include "engine/training/models/models.h"
#include "engine/training/partition.h"

namespace tpulab {

namespace {

constexpr int several = 2;  // replicas: how many, only collectives depend on
constexpr std::int64_t lanes = 128;

MatmulPrecision precision_of(int passes) {
  if (passes == 1) return MatmulPrecision::default_;
  return passes == 3 ? MatmulPrecision::high : MatmulPrecision::highest;
}

// Steps that differ in the number of replicas alone are traced once.
Mesh traced_mesh(Mesh mesh) {
  mesh.data = std::min(mesh.data, several);
  mesh.slices = std::min(mesh.slices, several);
  return mesh;
}

// The same devices of another number of replicas.
DeviceSet moved(DeviceSet among, const Mesh& from, const Mesh& to) {
  if (among.apart >= from.inside()) return devices_along(MeshAxis::slices, to);
  const bool replicas = among.size * among.apart == from.inside();
  if (replicas) among.size = among.size / from.data * to.data;
  return among;
}

// Replicas that share what is left of the update: each device has its part of sharded weights.
int further_shards(const WorkOptions& options) { return options.update_shards / options.mesh.fsdp; }

// A step as the trainer traces it, once the optimizer has its state, for one device of a mesh.
class Step {
 public:
  Step(const Model& model, const Example& row, const WorkOptions& options)
      : row_(row),
        options_(options),
        mesh_(traced_mesh(options.mesh)),
        optimizer_{.kind = options.optimizer},
        parameters_(parameters_of(model, row, options.storage, mesh_)) {
    for (const Parameter& one : parameters_) leaves_.push_back(leaf(one.shape, one.name));
    trace_loss(model);
    trace_gradients();
    if (!shares_update()) trace_updates();
  }

  std::shared_ptr<const Program> compiled() const {
    return compile(make_cut(graph_, outputs_, overwrites_, {}, mesh_.devices()),
                   {.hbm = options_.hbm});
  }
  const std::vector<Parameter>& parameters() const { return parameters_; }
  Bytes batch() const { return batch_; }
  // What the program traces: a partitioner inserts collectives as it compiles, but for the call
  // that sums a gradient over replicas.
  int traced_ops() const {
    int count = mesh_.replicas() > 1 ? static_cast<int>(leaves_.size()) : 0;
    for (NodeId id = 0; id < graph_.size(); ++id) {
      const Node& node = graph_.node(id);
      count += !node.leaf() && !node.op->traits().collective;
    }
    return count;
  }
  bool shares_update() const { return further_shards(options_) > 1; }

 private:
  Tensor leaf(const Shape& shape, const std::string& name) {
    return graph_.leaf(++buffers_, {shape, options_.storage, Placement::shared}, name);
  }
  Tensor rows(const Shape& row, DType dtype, const char* name) {
    const Type type{row.of_rows(options_.batch), dtype, Placement::per_core};
    batch_ += {type.shape.elements() * bytes_of(dtype)};
    return graph_.leaf(++buffers_, type, name);
  }

  void trace_loss(const Model& model) {
    const DType dtype = is_integer(row_.dtype) ? row_.dtype : options_.compute;
    const Tensor inputs = rows(row_.row, dtype, "rows");
    const Tensor labels =
        rows(row_.labels == 1 ? Shape{} : Shape{row_.labels}, DType::s32, "labels");
    Scope scope(leaves_, options_.compute, precision_of(options_.passes), mesh_);
    const Tensor logits = logits_of(model, scope, inputs, row_, options_.storage);
    loss_ = loss_of(scope, logits, reshape(labels, Shape{labels.shape().elements()}), row_);
  }

  void trace_gradients() {
    gradients_ = gradient(loss_, leaves_, 1.0 / mesh_.replicas());
    gradients_ = summed_gradients(std::move(gradients_), parameters_, mesh_);
    keep(loss_, -1);
    if (!shares_update()) return;
    for (const Tensor& one : gradients_) keep(one, -1);
  }

  void trace_updates() {
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      std::vector<Tensor> state;
      state.reserve(static_cast<std::size_t>(state_count(optimizer_)));
      for (int k = 0; k < state_count(optimizer_); ++k) {
        state.push_back(leaf(leaves_[i].shape(), "state"));
      }
      const Updated next = update(optimizer_, 1, leaves_[i], gradients_[i], state);
      keep(next.parameter, graph_.node(leaves_[i].id).buffer);
      for (std::size_t k = 0; k < state.size(); ++k) {
        keep(next.state[k], graph_.node(state[k].id).buffer);
      }
    }
  }

  void keep(Tensor value, BufferId overwrites) {
    outputs_.push_back(value.id);
    overwrites_.push_back(overwrites);
  }

  Example row_;
  WorkOptions options_;
  Mesh mesh_;
  OptimizerOptions optimizer_;
  std::vector<Parameter> parameters_;
  Graph graph_;
  BufferId buffers_ = 0;
  std::vector<Tensor> leaves_;
  std::vector<Tensor> gradients_;
  Tensor loss_;
  std::vector<NodeId> outputs_;
  std::vector<BufferId> overwrites_;
  Bytes batch_;
};

// Nodes that the first output, the loss, is made of.
std::vector<char> made_for_loss(const Program& program) {
  std::vector<char> needed(program.nodes.size(), 0);
  needed[static_cast<std::size_t>(program.outputs.front())] = 1;
  for (auto id = static_cast<std::ptrdiff_t>(needed.size()) - 1; id >= 0; --id) {
    if (!needed[static_cast<std::size_t>(id)]) continue;
    for (const NodeId input : program.nodes[static_cast<std::size_t>(id)].inputs) {
      needed[static_cast<std::size_t>(input)] = 1;
    }
  }
  return needed;
}

bool multiplies(const KernelWork& work) {
  return std::ranges::any_of(
      work.items, [](const Work& item) { return std::holds_alternative<MatrixWork>(item); });
}

void note_largest(const Kernel& kernel, Block& block) {
  for (const Operand& made : kernel.work.writes) {
    const Bytes bytes{made.shape.elements() * bytes_of(made.dtype)};
    if (bytes <= block.largest) continue;
    block.largest = bytes;
    block.largest_name = kernel.name + " " + text_of(made.dtype, made.shape);
  }
}

bool updates(const Program& program, const Kernel& kernel) {
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    if (program.donated[i] >= 0 && std::ranges::binary_search(kernel.nodes, program.outputs[i])) {
      return true;
    }
  }
  return false;
}

// Kernels in their order: those that the loss needs, those of its gradients, and the updates where
// they wait for other devices.
void list_kernels(const Program& program, Block& block) {
  const std::vector<char> forward = made_for_loss(program);
  for (const Kernel& kernel : program.kernels) {
    const bool first = forward[static_cast<std::size_t>(kernel.nodes.front())] != 0;
    const bool update = program.world > 1 && updates(program, kernel);
    std::vector<NamedKernel>& pass = first ? block.forward : update ? block.update : block.backward;
    for (int launch = 0; launch < kernel.launches; ++launch) {
      const bool again = launch > 0;
      pass.push_back({kernel.name, again ? KernelWork{} : kernel.work, multiplies(kernel.work)});
      // Links are what takes time; between slices a chip sends a piece of the payload alone.
      if (kernel.collective) pass.back().work.reads = pass.back().work.writes = {};
    }
    note_largest(kernel, block);
  }
}

// Each device updates its share of every parameter and state.
std::vector<NamedKernel> shared_updates(const Step& step, const WorkOptions& options) {
  std::vector<NamedKernel> kernels;
  for (const Parameter& parameter : step.parameters()) {
    const std::int64_t count = parameter.shape.elements();
    const int shards = further_shards(options);
    const std::int64_t share = (count + shards - 1) / shards;
    const Shape part{std::max<std::int64_t>(1, (share + lanes - 1) / lanes),
                     std::min(share, lanes)};
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
    const auto program = compile(make_cut(graph, outputs, overwrites, {}, 1));
    for (const Kernel& kernel : program->kernels) kernels.push_back({"update", kernel.work});
  }
  return kernels;
}

std::vector<std::int64_t> normalised_channels(const std::vector<Parameter>& parameters) {
  std::vector<std::int64_t> channels;
  for (const Parameter& one : parameters) {
    if (one.name.ends_with(".norm.weight")) channels.push_back(one.shape[0]);
  }
  return channels;
}

StepWork traced(const TracedNetwork& network, const Example& row, const WorkOptions& options) {
  const Step step(network.model, row, options);
  const auto program = step.compiled();
  Block block{.name = "step"};
  list_kernels(*program, block);
  if (step.shares_update()) block.update = shared_updates(step, options);
  block.parameters = parameter_count(parameters_of(network.model, row, options.storage));
  block.parameters_here = parameter_count(step.parameters());
  block.normalised = normalised_channels(step.parameters());
  // Its state is in the program unless devices share the update.
  const int copies = 1 + (step.shares_update() ? 0 : state_count({.kind = options.optimizer}));
  const Bytes weights{block.parameters_here * bytes_of(options.storage)};
  block.saved = program->peak_bytes - weights * copies;
  StepWork work{
      .batch = step.batch(), .working = block.saved, .weights = weights, .partitioned = true};
  block.input = work.batch;
  work.blocks.push_back(std::move(block));
  work.traced_ops = step.traced_ops();
  return work;
}

std::string key_of(const TracedNetwork& network, const Example& row, const WorkOptions& options) {
  const Mesh mesh = traced_mesh(options.mesh);
  return fmt::format("{} {} {} {} {} {} {} {} {} {} mesh {} {} {} {}", network.model.name(row),
                     text_of(row.dtype, row.row), row.classes, row.labels, options.batch,
                     name_of(options.storage), name_of(options.compute), options.passes,
                     static_cast<int>(options.optimizer), further_shards(options), mesh.slices,
                     mesh.data, mesh.fsdp, mesh.tensor);
}

Bytes needed(const StepWork& step, const WorkOptions& options) {
  return step.working + step.weights * (1 + state_count({.kind = options.optimizer}));
}

// Once for each key, whoever asks.
StepWork kept(const std::string& key, const TracedNetwork& network, const Example& row,
              const WorkOptions& options) {
  static std::mutex mutex;
  static std::map<std::string, StepWork> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  constexpr std::size_t most_known = 1024;
  if (known.size() >= most_known) known.clear();
  return known.emplace(key, traced(network, row, options)).first->second;
}

void move_collectives(StepWork& step, const Mesh& mesh) {
  for (Block& block : step.blocks) {
    for (auto* kernels : {&block.forward, &block.backward, &block.update}) {
      for (NamedKernel& kernel : *kernels) {
        for (Work& item : kernel.work.items) {
          auto* const work = std::get_if<CollectiveWork>(&item);
          if (work != nullptr) work->among = moved(work->among, traced_mesh(mesh), mesh);
        }
      }
    }
  }
}

}  // namespace

StepWork work_of(const TracedNetwork& network, const WorkOptions& options) {
  Example row = network.row;
  if (options.image > 0 && row.row.rank() == 3) row.row[0] = row.row[1] = options.image;
  const std::string key = key_of(network, row, options);
  WorkOptions unlimited = options;
  unlimited.hbm = {};
  StepWork step = kept(key, network, row, unlimited);
  if (options.hbm.value > 0 && needed(step, options) > options.hbm) {
    step = kept(fmt::format("{} in {}", key, options.hbm.value), network, row, options);
  }
  move_collectives(step, options.mesh);
  return step;
}

}  // namespace tpulab
