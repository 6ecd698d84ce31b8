// What happened in this session, in words and in fields, numbered. Thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "engine/session/snapshot.h"

namespace tpulab {

class OutputLog {
 public:
  static constexpr std::size_t kept = 16384;

  void add(OutputLine line);  // gives it the next id
  void add(OutputLine::Kind kind, std::string text, std::string event,
           std::vector<EventField> fields);
  std::vector<OutputLine> since(std::int64_t id) const;
  std::vector<OutputLine> newest(std::size_t count) const;

 private:
  mutable std::mutex mutex_;
  std::deque<OutputLine> lines_;
  std::int64_t next_ = 1;
};

}  // namespace tpulab
