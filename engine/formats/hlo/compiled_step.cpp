#include "engine/formats/hlo/compiled_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/formats/branch_time.h"
#include "engine/formats/hlo/host_transfers.h"
#include "engine/formats/hlo/instruction_kinds.h"
#include "engine/formats/hlo/kernel_work.h"
#include "engine/formats/hlo/parameters.h"
#include "engine/formats/hlo/parser.h"
#include "engine/formats/hlo/schedule_memory.h"
#include "engine/formats/hlo/source_lines.h"
#include "engine/formats/hlo/trip_count.h"

namespace tpulab {

namespace hlo {

namespace {

constexpr int deepest_loop = 32;
constexpr std::int64_t most_runs = std::int64_t{1} << 30;

// "convolution_add_fusion.1 jvp()/dot_general train.py:42": its name, the operation that it came
// from, and where that is written.
std::string name_of(const Instruction& one, const SourceLines& lines) {
  constexpr std::size_t longest = 60;
  std::string_view from;
  const std::string_view metadata = one.find("metadata");
  if (metadata.size() > 2) {
    from = unquoted(attribute(metadata.substr(1, metadata.size() - 2), "op_name"));
  }
  if (from.starts_with("jit(") && from.find('/') != std::string_view::npos) {
    from = from.substr(from.find('/') + 1);
  }
  if (from.size() > longest) from = from.substr(from.size() - longest);
  std::string name(one.name);
  if (!from.empty()) name += fmt::format(" {}", from);
  const std::string line = lines.of(one);
  return line.empty() ? name : fmt::format("{} {}", name, line);
}

// What a body has begun and not ended: a collective, a copy over the host's link.
struct UnderWay {
  std::string name{};
  tpulab::Work work{};
  int before = 0;  // kernels
};

// A collective that is spread over fusions of one channel (async_collective_fusion): the first one
// starts it, others compute beside it, the last one waits.
struct Spread {
  const Instruction* first = nullptr;
  const Instruction* last = nullptr;
};

class Importer {
 public:
  explicit Importer(const Module& module)
      : module_(module), lines_(std::make_shared<const SourceLines>(module)) {
    step_.file = module.file;
  }

  ImportedStep run() && {
    const Computation& entry = module_.computations.at(module_.entry);
    std::int64_t traced = 0;
    for (const auto& [name, computation] : module_.computations) {
      step_.operations += std::ssize(computation.instructions);
      traced += std::ranges::count_if(
          computation.instructions, [](const Instruction& one) { return !added_by_compiler(one); });
    }
    open("step", 1);
    walk(entry, 1, 0);
    std::erase_if(step_.work.blocks, [](const Block& block) { return block.forward.empty(); });
    if (step_.work.blocks.empty()) {
      module_.refuse(entry.root()->line,
                     fmt::format("{} launches no kernel; give what the compiler made of the step, "
                                 "`help import` says how",
                                 module_.entry));
    }
    tell_parameters(module_, entry, step_);
    step_.work.traced_ops = static_cast<int>(std::min<std::int64_t>(traced, 1 << 30));
    step_.work.forward_ops = step_.work.traced_ops;
    const std::size_t name = std::min(module_.header.find(' '), module_.header.size() - 1) + 1;
    step_.of_jax = named_by_jax(module_.header.substr(name));
    step_.work.working = memory_of_schedule(module_);
    step_.work.on_host = host_memory_of_schedule(module_);
    step_.devices = device_count(said(module_, "num_partitions"), said(module_, "replica_count"));
    tell_notes();
    return std::move(step_);
  }

 private:
  // To see how long a branch takes.
  struct Alone {};
  Importer(const Importer& outside, Alone)
      : module_(outside.module_), lines_(outside.lines_), longest_(outside.longest_) {}

  Block& here() { return step_.work.blocks.back(); }

  void open(std::string name, std::int64_t repeats) {
    Block block;
    block.name = std::move(name);
    block.repeats = repeats;
    step_.work.blocks.push_back(std::move(block));
  }

  void walk(const Computation& body, std::int64_t runs, int depth) {
    if (depth > deepest_loop || visits_ > most_visits) {
      throw Error(
          fmt::format("{}: {}: loops lie in each other too deeply", module_.file, body.name));
    }
    std::map<std::string_view, UnderWay> under_way;
    const std::map<std::string_view, Spread> channels = spread_in(body);
    for (const Instruction& one : body.instructions) {
      ++visits_;
      if (only_names(one.opcode)) continue;
      const auto spread = channels.find(channel_of(one));
      if (spread != channels.end() && spread->second.first != spread->second.last) {
        take_part(body, one, spread->second, runs, under_way);
      } else if (ends_something(one.opcode)) {
        settle(one, under_way);
      } else if (is_with_host(one)) {
        ++notes_["exchanges with the host (callbacks, feeds) that take no time here"];
      } else if (one.opcode == "while") {
        loop(body, one, runs, depth);
      } else if (one.opcode == "call" || one.opcode == "conditional") {
        branches(one, runs, depth);
      } else if (const auto crosses = host_transfer_of(body, one)) {
        send(one, *crosses, runs, under_way);
      } else if (fetches(one.opcode)) {
        fetch(body, one, runs);
      } else if (is_collective(one.opcode) && one.opcode.ends_with("-start")) {
        begin(body, one, runs, under_way, one.name);
      } else if (launched(one)) {
        launch(body, one, runs);
      }
    }
    under_way_ends(under_way);
  }

  void loop(const Computation& body, const Instruction& one, std::int64_t runs, int depth) {
    const auto trips = trips_of(module_, body, one);
    if (!trips) {
      module_.refuse(one.line,
                     fmt::format("{} runs as often as is known only at run time; add a bound to "
                                 "its condition, (i < 100) & ..",
                                 one.name));
    }
    if (trips->may_end_early) ++notes_["of the loops may end early, priced as far as they count"];
    const std::int64_t all = runs * std::min(trips->most, most_runs);
    if (all > most_runs) module_.refuse(one.line, fmt::format("{} runs {} times", one.name, all));
    const std::string outside = here().name;
    const std::int64_t outside_repeats = here().repeats;
    open(std::string(one.name), all);
    walk(module_.computation(one.called("body"), one), all, depth + 1);
    open(outside, outside_repeats);
  }

  void branches(const Instruction& one, std::int64_t runs, int depth) {
    if (one.opcode == "call") {
      return walk(module_.computation(one.called("to_apply"), one), runs, depth + 1);
    }
    ++notes_["branches counted as their longest"];
    walk(longest(one, depth + 1), runs, depth + 1);
  }

  // Asked once of each; what cannot be read is taken to be shorter.
  const Computation& longest(const Instruction& one, int depth) {
    const auto known = longest_->try_emplace(&one).first;
    if (known->second != nullptr) return *known->second;  // else it was refused, and is again
    double most = -1;
    for (const std::string_view name : branches_of(one)) {
      const Computation& branch = module_.computation(name, one);
      if (known->second == nullptr) known->second = &branch;
      const double seconds = about_seconds(branch, depth);
      if (seconds <= most) continue;
      most = seconds;
      known->second = &branch;
    }
    if (known->second == nullptr) module_.refuse(one.line, "a conditional without branches");
    return *known->second;
  }

  double about_seconds(const Computation& branch, int depth) {
    Importer alone(*this, Alone{});
    alone.open("branch", 1);
    try {
      alone.walk(branch, 1, depth);
    } catch (const Error&) {
      ++notes_["branches that are not read, taken to be shorter than the others"];
      return -1;
    }
    double sum = 0;
    for (const Block& block : alone.step_.work.blocks) {
      for (const NamedKernel& kernel : block.forward) {
        sum += tpulab::about_seconds(kernel.work) * static_cast<double>(block.repeats);
      }
    }
    return sum;
  }

  // Its bytes go with the next kernel, beside which they move.
  void fetch(const Computation& body, const Instruction& one, std::int64_t runs) {
    notes_["copies between HBM and the memory of a core, counted with the kernels beside them"] +=
        runs;
    const Instruction* const from = one.operands.empty() ? nullptr : body.find(one.operands[0]);
    if (from == nullptr || from->type.arrays.empty()) return;
    const auto moved = std::ranges::find_if(one.type.arrays, [&](const ArrayType& array) {
      return array.space != from->type.arrays[0].space && array.space <= 1;
    });
    const ArrayType& part = moved == one.type.arrays.end() ? from->type.arrays[0] : *moved;
    ArrayType in_hbm = part;
    in_hbm.space = 0;
    fetched_.push_back(operand_of(in_hbm));
  }

  // Beside the kernels until it ends, which here and there is at once.
  void send(const Instruction& one, const HostLinkWork& work, std::int64_t runs,
            std::map<std::string_view, UnderWay>& under_way) {
    notes_[work.taken ? "arrays taken from the host's memory"
                      : "arrays sent to the host's memory"] += runs;
    const UnderWay begun{hlo::name_of(one, *lines_), work, kernels_};
    if (!one.opcode.ends_with("-start")) return hide(begun);
    under_way[one.name] = begun;
  }

  void begin(const Computation& in, const Instruction& one, std::int64_t runs,
             std::map<std::string_view, UnderWay>& under_way, std::string_view name) {
    step_.kernels += runs;
    notes_["asynchronous collectives, hidden behind the kernels that run meanwhile"] += runs;
    const auto sent = collective_in_fusion(in, one);
    if (!sent) return;
    note_collective(one, *sent);
    under_way[name] = {hlo::name_of(one, *lines_), *sent, kernels_};
  }

  // The collective inside of a fusion; null: there is none.
  const Instruction* sent_by(const Instruction& one) const {
    if (one.opcode != "fusion") return nullptr;
    const auto called = module_.computations.find(one.called("calls"));
    if (called == module_.computations.end()) return nullptr;
    return find_row(called->second.instructions, true,
                    [](const Instruction& each) { return is_collective(each.opcode); });
  }

  // Empty where nothing is sent, or where that has no channel.
  std::string_view channel_of(const Instruction& one) const {
    const Instruction* const sent = sent_by(one);
    return sent == nullptr ? std::string_view() : sent->find("channel_id");
  }

  std::map<std::string_view, Spread> spread_in(const Computation& body) const {
    std::map<std::string_view, Spread> channels;
    for (const Instruction& one : body.instructions) {
      const std::string_view channel = channel_of(one);
      if (channel.empty()) continue;
      Spread& spread = channels[channel];
      if (spread.first == nullptr) spread.first = &one;
      spread.last = &one;
    }
    return channels;
  }

  void take_part(const Computation& body, const Instruction& one, const Spread& spread,
                 std::int64_t runs, std::map<std::string_view, UnderWay>& under_way) {
    if (&one == spread.first) {
      const Computation& inside = module_.computation(one.called("calls"), one);
      begin(inside, *sent_by(one), runs, under_way, one.name);
    } else if (&one != spread.last) {
      launch(body, one, runs, true);
    } else if (const auto found = under_way.find(spread.first->name); found != under_way.end()) {
      hide(found->second);
      under_way.erase(found);
    }
  }

  void settle(const Instruction& one, std::map<std::string_view, UnderWay>& under_way) {
    const auto found = one.operands.empty() ? under_way.end() : under_way.find(one.operands[0]);
    if (found == under_way.end()) return;
    hide(found->second);
    under_way.erase(found);
  }

  void under_way_ends(std::map<std::string_view, UnderWay>& under_way) {
    for (const auto& [name, one] : under_way) hide(one);
    under_way.clear();
  }

  // Where it is waited for.
  void hide(const UnderWay& one) {
    add({.name = one.name, .work = {{one.work}, {}, {}}, .begun = kernels_ - one.before});
  }

  void add(NamedKernel kernel) {
    here().forward.push_back(std::move(kernel));
    ++kernels_;
  }

  // `beside`: of a collective that is counted elsewhere, whose arrays it hands on.
  void launch(const Computation& body, const Instruction& one, std::int64_t runs,
              bool beside = false) {
    Work work = work_of(module_, body, one, visits_);
    if (beside) leave_collective(work.kernel);
    step_.kernels += runs;
    if (work.unknown) notes_["custom calls of which only the arrays are priced"] += runs;
    add_flops(step_, work.flops, runs);
    for (const tpulab::Work& item : work.kernel.items) {
      if (const auto* const sent = std::get_if<CollectiveWork>(&item)) note_collective(one, *sent);
    }
    std::ranges::move(fetched_, std::back_inserter(work.kernel.reads));
    fetched_.clear();
    for (const ArrayType& array : one.type.arrays) {
      padded_ += (array.stored() - array.bytes()) * (array.in_hbm() ? 1 : 0);
      note_array(here(), one.name, operand_of(array));
    }
    const auto& items = work.kernel.items;
    const bool waits = !items.empty() && std::holds_alternative<CollectiveWork>(items.front());
    add({.name = hlo::name_of(one, *lines_),
         .work = std::move(work.kernel),
         .product = work.product,
         .begun = waits ? 0 : -1});
  }

  static void leave_collective(KernelWork& kernel) {
    std::erase_if(kernel.items, [](const tpulab::Work& item) {
      return std::holds_alternative<CollectiveWork>(item);
    });
    std::erase_if(kernel.writes, [&](const Operand& made) {
      const auto given = std::ranges::find(kernel.reads, made);
      if (given == kernel.reads.end()) return false;
      kernel.reads.erase(given);
      return true;
    });
  }

  void note_collective(const Instruction& one, const CollectiveWork& sent) {
    if (is_ragged(one.opcode)) {
      ++notes_["exchanges of ragged rows, priced as if all of them were sent"];
    }
    const DeviceSet& among = sent.among;
    step_.exchanging = std::max(step_.exchanging, std::max(among.size, 1) * among.apart);
  }

  void tell_notes() {
    step_.notes.emplace_back("kernels, layouts and collectives as the TPU compiler made them");
    if (padded_.value > 0) {
      step_.notes.push_back(fmt::format("{} of results are padding to tiles", text_of(padded_)));
    }
    note_steps(step_);
    note_host_memory(step_);
    for (const auto& [what, times] : notes_) {
      step_.notes.push_back(fmt::format("{} {}", text_with_commas(times), what));
    }
  }

  const Module& module_;
  std::shared_ptr<const SourceLines> lines_;
  using Longest = std::map<const Instruction*, const Computation*>;
  std::shared_ptr<Longest> longest_ = std::make_shared<Longest>();
  ImportedStep step_;
  std::map<std::string, std::int64_t> notes_;
  std::vector<Operand> fetched_;  // what a kernel has beside it
  Bytes padded_;
  std::int64_t visits_ = 0;
  int kernels_ = 0;  // of all blocks
};

}  // namespace

}  // namespace hlo

ImportedStep import_hlo(std::string text, const std::string& file) {
  const hlo::Module module = hlo::parse(std::move(text), file);
  return hlo::Importer(module).run();
}

}  // namespace tpulab
