// What the newest training step ran, and where: enough to price it when somebody asks from another
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "engine/session/answers/priced_program.h"
#include "engine/session/run/run.h"

namespace tpulab {

class NewestProgram {
 public:
  void note(std::int64_t number, const Run& run);
  // Empty before a training step of the newest run. Blocks for the pricing.
  std::optional<PricedProgram> priced() const;
  // How many there have been.
  std::int64_t count() const;

 private:
  struct Noted {
    std::shared_ptr<const Program> program;
    std::optional<Machine> machine;
    std::string title;
    std::int64_t run = 0;
  };
  mutable std::mutex mutex_;
  Noted newest_;
  std::int64_t count_ = 0;
};

}  // namespace tpulab
