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

// Lists them, and adds a line for each.
template <class Row>
void add_constants(Described& described, const Row& row,
                   std::span<const ConstantEntry<Row>> entries) {
  for (const ConstantEntry<Row>& entry : entries) {
    const Constant& constant = row.*entry.value;
    described.constants.push_back({entry.name, constant});
    described.lines.push_back(fmt::format("  {:<29} {:<10.4g} {}, {}", entry.name, constant.value,
                                          name_of(constant.mark), constant.source));
  }
}

}  // namespace tpulab
