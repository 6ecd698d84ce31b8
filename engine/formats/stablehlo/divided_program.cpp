#include "engine/formats/stablehlo/divided_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/base/error.h"
#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/scopes.h"

namespace tpulab::stablehlo {

namespace {

constexpr std::size_t most_steps = 400'000;

class Follower {
 public:
  Follower(const Module& module, const DeviceMesh& mesh, ImportNotes& notes)
      : module_(module), mesh_(mesh), notes_(notes) {}

  DividedProgram run(const Function& entry) && {
    std::vector<int> arguments;
    for (const Argument& one : entry.body.arguments) {
      arguments.push_back(fresh(one.type));
      const std::string_view sharding = sharding_of(one.attributes);
      note(say(arguments.back(), sharding), sharding, "argument %", one.name);
      value(arguments.back()).fixed = true;  // unsaid: each device has all of it
    }
    Scopes<int> scopes(module_);
    program_.body = block(entry.body, arguments, scopes);
    const std::vector<int>& returned = program_.body.returned;
    for (std::size_t i = 0; i < std::min(returned.size(), entry.results.size()); ++i) {
      const std::string_view sharding = sharding_of(entry.results[i]);
      note(say(returned[i], sharding), sharding, "result ", i);
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
    if (++count_ > most_steps) {
      refuse(module_, operation,
             "more than 400,000 operations, calls followed; give a smaller program");
    }
    std::vector<int> operands = scopes.operands(operation);
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
    ++depth_;
    Scopes<int> scopes(module_);
    std::vector<int> returned =
        scopes.run(function->body, operands,
                   [this](const Operation& one, Scopes<int>& inside) { return step(one, inside); });
    --depth_;
    return returned;
  }

  void pass_unchanged(const std::vector<int>& values, std::size_t operands) {
    std::vector<Shape> shapes;
    shapes.reserve(values.size());
    for (const int one : values) shapes.push_back(value(one).type.shape);
    program_.links.push_back({same_division(shapes, operands), values});
  }

  void loop(DividedStep& made, Scopes<int>& scopes) {
    const Operation& operation = *made.operation;
    for (const Region& region : operation.regions) {
      std::vector<int> arguments;
      for (const Argument& one : region.arguments) arguments.push_back(fresh(one.type));
      if (arguments.size() != made.operands.size() || arguments.size() != made.results.size()) {
        refuse(module_, operation, "its regions take other values than it");
      }
      made.blocks.push_back(block(region, arguments, scopes));
    }
    const std::vector<int>& next = made.blocks[1].returned;
    if (next.size() != made.operands.size()) refuse(module_, operation, "it returns other values");
    for (std::size_t i = 0; i < next.size(); ++i) {
      pass_unchanged({made.operands[i], next[i], made.blocks[0].arguments[i],
                      made.blocks[1].arguments[i], made.results[i]},
                     2);
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
    if (made.results.size() == 1) {
      const bool scalar = operands == 1 && shapes[0].rank() == 0;
      value(made.results[0]).made_anywhere =
          (operands == 0 && (name == "constant" || name == "iota")) ||
          (name == "broadcast_in_dim" && scalar);
      const std::string_view sharding = sharding_of(operation);
      note(say(made.results[0], sharding), sharding, "line ", operation.line);
    }
    made.link = static_cast<int>(program_.links.size());
    program_.links.push_back(std::move(link));
  }

  const Module& module_;
  const DeviceMesh& mesh_;
  ImportNotes& notes_;
  std::map<std::string_view, std::string> left_out_;  // why -> the note
  DividedProgram program_;
  std::vector<DividedStep>* steps_ = nullptr;
  std::size_t count_ = 0;
  int depth_ = 0;
};

// One direction of one operation.
class Spreader {
 public:
  Spreader(DividedProgram& program, const DeviceMesh& mesh) : program_(program), mesh_(mesh) {}

  bool pass(const DividedLink& link) {
    struct Wish {
      int factor;
      MeshAxes axes;
      std::int64_t weight;
    };
    std::vector<Wish> wishes;
    for (std::size_t i = 0; i < link.values.size(); ++i) {
      const DividedValue& value = of(link, i);
      if (value.made_anywhere) continue;
      for (int axis = 0; axis < value.type.shape.rank(); ++axis) {
        const MeshAxes axes = value.divided[static_cast<std::size_t>(axis)];
        const int factor = link.rule.factor(i, axis);
        if (axes != 0 && factor >= 0) {
          wishes.push_back({factor, axes, value.type.shape.elements()});
        }
      }
    }
    std::ranges::stable_sort(wishes, std::greater<>(), &Wish::weight);
    bool changed = false;
    std::set<std::pair<int, MeshAxes>> granted;
    for (const Wish& one : wishes) {
      const bool anew = granted.insert({one.factor, one.axes}).second;
      if (anew) changed |= grant(link, one.factor, one.axes);
    }
    return changed;
  }

 private:
  DividedValue& of(const DividedLink& link, std::size_t i) {
    return program_.values[static_cast<std::size_t>(link.values[i])];
  }

  bool grant(const DividedLink& link, int factor, MeshAxes axes) {
    bool changed = false;
    for (std::size_t i = 0; i < link.values.size(); ++i) {
      DividedValue& value = of(link, i);
      if (value.fixed || value.made_anywhere) continue;
      MeshAxes taken = all_of(value.divided);
      for (int axis = 0; axis < value.type.shape.rank(); ++axis) {
        if (link.rule.factor(i, axis) != factor) continue;
        MeshAxes& own = value.divided[static_cast<std::size_t>(axis)];
        const MeshAxes more = axes & ~taken;
        if (more == 0 || !fits(value.type.shape, axis, own | more, mesh_)) continue;
        own |= more;
        taken |= more;
        changed = true;
      }
    }
    return changed;
  }

  DividedProgram& program_;
  const DeviceMesh& mesh_;
};

bool has_folds(const DivisionRule& rule) {
  return std::ranges::find(rule.folded, true) != rule.folded.end();
}

}  // namespace

bool is_loop(const Operation& operation) {
  return without_dialect(operation.name) == "while" && operation.regions.size() == 2;
}

bool fits(const Shape& shape, int axis, MeshAxes axes, const DeviceMesh& mesh) {
  return shape[axis] % mesh.size(axes) == 0;
}

DividedProgram followed(const Module& module, const Function& entry, const DeviceMesh& mesh,
                        ImportNotes& notes) {
  return Follower(module, mesh, notes).run(entry);
}

void spread_divisions(DividedProgram& program, const DeviceMesh& mesh) {
  Spreader spreader(program, mesh);
  for (const bool all : {false, true}) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const DividedLink& link : program.links) {
        if (all || !has_folds(link.rule)) changed |= spreader.pass(link);
      }
      for (auto link = program.links.rbegin(); link != program.links.rend(); ++link) {
        if (all || !has_folds(link->rule)) changed |= spreader.pass(*link);
      }
    }
  }
}

}  // namespace tpulab::stablehlo
