// What single calls of a recording are taken for, and which steps are one graph.
#include "engine/advice/script_facts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/advice/lowered.h"

namespace tpulab::script_facts_test {
namespace {

ScriptCall call(const std::string& name, std::vector<std::int64_t> shape = {2},
                std::vector<std::int64_t> ints = {}) {
  return {.name = name,
          .tensors = {{.dtype = "float32", .shape = std::move(shape), .device = "cpu"}},
          .ints = std::move(ints),
          .at = "a.py:1"};
}

using Steps = std::vector<std::vector<ScriptCall>>;

ScriptFacts facts(const Steps& steps, const std::string& device = "cpu:0") {
  ScriptSteps script{.torch = "2.9", .device = device};
  for (const auto& step : steps) {
    script.steps.emplace_back();
    for (const ScriptCall& one : step) {
      script.steps.back().push_back(static_cast<std::int32_t>(script.calls.size()));
      script.calls.push_back(one);
    }
  }
  return facts_of(script);
}

Finding finding(std::string_view name, const ScriptFacts& facts) {
  const auto all = all_diagnoses();
  const auto one = std::ranges::find(all, name, &Diagnosis::name);
  return (*one)->in_script(facts);
}

bool found(std::string_view name, const ScriptFacts& facts) {
  return finding(name, facts).verdict == Verdict::found;
}

TEST(ScriptFacts, a_read_is_one_unless_an_optimizer_reads_its_own_count) {
  ScriptCall read = call("item", {});
  read.read = true;
  const ScriptFacts some = facts({{call("aten::mm"), read}, {call("aten::mm"), read}});
  EXPECT_TRUE(found("item", some));
  EXPECT_EQ(some.cuts, 1);
  EXPECT_EQ(some.reads.at(0).calls, 2);
  read.by_optimizer = true;
  const ScriptFacts own = facts({{call("aten::mm"), read}, {call("aten::mm"), read}});
  EXPECT_FALSE(found("item", own));
  EXPECT_EQ(own.cuts, 0);
  EXPECT_TRUE(found("item", facts({{call("aten::_local_scalar_dense", {})}})));
}

TEST(ScriptFacts, whole_tensors_are_downloads) {
  ScriptCall print = call("__repr__");
  print.read = true;
  EXPECT_TRUE(found("downloads", facts({{print}})));
  EXPECT_FALSE(found("item", facts({{print}})));
  ScriptCall fetch = call("aten::_to_copy");
  fetch.tensors[0].device = "cuda:0";
  fetch.targets = {"cpu"};
  EXPECT_TRUE(found("downloads", facts({{fetch}}, "cuda:0")));
}

TEST(ScriptFacts, a_copy_is_an_upload_where_it_goes_to_the_device_from_elsewhere) {
  ScriptCall copy = call("aten::_to_copy");
  EXPECT_FALSE(found("uploads", facts({{copy}})));  // another dtype
  copy.targets = {"cpu:0"};
  EXPECT_TRUE(found("uploads", facts({{copy}})));
  EXPECT_FALSE(found("uploads", facts({{copy}}, "cuda:0")));
  ScriptCall made = call("aten::lift_fresh");
  EXPECT_EQ(facts({{made, copy}}).uploads.size(), 1U);  // torch.tensor(...).to(device)
  made.at = "a.py:2";
  EXPECT_EQ(facts({{made, copy}}).uploads.size(), 2U);
}

TEST(ScriptFacts, what_runs_on_the_host_is_no_fallback) {
  EXPECT_TRUE(found("fallback", facts({{call("aten::bincount")}})));
  EXPECT_FALSE(found("fallback", facts({{call("aten::bincount")}}, "cuda:0")));
}

TEST(ScriptFacts, a_mask_as_an_index_has_a_shape_that_depends_on_values) {
  ScriptCall index = call("aten::index.Tensor");
  index.tensors.push_back({.dtype = "int64", .shape = {2}, .device = "cpu"});
  EXPECT_FALSE(found("dynamic_shape", facts({{index}})));
  index.tensors[1].dtype = "bool";
  EXPECT_TRUE(found("dynamic_shape", facts({{index}})));
  EXPECT_TRUE(found("dynamic_shape", facts({{call("aten::nonzero")}})));
}

// The names as the recordings have them, with overloads and in place.
TEST(ScriptFacts, knows_what_no_release_lowers) {
  for (const char* op : {"aten::median.dim", "aten::bincount", "aten::lgamma_", "aten::geometric_",
                         "aten::repeat_interleave.Tensor", "aten::huber_loss", "aten::histc"}) {
    EXPECT_TRUE(has_no_lowering(op)) << op;
  }
  for (const char* op :
       {"aten::mm", "aten::kthvalue", "aten::geometric", "aten::model", "aten::max",
        "aten::repeat_interleave.self_int", "aten::upsample_bilinear2d"}) {
    EXPECT_FALSE(has_no_lowering(op)) << op;
  }
}

TEST(ScriptFacts, the_first_step_may_differ_and_is_not_blamed) {
  const std::vector<ScriptCall> first{call("aten::mm"), call("aten::zeros_like")};
  const std::vector<ScriptCall> other{call("aten::mm")};
  const ScriptFacts facts_ = facts({first, other, other});
  ASSERT_EQ(facts_.graphs.size(), 2U);
  EXPECT_EQ(facts_.graphs[0].kind, GraphKind::usual);
  EXPECT_EQ(facts_.graphs[1].kind, GraphKind::start);
  EXPECT_NE(facts_.graphs[1].difference.find("aten::zeros_like"), std::string::npos);
  EXPECT_FALSE(found("recompiles", facts_));
  EXPECT_TRUE(found("recompiles", facts({other, other, first})));
}

TEST(ScriptFacts, fewer_rows_once_are_a_last_batch_and_many_shapes_recompile) {
  const std::vector<ScriptCall> whole{call("aten::mm", {32, 8}), call("aten::t", {8, 8})};
  const std::vector<ScriptCall> part{call("aten::mm", {20, 8}), call("aten::t", {8, 8})};
  const std::vector<ScriptCall> wide{call("aten::mm", {32, 9}), call("aten::t", {8, 8})};
  const ScriptFacts last = facts({whole, whole, part, whole, whole, part});
  EXPECT_TRUE(found("last_batch", last));
  EXPECT_FALSE(found("recompiles", last));
  EXPECT_EQ(last.graphs[1].steps, 2);
  EXPECT_EQ(finding("last_batch", last).certain.at(0),
            "2 steps, the first is step 2: aten::mm float32[20,8] at a.py:1 instead of "
            "float32[32,8]");
  EXPECT_TRUE(found("recompiles", facts({whole, whole, wide})));
  EXPECT_TRUE(found("recompiles", facts({whole, whole, part, wide})));
  EXPECT_FALSE(found("recompiles", facts({whole, whole, whole})));
}

TEST(ScriptFacts, numbers_of_slices_are_compiled_and_those_of_arithmetic_are_not) {
  const auto steps = [](const std::string& name) {
    return Steps{{call(name, {9}, {0, 1})}, {call(name, {9}, {0, 2})}, {call(name, {9}, {0, 3})}};
  };
  EXPECT_TRUE(found("recompiles", facts(steps("aten::select.int"))));
  EXPECT_FALSE(found("recompiles", facts(steps("aten::add.Tensor"))));
}

TEST(ScriptFacts, one_step_does_not_tell_whether_shapes_change) {
  const ScriptFacts one = facts({{call("aten::mm")}});
  EXPECT_EQ(finding("recompiles", one).verdict, Verdict::cannot_tell);
  EXPECT_EQ(finding("last_batch", one).verdict, Verdict::cannot_tell);
}

}  // namespace
}  // namespace tpulab::script_facts_test
