#include "engine/formats/stablehlo/divided_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "engine/base/error.h"
#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/scopes.h"
#include "engine/formats/stablehlo/types.h"

namespace tpulab::stablehlo {

namespace {

constexpr std::size_t most_followed = 400'000;
constexpr std::string_view into_shard_map = "SPMDFullToShardShape";
constexpr std::string_view out_of_shard_map = "SPMDShardToFullShape";

// with_sharding_constraint(P.UNCONSTRAINED), in its older form.
bool leaves_axes_open(const Operation& constraint) {
  return constraint.attributes.find("backend_config").find("unspecified_dims") !=
         std::string_view::npos;
}

class Follower {
 public:
  Follower(const Module& module, const DeviceMesh& mesh, ImportNotes& notes)
      : module_(module), mesh_(mesh), notes_(notes) {}

  DividedProgram run(const Function& entry, bool shard_maps) && {
    std::vector<int> arguments;
    for (const Argument& one : entry.body.arguments) {
      arguments.push_back(fresh(one.type));
      const std::string_view sharding = sharding_of(one.attributes);
      note(say(arguments.back(), sharding), sharding, "argument %", one.name);
      // Unsaid: each device has all of it, or what a shard_map asks for.
      value(arguments.back()).fixed = !shard_maps || !sharding.empty();
    }
    Scopes<int> scopes(module_);
    program_.body = block(entry.body, arguments, scopes);
    program_.results = program_.body.returned;
    for (std::size_t i = 0; i < std::min(program_.results.size(), entry.results.size()); ++i) {
      const std::string_view sharding = sharding_of(entry.results[i]);
      int& result = program_.results[i];
      // What is divided already comes back as the caller wants it.
      if (value(result).fixed && !sharding.empty()) result = fresh(value(result).type);
      note(say(result, sharding), sharding, "result ", i);
    }
    return std::move(program_);
  }

 private:
  DividedValue& value(int id) { return program_.values[static_cast<std::size_t>(id)]; }

  int fresh(const TensorType& type) {
    program_.values.push_back({.type = type});
    return static_cast<int>(program_.values.size()) - 1;
  }

  // Why it is left out; empty where it is not, or says nothing.
  std::string_view say(int id, std::string_view sharding) {
    constexpr std::string_view not_read = "are not read";
    const auto divided = mesh_.of(sharding);
    if (!divided) return divides(sharding) ? not_read : "";
    DividedValue& one = value(id);
    for (int axis = 0; axis < Shape::max_rank; ++axis) {
      const MeshAxes axes = (*divided)[static_cast<std::size_t>(axis)];
      if (axis >= one.type.shape.rank() && axes != 0) return not_read;
      if (axes != 0 && !fits(one.type.shape, axis, axes, mesh_)) return "do not divide evenly";
    }
    if (one.fixed) return {};
    one.divided = *divided;
    one.fixed = sharding.find('?') == std::string_view::npos;  // else it may be divided further
    return {};
  }

  void constrain(int id, const Operation& operation) {
    const std::string_view sharding = sharding_of(operation);
    note(say(id, sharding), sharding, "line ", operation.line);
    if (leaves_axes_open(operation)) value(id).fixed = false;
  }

  // One for each cause, which names the first.
  template <class Name>
  void note(std::string_view why, std::string_view sharding, std::string_view kind,
            const Name& name) {
    if (why.empty()) return;
    std::string& known = left_out_[why];
    if (known.empty()) {
      known =
          fmt::format("shardings left out that {}, first of {}{}: {}", why, kind, name, sharding);
    }
    notes_.add(known);
  }

  DividedBlock block(const Region& region, const std::vector<int>& arguments, Scopes<int>& scopes) {
    DividedBlock made{.arguments = arguments};
    std::vector<DividedStep>* const outer = steps_;
    steps_ = &made.steps;
    made.returned =
        scopes.run(region, arguments, [this](const Operation& operation, Scopes<int>& inside) {
          return step(operation, inside);
        });
    steps_ = outer;
    return made;
  }

  std::vector<int> step(const Operation& operation, Scopes<int>& scopes) {
    if (++count_ > most_followed) {
      refuse(module_, operation,
             "more than 400,000 operations, calls followed; give a smaller program");
    }
    std::vector<int> operands = scopes.operands(operation);
    if (operation.name == "sdy.manual_computation") return manual(operation, operands, scopes);
    if (target_of(operation) == into_shard_map) return {entered(operation, operands)};
    if (target_of(operation) == out_of_shard_map) return {left(operation, operands)};
    if (!callee_of(operation).empty() && without_dialect(operation.name) != "custom_call") {
      return call(operation, operands);
    }
    DividedStep made;
    made.operation = &operation;
    made.operands = std::move(operands);
    for (const TensorType& type : operation.result_types) made.results.push_back(fresh(type));
    if (is_loop(operation)) {
      loop(made, scopes);
    } else if (is_branches(operation)) {
      branches(made, scopes);
    } else {
      link(made);
    }
    steps_->push_back(std::move(made));
    return steps_->back().results;
  }

  std::vector<int> call(const Operation& operation, const std::vector<int>& operands) {
    const Function* const function = module_.find(callee_of(operation));
    const bool fits = function != nullptr && function->body.arguments.size() == operands.size();
    if (!fits || depth_ == deepest_calls) {
      refuse(module_, operation, "it calls what cannot be followed");
    }
    handed_on_ += std::ssize(operands);
    if (handed_on_ > most_handed_on) refuse(module_, operation, too_much_handed_on);
    ++depth_;
    Scopes<int> scopes(module_);
    std::vector<int> returned =
        scopes.run(function->body, operands,
                   [this](const Operation& one, Scopes<int>& inside) { return step(one, inside); });
    --depth_;
    return returned;
  }

  // Its body stands in its place.
  std::vector<int> manual(const Operation& operation, const std::vector<int>& operands,
                          Scopes<int>& scopes) {
    const auto own = mesh_.named(operation.attributes.find("manual_axes"));
    const auto asks = parts_of(operation.attributes.find("in_shardings"));
    const auto leaves = parts_of(operation.attributes.find("out_shardings"));
    if (operation.regions.size() != 1) refuse(module_, operation, "it has no body");
    const Region& body = operation.regions[0];
    const bool fits = asks.size() == operands.size() && body.arguments.size() == operands.size() &&
                      leaves.size() == operation.result_types.size();
    if (!own || !fits) refuse(module_, operation, "its axes or its shardings are not read");
    std::vector<int> arguments;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const int asked = fresh(value(operands[i]).type);
      note(say(asked, asks[i]), asks[i], "line ", operation.line);
      pass_unchanged({operands[i], asked}, 1);
      arguments.push_back(fresh(body.arguments[i].type));
      enter(operation, operands[i], asked, arguments.back(), *own);
    }
    const std::vector<int> returned =
        scopes.run(body, arguments,
                   [this](const Operation& one, Scopes<int>& inside) { return step(one, inside); });
    if (returned.size() != leaves.size()) refuse(module_, operation, "it returns other values");
    std::vector<int> results;
    for (std::size_t i = 0; i < returned.size(); ++i) {
      results.push_back(fresh(operation.result_types[i]));
      note(say(results.back(), leaves[i]), leaves[i], "line ", operation.line);
      cross(operation, returned[i], results.back(), *own, false);
    }
    return results;
  }

  // The older form says the axes beside each value.
  int entered(const Operation& operation, const std::vector<int>& operands) {
    check_one(operation, operands);
    const int part = fresh(operation.result_types[0]);
    const MeshAxes own = mesh_.manual(sharding_of(operation));
    std::erase(entered_, own);
    entered_.push_back(own);
    enter(operation, operands[0], operands[0], part, own);
    return part;
  }
  int left(const Operation& operation, const std::vector<int>& operands) {
    check_one(operation, operands);
    const int whole = fresh(operation.result_types[0]);
    constrain(whole, operation);
    // Several may be under way: the newest of those that such a part comes from.
    const auto from = std::find_if(entered_.rbegin(), entered_.rend(), [&](MeshAxes own) {
      return hides(value(whole), value(operands[0]), own);
    });
    const MeshAxes newest = entered_.empty() ? 0 : entered_.back();
    cross(operation, operands[0], whole, from == entered_.rend() ? newest : *from, false);
    return whole;
  }
  void check_one(const Operation& operation, const std::vector<int>& operands) const {
    const bool one = operands.size() == 1 && operation.result_types.size() == 1;
    if (!one) refuse(module_, operation, "it has not one value");
  }

  void pass_unchanged(const std::vector<int>& values, std::size_t operands) {
    std::vector<Shape> shapes;
    shapes.reserve(values.size());
    for (const int one : values) shapes.push_back(value(one).type.shape);
    program_.links.push_back({same_division(shapes, operands), values});
  }

  void loop(DividedStep& made, Scopes<int>& scopes) {
    const Operation& operation = *made.operation;
    std::array<std::vector<int>, 2> arguments;
    for (std::size_t region = 0; region < arguments.size(); ++region) {
      const std::vector<Argument>& written = operation.regions[region].arguments;
      if (written.size() != made.operands.size() || written.size() != made.results.size()) {
        refuse(module_, operation, "its regions take other values than it");
      }
      for (const Argument& one : written) arguments[region].push_back(fresh(one.type));
    }
    // Before the body's own: rows that come in have their say there before the weights inside.
    for (std::size_t i = 0; i < made.operands.size(); ++i) {
      pass_unchanged({made.operands[i], arguments[0][i], arguments[1][i]}, 1);
    }
    for (std::size_t region = 0; region < arguments.size(); ++region) {
      made.blocks.push_back(block(operation.regions[region], arguments[region], scopes));
    }
    const std::vector<int>& next = made.blocks[1].returned;
    if (next.size() != made.operands.size()) refuse(module_, operation, "it returns other values");
    for (std::size_t i = 0; i < next.size(); ++i) {
      pass_unchanged({next[i], arguments[1][i], made.results[i]}, 1);
    }
  }

  void branches(DividedStep& made, Scopes<int>& scopes) {
    for (const Region& region : made.operation->regions) {
      made.blocks.push_back(block(region, {}, scopes));
      const std::vector<int>& returned = made.blocks.back().returned;
      for (std::size_t i = 0; i < std::min(returned.size(), made.results.size()); ++i) {
        pass_unchanged({returned[i], made.results[i]}, 1);
      }
    }
  }

  void link(DividedStep& made) {
    const Operation& operation = *made.operation;
    const std::string_view name = without_dialect(operation.name);
    if (name == "optimization_barrier" && made.operands.size() == made.results.size()) {
      for (std::size_t i = 0; i < made.results.size(); ++i) {
        pass_unchanged({made.operands[i], made.results[i]}, 1);
      }
      return;
    }
    DividedLink link{.values = made.operands};
    link.values.insert(link.values.end(), made.results.begin(), made.results.end());
    std::vector<Shape> shapes;
    for (const int one : link.values) shapes.push_back(value(one).type.shape);
    const std::size_t operands = made.operands.size();
    try {
      link.rule = division_rule(operation, std::span(shapes).first(operands),
                                std::span(shapes).subspan(operands));
    } catch (const Error& error) {
      refuse(module_, operation, error.what());
    }
    if (operands == 1 && made.results.size() == 1) regroup(operation, link);
    if (made.results.size() == 1) {
      const bool scalar = operands == 1 && shapes[0].rank() == 0;
      value(made.results[0]).made_anywhere =
          (operands == 0 && (name == "constant" || name == "iota")) ||
          (name == "broadcast_in_dim" && scalar);
      constrain(made.results[0], operation);
    }
    made.link = static_cast<int>(program_.links.size());
    program_.links.push_back(std::move(link));
  }

  // `asked`: as the shard_map wants it.
  void enter(const Operation& operation, int from, int asked, int part, MeshAxes own) {
    Divided inside = value(asked).divided;
    for (MeshAxes& axes : inside) axes &= ~own;
    value(part).divided = inside;
    value(part).fixed = value(asked).fixed;
    cross(operation, asked, part, own, true);
    steps_->back().operands = {from};
  }

  static Divided those_of(const DividedValue& whole, MeshAxes own) {
    Divided hidden = whole.divided;
    for (MeshAxes& axes : hidden) axes &= own;
    return hidden;
  }
  bool hides(const DividedValue& whole, const DividedValue& part, MeshAxes own) const {
    return part_of(whole.type, those_of(whole, own), mesh_).shape == part.type.shape;
  }

  void cross(const Operation& operation, int from, int to, MeshAxes own, bool inward) {
    const DividedValue& whole = value(inward ? from : to);
    const DividedValue& part = value(inward ? to : from);
    const Divided hidden = those_of(whole, own);
    if (!hides(whole, part, own)) {
      refuse(module_, operation,
             fmt::format("its shardings do not make {} of {}", part.type.text, whole.type.text));
    }
    pass_unchanged({from, to}, 1);
    program_.links.back().hidden = own;
    DividedStep made;
    made.operation = &operation;
    made.operands = {from};
    made.results = {to};
    made.crossing = Crossing{hidden, inward};
    steps_->push_back(std::move(made));
  }

  void regroup(const Operation& operation, DividedLink& link) {
    const DividedValue& from = value(link.values[0]);
    DividedValue& made = value(link.values[1]);
    link.regrouped = regrouped(operation, from.type.shape, made.type.shape, from.divided, mesh_);
    if (!link.regrouped) return;
    link.rule.factors[0][static_cast<std::size_t>(link.regrouped->from)] = -1;
    link.rule.factors[1][static_cast<std::size_t>(link.regrouped->to)] = -1;
    link.regrouped->add(1, made.divided);
  }

  const Module& module_;
  const DeviceMesh& mesh_;
  ImportNotes& notes_;
  std::map<std::string_view, std::string> left_out_;  // why -> the note
  DividedProgram program_;
  std::vector<DividedStep>* steps_ = nullptr;
  std::size_t count_ = 0;
  std::int64_t handed_on_ = 0;  // values, to functions
  int depth_ = 0;
  std::vector<MeshAxes> entered_;  // by the older form, the newest last
};

}  // namespace

bool is_loop(const Operation& operation) {
  return without_dialect(operation.name) == "while" && operation.regions.size() == 2;
}

bool hands_on(const Region& body, std::size_t index) {
  if (index >= body.arguments.size() || body.operations.empty()) return false;
  const Operation& last = body.operations.back();
  return index < last.operands.size() && last.operands[index].name == body.arguments[index].name;
}

bool is_shard_map(const Operation& operation) {
  return operation.name == "sdy.manual_computation" || target_of(operation) == into_shard_map;
}

TensorType part_of(TensorType type, const Divided& divided, const DeviceMesh& mesh) {
  for (int axis = 0; axis < type.shape.rank(); ++axis) {
    type.shape[axis] /= mesh.size(divided[static_cast<std::size_t>(axis)]);
  }
  return type;
}

bool fits(const Shape& shape, int axis, MeshAxes axes, const DeviceMesh& mesh) {
  return shape[axis] % mesh.size(axes) == 0;
}

DividedProgram followed(const Module& module, const Function& entry, const DeviceMesh& mesh,
                        bool shard_maps, ImportNotes& notes) {
  return Follower(module, mesh, notes).run(entry, shard_maps);
}

}  // namespace tpulab::stablehlo
