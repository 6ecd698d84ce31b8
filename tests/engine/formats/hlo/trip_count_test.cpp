#include "engine/formats/hlo/trip_count.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/formats/hlo/parser.h"

namespace tpulab::trip_count_test {
namespace {

// Counts from 3 by one; %e is an error that a trip makes anew, %d whether it is small.
std::optional<hlo::Trips> trips_while(std::string_view condition) {
  const hlo::Module module = hlo::parse(fmt::format(R"(HloModule m, is_scheduled=true

%fused (p0: s32[], p1: f32[]) -> pred[] {{
  %p0 = s32[] parameter(0)
  %p1 = f32[] parameter(1)
  %most = s32[] constant(50)
  %small = f32[] constant(0.001)
  %goes = pred[] compare(%p0, %most), direction=LT
  %off = pred[] compare(%p1, %small), direction=GT
  ROOT %both = pred[] and(%off, %goes)
}}

%condition (s: (s32[], f32[], pred[])) -> pred[] {{
  %s = (s32[], f32[], pred[]) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %e = f32[] get-tuple-element(%s), index=1
  %d = pred[] get-tuple-element(%s), index=2
  %most = s32[] constant(50)
  %small = f32[] constant(1)
  %goes = pred[] compare(%i, %most), direction=LT
  %off = pred[] compare(%e, %small), direction=GT
  %more = pred[] not(%d)
  {}
}}

%body (s: (s32[], f32[], pred[])) -> (s32[], f32[], pred[]) {{
  %s = (s32[], f32[], pred[]) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %e = f32[] get-tuple-element(%s), index=1
  %one = s32[] constant(1)
  %j = s32[] add(%i, %one)
  %half = f32[] multiply(%e, %e)
  %small = pred[] compare(%half, %e), direction=LT
  ROOT %t = (s32[], f32[], pred[]) tuple(%j, %half, %small)
}}

ENTRY %main (e: f32[], d: pred[]) -> (s32[], f32[], pred[]) {{
  %e = f32[] parameter(0)
  %d = pred[] parameter(1)
  %three = s32[] constant(3)
  %s = (s32[], f32[], pred[]) tuple(%three, %e, %d)
  ROOT %l = (s32[], f32[], pred[]) while(%s), condition=%condition, body=%body
}}
)",
                                                    condition),
                                        "m.hlo");
  const hlo::Computation& entry = module.computations.at(module.entry);
  return hlo::trips_of(module, entry, *entry.root());
}

TEST(TripCount, is_what_a_counter_is_compared_with) {
  const auto trips = trips_while("ROOT %c = pred[] compare(%i, %most), direction=LT");
  ASSERT_TRUE(trips);
  EXPECT_EQ(trips->most, 50 - 3);
  EXPECT_FALSE(trips->may_end_early);
}

TEST(TripCount, is_the_most_where_more_must_hold) {
  for (const std::string_view condition :
       {"ROOT %c = pred[] and(%goes, %off)", "ROOT %c = pred[] and(%off, %goes)",
        "ROOT %c = pred[] and(%more, %goes)",
        "%o = pred[] and(%more, %off)\n  ROOT %c = pred[] and(%o, %goes)",
        "ROOT %c = pred[] fusion(%i, %e), kind=kLoop, calls=%fused"}) {
    const auto trips = trips_while(condition);
    ASSERT_TRUE(trips) << condition;
    EXPECT_EQ(trips->most, 50 - 3) << condition;
    EXPECT_TRUE(trips->may_end_early) << condition;
  }
}

// Both count: whichever ends first is known.
TEST(TripCount, is_the_fewest_of_counters_that_must_all_hold) {
  for (const std::string_view condition :
       {"ROOT %c = pred[] and(%goes, %soon)", "ROOT %c = pred[] and(%soon, %goes)"}) {
    const auto trips =
        trips_while(fmt::format("%few = s32[] constant(10)\n"
                                "  %soon = pred[] compare(%i, %few), direction=LT\n  {}",
                                condition));
    ASSERT_TRUE(trips) << condition;
    EXPECT_EQ(trips->most, 10 - 3) << condition;
    EXPECT_FALSE(trips->may_end_early) << condition;
  }
}

// Either of them goes on, or nothing counts.
TEST(TripCount, is_unknown_without_a_counter_that_must_hold) {
  EXPECT_FALSE(trips_while("ROOT %c = pred[] or(%goes, %off)"));
  EXPECT_FALSE(trips_while("ROOT %c = pred[] and(%more, %off)"));
}

}  // namespace
}  // namespace tpulab::trip_count_test
