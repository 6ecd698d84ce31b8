#include "engine/formats/stablehlo/stablehlo_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/compiler/compile.h"
#include "engine/compiler/price_program.h"
#include "engine/formats/given_arguments.h"
#include "engine/formats/stablehlo/argument_roles.h"
#include "engine/formats/stablehlo/graph_builder.h"
#include "engine/formats/stablehlo/host_transfers.h"
#include "engine/formats/stablehlo/parser.h"
#include "engine/formats/stablehlo/partition.h"
#include "engine/formats/stablehlo/types.h"

namespace tpulab {

namespace stablehlo {

namespace {

// Words of JAX's generators, for several of these.
bool are_keys(const TensorType& type) {
  return type.element == "ui32" && (type.shape.at(-1) == 2 || type.shape.at(-1) == 4);
}

class Importer {
 public:
  Importer(const Module& module, ArgumentRoles roles, ImportNotes notes)
      : module_(module), roles_(std::move(roles)), notes_(std::move(notes)) {
    step_.file = module.file;
    step_.operations = module.operations;
    step_.open = module.open_rows > 0;
  }

  ImportedStep run() && {
    GraphBuilder builder(module_, notes_);
    entry_ = &entry_of(module_);
    program_ = builder.build(roles_.step.loops_of_steps);
    step_.steps = program_.steps;
    tell_inputs();
    for (std::size_t i = 0; i < program_.list.size(); ++i) add_segment(static_cast<int>(i));
    if (step_.work.blocks.empty()) {
      throw Error(fmt::format("{}: @{} computes nothing", module_.file, entry_->name));
    }
    const auto once = std::ranges::find(step_.work.blocks, 1, &Block::repeats);
    if (once != step_.work.blocks.end()) {
      once->parameters = roles_.parameters;
    } else if (roles_.parameters > 0) {
      step_.work.blocks.push_back(
          {.name = std::string(entry_->name), .parameters = roles_.parameters});
    }
    step_.work.traced_ops = static_cast<int>(std::min<std::int64_t>(module_.operations, 1 << 30));
    step_.work.forward_ops = step_.work.traced_ops;
    step_.of_jax = named_by_jax(module_.name);
    step_.work.working = peak_;
    if (step_.open) {
      step_.rows = module_.open_rows;
      step_.alike = 1;
    }
    step_.devices =
        device_count(said(module_, "mhlo.num_partitions"), said(module_, "mhlo.num_replicas"));
    step_.exchanging = program_.exchanging;
    note_steps(step_);
    note_host_memory(step_);
    for (const auto& [what, times] : notes_.counts) {
      step_.notes.push_back(fmt::format("{} {}", text_with_commas(times), what));
    }
    return std::move(step_);
  }

 private:
  const Source& source(int index) const {
    return program_.sources[static_cast<std::size_t>(index)];
  }

  std::vector<Type> types_of(const std::vector<int>& sources) const {
    std::vector<Type> types;
    types.reserve(sources.size());
    for (const int one : sources) types.push_back(source(one).type);
    return types;
  }

  void tell_inputs() {
    const std::vector<Type> types = types_of(program_.arguments);
    std::vector<Type> own = types;  // of one device
    if (roles_.by_devices) take_away_first_axes(own);
    std::vector<GivenArgument> given;
    for (std::size_t i = 0; i < types.size(); ++i) {
      const Argument& argument = entry_->body.arguments[i];
      if (is_token(argument.type)) continue;
      const bool comes_back = roles_.step.successors[i] >= 0 || gives_memory(argument);
      const bool each = counts_steps(own[i].shape, step_.steps);
      const TurnPart& part = roles_.parts[i];
      given.push_back({.type = own[i],
                       .comes_back = comes_back,
                       .each_step = each,
                       .microbatches = part.microbatches,
                       .microbatch_axes = part.microbatch_axes,
                       .rows_axis = part.rows_axis,
                       .by_turns = roles_.by_turns[i] && !each && part.microbatches < 0 &&
                                   part.rows_axis < 0 && part.told_axis < 0,
                       .told = part.told_axis >= 0,
                       .on_host = source(program_.arguments[i]).on_host});
      given.back().copies = copies_of(argument, given.back().axis_of_rows());
      if (part.microbatches >= 0) {
        given.back().copies =
            copies_of_both(given.back().copies, copies_of(argument, part.microbatches),
                           said(module_, "mhlo.num_partitions"));
      }
      step_.inputs.push_back(text_of(types[i].dtype, types[i].shape));
      const bool beside = comes_back && roles_.parameters > 0 && !roles_.weights[i];
      if (beside && !given.back().on_host) step_.work.state += bytes_of_type(own[i]);
      if (roles_.by_devices) continue;
      // Its rows are those of all devices.
      const std::int64_t rows = types[i].shape.rank() > 0 ? types[i].shape[0] : 1;
      const std::int64_t divided = part.extent / std::max<std::int64_t>(rows, 1);
      tell_part(given.back(), part, step_.steps, copies_of(argument, 0) * divided);
      given.back().aside |= are_keys(argument.type);
    }
    step_.trains = roles_.step.trains;
    step_.work.on_host = held_on_host();
    tell_arguments(step_, given, said(module_, "mhlo.num_partitions"));
  }

  std::int64_t copies_of(const Argument& argument, int axis) const {
    const std::size_t at = roles_.by_devices ? 0 : static_cast<std::size_t>(axis);
    return at < argument.copies.size() ? argument.copies[at] : 1;
  }

  // Before anything is sent.
  Bytes held_on_host() const {
    Bytes bytes;
    for (const Source& one : program_.sources) {
      if (one.on_host && one.counted && one.node < 0) bytes += bytes_of_type(one.type);
    }
    for (std::size_t i = 0; i < program_.arguments.size(); ++i) {
      const Source& argument = source(program_.arguments[i]);
      if (argument.on_host && is_replaced(i)) bytes = bytes - bytes_of_type(argument.type);
    }
    return bytes;
  }

  // By a result on the host that would have memory of its own, were it not for the argument's.
  bool is_replaced(std::size_t argument) const {
    const auto result = static_cast<std::size_t>(roles_.donated[argument]);
    if (roles_.donated[argument] < 0 || result >= program_.results.size()) return false;
    const int index = program_.results[result];
    const bool given = std::ranges::find(program_.arguments, index) != program_.arguments.end();
    return source(index).on_host && source(index).counted && !given;
  }

  // Bytes of what lies in memory while a segment runs and is none of the inputs of its program: a
  // table of which rows are read as they lie is none.
  Bytes beside(int index, const Program& program) const {
    Bytes bytes;
    const Segment& segment = program_.list[static_cast<std::size_t>(index)];
    std::set<int> inputs;
    for (const NodeId id : program.inputs) {
      inputs.insert(static_cast<int>(program.node(id).buffer) - 1);
    }
    for (std::size_t i = 0; i < program_.sources.size(); ++i) {
      const Source& one = program_.sources[i];
      const bool shared = one.counted && !one.on_host && (one.node < 0 || is_output(one));
      if (!shared || one.made > index) continue;
      const bool waits = one.made < 0 || (one.made < index && one.last_use >= index) ||
                         (one.node < 0 && one.made == index);
      const bool own = inputs.contains(static_cast<int>(i)) && !segment.in_loop;
      if (!waits || own) continue;
      const bool earlier = one.made >= 0 && one.made < index;
      if (!earlier || !lies_in_argument(static_cast<int>(i))) bytes += bytes_of_type(one.type);
    }
    for (std::size_t i = 0; i < program_.results.size(); ++i) {
      const Source& one = source(program_.results[i]);
      const bool takes_over =
          std::ranges::find(roles_.donated, static_cast<int>(i)) != roles_.donated.end();
      if (one.made > index && !takes_over && !one.on_host) bytes += bytes_of_type(one.type);
    }
    return bytes;
  }

  // What came of an argument lies in its memory, which is counted, unless that is read after it.
  bool lies_in_argument(int index) const {
    for (std::size_t i = 0; i < roles_.donated.size(); ++i) {
      const auto result = static_cast<std::size_t>(roles_.donated[i]);
      if (roles_.donated[i] < 0 || result >= program_.results.size()) continue;
      if (program_.results[result] != index) continue;
      if (source(program_.arguments[i]).last_use <= source(index).made) return true;
    }
    return false;
  }

  // Nothing of what it makes is for another segment.
  bool only_returns(int index) const {
    const Segment& segment = program_.list[static_cast<std::size_t>(index)];
    const std::set<NodeId> results = results_of(index);
    return std::ranges::all_of(segment.outputs, [&](NodeId id) {
      return results.contains(id) || segment.graph->node(id).traits.host_link;
    });
  }

  std::set<NodeId> results_of(int index) const {
    std::set<NodeId> results;
    for (const int result : program_.results) {
      if (source(result).made == index) results.insert(source(result).node);
    }
    return results;
  }

  bool is_output(const Source& one) const {
    return program_.list[static_cast<std::size_t>(one.made)].outputs.contains(one.node);
  }

  Cut cut_of(const Segment& segment, int index) const {
    std::vector<NodeId> outputs(segment.outputs.begin(), segment.outputs.end());
    std::vector<BufferId> overwrites(outputs.size(), -1);
    for (std::size_t i = 0; i < roles_.donated.size(); ++i) {
      const auto result = static_cast<std::size_t>(roles_.donated[i]);
      if (roles_.donated[i] < 0 || result >= program_.results.size()) continue;
      const Source& made = source(program_.results[result]);
      if (made.made != index || made.node < 0) continue;
      const auto at = std::ranges::find(outputs, made.node);
      if (at == outputs.end()) continue;
      overwrites[static_cast<std::size_t>(at - outputs.begin())] = program_.arguments[i] + 1;
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const auto replaced = segment.replaces.find(outputs[i]);
      if (replaced != segment.replaces.end()) overwrites[i] = replaced->second + 1;
    }
    return make_cut(*segment.graph, std::move(outputs), std::move(overwrites), {}, 1);
  }

  void add_segment(int index) {
    const Segment& segment = program_.list[static_cast<std::size_t>(index)];
    if (segment.repeats == 0) return;
    Block block{.name = segment.name, .repeats = segment.repeats};
    if (!segment.outputs.empty()) add_program(segment, index, block);
    for (const Placed& one : segment.placed) add_copy(segment, one, block);
    if (!block.forward.empty()) step_.work.blocks.push_back(std::move(block));
  }

  void add_program(const Segment& segment, int index, Block& block) {
    // A runtime allocates results when it dispatches a program.
    const auto program =
        compile(cut_of(segment, index),
                {.again = {.dear = true},
                 .scheduling = {.updates_wait = true, .results_first = only_returns(index)}});
    const std::set<NodeId> returned = outputs_of(segment, *program, results_of(index));
    // What a loop sends is there once, however often it is sent.
    for (const NodeId id : outputs_of(segment, *program, held_of(index))) {
      step_.work.on_host += bytes_of_type(program->node(id).type);
    }
    HostTransfers transfers(block.forward);
    for (const Kernel& kernel : program->kernels) {
      if (crosses_host_link(kernel)) {
        add_transfer(*program, kernel, returned.contains(kernel.nodes.front()), block, transfers);
      } else {
        add_kernel(*program, kernel, block);
      }
    }
    transfers.wait_for_all();
    // What a loop reads lies outside of it already.
    const Bytes own = segment.in_loop
                          ? Bytes{std::max<std::int64_t>(
                                0, program->peak_bytes.value - program->input_bytes.value)}
                          : program->peak_bytes;
    peak_ = std::max(peak_, beside(index, *program) + own);
    step_.kernels += program->launches() * segment.repeats;
  }

  // What a segment sends to memory of its own on the host.
  std::set<NodeId> held_of(int index) const {
    std::set<NodeId> held;
    for (const Source& one : program_.sources) {
      if (one.on_host && one.counted && one.made == index) held.insert(one.node);
    }
    return held;
  }

  // What `nodes` are in its compiled program, which makes equal ones once.
  static std::set<NodeId> outputs_of(const Segment& segment, const Program& program,
                                     const std::set<NodeId>& nodes) {
    std::set<NodeId> found;
    auto output = program.outputs.begin();
    for (const NodeId id : segment.outputs) {
      if (nodes.contains(id)) found.insert(*output);
      ++output;
    }
    return found;
  }

  void add_transfer(const Program& program, const Kernel& kernel, bool returned, const Block& block,
                    HostTransfers& transfers) {
    const auto& work = std::get<HostLinkWork>(kernel.work->items.front());
    NamedKernel one{.name = name_of(program, kernel), .work = KernelWork{{work}, {}, {}}};
    step_.kernels -= block.repeats;  // launched by nobody
    if (work.taken) {
      notes_.counts["arrays taken from the host's memory"] += block.repeats;
      return transfers.take(std::move(one));
    }
    notes_.counts["arrays sent to the host's memory"] += block.repeats;
    transfers.send(std::move(one), returned);
  }

  // What makes a part writes it where it belongs, unless somebody else reads it as well.
  static bool is_copied(const Segment& segment, NodeId part) {
    const Graph& graph = *segment.graph;
    NodeId seen = -1;  // under another shape
    while (part >= 0 && graph.node(part).traits.bitcast) {
      seen = part;
      part = graph.node(part).inputs[0];
    }
    if (part < 0 || graph.node(part).leaf()) return true;
    if (seen >= 0 && segment.outputs.contains(part)) return true;
    for (NodeId id = part + 1; id < graph.size(); ++id) {
      const auto& inputs = graph.node(id).inputs;
      if (id != seen && std::ranges::find(inputs, part) != inputs.end()) return true;
    }
    return false;
  }

  void add_copy(const Segment& segment, const Placed& part, Block& block) {
    if (!is_copied(segment, part.node)) return;
    const Operand array{part.type.shape, part.type.dtype};
    launch(block.forward,
           {.name = "dynamic-update-slice",
            .work = KernelWork{.items = {VectorWork{.shape = part.type.shape}},
                               .reads = {array},
                               .writes = {array}}},
           1);
    step_.kernels += segment.repeats;
  }

  // "dot add train.py:42", where the text says what the kernel ends with.
  static std::string name_of(const Program& program, const Kernel& kernel) {
    std::string name = kernel.name;
    for (auto id = kernel.nodes.rbegin(); id != kernel.nodes.rend(); ++id) {
      const Node& node = program.node(*id);
      if (!node.leaf() && !node.label.empty()) return name + " " + node.label;
    }
    return name;
  }

  void add_kernel(const Program& program, const Kernel& kernel, Block& block) {
    const std::string name = name_of(program, kernel);
    bool multiplies = false;
    for (const Work& item : kernel.work->items) {
      if (const auto* const lanes = std::get_if<VectorWork>(&item)) {
        add_flops(step_, lanes->convolved, block.repeats);
      }
      const auto* product = std::get_if<MatrixWork>(&item);
      if (product == nullptr) continue;
      multiplies = true;
      add_flops(step_, product->flops(), block.repeats);
    }
    // In a call each value is waited for by the next; a backward pass has others to go on with.
    const int begun = kernel.collective && !step_.trains ? 0 : -1;
    launch(block.forward,
           {.name = name, .work = kernel.work, .product = multiplies, .begun = begun},
           kernel.launches);
    for (const Operand& made : kernel.work->writes) note_array(block, name, made);
  }

  const Module& module_;
  const Function* entry_ = nullptr;
  ArgumentRoles roles_;
  ImportNotes notes_;
  Segments program_;
  ImportedStep step_;
  Bytes peak_;
};

ImportedStep imported(std::string text, const std::string& file, std::int64_t rows) {
  Module module = parse(std::move(text), file, rows);
  ArgumentRoles roles = roles_of(module, entry_of(module));
  ImportNotes notes;
  partition(module, notes);
  return Importer(module, std::move(roles), std::move(notes)).run();
}

}  // namespace

}  // namespace stablehlo

ImportedStep import_stablehlo(std::string text, const std::string& file, std::int64_t rows) {
  return stablehlo::imported(std::move(text), file, rows);
}

}  // namespace tpulab
