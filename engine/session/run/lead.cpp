#include "engine/session/run/lead.h"

#include <fmt/format.h>

#include <bit>

#include "engine/base/error.h"
#include "engine/session/run/checkpoint_file.h"
#include "engine/session/settings/plan.h"
#include "engine/session/settings/settings_file.h"

namespace tpulab {

namespace {

bool computes(const Settings& settings) { return settings.numbers && !is_named(settings); }

// Those that give each process an aligned part of the cores: a subtree of their sum.
std::string counts_that_fit(int cores) {
  std::string counts = "1";
  for (int count = 2; cores % count == 0; count *= 2) counts += fmt::format(", {}", count);
  return counts;
}

}  // namespace

void check_can_share(const Settings& settings, const Peers* peers) {
  if (peers == nullptr || !computes(settings)) return;
  const int cores = machine_for(settings).world();
  const int processes = peers->size();
  if (std::has_single_bit(static_cast<unsigned>(processes)) && cores % processes == 0) return;
  throw Error(fmt::format(
      "{} processes cannot own equal parts of {}: start as many as {}, or change "
      "devices or slice",
      processes, cores == 1 ? "1 core" : fmt::format("{} cores", cores), counts_that_fit(cores)));
}

Lead::Lead(Peers* peers, const Settings& settings, const TrainerState* from)
    : peers_(computes(settings) ? peers : nullptr) {
  if (from == nullptr) {
    tell(told::begin, text_of_settings(settings));
  } else {
    tell(told::resume, checkpoint_text(settings, *from));
  }
}

void Lead::begun() {
  tell(told::begun);
  if (peers_ == nullptr) return;
  const std::vector<std::string> failures = texts_of_all(*peers_, "");
  for (std::size_t rank = 0; rank < failures.size(); ++rank) {
    if (failures[rank].empty()) continue;
    throw Error(
        fmt::format("process {} of {} could not begin: {}", rank, failures.size(), failures[rank]));
  }
}

StepReport Lead::advance(const std::function<StepReport()>& step) {
  tell(told::advance);
  if (peers_ == nullptr) return step();
  try {
    return step();
  } catch (const Error&) {
    throw;  // the others met it too
  } catch (const std::exception& error) {
    peers_->end_all(error.what());
    throw;
  }
}

void Lead::change(const Settings& settings) { tell(told::change, text_of_settings(settings)); }

void Lead::tell(std::string_view word, const std::string& rest) {
  if (peers_ != nullptr) peers_->broadcast(0, fmt::format("{}\n{}", word, rest));
}

}  // namespace tpulab
