// What the README says of the worst rows and of the constants, held against validate's own answer.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "engine/machine/machine.h"
#include "tests/engine/evidence/shipped_validation.h"
#include "tests/engine/forecast/generation_constants.h"

namespace tpulab::readme_accuracy_test {
namespace {

std::string readme() {
  std::ostringstream text;
  text << std::ifstream(TPULAB_SOURCE_DIR "/README.md").rdbuf();
  return text.str();
}

// A row of the README's table: points whose id begins with `start`.
struct WorstRows {
  std::string start;
  int least = 0;  // percent
  int most = 0;
  bool too_fast = false;
};

std::vector<WorstRows> listed_rows() {
  const std::string text = readme();
  const std::regex row(R"(\| `([^`]+)` \| [^|]+ \| (?:(\d+) to )?(\d+) % too (fast|slow) \|)");
  std::vector<WorstRows> rows;
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at) {
    const std::string most = (*at)[3];
    const std::string least = (*at)[2].matched ? (*at)[2].str() : most;
    rows.push_back({(*at)[1], std::stoi(least), std::stoi(most), (*at)[4] == "fast"});
  }
  return rows;
}

bool too_fast(const ValidatedPoint& point) {
  const bool rate = point.unit.find("/s") != std::string::npos && !point.unit.ends_with("/step");
  return (point.error > 0) == rate;
}

TEST(Accuracy, readme_lists_every_row_that_is_thirty_percent_off_and_no_other) {
  std::set<std::string> met;
  for (const ValidatedPoint& point : shipped().points) {
    const auto percent = static_cast<int>(std::lround(std::abs(point.error) * 100));
    if (percent < 30) continue;
    bool listed = false;
    for (const WorstRows& row : listed_rows()) {
      if (!point.id.starts_with(row.start) || too_fast(point) != row.too_fast) continue;
      listed |= percent >= row.least && percent <= row.most;
      if (percent == row.least || percent == row.most) met.insert(row.start);
    }
    EXPECT_TRUE(listed) << point.id << " is " << percent << " % off";
  }
  for (const WorstRows& row : listed_rows()) EXPECT_TRUE(met.contains(row.start)) << row.start;
}

// "PTS-v6e, ..." and "PTS v6e: ..." are both of PTS.
std::string tag_of(std::string_view source) {
  return std::string(source.substr(0, source.find_first_of(" ,;:")));
}

TEST(Accuracy, readme_counts_the_constants_that_are_derived_from_the_sources_of_points) {
  std::set<std::string> tags;
  for (const MeasuredPoint& point : shipped_points()) {
    const std::string tag = tag_of(point.source);
    tags.insert(tag.substr(0, tag.starts_with("PTS-") ? 3 : tag.size()));
  }
  int derived = 0;
  const auto count = [&](const Constant& constant) {
    derived += constant.mark == Mark::derived && tags.contains(tag_of(constant.source)) ? 1 : 0;
  };
  for (const Generation& row : generations()) {
    for (const auto constant : test::generation_constants) {
      count(row.*constant);
    }
  }
  using S = StackRow;
  for (const S& row : stack_rows()) {
    for (const Constant S::*constant :
         {&S::trace_seconds_per_op, &S::step_seconds, &S::dispatch_seconds, &S::run_ahead,
          &S::batches_ahead, &S::compile_seconds_base, &S::compile_seconds_per_node,
          &S::read_back_seconds, &S::kernel_efficiency, &S::collective_overlap,
          &S::steps_per_dispatch, &S::fused_attention, &S::scanned_layers, &S::sharded_update,
          &S::network_share, &S::random_operations}) {
      count(row.*constant);
    }
  }
  EXPECT_EQ(derived, 12);
  EXPECT_NE(readme().find("Twelve more constants are derived"), std::string::npos);
}

}  // namespace
}  // namespace tpulab::readme_accuracy_test
