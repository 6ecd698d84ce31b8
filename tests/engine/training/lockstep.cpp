#include "tests/engine/training/lockstep.h"

#include <algorithm>
#include <cstdio>

#include "engine/base/error.h"

namespace tpulab::test {

namespace {

using Values = std::vector<Array>;  // per device

// "... among=2 apart=4 ..."
DeviceSet devices_of(const Node& node) {
  DeviceSet among;
  const std::string text = node.op->attributes();
  const std::size_t at = text.find("among=");
  expects(at != std::string::npos, "a collective names its devices");
  std::sscanf(text.c_str() + at, "among=%d apart=%d", &among.size, &among.apart);
  return among;
}

std::size_t place_in(const DeviceSet& among, std::size_t device) {
  return device / static_cast<std::size_t>(among.apart) % static_cast<std::size_t>(among.size);
}

// The devices that `device` exchanges values with, itself among them, in order.
std::vector<std::size_t> group_of(const DeviceSet& among, std::size_t device) {
  const auto apart = static_cast<std::size_t>(among.apart);
  const std::size_t first = device - place_in(among, device) * apart;
  std::vector<std::size_t> group;
  group.reserve(static_cast<std::size_t>(among.size));
  for (int i = 0; i < among.size; ++i) group.push_back(first + static_cast<std::size_t>(i) * apart);
  return group;
}

int changed_axis(const Shape& from, const Shape& to) {
  for (int axis = 0; axis < from.rank(); ++axis) {
    if (from[axis] != to[axis]) return axis;
  }
  return -1;
}

struct Blocks {
  std::int64_t outer = 1;
  std::int64_t inner = 1;  // elements of one block
};

Blocks blocks_of(const Shape& shape, int axis) {
  Blocks blocks;
  for (int i = 0; i < axis; ++i) blocks.outer *= shape[i];
  for (int i = axis; i < shape.rank(); ++i) blocks.inner *= shape[i];
  return blocks;
}

Array reduced(const Values& values, const std::vector<std::size_t>& group, bool largest) {
  Array result = values[group[0]];
  for (std::size_t i = 1; i < group.size(); ++i) {
    const Array& next = values[group[i]];
    for (std::int64_t k = 0; k < result.elements(); ++k) {
      result[k] = largest ? std::max(result[k], next[k]) : result[k] + next[k];
    }
  }
  return result;
}

Array gathered(const Values& values, const std::vector<std::size_t>& group, const Type& type) {
  Array whole(type.shape, type.dtype);
  const int axis = changed_axis(values[group[0]].shape(), type.shape);
  const Blocks part = blocks_of(values[group[0]].shape(), axis);
  auto to = whole.values().begin();
  for (std::int64_t outer = 0; outer < part.outer; ++outer) {
    for (const std::size_t device : group) {
      const auto from = values[device].values().begin() + outer * part.inner;
      to = std::copy(from, from + part.inner, to);
    }
  }
  return whole;
}

struct Place {
  std::size_t device;
  std::int64_t row;
};

// The rows that meet on one device of a group: those that chose an expert of its own.
std::vector<Place> arriving(const Values& chosen, const std::vector<std::size_t>& group,
                            std::size_t at, std::int64_t experts) {
  const std::int64_t each = experts / std::ssize(group);
  std::vector<Place> rows;
  for (const std::size_t from : group) {
    for (std::int64_t row = 0; row < chosen[from].elements(); ++row) {
      if (static_cast<std::int64_t>(chosen[from][row]) / each == static_cast<std::int64_t>(at)) {
        rows.push_back({from, row});
      }
    }
  }
  expects(std::ssize(rows) == chosen[group[at]].elements(), "a choice that is even");
  return rows;
}

void copy_row(const Array& from, std::int64_t row, Array& to, std::int64_t place,
              std::int64_t width) {
  std::copy_n(from.values().begin() + row * width, width, to.values().begin() + place * width);
}

// Rows to their experts, choices counted from the first expert of each device, or rows back.
Array sent(const Node& node, const Values& values, const Values& chosen, std::size_t device) {
  const DeviceSet among = devices_of(node);
  const std::vector<std::size_t> group = group_of(among, device);
  const std::string text = node.op->attributes();
  const std::int64_t experts = std::stol(text.substr(text.find("experts=") + 8));
  const std::int64_t width = node.type.shape.elements() / chosen[device].elements();
  const std::size_t own = place_in(among, device);
  Array result(node.type.shape, node.type.dtype);
  if (text.starts_with("back")) {
    for (std::size_t at = 0; at < group.size(); ++at) {
      const std::vector<Place> rows = arriving(chosen, group, at, experts);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].device != device) continue;
        copy_row(values[group[at]], static_cast<std::int64_t>(i), result, rows[i].row, width);
      }
    }
    return result;
  }
  const std::vector<Place> rows = arriving(chosen, group, own, experts);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    copy_row(values[rows[i].device], rows[i].row, result, static_cast<std::int64_t>(i), width);
  }
  const auto first = static_cast<float>(static_cast<std::int64_t>(own) * experts / among.size);
  if (is_integer(node.type.dtype)) {
    for (float& choice : result.values()) choice -= first;
  }
  return result;
}

Array exchanged(const Node& node, const Values& values, std::size_t device) {
  const DeviceSet among = devices_of(node);
  const std::vector<std::size_t> group = group_of(among, device);
  const std::string_view name = node.op->name();
  if (name == "all-reduce") return reduced(values, group, false);
  if (name == "all-reduce-max") return reduced(values, group, true);
  if (name == "all-gather") return gathered(values, group, node.type);
  expects(name == "reduce-scatter", "a collective of sharded programs");
  const int axis = changed_axis(values[device].shape(), node.type.shape);
  return share_of(reduced(values, group, false), axis,
                  static_cast<std::int64_t>(place_in(among, device)), among.size);
}

Array share_begin(const Node& node, std::size_t device) {
  long share = 0;
  std::sscanf(node.op->attributes().c_str(), "share=%ld", &share);
  const auto place = static_cast<long>(place_in(devices_of(node), device));
  Array begin(Shape{}, DType::s32);
  begin[0] = static_cast<float>(share * place);
  return begin;
}

Array evaluated(const Node& node, const std::vector<Values>& values, std::size_t device) {
  std::vector<ArrayView> views;
  for (const NodeId input : node.inputs) {
    views.push_back(values[static_cast<std::size_t>(input)][device].view());
  }
  Array out(node.type.shape, node.type.dtype);
  node.op->evaluate(views, out.span(), {.workers = nullptr, .reference = true});
  round_to(out.dtype(), out.values());
  return out;
}

Array value_of(const Node& node, const std::vector<Values>& values, std::size_t device) {
  if (node.op->name() == "all-to-all") {
    return sent(node, values[static_cast<std::size_t>(node.inputs[0])],
                values[static_cast<std::size_t>(node.inputs[1])], device);
  }
  if (node.traits.collective) {
    return exchanged(node, values[static_cast<std::size_t>(node.inputs[0])], device);
  }
  if (node.op->name() == "divided") {
    return values[static_cast<std::size_t>(node.inputs[0])][device];
  }
  if (node.op->name() == "partition-id") return share_begin(node, device);
  return evaluated(node, values, device);
}

}  // namespace

std::vector<std::vector<Array>> run_in_lockstep(const Program& program, int devices,
                                                const std::vector<std::vector<Array>>& inputs) {
  const auto world = static_cast<std::size_t>(devices);
  std::vector<Values> values(program.nodes.size());
  std::size_t buffers = 0;
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    const Node& node = program.nodes[id];
    const std::size_t input = node.leaf() && !node.scalar ? buffers++ : 0;
    for (std::size_t device = 0; device < world; ++device) {
      if (node.scalar) {
        values[id].push_back(Array::scalar(*node.scalar));
      } else {
        values[id].push_back(node.leaf() ? inputs[device][input] : value_of(node, values, device));
      }
    }
  }
  std::vector<std::vector<Array>> outputs(world);
  for (std::size_t device = 0; device < world; ++device) {
    for (const NodeId id : program.outputs) {
      outputs[device].push_back(values[static_cast<std::size_t>(id)][device]);
    }
  }
  return outputs;
}

Array share_of(const Array& whole, int axis, std::int64_t index, std::int64_t count) {
  Shape shape = whole.shape();
  shape[axis] /= count;
  Array part(shape, whole.dtype());
  const Blocks blocks = blocks_of(shape, axis);
  for (std::int64_t outer = 0; outer < blocks.outer; ++outer) {
    const auto from = whole.values().begin() + (outer * count + index) * blocks.inner;
    std::copy(from, from + blocks.inner, part.values().begin() + outer * blocks.inner);
  }
  return part;
}

}  // namespace tpulab::test
