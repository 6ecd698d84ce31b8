#include "engine/session/run/telling_records.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace tpulab::telling_records_test {
namespace {

using Events = std::shared_ptr<const std::vector<Event>>;

std::vector<StepRecord> of(const std::vector<Events>& turn, int turns) {
  std::vector<StepRecord> records;
  for (int i = 0; i < turns; ++i) {
    for (const Events& events : turn) records.push_back({.samples = 8, .events = events});
  }
  return records;
}

const Events plain = std::make_shared<const std::vector<Event>>();
const Events reads = std::make_shared<const std::vector<Event>>();

TEST(TellingRecords, of_one_kind_are_a_few) {
  EXPECT_EQ(telling_records(of({plain}, 500)).size(), 32U);
}

// 50 and 3: of either as many as their share is.
TEST(TellingRecords, that_go_round_are_whole_turns) {
  std::vector<Events> turn(49, plain);
  turn.push_back(reads);
  EXPECT_EQ(telling_records(of(turn, 9)).size(), 50U);
  EXPECT_EQ(telling_records(of({plain, plain, reads}, 40)).size(), 33U);
}

TEST(TellingRecords, go_round_behind_a_beginning_of_their_own) {
  std::vector<StepRecord> records = of({reads, reads}, 1);
  const std::vector<StepRecord> rest = of({plain, plain, plain, reads}, 60);
  records.insert(records.end(), rest.begin(), rest.end());
  EXPECT_EQ(telling_records(records).size(), 32U);
}

// A forecast leaves out turns that are alike: what is left goes round less than twice.
TEST(TellingRecords, leave_out_what_a_run_compiles_as_it_begins) {
  const Events compiles =
      std::make_shared<const std::vector<Event>>(std::vector<Event>{{.kind = EventKind::compile}});
  std::vector<StepRecord> records = of({reads, compiles}, 1);
  const std::vector<StepRecord> rest = of(std::vector<Events>(47, plain), 1);
  records.insert(records.end(), rest.begin(), rest.end());
  records.push_back({.samples = 8, .events = reads});
  EXPECT_EQ(telling_records(records).size(), 48U);
  const std::vector<StepRecord> late = of({reads, plain, plain, compiles, plain, reads}, 1);
  EXPECT_EQ(telling_records(late).size(), 6U);  // too much to leave out
}

TEST(TellingRecords, that_never_come_again_are_all_of_them) {
  std::vector<Events> turn(300, plain);
  turn[100] = reads;
  EXPECT_EQ(telling_records(of(turn, 1)).size(), 300U);
  EXPECT_EQ(telling_records(of(turn, 1), 40).size(), 32U);
  EXPECT_EQ(telling_records(of(turn, 9)).size(), 300U);
}

TEST(TellingRecords, begin_with_the_first_that_trains) {
  std::vector<StepRecord> records = of({plain, reads}, 3);
  records.front().kind = StepKind::evaluate;
  EXPECT_EQ(telling_records(records).front().kind, StepKind::train);
  EXPECT_TRUE(telling_records({}).empty());
}

}  // namespace
}  // namespace tpulab::telling_records_test
