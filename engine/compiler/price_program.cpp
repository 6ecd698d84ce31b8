#include "engine/compiler/price_program.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "engine/base/random_bits.h"
#include "engine/machine/device_set.h"

namespace tpulab {

namespace {

// All terms alike, so that the time stays what they make of it.
void slow_down(Price& price, double factor) {
  for (Picoseconds Price::*term : {&Price::time, &Price::matrix, &Price::vector, &Price::hbm,
                                   &Price::overhead, &Price::exposed, &Price::blocks}) {
    price.*term = scaled(price.*term, factor);
  }
}

// Each further kernel that XLA makes of this one has a start of its own.
void add_starts(Price& price, int launches, const Generation& generation) {
  const Picoseconds more = picoseconds_from_seconds(generation.kernel_seconds) * (launches - 1);
  price.overhead += more;
  price.time += more;
}

// Collectives of a mesh axis run beside the kernels of a step, as far as the stack's row says;
// those between slices do not, nor does one call over all devices behind the backward pass.
bool overlaps(const Kernel& kernel, const Machine& machine) {
  if (!kernel.collective || kernel.begun >= 0 || kernel.work->items.empty()) return false;
  const auto& work = std::get<CollectiveWork>(kernel.work->items.front());
  return work.among.size > 0 && !spans_slices(machine, work.among);
}

// It keeps the device's own units busy.
bool of_device(const Kernel& kernel) { return !kernel.collective && !crosses_host_link(kernel); }

// The share of overlapping collectives that stays exposed.
double exposed_share(Picoseconds collectives, Picoseconds others, const StackRow& stack) {
  if (collectives.count() <= 0) return 1;
  const double hidden = stack.collective_overlap * in_seconds(std::min(collectives, others));
  return 1 - hidden / in_seconds(collectives);
}

// What begins before its place, as a text schedules a collective, moves beside all kernels that run
// meanwhile, behind the one before it, as they share links; a loop's in each turn of its own.
void hide_scheduled(const Program& program, std::vector<Picoseconds>& exposed) {
  std::vector<Picoseconds> begins;  // of each kernel
  Picoseconds now{};
  Picoseconds links{};
  for (std::size_t k = 0; k < exposed.size(); ++k) {
    const Kernel& kernel = program.kernels[k];
    begins.push_back(now);
    if (kernel.begun >= 0) {
      const std::size_t first = k - std::min(k, static_cast<std::size_t>(kernel.begun));
      const Picoseconds begun = std::max(begins[first], links);
      links = std::max(begun + exposed[k], now);
      exposed[k] = links - now;
    }
    now += exposed[k];
  }
}

void note_overlaps(const Program& program, ProgramPrice& price) {
  std::vector<Picoseconds> own{{}};  // before each kernel, and behind the last
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    const Kernel& kernel = program.kernels[k];
    const auto begun = static_cast<std::size_t>(std::max(kernel.begun, 0));
    price.hidden.push_back(price.kernels[k].time * kernel.runs - price.exposed[k]);
    price.beside.push_back(own[k] - own[k - std::min(k, begun)]);
    own.push_back(own[k] + (of_device(kernel) ? price.exposed[k] : Picoseconds{}));
  }
}

// Of what tells most kernels apart.
std::size_t hash_of(const KernelWork& work) {
  std::size_t hash = work.items.size();
  const auto add = [&](std::int64_t value) { hash = hashed(hash, value); };
  for (const auto* operands : {&work.reads, &work.writes}) {
    add(std::ssize(*operands));
    for (const Operand& one : *operands) {
      for (const std::int64_t extent : one.shape.extents()) add(extent);
    }
  }
  if (!work.items.empty()) {
    if (const auto* product = std::get_if<MatrixWork>(&work.items.front())) {
      for (const std::int64_t extent : {product->m, product->k, product->n}) add(extent);
    }
  }
  return hash;
}

}  // namespace

bool crosses_host_link(const Kernel& kernel) {
  const std::vector<Work>& items = kernel.work->items;
  return !items.empty() && std::holds_alternative<HostLinkWork>(items.front());
}

std::vector<int> first_alike(const std::vector<const Kernel*>& kernels) {
  const auto at = [&](int k) -> const Kernel& { return *kernels[static_cast<std::size_t>(k)]; };
  const auto hash = [&](int k) { return hash_of(at(k).work); };
  const auto same = [&](int a, int b) {
    return at(a).launches == at(b).launches && at(a).collective == at(b).collective &&
           at(a).work == at(b).work;
  };
  std::unordered_set<int, decltype(hash), decltype(same)> known(kernels.size(), hash, same);
  std::vector<int> alike;
  alike.reserve(kernels.size());
  for (int k = 0; k < static_cast<int>(kernels.size()); ++k) {
    alike.push_back(*known.insert(k).first);
  }
  return alike;
}

ProgramPrice price(const Program& program, const Machine& machine) {
  const StackRow& stack = *machine.stack;
  ProgramPrice total;
  total.start =
      picoseconds_from_seconds(machine.generation().program_seconds / stack.steps_per_dispatch);
  const Neighbours neighbours = neighbours_of(program.alone, program.kernels.size());
  Picoseconds others = total.start;
  Picoseconds overlapping{};
  total.kernels.reserve(program.kernels.size());
  total.exposed.reserve(program.kernels.size());
  const auto priced = [&](const Kernel& kernel) {
    Price one = price(kernel.work, machine, neighbours);
    add_starts(one, kernel.launches, machine.generation());
    if (of_device(kernel) && !program.alone) slow_down(one, 1 / stack.kernel_efficiency);
    return one;
  };
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    const Kernel& kernel = program.kernels[k];
    const auto like = program.alike.empty() ? k : static_cast<std::size_t>(program.alike[k]);
    const Price one = like < k ? total.kernels[like] : priced(kernel);
    const Picoseconds all = one.time * kernel.runs;
    if (of_device(kernel)) others += all;
    if (overlaps(kernel, machine)) overlapping += all;
    total.kernels.push_back(one);
    total.exposed.push_back(all);
    total.useful += one.useful * (kernel.runs - kernel.empty);
  }
  const double open = exposed_share(overlapping, others, stack);
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    if (overlaps(program.kernels[k], machine)) total.exposed[k] = scaled(total.exposed[k], open);
  }
  hide_scheduled(program, total.exposed);
  note_overlaps(program, total);
  total.time = std::accumulate(total.exposed.begin(), total.exposed.end(), total.start);
  return total;
}

Picoseconds exposed_at(const ProgramPrice& price, std::size_t kernel, double device_factor) {
  const Picoseconds exposed = price.exposed[kernel];
  if (price.kernels[kernel].bound != Bound::host_link) return scaled(exposed, device_factor);
  return std::max(Picoseconds{}, exposed - scaled(price.beside[kernel], device_factor - 1));
}

}  // namespace tpulab
