#include "engine/runtime/program_prices.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "engine/machine/straggler.h"

namespace tpulab {

namespace {

// What price() reads of a machine; the rest of hosts and stacks change no program's price.
struct PricedOn {
  Generation generation{};
  int joined = 1;
  int chips = 0;
  int hosts = 0;
  std::array<int, 3> torus{};
  std::array<bool, 3> wraps{};
  std::vector<int> devices{};
  std::array<double, 4> reached{};
  double slow_links = 1;
  double link_share = 0;  // of a host, where the program crosses its link

  bool operator==(const PricedOn&) const = default;
};

bool has_offloads(const Program& program) {
  return std::ranges::any_of(program.kernels,
                             [](const Kernel& kernel) { return crosses_host_link(kernel); });
}

PricedOn priced_on(bool offloads, const Machine& machine) {
  const Slice& slice = machine.slice;
  const StackRow& stack = *machine.stack;
  Generation generation = machine.generation();
  if (!offloads) generation.host_link_bytes_per_second = {};
  return {.generation = generation,
          .joined = slice.joined,
          .chips = slice.chips,
          .hosts = slice.hosts,
          .torus = slice.torus,
          .wraps = slice.wraps,
          .devices = machine.devices,
          .reached = {stack.kernel_efficiency, stack.collective_overlap, stack.steps_per_dispatch,
                      stack.network_share},
          .slow_links = slowness_of_links(machine),
          .link_share = offloads ? machine.host->link_share.value : 0};
}

PricedReplay priced(const Program& program, const Machine& machine) {
  PricedReplay replay{.price = price(program, machine)};
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    const Share share = share_of(program.kernels[k], replay.price.kernels[k]);
    replay.shares[index_of(share)] += replay.price.exposed[k];
  }
  return replay;
}

class SharedPrices {
 public:
  // Of programs that have a price the kernels are not looked through again.
  bool offloads(const std::shared_ptr<const Program>& program) {
    {
      const std::lock_guard lock(mutex_);
      const auto found = known_.find(program.get());
      if (found != known_.end() && found->second.program.lock() == program)
        return found->second.offloads;
    }
    return has_offloads(*program);
  }

  std::shared_ptr<const PricedReplay> find(const std::shared_ptr<const Program>& program,
                                           const PricedOn& on) {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(program.get());
    if (found == known_.end() || found->second.program.lock() != program) return nullptr;
    for (const auto& [known_on, price] : found->second.prices) {
      if (known_on == on) return price;
    }
    return nullptr;
  }

  void add(const std::shared_ptr<const Program>& program, bool offloads, PricedOn on,
           std::shared_ptr<const PricedReplay> price) {
    const std::lock_guard lock(mutex_);
    const std::size_t bytes = bytes_about(on, *price);
    bytes_ += bytes;
    if (bytes_ > most_bytes) {
      known_.clear();
      bytes_ = bytes;
    }
    Known& known = known_[program.get()];
    if (known.program.lock() != program)
      known = {.program = program, .offloads = offloads, .prices = {}};
    known.prices.emplace_back(std::move(on), std::move(price));
  }

 private:
  struct Known {
    std::weak_ptr<const Program> program{};  // another may come to lie where it was
    bool offloads = false;
    std::vector<std::pair<PricedOn, std::shared_ptr<const PricedReplay>>> prices{};
  };
  static constexpr std::size_t most_bytes = 20'000'000;

  // Also of a program without kernels.
  static std::size_t bytes_about(const PricedOn& on, const PricedReplay& price) {
    return sizeof(Known) + sizeof(PricedOn) + sizeof(PricedReplay) +
           on.devices.size() * sizeof(int) +
           price.price.kernels.size() * (sizeof(Price) + 3 * sizeof(Picoseconds));
  }

  std::mutex mutex_;
  std::map<const Program*, Known> known_;
  std::size_t bytes_ = 0;
};

}  // namespace

Share share_of(const Kernel& kernel, const Price& price) {
  if (kernel.collective) return Share::collective_transfer;
  if (price.bound == Bound::host_link) return Share::offload;
  return price.bound == Bound::hbm ? Share::hbm_bound : Share::compute;
}

std::shared_ptr<const PricedReplay> shared_price(const std::shared_ptr<const Program>& program,
                                                 const Machine& machine) {
  static SharedPrices prices;
  const bool offloads = prices.offloads(program);
  PricedOn on = priced_on(offloads, machine);
  if (auto known = prices.find(program, on)) return known;
  auto made = std::make_shared<const PricedReplay>(priced(*program, machine));
  prices.add(program, offloads, std::move(on), made);
  return made;
}

const PricedReplay& ProgramPrices::of(const std::shared_ptr<const Program>& program,
                                      const Machine& machine) {
  const auto found = known_.find(program.get());
  if (found != known_.end()) return *found->second.price;
  constexpr std::size_t most_programs = 2048;
  if (known_.size() >= most_programs) known_.clear();
  Known known{program, shared_price(program, machine)};
  return *known_.emplace(program.get(), std::move(known)).first->second.price;
}

std::vector<TimeSpan> kernel_times(const ProgramPrice& price, Picoseconds done,
                                   double device_factor) {
  std::vector<TimeSpan> times(price.exposed.size());
  Picoseconds end = done;
  for (std::size_t k = times.size(); k > 0; --k) {
    const Picoseconds start = end - exposed_at(price, k - 1, device_factor);
    times[k - 1] = {start, end};
    end = start;
  }
  return times;
}

}  // namespace tpulab
