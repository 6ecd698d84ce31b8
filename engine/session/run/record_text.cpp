#include "engine/session/run/record_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <type_traits>

#include "engine/base/error.h"

namespace tpulab {

namespace {

using Json = nlohmann::json;

void put(Json& into, const char* name, Picoseconds time) { into[name] = time.count(); }
template <class Value>
void put(Json& into, const char* name, const Value& value) {
  into[name] = value;  // not a number becomes null
}

template <class Value>
void take(const Json& from, const char* name, Value& value) {
  if (!from.contains(name) || from[name].is_null()) return;
  // A conversion of a number that has no room is undefined.
  if (std::is_integral_v<Value> && !std::is_same_v<Value, bool> &&
      !from[name].is_number_integer()) {
    throw Error(fmt::format("its {} is no whole number", name));
  }
  value = from[name].get<Value>();
}
void take(const Json& from, const char* name, Picoseconds& time) {
  std::int64_t count = time.count();
  take(from, name, count);
  time = Picoseconds(count);
}

// Calls `each` with the name and the field of all that is kept of a record, or of a part of it: one
// list for both ways.
template <class View, class Each>
void for_each_of_view(View& view, const Each& each) {
  each("model", view.model);
  each("parameters", view.parameters);
  each("slice", view.machine);
  each("devices", view.devices);
  each("batch", view.batch);
  each("precision", view.precision);
  each("steps", view.step);
  each("epochs", view.epoch);
  each("numbers", view.numbers);
  each("products", view.products);
  each("loss", view.loss);
  each("test_accuracy", view.test_accuracy);
  each("rate_steady", view.tpu_rate_steady);
  each("rate_with_compile", view.tpu_rate_with_compile);
  each("tpu_time", view.tpu_time);
  each("step_time", view.step_time);
  each("wall_seconds", view.wall_seconds);
  each("bound", view.bound.name);
  each("bound_saves", view.bound.saves);
  each("failure", view.failure);
  each("from_step", view.from_step);
  each("from_file", view.from_file);
  each("from_digest", view.from_digest);
}

template <class Record, class Each>
void for_each_of_record(Record& record, const Each& each) {
  each("stack", record.stack);
  each("host", record.host);
  each("compile", record.compile);
  each("compiles", record.compiles);
  each("began", record.began);
  each("version", record.version);
  each("changed", record.view.changed);
  each("losses", record.losses);
  each("contents", record.contents);
  each("own_machine", record.own_machine);
  each("preempted", record.preempted);
}

template <class Cold, class Each>
void for_each_of_cold(Cold& cold, const Each& each) {
  each("found", cold.found);
  each("compiles", cold.compiles);
  each("compile", cold.compile);
  each("time", cold.time);
}

template <class Step, class Each>
void for_each_of_steady(Step& step, const Each& each) {
  each("time", step.time);
  each("rate", step.rate);
}

template <class Point, class Each>
void for_each_of_point(Point& point, const Each& each) {
  each("epoch", point.epoch);
  each("accuracy", point.accuracy);
  each("tpu_time", point.tpu_time);
  each("wall_seconds", point.wall_seconds);
  each("step", point.step);
}

auto putter(Json& into) {
  return [&into](const char* name, const auto& value) { put(into, name, value); };
}
auto taker(const Json& from) {
  return [&from](const char* name, auto& value) { take(from, name, value); };
}

RunState state_named(const std::string& name) {
  for (const RunState state : {RunState::finished, RunState::stopped, RunState::failed}) {
    if (name_of(state) == name) return state;
  }
  return RunState::none;
}

Json phases_object(const Phases& phases) {
  Json all = Json::array();
  for (const auto& [name, time] : phases) all.push_back({{"name", name}, {"time", time.count()}});
  return all;
}

Phases phases_in(const Json& object) {
  Phases phases;
  for (const Json& phase : object.value("phases", Json::array())) {
    PhaseTime& added = phases.emplace_back();
    take(phase, "name", added.name);
    take(phase, "time", added.time);
  }
  return phases;
}

Json cold_object(const ColdRun& cold) {
  Json object;
  for_each_of_cold(cold, putter(object));
  for (const Picoseconds end : cold.evaluations) object["epochs"].push_back(end.count());
  if (!cold.steady) return object;
  for_each_of_steady(*cold.steady, putter(object["steady"]));
  object["steady"]["phases"] = phases_object(cold.steady->phases);
  return object;
}

ColdRun cold_of(const Json& object) {
  ColdRun cold;
  for_each_of_cold(cold, taker(object));
  for (const Json& end : object.value("epochs", Json::array())) {
    cold.evaluations.emplace_back(end.get<std::int64_t>());
  }
  if (!object.contains("steady")) return cold;
  cold.steady = ColdStep{.phases = phases_in(object["steady"])};
  for_each_of_steady(*cold.steady, taker(object["steady"]));
  return cold;
}

RunRecord record_of(const Json& object) {
  RunRecord record;
  record.view.loss = record.view.test_accuracy = std::nan("");
  record.view.state = state_named(object.value("state", ""));
  for_each_of_view(record.view, taker(object));
  for_each_of_record(record, taker(object));
  if (object.contains("cold")) record.cold = cold_of(object["cold"]);
  record.phases = phases_in(object);
  for (const Json& point : object.value("accuracies", Json::array())) {
    for_each_of_point(record.accuracies.emplace_back(), taker(point));
  }
  return record;
}

}  // namespace

std::string text_of_record(const RunRecord& record) {
  Json object;
  object["state"] = name_of(record.view.state);
  for_each_of_view(record.view, putter(object));
  for_each_of_record(record, putter(object));
  if (record.cold) object["cold"] = cold_object(*record.cold);
  if (!record.phases.empty()) object["phases"] = phases_object(record.phases);
  for (const AccuracyPoint& point : record.accuracies) {
    Json added;
    for_each_of_point(point, putter(added));
    object["accuracies"].push_back(std::move(added));
  }
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

RunRecord record_of_text(const std::string& text) {
  try {
    const Json object = Json::parse(text);
    if (!object.is_object()) throw Error("what is kept of the run is no JSON object");
    return record_of(object);
  } catch (const Json::exception& error) {
    throw Error(fmt::format("what is kept of the run cannot be read: {}", error.what()));
  }
}

}  // namespace tpulab
