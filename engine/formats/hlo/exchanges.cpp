// Collectives, and which devices take part in them.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <ranges>

#include "engine/formats/hlo/kernel_work.h"

namespace tpulab::hlo {

namespace {

struct Kind {
  std::string_view name;
  CollectiveKind kind;
};
constexpr std::string_view ragged = "ragged-all-to-all";
constexpr std::array<Kind, 6> kinds{{{"all-reduce", CollectiveKind::all_reduce},
                                     {"all-gather", CollectiveKind::all_gather},
                                     {"reduce-scatter", CollectiveKind::reduce_scatter},
                                     {"all-to-all", CollectiveKind::all_to_all},
                                     {ragged, CollectiveKind::all_to_all},
                                     {"collective-permute", CollectiveKind::permute}}};

const Kind* kind_of(std::string_view opcode) {
  if (opcode.ends_with("-start")) opcode.remove_suffix(6);
  const auto* const found = std::ranges::find(kinds, opcode, &Kind::name);
  return found == kinds.end() ? nullptr : found;
}

constexpr std::int64_t most_devices = 1 << 20;

DeviceSet device_set(std::int64_t size, std::int64_t apart) {
  return {.size = static_cast<int>(std::clamp<std::int64_t>(size, 1, most_devices)),
          .apart = static_cast<int>(std::clamp<std::int64_t>(apart, 1, most_devices))};
}

// "{{0,2},{1,3}}"
DeviceSet listed(std::string_view groups) {
  const std::vector<std::int64_t> first = numbers_in(groups.substr(0, groups.find('}')));
  if (first.empty()) return {};  // {}: all
  return device_set(std::ssize(first), first.size() > 1 ? first[1] - first[0] : 1);
}

// "[8]", "[2,4]T(1,0)": the device at a place of a mesh that was turned after its numbering.
std::int64_t device_at(std::int64_t place, std::string_view turned) {
  const std::size_t turn = std::min(turned.find('T'), turned.size());
  std::vector<std::int64_t> mesh = numbers_in(turned.substr(0, turn));
  for (std::int64_t& extent : mesh) extent = std::clamp<std::int64_t>(extent, 1, most_devices);
  std::vector<std::int64_t> strides(mesh.size(), 1);
  for (std::size_t axis = mesh.size(); axis-- > 1;) {
    strides[axis - 1] = std::min(strides[axis] * mesh[axis], most_devices);
  }
  std::vector<std::int64_t> order = numbers_in(turned.substr(turn));
  if (order.empty()) {
    order.resize(mesh.size());
    std::iota(order.begin(), order.end(), 0);
  }
  std::int64_t device = 0;
  for (const std::int64_t axis : order | std::views::reverse) {
    if (axis < 0 || axis >= std::ssize(mesh)) continue;
    const auto at = static_cast<std::size_t>(axis);
    device += place % mesh[at] * strides[at];
    place /= mesh[at];
  }
  return device;
}

// "[2,4]<=[8]", "[4,2]<=[2,4]T(1,0)": groups by size.
DeviceSet counted(std::string_view groups) {
  const std::size_t arrow = groups.find("<=");
  const std::vector<std::int64_t> sizes = numbers_in(groups.substr(0, arrow));
  return device_set(sizes.empty() ? 1 : sizes.back(), device_at(1, groups.substr(arrow)));
}

// Of "mesh['x'=4,'y'=2]" those that differ in the axes `chosen` alone, "{'y'}", as places.
DeviceSet places_of(std::string_view mesh, std::string_view chosen) {
  std::int64_t size = 1;
  std::int64_t apart = 1;
  std::int64_t stride = 1;
  std::string_view axes = mesh.substr(0, mesh.find(']'));
  while (true) {  // from the innermost axis
    const std::size_t equals = axes.rfind('=');
    if (equals == std::string_view::npos) break;
    const std::int64_t devices =
        std::clamp<std::int64_t>(first_number(axes.substr(equals + 1), 1), 1, most_devices);
    const std::size_t comma = axes.find_last_of(",[", equals);
    const std::string_view name = axes.substr(comma + 1, equals - comma - 1);
    if (devices > 1 && chosen.find(name) != std::string_view::npos) {
      if (size == 1) apart = stride;
      size = std::min(size * devices, most_devices);
    }
    stride = std::min(stride * devices, most_devices);
    axes = axes.substr(0, comma == std::string_view::npos ? 0 : comma);
  }
  return device_set(size, apart);
}

// "mesh['x'=4,'y'=2] {'y'}"; with device_ids=([2,4]T(1,0)) or (0,2,1,3) between the two, behind a
// comma, where places of the mesh are not the numbers of its devices.
DeviceSet named(std::string_view mesh, std::string_view ids) {
  if (ids.empty()) return places_of(mesh, mesh.substr(std::min(mesh.find('{'), mesh.size())));
  const DeviceSet places = places_of(mesh, ids.substr(std::min(ids.find('{'), ids.size())));
  const std::string_view turned = ids.substr(0, ids.find('{'));
  if (turned.find('[') != std::string_view::npos) {
    return device_set(places.size, device_at(places.apart, turned));
  }
  const std::vector<std::int64_t> listed = numbers_in(turned);
  const auto next = static_cast<std::size_t>(places.apart);
  if (next >= listed.size()) return places;
  return device_set(places.size, std::abs(listed[next] - listed[0]));
}

DeviceSet devices_of(const Instruction& instruction) {
  const std::string_view groups = instruction.find("replica_groups");
  if (groups.starts_with("mesh")) return named(groups, instruction.find("device_ids"));
  return groups.find("<=") != std::string_view::npos ? counted(groups) : listed(groups);
}

// Neighbours that hand something on; one device if each keeps its own.
DeviceSet pairs_of(const Instruction& instruction) {
  const std::vector<std::int64_t> pairs = numbers_in(instruction.find("source_target_pairs"));
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    if (pairs[i] != pairs[i + 1]) return {};
  }
  return {.size = 1};
}

// How many rows go where is known at run time: those that it has, if there is place for them.
Bytes sent_at_most(const Computation& in, const Instruction& instruction) {
  Bytes place;
  const ResultType& type = instruction.type;
  for (const ArrayType& one : type.elements.empty() ? type.arrays : type.element(1)) {
    place += one.bytes();
  }
  const Instruction* const given =
      instruction.operands.empty() ? nullptr : in.find(instruction.operands[0]);
  if (given == nullptr || given->type.arrays.empty()) return place;
  return std::min(place, given->type.arrays[0].bytes());
}

// The whole array of a reduction, the gathered one of an all-gather. An asynchronous one answers
// what it was given as well: the larger half counts.
Bytes payload(const Computation& in, const Instruction& instruction, CollectiveKind kind,
              const DeviceSet& among) {
  Bytes bytes;
  Bytes largest;
  for (const ArrayType& array : instruction.type.arrays) {
    bytes += array.bytes();
    largest = std::max(largest, array.bytes());
  }
  if (is_ragged(instruction.opcode)) return sent_at_most(in, instruction);
  const bool started = instruction.opcode.ends_with("-start");
  if (started && kind != CollectiveKind::all_reduce) bytes = largest;
  if (kind == CollectiveKind::reduce_scatter && !started) bytes = bytes * std::max(among.size, 1);
  return bytes;
}

bool names_anew(std::string_view opcode) {
  return opcode == "bitcast" || opcode == "convert" || opcode == "copy" || opcode == "transpose" ||
         opcode == "get-tuple-element";
}

std::int64_t elements_of(const Instruction& one) {
  std::int64_t sum = 0;
  for (const ArrayType& array : one.type.arrays) sum += array.elements();
  return sum;
}

// `sharers` 0: of all devices, however many these are.
bool is_share(const Instruction& part, const Instruction& whole, int sharers) {
  return sharers > 0 ? elements_of(part) * sharers == elements_of(whole)
                     : elements_of(part) < elements_of(whole);
}

// Whether it is read, and all that is read is the part of one of `sharers`; `looks`: results may
// lead to the same one in many ways.
bool read_in_parts(const Computation& in, const Instruction& whole, int sharers, int& looks) {
  if (--looks < 0 || whole.root) return false;
  bool read = false;
  for (const Instruction& reader : in.instructions) {
    if (std::ranges::find(reader.operands, whole.name) == reader.operands.end()) continue;
    const bool is_part = names_anew(reader.opcode) ? read_in_parts(in, reader, sharers, looks)
                                                   : reader.opcode == "dynamic-slice" &&
                                                         reader.operands[0] == whole.name &&
                                                         is_share(reader, whole, sharers);
    if (!is_part) return false;
    read = true;
  }
  return read;
}

}  // namespace

bool is_collective(std::string_view opcode) { return kind_of(opcode) != nullptr; }

bool is_ragged(std::string_view opcode) { return opcode.starts_with(ragged); }

std::optional<CollectiveWork> collective_of(const Computation& in, const Instruction& instruction) {
  const Kind* const kind = kind_of(instruction.opcode);
  if (kind == nullptr) return std::nullopt;
  const DeviceSet among =
      kind->kind == CollectiveKind::permute ? pairs_of(instruction) : devices_of(instruction);
  if (among.size == 1) return std::nullopt;
  return CollectiveWork{kind->kind, payload(in, instruction, kind->kind, among), among};
}

std::optional<CollectiveWork> collective_in_fusion(const Computation& inside,
                                                   const Instruction& instruction) {
  std::optional<CollectiveWork> sent = collective_of(inside, instruction);
  int looks = 1000;
  const bool reduces = sent && sent->kind == CollectiveKind::all_reduce;
  if (reduces && read_in_parts(inside, instruction, sent->among.size, looks)) {
    sent->kind = CollectiveKind::reduce_scatter;
  }
  return sent;
}

}  // namespace tpulab::hlo
