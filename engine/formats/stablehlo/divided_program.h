// A text with its calls followed, whose values know how devices divide them.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/formats/stablehlo/division_rules.h"
#include "engine/formats/stablehlo/graph_builder.h"
#include "engine/formats/stablehlo/regrouped.h"
#include "engine/formats/stablehlo/shardings.h"

namespace tpulab::stablehlo {

struct DividedValue {
  TensorType type{};  // of all devices together
  Divided divided{};
  bool fixed = false;  // the text says how it is divided
  // A constant, a count, a scalar repeated: each reader makes the part of it that it needs.
  bool made_anywhere = false;
};

// Of an operation: its rule, or where values pass unchanged (a loop, a barrier) one for each value.
struct DividedLink {
  DivisionRule rule{};
  std::vector<int> values{};             // operands, then results
  MeshAxes hidden = 0;                   // divide one side alone
  std::optional<Regrouped> regrouped{};  // beside the factors
};

// Into a shard_map or out of it: one array under two names, whose part on a device is an array of
// its own inside, which `hidden` does not divide.
struct Crossing {
  Divided hidden{};
  bool inward = true;
};

struct DividedBlock;
struct DividedStep {
  const Operation* operation = nullptr;
  std::vector<int> operands{};
  std::vector<int> results{};
  int link = -1;                     // of what computes
  std::vector<DividedBlock> blocks;  // of a loop or branches
  std::optional<Crossing> crossing{};
};
struct DividedBlock {
  std::vector<int> arguments{};
  std::vector<DividedStep> steps{};
  std::vector<int> returned{};
};

struct DividedProgram {
  std::vector<DividedValue> values{};
  std::vector<DividedLink> links{};  // in the order of the text
  DividedBlock body{};
  std::vector<int> results{};  // as they come back
};

// Follows `entry`; arguments, results and constraints are divided as the text says, what goes into
// a shard_map as that asks.
// `notes` tells what they say that is not read or does not divide evenly. Throws Error.
// `shard_maps`: it has any.
DividedProgram followed(const Module& module, const Function& entry, const DeviceMesh& mesh,
                        bool shard_maps, ImportNotes& notes);

// What is said of some values is passed on to the others until nothing changes: along an
// operation's factors, in both directions, first through those that only move and combine elements,
// the largest array first where two would divide another one by the same devices.
void spread_divisions(DividedProgram& program, const DeviceMesh& mesh);

bool is_loop(const Operation& operation);
// Whether a turn of the loop with this body gives the next one what it was given.
bool hands_on(const Region& body, std::size_t index);
bool is_shard_map(const Operation& operation);  // or where its older form begins

TensorType part_of(TensorType type, const Divided& divided, const DeviceMesh& mesh);

// Parts that `divided` makes of an axis fit it.
bool fits(const Shape& shape, int axis, MeshAxes axes, const DeviceMesh& mesh);

}  // namespace tpulab::stablehlo
