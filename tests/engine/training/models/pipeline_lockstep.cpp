#include "tests/engine/training/models/pipeline_lockstep.h"

#include <fmt/format.h>

#include <optional>

#include "engine/base/error.h"

namespace tpulab::test {

namespace {

using Values = std::map<NodeId, Array>;  // of one run of some of the nodes
using Lane = std::vector<std::optional<Array>>;

const Array& value_of(const Program& program, NodeId id, Values& known) {
  const auto found = known.find(id);
  if (found != known.end()) return found->second;
  const Node& node = program.node(id);
  if (node.scalar) return known.emplace(id, Array::scalar(*node.scalar)).first->second;
  expects(!node.leaf(), "a stage was given all that it reads");
  std::vector<ArrayView> views;
  for (const NodeId input : node.inputs) views.push_back(value_of(program, input, known).view());
  Array out(node.type.shape, node.type.dtype);
  node.op->evaluate(views, out.span(), {.workers = nullptr, .reference = true});
  round_to(out.dtype(), out.values());
  return known.emplace(id, std::move(out)).first->second;
}

void add_to(std::map<std::string, Array>& sums, const std::string& name, const Array& more) {
  const auto [at, fresh] = sums.emplace(name, more);
  for (std::int64_t i = 0; !fresh && i < more.elements(); ++i) at->second[i] += more[i];
}

// The one value that crosses from some nodes to others.
void note(NodeId& crossing, NodeId id) {
  expects(crossing < 0 || crossing == id, "one value alone crosses between layer and others");
  crossing = id;
}

// Where layers begin and end, in both passes.
struct Crossings {
  NodeId fed = -1;      // made before the layers
  NodeId begins = -1;   // what a layer begins with
  NodeId ends = -1;     // what it hands on
  NodeId back = -1;     // the gradient of that, made behind the layers
  NodeId through = -1;  // the gradient of what a layer began with

  explicit Crossings(const Program& program) {
    std::vector<char> varies(program.nodes.size(), 0);
    for (NodeId id = 0; id < static_cast<NodeId>(program.nodes.size()); ++id) {
      const Node& node = program.node(id);
      auto& own = varies[static_cast<std::size_t>(id)];
      own = static_cast<char>(node.leaf() && !node.scalar);
      for (const NodeId input : node.inputs) {
        own = static_cast<char>(own | varies[static_cast<std::size_t>(input)]);
        if (program.node(input).leaf() || !varies[static_cast<std::size_t>(input)]) continue;
        look(program, input, node);
      }
      if (node.traits.carries) note(begins, id);
    }
  }

 private:
  void look(const Program& program, NodeId input, const Node& reader) {
    const Region& from = program.node(input).region;
    const bool first = from.pass == Region::Pass::forward;
    if (from.layer == 0 && reader.region.layer != 0) {
      note(reader.region.pass == Region::Pass::forward ? fed : back, input);
    }
    if (from.layer != 0 && reader.region.layer == 0) note(first ? ends : through, input);
  }
};

class Pipeline {
 public:
  Pipeline(const TracedStep& step, const Mesh& mesh, const std::map<std::string, Array>& weights)
      : program_(step.compiled()),
        parameters_(step.parameters()),
        crossings_(*program_),
        weights_(weights),
        stages_(mesh.pipeline),
        microbatches_(mesh.microbatches),
        each_(mesh.microbatches / mesh.pipeline) {
    for (const Parameter& one : parameters_) {
      if (one.region.layer != 0) layers_ = static_cast<int>(one.region.runs);
    }
    result_.turns = microbatches_ + stages_ - 1;
    result_.forward.resize(static_cast<std::size_t>(stages_));
    result_.backward.resize(static_cast<std::size_t>(stages_));
  }

  PipelinedStep run(const std::vector<Array>& rows, const std::vector<Array>& labels) && {
    for (int i = 0; i < microbatches_; ++i) begin(i, rows[at(i)], labels[at(i)]);
    for (int turn = 0; turn < result_.turns; ++turn) forward(turn);
    for (int i = 0; i < microbatches_; ++i) turn_back(i);
    for (int turn = result_.turns - 1; turn >= 0; --turn) backward(turn);
    for (int i = 0; i < microbatches_; ++i) end(i);
    return std::move(result_);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int owner(int microbatch) const { return microbatch / each_; }
  bool working(int turn, int stage) const { return turn >= stage && turn - stage < microbatches_; }
  // Where a stage keeps what is its own of the inputs and results that pass by.
  std::optional<Array>& slot(int stage, int turn) { return stream_[{stage, turn % each_}]; }
  // Where the result of a microbatch comes to lie.
  int turn_of_result(int microbatch) const { return stages_ - 1 + microbatch; }

  void give_weights(Values& known, int layer) const {
    for (const Parameter& one : parameters_) {
      if ((one.region.layer != 0) == (layer > 0)) {
        known.emplace(leaf_named(one.name), weights_.at(written_out(one, layer)));
      }
    }
  }

  static std::string written_out(const Parameter& parameter, int layer) {
    const std::string& name = parameter.name;
    return layer == 0 ? name : fmt::format("layer{}{}", layer, name.substr(name.find('.')));
  }

  NodeId leaf_named(const std::string& label) const {
    for (const NodeId id : program_->inputs) {
      if (program_->node(id).label == label) return id;
    }
    throw Error("a stage does not read " + label);
  }

  void begin(int microbatch, const Array& rows, const Array& labels) {
    Values& own = outside_.emplace_back();
    give_weights(own, 0);
    own.emplace(leaf_named("rows"), rows);
    own.emplace(leaf_named("labels"), labels);
    stream_[{owner(microbatch), microbatch % each_}] = value_of(*program_, crossings_.fed, own);
    ++result_.forward[at(owner(microbatch))].outside;
  }

  Array through_layers(int stage, int microbatch, Array x) {
    for (int i = 1; i <= layers_; ++i) {
      const int layer = stage * layers_ + i;
      Values& own = inside_[{microbatch, layer}];
      give_weights(own, layer);
      own.emplace(crossings_.begins, std::move(x));
      x = value_of(*program_, crossings_.ends, own);
      ++result_.forward[at(stage)].layers;
    }
    return x;
  }

  void forward(int turn) {
    Lane made(at(stages_));
    for (int stage = 0; stage < stages_; ++stage) {
      if (!working(turn, stage)) continue;
      const std::optional<Array>& x = stage == 0 ? slot(0, turn) : handed_[at(stage)];
      made[at(stage)] = through_layers(stage, turn - stage, x.value());
    }
    handed_ = moved(made, 1, result_.forward);
    pass_stream(turn, -1, made.back(), result_.forward);
  }

  void turn_back(int microbatch) {
    std::optional<Array>& place = slot(owner(microbatch), turn_of_result(microbatch));
    Values& own = outside_[at(microbatch)];
    own.emplace(crossings_.ends, place.value());
    result_.loss += static_cast<double>(value_of(*program_, program_->outputs[0], own)[0]);
    place = value_of(*program_, crossings_.back, own);
  }

  Array back_through_layers(int stage, int microbatch, Array slope) {
    for (int i = layers_; i >= 1; --i) {
      const int layer = stage * layers_ + i;
      Values& own = inside_[{microbatch, layer}];
      own.emplace(crossings_.back, std::move(slope));
      slope = value_of(*program_, crossings_.through, own);
      add_gradients(own, layer);
      ++result_.backward[at(stage)].layers;
    }
    return slope;
  }

  void backward(int turn) {
    Lane made(at(stages_));
    for (int stage = stages_ - 1; stage >= 0; --stage) {
      if (!working(turn, stage)) continue;
      const bool last = stage + 1 == stages_;
      const std::optional<Array>& slope = last ? slot(stage, turn) : handed_[at(stage)];
      made[at(stage)] = back_through_layers(stage, turn - stage, slope.value());
    }
    handed_ = moved(made, -1, result_.backward);
    pass_stream(turn, 1, made.front(), result_.backward);
  }

  // Each stage sends to one neighbour; nothing comes from beyond the ends.
  Lane moved(const Lane& lane, int by, std::vector<StageCounts>& counts) const {
    Lane next(at(stages_));
    for (int stage = 0; stage < stages_; ++stage) {
      ++counts[at(stage)].sends;
      const int to = stage + by;
      if (to >= 0 && to < stages_) next[at(to)] = lane[at(stage)];
    }
    return next;
  }

  // One place of each stage goes to a neighbour, `last` takes the one that is left.
  void pass_stream(int turn, int by, const std::optional<Array>& last,
                   std::vector<StageCounts>& counts) {
    Lane lane;
    for (int stage = 0; stage < stages_; ++stage) lane.push_back(slot(stage, turn));
    lane = moved(lane, by, counts);
    (by > 0 ? lane.front() : lane.back()) = last;
    for (int stage = 0; stage < stages_; ++stage) slot(stage, turn) = lane[at(stage)];
  }

  void end(int microbatch) {
    Values& own = outside_[at(microbatch)];
    own.emplace(crossings_.through, stream_[{owner(microbatch), microbatch % each_}].value());
    add_gradients(own, 0);
    ++result_.backward[at(owner(microbatch))].outside;
  }

  void add_gradients(Values& known, int layer) {
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      const Parameter& one = parameters_[i];
      if ((one.region.layer != 0) != (layer > 0)) continue;
      add_to(result_.gradients, written_out(one, layer),
             value_of(*program_, program_->outputs[i + 1], known));
    }
  }

  std::shared_ptr<const Program> program_;
  std::vector<Parameter> parameters_;
  Crossings crossings_;
  const std::map<std::string, Array>& weights_;
  int stages_;
  int microbatches_;
  int each_;  // microbatches that a stage feeds in
  int layers_ = 0;
  std::vector<Values> outside_;
  std::map<std::pair<int, int>, Values> inside_;  // by microbatch and layer
  std::map<std::pair<int, int>, std::optional<Array>> stream_;
  Lane handed_;  // what each stage got at the end of the turn before
  PipelinedStep result_;
};

}  // namespace

PipelinedStep run_pipeline(const TracedStep& step, const Mesh& mesh,
                           const std::map<std::string, Array>& weights,
                           const std::vector<Array>& rows, const std::vector<Array>& labels) {
  return Pipeline(step, mesh, weights).run(rows, labels);
}

}  // namespace tpulab::test
