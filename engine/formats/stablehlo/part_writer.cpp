#include "engine/formats/stablehlo/part_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <optional>

#include "engine/formats/stablehlo/choose_division.h"
#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/types.h"

namespace tpulab::stablehlo {

namespace {

class PartWriter {
 public:
  PartWriter(Module& module, DividedProgram program, const DeviceMesh& mesh, ImportNotes& notes)
      : module_(module), program_(std::move(program)), mesh_(mesh), notes_(notes) {}

  Region run(const Function& entry) && {
    const Operation last{.name = "stablehlo.return", .line = entry.line};
    written_ = &last;
    Region region = block(program_.body, program_.results, nullptr);
    for (std::size_t i = 0; i < region.arguments.size(); ++i) {
      region.arguments[i].attributes = entry.body.arguments[i].attributes;
      region.arguments[i].location = entry.body.arguments[i].location;
      const Divided& divided = division(program_.body.arguments[i]);
      for (const MeshAxes axes : divided) {
        region.arguments[i].copies.push_back(mesh_.devices() / mesh_.size(axes));
      }
    }
    return region;
  }

 private:
  using Held = std::pair<int, Divided>;  // a value, and how it is divided
  // What stands in a block, and under which names.
  struct Scope {
    Scope* outer = nullptr;
    std::vector<Operation>* operations = nullptr;
    std::map<Held, std::string_view> names{};
  };

  const DividedValue& value(int id) const { return program_.values[static_cast<std::size_t>(id)]; }
  const Divided& division(int id) const { return value(id).divided; }
  TensorType part(int id, const Divided& divided) const {
    return part_of(value(id).type, divided, mesh_);
  }

  std::string_view text(std::string written) {
    return module_.written.emplace_back(std::move(written));
  }
  std::string_view fresh() { return text(fmt::format("part{}", ++names_)); }

  // `back`: the values whose division what is returned has.
  Region block(const DividedBlock& from, const std::vector<int>& back, Scope* outer) {
    Region made;
    Scope scope{outer, &made.operations};
    for (const int id : from.arguments) {
      const std::string_view name = fresh();
      made.arguments.push_back({.name = name, .type = part(id, division(id))});
      scope.names[{id, division(id)}] = name;
    }
    for (const DividedStep& one : from.steps) step(one, scope);
    Operation last{.name = "stablehlo.return"};
    for (std::size_t i = 0; i < from.returned.size(); ++i) {
      const int as = i < back.size() ? back[i] : from.returned[i];
      last.operands.push_back({held(from.returned[i], division(as), scope), 0});
    }
    made.operations.push_back(std::move(last));
    return made;
  }

  void step(const DividedStep& one, Scope& scope) {
    const Operation* const before = written_;
    written_ = one.operation;
    if (one.crossing) {
      cross(one, scope);
    } else if (!one.blocks.empty()) {
      control(one, scope);
    } else if (one.link < 0) {
      unchanged(one, scope);
    } else if (one.results.size() != 1 || !value(one.results[0]).made_anywhere) {
      compute(one, scope);
    } else {
      makers_[one.results[0]] = &one;
    }
    written_ = before;
  }

  Operation copy_of(const Operation& operation) const {
    Operation copy{.name = operation.name,
                   .line = operation.line,
                   .words = operation.words,
                   .lists = operation.lists,
                   .symbol = operation.symbol,
                   .attributes = operation.attributes};
    copy.location = operation.location;
    return copy;
  }

  void define(Operation& operation, int id, const Divided& divided, Scope& scope) {
    const std::string_view name = fresh();
    operation.results.push_back({.name = name});
    operation.result_types.push_back(part(id, divided));
    scope.names[{id, divided}] = name;
  }

  void take(Operation& operation, int id, const Divided& divided, Scope& scope) {
    operation.operands.push_back({held(id, divided, scope), 0});
    operation.operand_types.push_back(part(id, divided));
  }

  void control(const DividedStep& one, Scope& scope) {
    if (is_loop(*one.operation)) return loop(one, scope);
    Operation made = copy_of(*one.operation);
    for (const int id : one.operands) take(made, id, division(id), scope);
    for (const DividedBlock& inner : one.blocks) {
      made.regions.push_back(block(inner, one.results, &scope));
    }
    for (const int id : one.results) define(made, id, division(id), scope);
    scope.operations->push_back(std::move(made));
  }

  // Goes round as its body takes it; behind it what it leaves is brought to what is wanted.
  void loop(const DividedStep& one, Scope& scope) {
    Operation made = copy_of(*one.operation);
    const DividedBlock& test = one.blocks[0];
    const DividedBlock& body = one.blocks[1];
    for (std::size_t i = 0; i < one.operands.size(); ++i) {
      const Divided& carried = division(body.arguments[i]);
      program_.values[static_cast<std::size_t>(test.arguments[i])].divided = carried;
      take(made, one.operands[i], carried, scope);
    }
    made.regions.push_back(block(test, test.returned, &scope));
    made.regions.push_back(block(body, body.arguments, &scope));
    for (std::size_t i = 0; i < one.results.size(); ++i) {
      define(made, one.results[i], division(body.arguments[i]), scope);
    }
    scope.operations->push_back(std::move(made));
    for (const int id : one.results) held(id, division(id), scope);
  }

  void cross(const DividedStep& one, Scope& scope) {
    const int to = one.results[0];
    Divided from = division(to);
    for (std::size_t axis = 0; axis < from.size(); ++axis) {
      const MeshAxes hidden = one.crossing->hidden[axis];
      from[axis] = one.crossing->inward ? from[axis] | hidden : from[axis] & ~hidden;
    }
    scope.names[{to, division(to)}] = held(one.operands[0], from, scope);
  }

  void unchanged(const DividedStep& one, Scope& scope) {
    Operation made = copy_of(*one.operation);
    for (std::size_t i = 0; i < one.operands.size(); ++i) {
      take(made, one.operands[i], division(one.results[i]), scope);
    }
    for (const int id : one.results) define(made, id, division(id), scope);
    scope.operations->push_back(std::move(made));
  }

  // The parts that the operation works on, then the way from what it makes to what is wanted.
  void compute(const DividedStep& one, Scope& scope) {
    const DividedLink& link = program_.links[static_cast<std::size_t>(one.link)];
    const std::vector<MeshAxes> chosen = choose_division(program_, link, mesh_);
    const auto along = [&](std::size_t place) {
      Divided divided{};
      for (std::size_t axis = 0; axis < link.rule.factors[place].size(); ++axis) {
        const int factor = link.rule.factors[place][axis];
        if (factor >= 0) divided[axis] = chosen[static_cast<std::size_t>(factor)];
      }
      if (link.regrouped) link.regrouped->add(place, divided);
      return divided;
    };
    Operation made = copy_of(*one.operation);
    made.regions = one.operation->regions;
    for (std::size_t i = 0; i < one.operands.size(); ++i) {
      note_whole(link, i);
      take(made, one.operands[i], along(i), scope);
    }
    if (!one.operands.empty()) resize(made, one, along(0));
    MeshAxes summed = 0;
    for (std::size_t factor = 0; factor < chosen.size(); ++factor) {
      if (link.rule.folded[factor]) summed |= chosen[factor];
    }
    std::vector<Divided> makes;
    for (std::size_t i = 0; i < one.results.size(); ++i) {
      makes.push_back(along(one.operands.size() + i));
      define(made, one.results[i], makes.back(), scope);
    }
    scope.operations->push_back(std::move(made));
    for (std::size_t i = 0; i < one.results.size(); ++i) {
      const int id = one.results[i];
      if (summed != 0) sum(id, makes[i], summed, link.rule.folds, scope);
      if (makes[i] != division(id)) held(id, division(id), scope);
    }
  }

  // An axis that is divided and yet needed as it is.
  void note_whole(const DividedLink& link, std::size_t operand) {
    const int id = link.values[operand];
    if (value(id).made_anywhere || link.regrouped) return;
    for (std::size_t axis = 0; axis < link.rule.factors[operand].size(); ++axis) {
      if (link.rule.factors[operand][axis] < 0 && division(id)[axis] != 0) {
        notes_.add(fmt::format("operands of {} gathered whole", written_->name));
      }
    }
  }

  // Limits and sizes that are written beside the types.
  void resize(Operation& made, const DividedStep& one, const Divided& operand) {
    const std::string_view name = without_dialect(made.name);
    const Shape whole = value(one.operands[0]).type.shape;
    const Shape own = part_of(value(one.operands[0]).type, operand, mesh_).shape;
    if (name == "slice") {
      Graph graph;
      const Ranges ranges = ranges_of({.operation = *one.operation, .graph = graph});
      std::vector<std::string> list;
      for (std::size_t i = 0; i < ranges.first.size(); ++i) {
        const bool divided = own[static_cast<int>(i)] != whole[static_cast<int>(i)];
        list.push_back(fmt::format("{}:{}:{}", ranges.first[i],
                                   divided ? own[static_cast<int>(i)] : ranges.last[i],
                                   ranges.strides[i]));
      }
      made.lists = {text(fmt::format("[{}]", fmt::join(list, ", ")))};
    } else if (name == "gather") {
      std::vector<std::int64_t> sizes = whole_numbers(made.attributes.find("slice_sizes"));
      for (std::size_t i = 0; i < sizes.size() && static_cast<int>(i) < own.rank(); ++i) {
        if (sizes[i] == whole[static_cast<int>(i)]) sizes[i] = own[static_cast<int>(i)];
      }
      made.attributes.set("slice_sizes", text(fmt::format("[{}]", fmt::join(sizes, ", "))));
    }
  }

  std::string_view devices(MeshAxes axes) {
    std::string_view& known = groups_[axes];
    if (known.empty()) {
      known = text(fmt::format("dense<[[{}]]>", fmt::join(mesh_.group(axes), ", ")));
    }
    return known;
  }

  // An operation between two divisions of a value, before it says what it makes.
  Operation between(std::string_view name, int id, const Divided& from, const Scope& scope) const {
    Operation made{.name = name, .line = written_->line};
    made.location = written_->location;
    made.operands.push_back({scope.names.at({id, from}), 0});
    made.operand_types.push_back(part(id, from));
    return made;
  }

  void exchange(std::string_view name, int id, const Divided& from, const Divided& to,
                MeshAxes among, std::string_view key, std::size_t axis, Scope& scope) {
    Operation made = between(name, id, from, scope);
    made.attributes.add("replica_groups", devices(among));
    if (!key.empty()) made.attributes.add(key, text(fmt::format("{}", axis)));
    if (name == "stablehlo.reduce_scatter") scope.names.erase({id, from});  // a part of a sum
    define(made, id, to, scope);
    scope.operations->push_back(std::move(made));
  }

  // Those among whom the wanted division tells parts apart get their part of the sum alone.
  void sum(int id, Divided& made, MeshAxes summed, std::string_view folds, Scope& scope) {
    const Divided& wanted = division(id);
    for (std::size_t axis = 0; axis < wanted.size() && folds == "add"; ++axis) {
      const MeshAxes own = wanted[axis] & summed;
      if (own == 0) continue;
      Divided to = made;
      to[axis] |= own;
      if (!divisible(id, axis, to[axis])) continue;
      exchange("stablehlo.reduce_scatter", id, made, to, own, "scatter_dimension", axis, scope);
      made = to;
      summed &= ~own;
    }
    if (summed == 0) return;
    exchange("stablehlo.all_reduce", id, made, made, summed, {}, 0, scope);
    scope.operations->back().words = {"applies",
                                      folds == "add" ? "stablehlo.add" : "stablehlo.maximum"};
  }

  static std::optional<std::string_view> name_in(const Scope& scope, const Held& held) {
    for (const Scope* one = &scope; one != nullptr; one = one->outer) {
      if (const auto found = one->names.find(held); found != one->names.end()) return found->second;
    }
    return std::nullopt;
  }

  // The name of a value so divided: as it stands there already, made anew, or brought about.
  std::string_view held(int id, const Divided& wanted, Scope& scope) {
    if (const auto known = name_in(scope, {id, wanted})) return *known;
    if (value(id).made_anywhere) return made_anew(id, wanted, scope);
    Divided now = division(id);
    if (const auto known = name_in(scope, {id, now})) {
      scope.names[{id, now}] = *known;
    } else {
      now = any_of(id, scope);
    }
    cut(id, now, wanted, scope);
    hand_over(id, now, wanted, scope);
    gather(id, now, wanted, scope);
    cut(id, now, wanted, scope);  // by what did not fit before
    if (now != wanted) refuse(module_, *written_, "what it reads cannot be divided as it needs it");
    return scope.names.at({id, wanted});
  }

  // As the operation that made it left it.
  static Divided any_of(int id, const Scope& scope) {
    return scope.names.lower_bound({id, Divided{}})->first.second;
  }

  std::string_view made_anew(int id, const Divided& wanted, Scope& scope) {
    const DividedStep& maker = *makers_.at(id);
    const Operation* const before = written_;
    written_ = maker.operation;
    Operation made = copy_of(*maker.operation);
    for (const int operand : maker.operands) take(made, operand, Divided{}, scope);
    define(made, id, wanted, scope);
    scope.operations->push_back(std::move(made));
    written_ = before;
    return scope.names.at({id, wanted});
  }

  bool divisible(int id, std::size_t axis, MeshAxes axes) const {
    return fits(value(id).type.shape, static_cast<int>(axis), axes, mesh_);
  }

  // Each device keeps its part of what all have.
  void cut(int id, Divided& now, const Divided& wanted, Scope& scope) {
    Divided to = now;
    for (std::size_t axis = 0; axis < now.size(); ++axis) {
      const MeshAxes own = now[axis] | (wanted[axis] & ~all_of(now));
      if (own != now[axis] && divisible(id, axis, own)) to[axis] = own;
    }
    if (to == now) return;
    Operation made = between("stablehlo.slice", id, now, scope);
    const Shape own = part(id, to).shape;
    std::vector<std::string> list;
    for (const std::int64_t extent : own.extents()) list.push_back(fmt::format("0:{}", extent));
    made.lists = {text(fmt::format("[{}]", fmt::join(list, ", ")))};
    define(made, id, to, scope);
    scope.operations->push_back(std::move(made));
    now = to;
  }

  // Devices that divide one axis divide another one instead.
  void hand_over(int id, Divided& now, const Divided& wanted, Scope& scope) {
    for (std::size_t to_axis = 0; to_axis < now.size(); ++to_axis) {
      for (std::size_t from = 0; from < now.size(); ++from) {
        const MeshAxes moved = from == to_axis ? 0 : now[from] & wanted[to_axis] & ~wanted[from];
        if (moved == 0) continue;
        Divided to = now;
        to[from] &= ~moved;
        to[to_axis] |= moved;
        if (!divisible(id, to_axis, to[to_axis])) continue;
        exchange("stablehlo.all_to_all", id, now, to, moved, {}, 0, scope);
        now = to;
      }
    }
  }

  void gather(int id, Divided& now, const Divided& wanted, Scope& scope) {
    for (std::size_t axis = 0; axis < now.size(); ++axis) {
      const MeshAxes gone = now[axis] & ~wanted[axis];
      if (gone == 0) continue;
      Divided to = now;
      to[axis] &= ~gone;
      exchange("stablehlo.all_gather", id, now, to, gone, "all_gather_dim", axis, scope);
      now = to;
    }
  }

  Module& module_;
  DividedProgram program_;
  const DeviceMesh& mesh_;
  ImportNotes& notes_;
  std::map<int, const DividedStep*> makers_;
  std::map<MeshAxes, std::string_view> groups_;
  const Operation* written_ = nullptr;
  std::int64_t names_ = 0;
};

}  // namespace

Region part_of_one_device(Module& module, const Function& entry, DividedProgram program,
                          const DeviceMesh& mesh, ImportNotes& notes) {
  return PartWriter(module, std::move(program), mesh, notes).run(entry);
}

}  // namespace tpulab::stablehlo
