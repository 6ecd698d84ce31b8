// What most tests of the engine begin with.
#pragma once

#include <gtest/gtest.h>

#include "engine/session/engine.h"

namespace tpulab::test {

inline void run_to_end(Engine& engine, const Settings& settings) {
  ASSERT_TRUE(engine.post(StartRun{settings}));
  engine.wait();
}

inline Settings small_run() {
  Settings settings;
  settings.hidden = {16};
  settings.batch = 64;
  settings.max_epochs = 2;
  settings.workers = 1;
  return settings;
}

// Whether a line of the output has it.
inline bool said(const Engine& engine, std::string_view text) {
  for (const OutputLine& line : engine.output_since(0)) {
    if (line.text.find(text) != std::string::npos) return true;
  }
  return false;
}

}  // namespace tpulab::test
