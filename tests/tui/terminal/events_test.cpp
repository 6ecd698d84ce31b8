#include "tui/terminal/events.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <memory>
#include <thread>

namespace tpulab::events_test {
namespace {

// Standard input is a pipe of the test's own.
class EventsTest : public testing::Test {
 protected:
  EventsTest() {
    ::pthread_sigmask(SIG_SETMASK, nullptr, &mask_before_);
    Events::block_signals();
    stdin_before_ = ::dup(STDIN_FILENO);
    EXPECT_EQ(::pipe(input_.data()), 0);
    EXPECT_EQ(::pipe(stray_.data()), 0);
    ::dup2(input_[0], STDIN_FILENO);
    events_ = std::make_unique<Events>(stray_[0]);
  }
  ~EventsTest() override {
    ::alarm(0);  // of the signals that end the program
    ::dup2(stdin_before_, STDIN_FILENO);
    for (const int file : {stdin_before_, input_[0], input_[1], stray_[0], stray_[1]}) {
      if (file >= 0) ::close(file);
    }
    ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
  }
  Happened wait() { return events_->wait(Events::Clock::now() + std::chrono::seconds(20)); }

  std::array<int, 2> input_{};
  std::array<int, 2> stray_{};
  int stdin_before_ = -1;
  sigset_t mask_before_{};
  std::unique_ptr<Events> events_;
};

TEST_F(EventsTest, keys_come_as_they_were_typed) {
  ASSERT_EQ(::write(input_[1], "abc", 3), 3);
  const auto happened = wait();
  EXPECT_EQ(happened.input, "abc");
  EXPECT_FALSE(happened.input_ended);
  EXPECT_FALSE(happened.engine);
}

TEST_F(EventsTest, a_terminal_that_is_gone_ends_the_input) {
  ::close(input_[1]);
  input_[1] = -1;
  EXPECT_TRUE(wait().input_ended);
}

TEST_F(EventsTest, several_rings_of_another_thread_are_one_event) {
  const auto ring = events_->bell();
  std::thread([&] {
    for (int i = 0; i < 100; ++i) ring();
  }).join();
  EXPECT_TRUE(wait().engine);
  EXPECT_FALSE(events_->wait(Events::Clock::now()).engine);
}

TEST_F(EventsTest, a_bell_may_ring_after_the_end) {
  const auto ring = events_->bell();
  events_.reset();
  ring();
}

TEST_F(EventsTest, signals_are_read_and_do_not_strike) {
  ::raise(SIGTERM);
  ::raise(SIGWINCH);
  ::raise(SIGWINCH);
  auto signals = wait().signals;
  std::ranges::sort(signals);
  EXPECT_EQ(signals, (std::vector<int>{SIGTERM, SIGWINCH}));
}

TEST_F(EventsTest, stray_output_is_noticed) {
  ASSERT_EQ(::write(stray_[1], "x", 1), 1);
  EXPECT_TRUE(wait().stray);
}

TEST_F(EventsTest, a_deadline_in_the_past_does_not_block) {
  const auto happened = events_->wait(Events::Clock::now() - std::chrono::seconds(1));
  EXPECT_FALSE(happened.engine);
  EXPECT_TRUE(happened.input.empty());
}

// A thread that listens and never comes to wait().
template <class Work>
void held_up(const Work& work) {
  Events::block_signals();
  const Events events(-1);
  work();
}

TEST(UnheardSignals, a_second_one_ends_the_program) {
  const auto twice = [] {
    ::raise(SIGTERM);
    ::raise(SIGTERM);
  };
  EXPECT_EXIT(held_up(twice), testing::KilledBySignal(SIGTERM), "");
}

TEST(UnheardSignals, a_single_one_ends_it_after_a_while) {
  const auto once = [] {
    ::raise(SIGHUP);
    for (;;) ::pause();
  };
  EXPECT_EXIT(held_up(once), testing::KilledBySignal(SIGHUP), "");
}

TEST(UnheardSignals, control_c_ends_it_only_when_it_was_not_heard_for_a_second) {
  const auto burst = [] {
    for (int i = 0; i < 100; ++i) ::raise(SIGINT);
    ::_exit(7);
  };
  EXPECT_EXIT(held_up(burst), testing::ExitedWithCode(7), "");
  const auto again_and_again = [] {
    for (;;) ::raise(SIGINT);
  };
  EXPECT_EXIT(held_up(again_and_again), testing::KilledBySignal(SIGINT), "");
}

TEST(UnheardSignals, of_another_thread_reach_the_one_that_listens) {
  const auto other = [] {
    std::thread([] {
      sigset_t set;
      ::sigemptyset(&set);
      ::sigaddset(&set, SIGTERM);
      ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
      // One at a time: the thread sanitizer (GCC 12's) leaves all signals blocked in a thread that
      // gets a second one while it hands on the first.
      for (;; std::this_thread::sleep_for(std::chrono::milliseconds(20))) ::raise(SIGTERM);
    }).join();
  };
  EXPECT_EXIT(held_up(other), testing::KilledBySignal(SIGTERM), "");
}

TEST(UnheardSignals, after_the_end_of_the_screen_end_the_program) {
  const auto late = [] {
    held_up([] {});
    ::raise(SIGINT);
  };
  EXPECT_EXIT(late(), testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace tpulab::events_test
