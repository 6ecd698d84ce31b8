// Distances between touches, against the array that a plain list of newest touches gives.
#include "engine/compiler/touches.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace tpulab::touches_test {
namespace {

TEST(Touches, an_array_needs_room_for_all_that_was_touched_since_it_was) {
  Touches touches(3);
  touches.write(0, Bytes{10});
  touches.write(1, Bytes{200});
  EXPECT_EQ(touches.read(0, Bytes{10}), Bytes{210});
  EXPECT_EQ(touches.read(0, Bytes{10}), Bytes{10}) << "nothing lies between";
  EXPECT_EQ(touches.read(2, Bytes{5}), Touches::nowhere) << "nobody touched it before";
  EXPECT_EQ(touches.until_read(0), Bytes{210});
}

TEST(Touches, each_turn_of_a_loop_has_arrays_of_its_own) {
  Touches touches(4);
  const Turns forward{1, 24};
  const Turns backward{2, 24};
  touches.write(3, Bytes{5});
  touches.write(0, Bytes{10}, forward);
  touches.write(1, Bytes{200}, forward);
  EXPECT_EQ(touches.read(0, Bytes{10}, forward), Bytes{210}) << "in the same turn";
  EXPECT_EQ(touches.read(1, Bytes{200}, backward), Touches::nowhere) << "23 turns came behind it";
  EXPECT_EQ(touches.until_read(1), Touches::nowhere);
  EXPECT_EQ(touches.read(3, Bytes{5}), Bytes{24 * 210 + 5}) << "all turns lie between";
}

TEST(Touches, any_order_gives_what_a_list_of_newest_touches_gives) {
  constexpr int nodes = 20;
  Touches touches(nodes);
  std::map<int, std::pair<int, std::int64_t>> newest;  // when, and how large
  std::mt19937 random(7);
  for (int now = 0; now < 2'000; ++now) {
    const int id = static_cast<int>(random() % nodes);
    const std::int64_t bytes = 10 + id;
    std::int64_t expected = Touches::nowhere.value;
    if (newest.contains(id)) {
      expected = bytes;
      for (const auto& [other, touch] : newest) {
        if (other != id && touch.first > newest[id].first) expected += touch.second;
      }
    }
    ASSERT_EQ(touches.read(id, Bytes{bytes}), Bytes{expected}) << now;
    newest[id] = {now, bytes};
  }
}

}  // namespace
}  // namespace tpulab::touches_test
