#include "engine/session/inbox.h"

#include <gtest/gtest.h>

#include <thread>

namespace tpulab::inbox_test {
namespace {

TEST(Inbox, says_full_instead_of_blocking) {
  Inbox<int> inbox(2);
  EXPECT_TRUE(inbox.post(1));
  EXPECT_TRUE(inbox.post(2));
  EXPECT_FALSE(inbox.post(3));
  EXPECT_EQ(inbox.take(), 1);
  EXPECT_TRUE(inbox.post(4));
  EXPECT_EQ(inbox.posted(), 3u);
}

TEST(Inbox, hands_over_in_order_between_threads) {
  Inbox<int> inbox(4);
  std::jthread writer([&] {
    for (int i = 0; i < 1000; ++i) {
      while (!inbox.post(i)) std::this_thread::yield();
    }
  });
  const std::stop_source never;
  for (int expected = 0; expected < 1000;) {
    inbox.wait(never.get_token());
    while (const std::optional<int> got = inbox.take()) ASSERT_EQ(*got, expected++);
  }
}

TEST(Inbox, stops_waiting_when_asked) {
  Inbox<int> inbox;
  std::stop_source source;
  std::jthread asker([&] { source.request_stop(); });
  inbox.wait(source.get_token());
  EXPECT_EQ(inbox.take(), std::nullopt);
}

}  // namespace
}  // namespace tpulab::inbox_test
