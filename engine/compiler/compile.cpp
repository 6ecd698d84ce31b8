#include "engine/compiler/compile.h"

#include <fmt/format.h>

#include "engine/base/error.h"

namespace tpulab {

namespace {

// Copies the cut's nodes, renumbered from 0.
void import(const Cut& cut, Program& program) {
  program.nodes.reserve(cut.nodes.size());
  std::vector<NodeId> position(static_cast<std::size_t>(cut.graph->size()), -1);
  for (const NodeId id : cut.nodes) {
    Node node = cut.graph->node(id);
    for (NodeId& input : node.inputs) input = position[static_cast<std::size_t>(input)];
    const auto at = static_cast<NodeId>(program.nodes.size());
    position[static_cast<std::size_t>(id)] = at;
    if (node.leaf()) program.inputs.push_back(at);
    program.nodes.push_back(std::move(node));
  }
  for (const NodeId output : cut.outputs) {
    program.outputs.push_back(position[static_cast<std::size_t>(output)]);
  }
}

// A TPU runs no host op; the runtime cuts the graph at each, so none may arrive here.
void place(const Program& program) {
  for (const Node& node : program.nodes) {
    if (node.traits.on_host) {
      throw Error(fmt::format("{} cannot run on a TPU; it needs a cut before it", node.op->name()));
    }
  }
}

std::shared_ptr<Program> made(const Cut& cut, const CompileOptions& options) {
  auto program = std::make_shared<Program>();
  if (options.identified) program->fingerprint = fingerprint(cut);
  program->donated = donations(cut);
  program->world = cut.world;
  import(cut, *program);
  simplify(*program);
  place(*program);
  program->traced = static_cast<int>(program->nodes.size());
  const bool rounds_before_loops = options.again.scanned && !options.again.thrifty;
  rematerialise(*program, options.keeping, rounds_before_loops);
  round_operands(*program);
  // From here on nodes are final.
  shard(*program);
  lay_out(*program);
  fold(*program, options.again.dear);
  fuse(*program, options.rows_in_vmem);
  recompute(*program, options.again);
  measure(*program);
  name_parts(*program);
  schedule(*program, options.keeping, options.scheduling);
  verify(*program);
  return program;
}

}  // namespace

std::shared_ptr<Program> compile(const Cut& cut, const CompileOptions& options) {
  auto program = made(cut, options);
  if (options.hbm.value == 0 || program->peak_bytes <= options.hbm) return program;
  CompileOptions thrifty = options;
  thrifty.again.thrifty = true;
  auto smaller = made(cut, thrifty);
  smaller->squeezed = true;
  return smaller->peak_bytes < program->peak_bytes ? smaller : program;
}

}  // namespace tpulab
