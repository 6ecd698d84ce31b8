#include "engine/forecast/resolved_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/base/work.h"
#include "engine/compiler/price_program.h"
#include "engine/forecast/mesh.h"
#include "engine/forecast/single_kernel.h"
#include "engine/machine/names.h"
#include "engine/machine/slice_search.h"

namespace tpulab {

namespace {

void check_word(std::string_view what, const std::string& typed,
                std::span<const std::string_view> words) {
  if (std::ranges::find(words, typed) != words.end()) return;
  throw unknown_name(what, typed, std::vector<std::string>(words.begin(), words.end()));
}

bool keeps_rows_in_vmem(const Machine& machine) {
  return row_blocks_of(machine.generation()) == RowBlocks::in_vmem;
}

void check(const ForecastRequest& request, const Machine& machine) {
  static constexpr std::array<std::string_view, 3> precisions{"32-true", "bf16-mixed", "bf16-true"};
  check_word("precision", request.precision, precisions);
  check_word("matmul precision", request.matmul, matmul_names);
  check_word("quantisation", request.quant, quant_names);
  check_word("way of attention", request.attention, attention_names);
  if (request.batch < 0) throw Error("a batch has at least one row; choose a positive number");
  if (request.quant == "int8" && machine.generation().int8_speed <= 1) {
    throw Error(fmt::format("{} multiplies int8 no faster than bf16; choose quant none",
                            machine.generation().public_name));
  }
  if (request.attention == "fused" && !keeps_rows_in_vmem(machine)) {
    throw Error(
        fmt::format("{}: the kernel that keeps scores of attention in VMEM is counted from v4 on "
                    "alone; choose attention auto",
                    machine.generation().public_name));
  }
}

// MaxText: fewer than 128 tokens are products; blocks of Pallas are whole lanes. Who asks for the
// kernel pads any number of tokens.
std::int64_t block_of_attention(const ForecastRequest& request, const Machine& machine) {
  if (request.attention == "fused") return 1;
  const bool by_stack = keeps_rows_in_vmem(machine) && machine.stack->fused_attention > 0;
  return request.attention == "auto" && by_stack ? lane_count : 0;
}

MatmulPrecision products_of(const ForecastRequest& request) {
  const bool rounded = compute_of(request) == DType::bf16;
  return rounded ? MatmulPrecision::default_ : matmul_named(request.matmul);
}

WorkOptions options_of(const ForecastRequest& request, const Mesh& mesh, const Machine& machine,
                       OptimizerKind optimizer, const TracedNetwork& network) {
  const int sharers =
      machine.stack->sharded_update > 0 ? mesh.replicas() * mesh.context : mesh.sharers();
  return {.batch = request.batch / mesh.replicas(),
          .sequence = request.sequence,
          .image = request.image,
          .storage = storage_of(request),
          .compute = compute_of(request),
          .sent = sent_of(request),
          .products = products_of(request),
          .optimizer = optimizer,
          .row_blocks = row_blocks_of(machine.generation()),
          .fused_attention = block_of_attention(request, machine),
          .softmax = softmax_again(machine.generation()),
          .on_chip = machine.generation().on_chip(),
          .scanned = network.large && mesh.pipeline == 1 && machine.stack->scanned_layers > 0,
          .narrow_sums = machine.stack->narrow_sums > 0,
          .random_operations = static_cast<int>(machine.stack->random_operations),
          .update_shards = sharers,
          .sums_batches = request.sums_batches,
          .mesh = mesh,
          .quantised = request.quant == "int8",
          .remat = request.remat,
          .loss_pieces = request.loss_pieces,
          .hbm = machine.slice.usable_hbm_per_device()};
}

bool needs_sharding(const Workload& workload, const ForecastRequest& request,
                    const Machine& machine, OptimizerKind optimizer) {
  if (!workload.network.large) return false;
  const StepWork one = step_work(workload, {.batch = 1, .sequence = request.sequence});
  const int copies = 2 + state_count({.kind = optimizer});
  const Bytes state{one.parameters() * bytes_of(storage_of(request)) * copies};
  return state.value / request.mesh.pipeline * 2 > machine.slice.hbm_per_device().value;
}

// One device of a slice works alone.
Mesh mesh_of(const ForecastRequest& request, const Machine& machine, bool sharded) {
  if (machine.world() == machine.slice.devices()) {
    return resolved_mesh(request.mesh, machine.slice, request.batch, sharded);
  }
  const Mesh& asked = request.mesh;
  const auto parts = {asked.slices, asked.data,    asked.fsdp,     asked.tensor,
                      asked.expert, asked.context, asked.pipeline, asked.microbatches};
  if (std::max(parts) > 1) {
    throw Error("one device alone has no mesh; choose devices auto, or leave the mesh open");
  }
  return one_device;
}

// Asked of the network alone: whether a batch goes with stages that it cannot have says nothing.
void check_layers(const Workload& workload, int stages) {
  if (stages <= 1) return;
  Mesh mesh = one_device;
  mesh.pipeline = stages;
  const TracedNetwork& network = workload.network;
  parameters_of(network.model, network.row, DType::f32, mesh, {.layers_once = true});
}

// Tokens are divided where each of them is asked for: of a row of which a few are, devices would
// have unlike work.
void check_context(const Workload& workload, const ForecastRequest& request, const Mesh& mesh) {
  if (mesh.context == 1) return;
  const TracedNetwork& network = workload.network;
  const Example row = request.sequence > 0 && network.of_tokens != nullptr
                          ? network.of_tokens(network.row, request.sequence)
                          : network.row;
  const std::int64_t tokens = row.row.at(-1);
  if (!is_integer(row.dtype) || row.labels != tokens) {
    throw DoesNotDivide(
        fmt::format("context={} divides rows of which every token is predicted, as those of "
                    "decoders; {} has none",
                    mesh.context, workload.model),
        "leave context out of the mesh");
  }
  if (tokens % mesh.context != 0) {
    throw DoesNotDivide(fmt::format("context={} does not divide the {} tokens of a row of {}",
                                    mesh.context, tokens, workload.model),
                        "choose a divisor, or another sequence");
  }
}

// The forward pass exchanges something so among the devices along that axis.
template <class Is>
bool exchanges(const ResolvedStep& step, MeshAxis axis, const Is& is) {
  const DeviceSet among = devices_along(axis, step.mesh);
  return std::ranges::any_of(step.work.blocks, [&](const Block& block) {
    return std::ranges::any_of(block.forward, [&](const NamedKernel& kernel) {
      const CollectiveWork* const sent = collective_of(kernel.work);
      return sent != nullptr && is(sent->kind) && sent->among.size == among.size &&
             sent->among.apart == among.apart;
    });
  });
}

// Devices that divide nothing would do the same work.
void check_groups(const ResolvedStep& step) {
  const Mesh& mesh = step.mesh;
  // Weights are gathered along this axis too, whoever shares them.
  const auto sends_rows = [](CollectiveKind kind) { return kind == CollectiveKind::all_to_all; };
  const auto any = [](CollectiveKind) { return true; };
  if (mesh.expert > 1 && !exchanges(step, MeshAxis::expert, sends_rows)) {
    throw DoesNotDivide(fmt::format("{} has no experts that expert={} could divide",
                                    step.request.model, mesh.expert),
                        "leave it out of the mesh, fsdp shares all weights");
  }
  if (mesh.tensor > 1 && !exchanges(step, MeshAxis::tensor, any)) {
    const bool typed = step.request.mesh.tensor > 0;
    if (typed) {
      throw DoesNotDivide(fmt::format("{} has no layers that tensor={} could divide",
                                      step.request.model, mesh.tensor),
                          "leave tensor out of the mesh");
    }
    throw DoesNotDivide(
        fmt::format("{} has no layers that {} devices could divide where they share a row",
                    step.request.model, mesh.tensor),
        "choose batch 1, a row for each device");
  }
}

Workload workload_of(const ForecastRequest& request) {
  return request.network ? Workload{request.model, *request.network}
                         : workload_named(request.model);
}

// Whether the devices that share weights hold about a share each: no axis of most may divide.
// `whole`: what a device holds that shares none.
bool shares_weights(const ResolvedStep& step, Bytes whole) {
  constexpr std::int64_t whole_ones = 4;  // norms and biases beside them
  return step.work.weights.value * step.mesh.sharers() < whole_ones * whole.value;
}

// Stages have their layers, and each what lies outside of these.
Bytes weights_of_replica(const ResolvedStep& step, const Workload& workload) {
  const Mesh& mesh = step.mesh;
  const DType storage = storage_of(step.request);
  if (mesh.pipeline == 1) {
    return Bytes{step.work.parameters() * bytes_of(storage) / mesh.tensor};
  }
  Mesh alone = one_device;
  alone.tensor = mesh.tensor;
  alone.pipeline = mesh.pipeline;
  const TracedNetwork& network = workload.network;
  const auto held =
      parameters_of(network.model, network.row, storage, alone, {.layers_once = true});
  return Bytes{parameter_count(held) * bytes_of(storage)};
}

// 192 devices of which 64 share weights of 4,096 rows, three times; of 512 then half as many.
void share_among_fewer(Mesh& mesh) {
  const int odd = mesh.fsdp / (mesh.fsdp & -mesh.fsdp);
  const int factor = odd > 1 ? odd : 2;
  mesh.data *= factor;
  mesh.fsdp /= factor;
}

// As JAX refuses to divide an axis unevenly.
[[noreturn]] void refuse_to_share(const ResolvedStep& step, const Mesh& asked) {
  throw DoesNotDivide(fmt::format("fsdp={} divides no axis of most weights of {}, which each "
                                  "device would hold whole",
                                  asked.fsdp, step.request.model),
                      "choose mesh " + text_of(step.mesh));
}

// What was asked for and changes nothing here is no difference from a measured step.
void forget_idle(ResolvedStep& step, const Workload& workload, const Machine& machine) {
  const bool keeps_all = step.work.made_again == 0 && step.work.offloaded.value == 0;
  if (keeps_all) step.request.remat = Remat::none;
  if (step.request.attention == "auto") return;
  ForecastRequest usual = step.request;
  usual.attention = "auto";
  const WorkOptions options =
      options_of(usual, step.mesh, machine, *usual.optimizer, workload.network);
  if (step_work(workload, options).traced_ops == step.work.traced_ops) step.request = usual;
}

void fill_training(ResolvedStep& step, const Machine& machine, Holds holds) {
  const ForecastRequest request = step.request;
  const Workload workload = workload_of(request);
  if (step.request.batch == 0) {
    step.request.batch = std::int64_t{machine.world()} * (workload.network.large ? 1 : 32);
  }
  const OptimizerKind optimizer = request.optimizer.value_or(usual_optimizer(workload));
  step.request.optimizer = optimizer;
  check_layers(workload, request.mesh.pipeline);
  const bool shared =
      holds == Holds::shares || needs_sharding(workload, request, machine, optimizer);
  step.mesh = mesh_of(step.request, machine, shared);
  check_context(workload, step.request, step.mesh);
  const auto work = [&] {
    return step_work(workload,
                     options_of(step.request, step.mesh, machine, optimizer, workload.network));
  };
  step.work = work();
  const Mesh first = step.mesh;
  const Bytes whole = first.fsdp > 1 ? weights_of_replica(step, workload) : Bytes{};
  while (step.mesh.fsdp > 1 && !shares_weights(step, whole)) {
    share_among_fewer(step.mesh);
    step.work = work();
  }
  const bool open = request.mesh.data == 0 && request.mesh.fsdp == 0;
  if (!open && step.mesh != first) refuse_to_share(step, first);
  check_groups(step);
  forget_idle(step, workload, machine);
}

void check_no_stages(const ForecastRequest& request) {
  if (request.mesh.pipeline == 1) return;
  throw DoesNotDivide(fmt::format("{} has no equal layers that pipeline={} could divide",
                                  request.model, request.mesh.pipeline),
                      "leave it out of the mesh");
}

// Every device calls the kernel once, for itself.
void fill_kernel(ResolvedStep& step, const Machine& machine) {
  check_no_stages(step.request);
  step.request.batch = machine.world();
  step.request.optimizer = OptimizerKind::sgd;
  if (!has_weights(step.request.model)) step.request.quant = "none";
  step.mesh = mesh_of(step.request, machine, false);
  step.work = kernel_step(step.request.model, {.compute = compute_of(step.request),
                                               .products = products_of(step.request),
                                               .row_blocks = row_blocks_of(machine.generation()),
                                               .quantised = step.request.quant == "int8"});
  step.alone = true;
}

// A step that was divided runs on as many devices, no more. Says which slice has them, of the same
// generation if one does.
void check_made_for(const GivenStep& given, const ForecastRequest& request,
                    const Machine& machine) {
  if (given.made_for <= 1 || given.made_for == machine.world()) return;
  const auto fitting = slice_with(given.made_for, *machine.slice.generation);
  std::string remedy = fitting ? fmt::format("; `slice {}` has as many", fitting->name) : "";
  if (machine.slice.devices() == given.made_for) remedy = "; type `devices auto`";
  throw Error(fmt::format("{} was made for {} devices, and {} of {} would run it{}", request.model,
                          given.made_for, machine.world(), machine.slice.name, remedy));
}

// As it is written, on every device. Nothing is exchanged but what it says itself.
void fill_given(ResolvedStep& step, const Machine& machine) {
  check_no_stages(step.request);
  const GivenStep& given = *step.request.given;
  check_made_for(given, step.request, machine);
  if (given.devices > machine.world()) {
    throw Error(
        fmt::format("{} devices exchange values in {}, and {} has {}; choose a larger slice",
                    given.devices, step.request.model, machine.slice.name, machine.world()));
  }
  step.request.batch = machine.world() * std::max<std::int64_t>(given.rows, 1);
  step.request.optimizer = OptimizerKind::sgd;
  step.mesh = mesh_of(step.request, machine, false);
  step.request.batch /= given.alike;  // the mesh is of calls, one on each device
  step.work = given.work;
}

void fill(ResolvedStep& step, const Machine& machine, Holds holds) {
  if (step.request.given) return fill_given(step, machine);
  if (names_kernel(step.request.model)) return fill_kernel(step, machine);
  fill_training(step, machine, holds);
}

// Devices that divide a row do some of its work several times: the model's own is that of a device
// which has it whole.
Flops own_flops(const ResolvedStep& step, const Machine& machine) {
  const Mesh& mesh = step.mesh;
  const bool divides = mesh.tensor > 1 || mesh.expert > 1 || mesh.context > 1;
  if (!divides || step.request.given || names_kernel(step.request.model)) {
    return step.work.forward_flops();
  }
  const Workload workload = workload_of(step.request);
  ForecastRequest row = step.request;
  row.batch = 1;
  row.loss_pieces = 1;
  WorkOptions options =
      options_of(row, one_device, machine, *step.request.optimizer, workload.network);
  options.hbm = {};
  const Flops own = step_work(workload, options).forward_flops();
  const double rows = static_cast<double>(step.request.batch) / machine.world();
  return {std::llround(static_cast<double>(own.value) * rows)};
}

// Images of any size; digits have theirs.
bool reads_photographs(const ForecastRequest& request) {
  if (request.given || names_kernel(request.model)) return false;
  const Shape row = workload_of(request).network.row.row;
  return row.rank() == 3 && row.at(-1) == 3;
}

// A program from elsewhere has the rows that its text says, whatever is asked.
void check_tokens(const ForecastRequest& request, const StepWork& work) {
  if (request.sequence > 0 && !request.given && work.tokens_per_row == 0) {
    throw Error(fmt::format("{} reads no tokens; leave sequence 0", request.model));
  }
}

void check_image(const ForecastRequest& request) {
  constexpr std::int64_t smallest_image = 32;  // ResNets halve a side five times
  if (request.image == 0 || request.given) return;
  if (!reads_photographs(request)) {
    throw Error(fmt::format("{} takes no images of another size; leave image 0", request.model));
  }
  if (request.image < smallest_image) {
    throw Error(fmt::format("an image of {} needs {} pixels a side at least, not {}", request.model,
                            smallest_image, request.image));
  }
}

}  // namespace

ResolvedStep resolved_step(const ForecastRequest& request, const Machine& machine, Holds holds) {
  check(request, machine);
  check_image(request);
  ResolvedStep step{.request = request};
  fill(step, machine, holds);
  check_tokens(request, step.work);
  step.request.mesh = step.mesh;
  step.kernels = step_kernels(step.work, step.mesh);
  std::vector<const Kernel*> all;
  for (const StepKernel& one : step.kernels) all.push_back(&one.kernel);
  step.alike = first_alike(all);
  step.forward_flops = own_flops(step, machine);
  return step;
}

StepCalls calls_of(const ResolvedStep& step, const Machine& machine) {
  const Workload workload = workload_of(step.request);
  return step_calls(workload, options_of(step.request, step.mesh, machine, *step.request.optimizer,
                                         workload.network));
}

}  // namespace tpulab
