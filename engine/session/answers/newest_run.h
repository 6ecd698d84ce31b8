// What the newest run has recorded so far, kept for who asks from another thread.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <tuple>

#include "engine/session/answers/run_evidence.h"
#include "engine/session/run/run.h"

namespace tpulab {

// Process, step, kind.
using RecordPlace = std::tuple<int, std::int64_t, int>;

class NewestRun {
 public:
  // Takes over the steps that are new; begins anew with another run, or settings with
  // which it does other steps.
  void note(std::int64_t number, const Run& run, const std::shared_ptr<const Metrics>& metrics);
  void forget();
  std::optional<RunEvidence> copy() const;

 private:
  void begin(std::int64_t number, const Run& run);

  mutable std::mutex mutex_;
  std::optional<RunEvidence> evidence_;
  std::shared_ptr<const Metrics> metrics_;
  std::optional<RecordPlace> noted_;  // of the newest record
};

}  // namespace tpulab
