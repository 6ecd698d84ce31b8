#include "engine/formats/stablehlo/shardings.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "engine/base/text.h"
#include "engine/formats/stablehlo/types.h"

namespace tpulab::stablehlo {

namespace {

constexpr std::size_t most_axes = 16;
constexpr std::int64_t most_devices = longest_list;

std::string_view list_behind(std::string_view raw, std::string_view key) {
  const std::size_t at = raw.find(key);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = raw.substr(at + key.size());
  return rest.substr(0, rest.find_first_of("])") + 1);
}

using Order = std::vector<std::int64_t>;

// "0,1,3,2" of "{devices=[4,1]0,1,3,2}"; empty where devices are not numbered one by one.
std::string_view numbered(std::string_view raw) {
  const std::size_t at = raw.find(']');
  if (at == std::string_view::npos || raw.find("<=") != std::string_view::npos) return {};
  const std::string_view rest = raw.substr(at + 1);
  return rest.substr(0, rest.find_first_not_of("0123456789, "));
}

Order order_of(std::string_view numbers) { return whole_numbers("[" + std::string(numbers) + "]"); }

Order counting_up(std::int64_t devices) {
  Order order(static_cast<std::size_t>(devices));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// From the major axis of the devices to the minor one: "<=[2,4]T(1,0)" of eight; what older texts
// number one by one must count up, or be in the one `order` of the text.
std::optional<std::vector<Tile>> device_axes(std::string_view raw, std::int64_t devices,
                                             const Order& order) {
  std::vector<std::int64_t> sizes = whole_numbers(list_behind(raw, "<="));
  if (raw.find("<=") == std::string_view::npos) {
    const Order said = order_of(numbered(raw));
    if (said != (order.empty() ? counting_up(devices) : order)) return std::nullopt;
    sizes = {devices};
  }
  std::string axes_in_turn(list_behind(raw, "]T"));
  std::ranges::replace(axes_in_turn, '(', '[');
  std::vector<std::int64_t> turned = whole_numbers(axes_in_turn);
  if (turned.empty()) {
    for (std::size_t i = 0; i < sizes.size(); ++i) turned.push_back(static_cast<std::int64_t>(i));
  }
  std::vector<std::int64_t> each = turned;
  std::ranges::sort(each);
  if (std::ranges::adjacent_find(each) != each.end()) return std::nullopt;
  std::vector<Tile> axes(sizes.size());
  std::int64_t apart = 1;
  for (std::size_t i = sizes.size(); i-- > 0; apart *= sizes[i]) {
    if (sizes[i] < 1 || sizes[i] > devices || apart > devices) return std::nullopt;
    axes[i] = {0, sizes[i], apart};
  }
  std::vector<Tile> found;
  for (const std::int64_t one : turned) {
    if (one < 0 || one >= std::ssize(axes)) return std::nullopt;
    found.push_back(axes[static_cast<std::size_t>(one)]);
  }
  return apart == devices && found.size() == axes.size() ? std::optional(found) : std::nullopt;
}

// Nothing for what is not read: devices in an order of their own, parts that cross such axes.
std::optional<std::vector<Tile>> pieces_of(std::string_view raw, const Order& order) {
  const std::vector<std::int64_t> tiles = whole_numbers(list_behind(raw, "devices="));
  if (tiles.empty()) return std::nullopt;
  std::int64_t devices = 1;
  for (const std::int64_t tile : tiles) {
    if (tile < 1 || tile > most_devices || (devices *= tile) > most_devices) return std::nullopt;
  }
  auto axes = device_axes(raw, devices, order);
  if (!axes) return std::nullopt;
  std::vector<Tile> pieces;
  auto axis = axes->begin();
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    for (std::int64_t left = tiles[i]; left > 1;) {
      while (axis != axes->end() && axis->size == 1) ++axis;
      if (axis == axes->end()) return std::nullopt;
      const std::int64_t taken = std::min(left, axis->size);
      if (left % taken != 0 || axis->size % taken != 0) return std::nullopt;
      axis->size /= taken;
      pieces.push_back({static_cast<int>(i), taken, axis->apart * axis->size});
      left /= taken;
    }
  }
  return pieces;
}

// What the dimensions behind those of the array are: "replicated", "manual".
std::vector<std::string_view> kinds_behind(std::string_view raw) {
  if (raw.find("last_tile_dim_replicate") != std::string_view::npos) return {"replicated"};
  constexpr std::string_view key = "last_tile_dims={";
  const std::size_t at = raw.find(key);
  if (at == std::string_view::npos) return {};
  std::string_view rest = raw.substr(at + key.size());
  rest = rest.substr(0, rest.find('}'));
  std::vector<std::string_view> kinds;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    kinds.push_back(trimmed(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return kinds;
}

// Of the array.
int rank_of(std::string_view raw) {
  const auto all = whole_numbers(list_behind(raw, "devices=")).size();
  return static_cast<int>(all) - static_cast<int>(std::min(kinds_behind(raw).size(), all));
}

void each_sharding(const Region& region, const std::function<void(std::string_view)>& visit) {
  for (const Argument& one : region.arguments) visit(sharding_of(one.attributes));
  for (const Operation& one : region.operations) {
    visit(sharding_of(one));
    for (const Region& inner : one.regions) each_sharding(inner, visit);
  }
}

}  // namespace

MeshAxes all_of(const Divided& divided) {
  MeshAxes all = 0;
  for (const MeshAxes one : divided) all |= one;
  return all;
}

std::string_view sharding_of(const Attributes& attributes) {
  const std::string_view sdy = attributes.find("sdy.sharding");
  return sdy.empty() ? attributes.find("mhlo.sharding") : sdy;
}

std::string_view sharding_of(const Operation& constraint) {
  const bool sdy = constraint.name == "sdy.sharding_constraint" || constraint.name == "sdy.reshard";
  if (sdy && !constraint.lists.empty()) return constraint.lists.front();
  if (sdy) return constraint.attributes.find("sharding");
  return constraint.name.ends_with(".custom_call") ? sharding_of(constraint.attributes)
                                                   : std::string_view{};
}

bool divides(std::string_view sharding) {
  return sharding.find("{\"") != std::string_view::npos ||
         sharding.find("devices=") != std::string_view::npos;
}

DeviceMesh::DeviceMesh(const Module& module) {
  read_meshes(module);
  if (axes_.empty() && why_not_.empty()) read_tiles(module);
  const auto partitions = whole_numbers(module.attributes.find("mhlo.num_partitions"));
  const bool several = !axes_.empty() && !partitions.empty() && partitions[0] > 1;
  if (several && partitions[0] != devices())
    refuse("its mesh has not as many devices as mhlo.num_partitions says");
}

// One that no sharding names is left out where there are several.
void DeviceMesh::read_meshes(const Module& module) {
  const std::string_view text = *module.text;
  std::set<std::string_view> named;
  for (std::size_t at = text.find("<@"); at != std::string_view::npos; at = text.find("<@", at)) {
    at += 2;
    named.insert(text.substr(at, text.find_first_of(",> ", at) - at));
  }
  for (const auto& [name, raw] : module.meshes) {
    if (module.meshes.size() == 1 || named.contains(name)) read_mesh(raw);
  }
}

// <["data"=4, "model"=2]>
void DeviceMesh::read_mesh(std::string_view raw) {
  const std::size_t from = raw.find('[');
  if (from == std::string_view::npos || !why_not_.empty()) return;
  std::vector<Axis> axes;
  for (const std::string_view part : parts_of(raw.substr(from, raw.find(']') - from + 1))) {
    const std::size_t end = std::min(part.rfind('"'), part.size());
    const std::vector<std::int64_t> sizes = whole_numbers(part.substr(end));
    if (end == 0 || sizes.size() != 1 || sizes[0] < 1) return refuse("its mesh is not read");
    axes.push_back({part.substr(1, end - 1), std::min(sizes[0], most_devices + 1)});
  }
  std::int64_t apart = 1;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    axis->apart = apart;
    apart *= axis->size;
    if (apart > most_devices) return refuse("its mesh has more than 4,096 devices");
  }
  if (axes.empty()) return;  // of one device
  const auto alike = [](const Axis& a, const Axis& b) {
    return a.name == b.name && a.size == b.size;
  };
  if (axes.size() > most_axes) return refuse("its mesh has more than 16 axes");
  if (!axes_.empty() && !std::ranges::equal(axes, axes_, alike)) return refuse("it has two meshes");
  axes_ = std::move(axes);
}

void DeviceMesh::refuse(std::string_view why) {
  axes_.clear();
  why_not_ = why;
}

// Where a text has one order alone, its devices are told apart as if they counted up.
void DeviceMesh::read_order(const std::vector<std::string_view>& shardings) {
  if (shardings.empty()) return;
  const std::string_view first = numbered(shardings[0]);
  const auto same = [&](std::string_view one) { return numbered(one) == first; };
  if (!std::ranges::all_of(shardings, same)) return;
  Order order = order_of(first);
  Order sorted = order;
  std::ranges::sort(sorted);
  if (sorted == counting_up(std::ssize(order))) order_ = std::move(order);
}

// The coarsest axes of which all tiles are made.
void DeviceMesh::read_tiles(const Module& module) {
  std::vector<std::string_view> shardings;
  const auto note = [&](std::string_view sharding) {
    if (sharding.find("devices=") != std::string_view::npos) shardings.push_back(sharding);
  };
  for (const Function& function : module.functions) {
    each_sharding(function.body, note);
    for (const Attributes& one : function.results) note(sharding_of(one));
  }
  read_order(shardings);
  std::set<std::int64_t> ends{1};
  for (const std::string_view sharding : shardings) {
    const auto pieces = pieces_of(sharding, order_);
    if (!pieces) continue;
    for (const Tile& one : *pieces) ends.insert({one.apart, one.apart * one.size});
  }
  for (auto end = ends.begin(), next = std::next(end); next != ends.end(); end = next++) {
    if (*next % *end != 0 || axes_.size() == most_axes) {
      return refuse("they number devices in ways that no one mesh has");
    }
    axes_.push_back({.size = *next / *end, .apart = *end});
  }
}

std::int64_t DeviceMesh::size(MeshAxes axes) const {
  std::int64_t devices = 1;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    if ((axes >> i & 1) != 0) devices *= axes_[i].size;
  }
  return devices;
}

std::vector<std::size_t> DeviceMesh::from_major(MeshAxes axes) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    if ((axes >> i & 1) != 0) found.push_back(i);
  }
  std::ranges::sort(found, std::greater<>(), [this](std::size_t i) { return axes_[i].apart; });
  return found;
}

MeshAxes DeviceMesh::leading(MeshAxes axes, std::int64_t devices) const {
  MeshAxes first = 0;
  for (const std::size_t i : from_major(axes)) {
    if (size(first) >= devices) break;
    first |= MeshAxes{1} << i;
  }
  return size(first) == devices ? first : 0;
}

void DeviceMesh::split(MeshAxes axes, std::int64_t devices) {
  for (const std::size_t i : from_major(axes)) {
    Axis& axis = axes_[i];
    if (devices % axis.size == 0) {
      devices /= axis.size;
      continue;
    }
    if (devices <= 1 || axis.size % devices != 0 || axes_.size() == most_axes) return;
    Axis rest = axis;
    rest.size /= devices;
    axis = {axis.name, devices, axis.apart * rest.size};
    axes_.push_back(rest);
    return;
  }
}

std::vector<std::int64_t> DeviceMesh::group(MeshAxes axes) const {
  std::vector<std::int64_t> devices{0};
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    if ((axes >> i & 1) == 0) continue;
    const std::vector<std::int64_t> before = devices;
    for (std::int64_t step = 1; step < axes_[i].size; ++step) {
      for (const std::int64_t one : before) devices.push_back(one + step * axes_[i].apart);
    }
  }
  std::ranges::sort(devices);
  return devices;
}

std::optional<Divided> DeviceMesh::of(std::string_view sharding) const {
  if (sharding.empty()) return std::nullopt;
  if (sharding.find("replicated}") != std::string_view::npos &&
      sharding.find("devices=") == std::string_view::npos) {
    return Divided{};
  }
  return sharding.find('@') == std::string_view::npos ? of_tiles(sharding) : of_names(sharding);
}

std::optional<MeshAxes> DeviceMesh::along(const Tile& tile) const {
  MeshAxes inside = 0;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const bool own = axes_[i].apart >= tile.apart && axes_[i].apart < tile.apart * tile.size;
    if (own) inside |= MeshAxes{1} << i;
  }
  return size(inside) == tile.size ? std::optional(inside) : std::nullopt;
}

std::optional<Divided> DeviceMesh::of_tiles(std::string_view raw) const {
  const auto pieces = pieces_of(raw, order_);
  if (!pieces) return std::nullopt;
  const int rank = rank_of(raw);
  Divided divided{};
  MeshAxes used = 0;
  for (const Tile& one : *pieces) {
    const auto inside = along(one);
    if (!inside || (used & *inside) != 0) return std::nullopt;
    used |= *inside;
    if (one.dimension >= std::min(rank, Shape::max_rank)) continue;  // copies
    divided[static_cast<std::size_t>(one.dimension)] |= *inside;
  }
  return divided;
}

MeshAxes DeviceMesh::manual(std::string_view sharding) const {
  const auto pieces = pieces_of(sharding, order_);
  if (!pieces) return sharding.find("manual") == std::string_view::npos ? 0 : ~MeshAxes{0};
  const auto kinds = kinds_behind(sharding);
  MeshAxes axes = 0;
  for (const Tile& one : *pieces) {
    const auto kind = static_cast<std::size_t>(std::max(one.dimension - rank_of(sharding), 0));
    const bool own = one.dimension >= rank_of(sharding) && kinds[kind] == "manual";
    if (own) axes |= along(one).value_or(0);
  }
  return axes;
}

// #sdy.sharding<@mesh, [{"data", "fsdp"}, {}, {?}]>
std::optional<Divided> DeviceMesh::of_names(std::string_view raw) const {
  const std::size_t from = raw.find('[');
  if (from == std::string_view::npos) return std::nullopt;
  const auto parts = parts_of(raw.substr(from, raw.find(']', from) - from + 1));
  if (parts.size() > Shape::max_rank) return std::nullopt;
  Divided divided{};
  for (std::size_t at = 0; at < parts.size(); ++at) {
    const auto axes = named(parts[at]);
    if (!axes || (all_of(divided) & *axes) != 0) return std::nullopt;
    divided[at] = *axes;
  }
  return divided;
}

std::optional<MeshAxes> DeviceMesh::named(std::string_view names) const {
  if (names.find(":(") != std::string_view::npos) return std::nullopt;  // a part of an axis
  MeshAxes axes = 0;
  for (std::size_t quote = names.find('"'); quote != std::string_view::npos;
       quote = names.find('"')) {
    const std::size_t end = names.find('"', quote + 1);
    if (end == std::string_view::npos) return std::nullopt;
    MeshAxes one = 0;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      if (axes_[i].name == names.substr(quote + 1, end - quote - 1)) one |= MeshAxes{1} << i;
    }
    if (one == 0 || (axes & one) != 0) return std::nullopt;  // none, or twice
    axes |= one;
    names.remove_prefix(end + 1);
  }
  return axes;
}

}  // namespace tpulab::stablehlo
