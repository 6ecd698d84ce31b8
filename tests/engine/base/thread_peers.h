// Peers that are threads of one process.
#pragma once

#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/peers.h"

namespace tpulab::test {

// What they have sent each other and not taken yet.
class Mail {
 public:
  void send(int from, int to, std::string text) {
    const std::lock_guard lock(mutex_);
    waiting_[{from, to}].push_back(std::move(text));
    came_.notify_all();
  }

  std::string take(int from, int to) {
    std::unique_lock lock(mutex_);
    auto& texts = waiting_[{from, to}];
    came_.wait(lock, [&] { return !texts.empty(); });
    std::string text = std::move(texts.front());
    texts.pop_front();
    return text;
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::map<std::pair<int, int>, std::deque<std::string>> waiting_;
};

class ThreadPeers : public Peers {
 public:
  ThreadPeers(Mail& mail, int rank, int size) : mail_(mail), rank_(rank), size_(size) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int here() const override { return size_; }

  void exchange(int rank, std::span<const float> mine, std::span<float> theirs) override {
    const auto bytes = std::as_bytes(mine);
    mail_.send(rank_, rank, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    const std::string text = mail_.take(rank, rank_);
    if (text.size() != theirs.size_bytes()) throw std::logic_error("another length was awaited");
    std::memcpy(theirs.data(), text.data(), text.size());
  }

  std::string broadcast(int from, std::string text) override {
    if (from != rank_) return mail_.take(from, rank_);
    for (int rank = 0; rank < size_; ++rank) {
      if (rank != rank_) mail_.send(rank_, rank, text);
    }
    return text;
  }

  [[noreturn]] void end_all(std::string_view why) override {
    throw std::runtime_error(std::string(why));
  }

 private:
  Mail& mail_;
  int rank_;
  int size_;
};

// Each does `work`, on a thread of its own.
inline void together(int size, const std::function<void(Peers&)>& work) {
  Mail mail;
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadPeers peers(mail, rank, size);
      work(peers);
    });
  }
  threads.clear();  // while there is mail
}

}  // namespace tpulab::test
