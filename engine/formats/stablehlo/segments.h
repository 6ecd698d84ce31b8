// A program as it runs: stretches of one graph each, some of them many times. Loops and what lies
// before and behind them are never fused with each other.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/graph/graph.h"

namespace tpulab::stablehlo {

// A value that more than one segment may see.
struct Source {
  Type type{};
  int made = -1;         // segment; -1: an argument of the program
  NodeId node = -1;      // in its graph; -1: it comes from outside (an argument, a loop)
  int last_use = -1;     // segment
  bool counted = true;   // has memory of its own; not: a part of another, or one under another name
  bool on_host = false;  // it lies in the host's memory
  bool kept = false;     // never written to: a part of another, a constant, what the caller keeps
  int version = 0;       // how often it was written in place
  // Of a loop: the segment before it, which copies it if a turn writes it; -1: none does.
  int before_loop = -1;
};

// A part that is written into a larger array.
struct Placed {
  NodeId node = -1;  // that makes it; -1: it comes from outside
  Type type{};
};

struct Segment {
  std::string name{};  // "main", "while of line 120"
  std::int64_t repeats = 1;
  bool in_loop = false;
  std::unique_ptr<Graph> graph = std::make_unique<Graph>();
  std::set<NodeId> outputs{};
  std::map<int, NodeId> leaves{};  // of sources
  std::vector<Placed> placed{};
  std::map<NodeId, int> replaces{};  // of a loop: what a turn hands on, and the source it replaces
};

struct Segments {
  std::vector<Segment> list;
  std::vector<Source> sources;
  std::vector<int> arguments;  // sources
  std::vector<int> results;
  int exchanging = 1;      // devices that collectives span
  std::int64_t steps = 1;  // at most most_steps
};

}  // namespace tpulab::stablehlo
