#include "engine/compiler/price_program.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "engine/base/random_bits.h"
#include "engine/machine/device_set.h"

namespace tpulab {

namespace {

// It keeps the device's own units busy.
bool of_device(const Kernel& kernel) { return !kernel.collective && !crosses_host_link(kernel); }

// The first kernel of the same work, where somebody has looked.
std::size_t like_of(const Program& program, std::size_t kernel) {
  return program.alike.empty() ? kernel : static_cast<std::size_t>(program.alike[kernel]);
}

// All terms alike, so that the time stays what they make of it.
void slow_down(Price& price, double factor) {
  for (Picoseconds Price::*term : {&Price::time, &Price::matrix, &Price::vector, &Price::hbm,
                                   &Price::overhead, &Price::exposed, &Price::blocks}) {
    price.*term = scaled(price.*term, factor);
  }
}

// Of those that keep the device's own units busy.
void slow_down(std::vector<Price>& prices, const Program& program, double factor) {
  for (std::size_t k = 0; k < prices.size(); ++k) {
    if (!of_device(program.kernels[k])) continue;
    const std::size_t like = like_of(program, k);
    if (like < k) {
      prices[k] = prices[like];
    } else {
      slow_down(prices[k], factor);
    }
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

// The share of overlapping collectives that stays exposed.
double exposed_share(Picoseconds collectives, Picoseconds others, const StackRow& stack) {
  if (collectives.count() <= 0) return 1;
  const double hidden = stack.collective_overlap * in_seconds(std::min(collectives, others));
  return 1 - hidden / in_seconds(collectives);
}

// Collectives share the links between chips; the host's carries each direction for itself.
enum class Way : std::uint8_t { chips, to_host, from_host };
constexpr std::size_t ways = 3;

Way way_of(const Kernel& kernel) {
  if (!crosses_host_link(kernel)) return Way::chips;
  return std::get<HostLinkWork>(kernel.work->items.front()).taken ? Way::from_host : Way::to_host;
}

// What begins before its place, as a text schedules a collective, moves beside all kernels that run
// meanwhile, behind the one before it that goes the same way; a loop's in each turn of its own.
void hide_scheduled(const Program& program, std::vector<Picoseconds>& exposed) {
  std::vector<Picoseconds> begins;  // of each kernel
  Picoseconds now{};
  std::array<Picoseconds, ways> free{};  // since when each way is
  for (std::size_t k = 0; k < exposed.size(); ++k) {
    const Kernel& kernel = program.kernels[k];
    begins.push_back(now);
    if (kernel.begun >= 0) {
      const std::size_t first = k - std::min(k, static_cast<std::size_t>(kernel.begun));
      Picoseconds& way = free[static_cast<std::size_t>(way_of(kernel))];
      const Picoseconds begun = std::max(begins[first], way);
      way = begun + exposed[k];
      exposed[k] = std::max(way - now, Picoseconds{});
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

bool crosses_host_link(const KernelWork& work) {
  const std::vector<Work>& items = work.items;
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

Price kernel_price(const Program& program, std::size_t kernel, const Machine& machine) {
  const Kernel& one = program.kernels[kernel];
  Price priced = price(one.work, machine, neighbours_of(program.alone, program.kernels.size()));
  add_starts(priced, one.launches, machine.generation());
  return priced;
}

std::vector<Price> kernel_prices(const Program& program, const Machine& machine) {
  std::vector<Price> prices;
  prices.reserve(program.kernels.size());
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    const std::size_t like = like_of(program, k);
    prices.push_back(like < k ? prices[like] : kernel_price(program, k, machine));
  }
  return prices;
}

ProgramPrice in_program(std::vector<Price> kernels, const Program& program,
                        const Machine& machine) {
  const StackRow& stack = *machine.stack;
  ProgramPrice total;
  total.kernels = std::move(kernels);
  if (!program.alone) slow_down(total.kernels, program, 1 / stack.kernel_efficiency);
  total.start =
      picoseconds_from_seconds(machine.generation().program_seconds / stack.steps_per_dispatch);
  Picoseconds others = total.start;
  Picoseconds overlapping{};
  total.exposed.reserve(program.kernels.size());
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    const Kernel& kernel = program.kernels[k];
    const Price& one = total.kernels[k];
    const Picoseconds all = one.time * kernel.runs;
    if (of_device(kernel)) others += all;
    if (overlaps(kernel, machine)) overlapping += all;
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

ProgramPrice price(const Program& program, const Machine& machine) {
  return in_program(kernel_prices(program, machine), program, machine);
}

Picoseconds exposed_at(const ProgramPrice& price, std::size_t kernel, double device_factor) {
  const Picoseconds exposed = price.exposed[kernel];
  if (price.kernels[kernel].bound != Bound::host_link) return scaled(exposed, device_factor);
  return std::max(Picoseconds{}, exposed - scaled(price.beside[kernel], device_factor - 1));
}

}  // namespace tpulab
