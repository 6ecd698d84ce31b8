#include "tests/tui/golden.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace tpulab {

namespace {

void expect_file(const std::string& file, const std::string& drawn) {
  const std::string path = std::string(TPULAB_SOURCE_DIR) + "/tests/tui/golden/" + file;
  if (std::getenv("UPDATE_GOLDEN")) {
    std::ofstream(path) << drawn << '\n';
    return;
  }
  std::ifstream stream(path);
  std::ostringstream kept;
  kept << stream.rdbuf();
  EXPECT_EQ(kept.str(), drawn + '\n') << path << " differs; UPDATE_GOLDEN=1 rewrites it";
}

}  // namespace

void expect_golden(const std::string& name, const Canvas& canvas) {
  expect_file(name + ".screen", canvas.text());
  expect_file(name + ".roles", canvas.roles());
}

}  // namespace tpulab
