// A part of the machine for people and for scripts: lines, facts by name, constants with sources.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/machine/generation.h"
#include "engine/session/snapshot.h"

namespace tpulab {

struct NamedConstant {
  std::string_view name;  // "HBM a device, B/s"
  Constant constant;
};

struct Described {
  std::vector<std::string> lines;
  std::vector<EventField> fields;
  std::vector<NamedConstant> constants;
};

// Which constant of a row has which name.
template <class Row>
struct ConstantEntry {
  std::string_view name;
  Constant Row::*value;
};

inline void add_constant(Described& described, std::string_view name, const Constant& constant) {
  described.constants.push_back({name, constant});
  described.lines.push_back(fmt::format("  {:<29} {:<10.4g} {}, {}", name, constant.value,
                                        name_of(constant.mark), constant.source));
}

// Lists them, and adds a line for each.
template <class Row>
void add_constants(Described& described, const Row& row,
                   std::span<const ConstantEntry<Row>> entries) {
  for (const ConstantEntry<Row>& entry : entries) {
    add_constant(described, entry.name, row.*entry.value);
  }
}

}  // namespace tpulab
