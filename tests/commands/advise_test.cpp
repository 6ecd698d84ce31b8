#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <thread>

#include "commands/command.h"
#include "tests/commands/desk.h"

namespace tpulab::advise_test {
namespace {

double number(const std::vector<EventField>& fields, std::string_view name) {
  const auto field = std::ranges::find(fields, name, &EventField::name);
  if (field == fields.end()) throw std::runtime_error("no field " + std::string(name));
  return std::get<double>(field->value);
}

std::string text(const std::vector<EventField>& fields, std::string_view name) {
  const auto field = std::ranges::find(fields, name, &EventField::name);
  if (field == fields.end()) throw std::runtime_error("no field " + std::string(name));
  return std::get<std::string>(field->value);
}

// The rate that a run's summary tells, of a session of its own with these lines typed; none where
// all steps lived on rows that were ready when programs had compiled.
std::optional<double> rate_of_run(const std::string& lines,
                                  std::string_view field = "tpu_samples_per_second_steady") {
  Settings settings;
  settings.max_epochs = 6;
  Desk desk(settings);
  const Reply reply = desk.type(lines + "; numbers off; run");
  if (reply.failed) throw std::runtime_error(reply.lines.back());
  for (const OutputLine& line : desk.engine.output_since(0)) {
    if (line.event != "summary") continue;
    const auto rate = std::ranges::find(line.fields, field, &EventField::name);
    const double* const known = std::get_if<double>(&rate->value);
    return known == nullptr ? std::nullopt : std::optional(*known);
  }
  throw std::runtime_error("no summary");
}

// Models of which all the steps are tried, with settings that something can be said about.
constexpr std::array<std::string_view, 18> experiments{
    "batch 32",
    "item_every_n_steps 3",
    "log_every_n_steps 1; class_weights on",
    "progress_bar on; straggler host:0:1.5",
    "devices 1; progress_bar on",
    "host colab-node-2021; hidden 64",
    "model cnn; batch 8; item_every_n_steps 1",
    "model tcn; slice v2-8",
    "model gpt-tiny; class_weights on",
    "model \"conv 16 3x3 relu | maxpool 2 | dense 10\"; slice v5e-8; log_every_n_steps 2",
    "model resnet50; max_steps 80; batch 16; progress_bar on",
    "model resnet50; max_steps 80; batch 128; straggler core:3:1.5; item_every_n_steps 2",
    "model resnet50; max_steps 80; batch 64; matmul.precision highest",
    "model resnet50; max_steps 80; batch 64; preempt host@50",
    "model resnet50; max_steps 80; batch 64; host colab-node-2021; slice v3-32",
    "model bert-large; max_steps 80; batch 2; devices 1",
    "model bert-base; max_steps 80; batch 8; precision bf16-true; slice v5e-8; item_every_n_steps "
    "1",
    "stack jax; slice v5e-8; model bert-large; max_steps 80; batch 16; precision bf16-true",
};

TEST(AdviseVerb, a_remedy_that_is_typed_gains_what_was_said) {
  int remedies = 0;
  for (const std::string_view experiment : experiments) {
    Settings settings;
    settings.max_epochs = 6;
    Desk desk(settings);
    const Reply reply = desk.type(std::string(experiment) + "; numbers off; advise");
    ASSERT_FALSE(reply.failed) << experiment << ": " << reply.lines.back();
    const double before = rate_of_run(std::string(experiment)).value();
    for (const OutputLine& row : reply.rows) {
      if (!row.event.starts_with("advice.")) continue;
      const std::string command = text(row.fields, "command");
      const auto after = rate_of_run(std::string(experiment) + "; " + command);
      if (!after) continue;
      const double gain = number(row.fields, "gain_steady");
      // Within a tenth of the gain, or a hundredth of the run.
      EXPECT_NEAR(*after / before - 1, gain, std::max(0.1 * gain, 0.01))
          << experiment << ": " << command;
      ++remedies;
    }
  }
  EXPECT_GE(remedies, 40);
}

TEST(AdviseVerb, rarer_validation_that_is_typed_gains_in_the_whole_run_what_was_said) {
  const std::string experiment =
      "model resnet50; stack jax; batch 128; precision bf16-true; max_steps 300; "
      "val_check_interval 20";
  Desk desk;
  const Reply reply = desk.type(experiment + "; numbers off; advise");
  const auto of = [](const OutputLine& row) {
    return row.event == "advice.remedy" && text(row.fields, "cause") == "frequent_validation";
  };
  const auto remedy = std::ranges::find_if(reply.rows, of);
  ASSERT_NE(remedy, reply.rows.end());
  const auto whole = [](const std::string& lines) {
    return rate_of_run(lines, "tpu_samples_per_second_with_compile").value();
  };
  const double gain =
      whole(experiment + "; " + text(remedy->fields, "command")) / whole(experiment) - 1;
  EXPECT_GT(gain, 0.3);
  EXPECT_NEAR(number(remedy->fields, "gain_with_compile"), gain, 0.001);
}

TEST(AdviseVerb, tells_evidence_once_where_two_remedies_share_it) {
  Desk desk;
  const std::string answer = desk.answer("class_weights on; fallback_op median; advise");
  const std::string seen = "   seen: aten::";
  const auto first = answer.find(seen);
  ASSERT_NE(first, std::string::npos);
  const std::string line = answer.substr(first, answer.find('\n', first) - first);
  EXPECT_EQ(answer.find(line, first + 1), std::string::npos);
  EXPECT_NE(answer.find("\n   seen and inferred as 1\n   here: "), std::string::npos);
}

TEST(AdviseVerb, says_what_loses_in_a_short_run_and_what_a_longer_one_gains) {
  Desk desk(Settings{});
  EXPECT_NE(desk.answer("model resnet8; stack jax; batch 4; advise")
                .find("   loses in a run as short as this; tried in one 100 times as long: "),
            std::string::npos);
}

TEST(AdviseVerb, sets_what_it_advised_by_number_or_all_of_it) {
  Desk desk;
  desk.type("item_every_n_steps 1; straggler host:0:2; advise");
  EXPECT_TRUE(desk.answer("advise 1 apply").starts_with("straggler none"));
  EXPECT_EQ(desk.settings.item_every_n_steps, 1);
  desk.type("advise all apply");
  EXPECT_EQ(desk.settings.straggler, "none");
  EXPECT_EQ(desk.settings.item_every_n_steps, 0);
}

// A larger batch has no room beside the experts' mesh, nor for what narrow keeps.
TEST(AdviseVerb, names_what_a_remedy_needs_beside_it_and_says_when_none_go_together) {
  Desk desk;
  desk.type("stack jax; precision bf16-mixed; model mixtral-8x7b; slice v6e-64; remat full");
  const std::string told = desk.answer("batch 1; sequence 4096; numbers off; advise");
  EXPECT_NE(told.find("remat narrow gains enough only beside mesh expert=4: +"), std::string::npos);
  EXPECT_NE(told.find("no two go together: 2 does not fit in HBM with what is before it alone; 3 "
                      "adds nothing to what is before it; `advise 1 apply`"),
            std::string::npos)
      << told;
  EXPECT_EQ(told.find("all together"), std::string::npos);
}

TEST(AdviseVerb, the_summary_of_the_next_run_tells_what_came_of_it) {
  Settings settings;
  settings.hidden = {16};
  Desk desk(settings);
  desk.type("run item_every_n_steps=1; advise; advise 1 apply");
  desk.news();
  desk.type("run");
  const auto tells = [](const std::string& line) {
    return line.starts_with("advice `item_every_n_steps 0`: predicted +");
  };
  EXPECT_TRUE(std::ranges::any_of(desk.news(), tells));
  const auto said = desk.engine.output_since(0);
  const auto row = std::ranges::find(said, "summary.prediction", &OutputLine::event);
  ASSERT_NE(row, said.end());
  const double predicted = number(row->fields, "predicted_gain");
  // The programs are in the cache by now: it is told as from the cold start that was predicted.
  EXPECT_NEAR(number(row->fields, "gain"), predicted, 1e-9);
  // Another run is not what was spoken of.
  desk.type("run batch=16");
  EXPECT_FALSE(std::ranges::any_of(desk.news(), tells));
  // What is typed instead of applied is what was spoken of too.
  desk.type("run item_every_n_steps=1; advise");
  desk.news();
  desk.type("run item_every_n_steps=0");
  EXPECT_TRUE(std::ranges::any_of(desk.news(), tells));
}

TEST(AdviseVerb, newer_advice_counts_before_what_was_applied_of_older) {
  Settings settings;
  settings.hidden = {16};
  Desk desk(settings);
  desk.type("run item_every_n_steps=1; advise; advise 1 apply; run");
  desk.type("run progress_bar=on; advise");
  desk.news();
  desk.type("run");
  std::vector<std::string> told = desk.news();
  std::erase_if(told, [](const std::string& line) { return !line.starts_with("advice `"); });
  ASSERT_EQ(told.size(), 1U);
  EXPECT_TRUE(told.front().starts_with("advice `progress_bar off`")) << told.front();
}

std::vector<std::string> advised_after_a_run(Desk& desk) {
  std::vector<std::string> lines = desk.type("run; advise").lines;
  std::erase_if(lines, [](const std::string& line) {
    return line.starts_with("advice on run") || line.starts_with("seen in a run of");
  });
  return lines;
}

TEST(AdviseVerb, says_the_same_of_a_run_that_finds_its_programs_compiled) {
  Desk desk(Settings{});
  desk.type("batch 128; max_steps 12; numbers off");
  const std::vector<std::string> first = advised_after_a_run(desk);
  EXPECT_GT(first.size(), 2U);
  EXPECT_EQ(advised_after_a_run(desk), first);
}

// The second run finds all programs: what is advised is judged from a cold start all the same.
TEST(AdviseVerb, what_spares_compiles_is_judged_by_the_whole_run) {
  Desk desk(Settings{});
  desk.type("set devices=1 batch=4 max_epochs=1 numbers=off; run; run");
  const Reply reply = desk.type("advise");
  const auto of = [](const OutputLine& row) {
    return row.event == "advice.remedy" && text(row.fields, "command") == "sync_validation on";
  };
  const auto remedy = std::ranges::find_if(reply.rows, of);
  ASSERT_NE(remedy, reply.rows.end());
  const auto number_of_it = std::ranges::find(remedy->fields, "number", &EventField::name);
  desk.type(fmt::format("advise {} apply; run", std::get<std::int64_t>(number_of_it->value)));
  const auto said = desk.engine.output_since(0);
  const auto row = std::ranges::find(said, "summary.prediction", &OutputLine::event);
  ASSERT_NE(row, said.end());
  EXPECT_NE(row->text.find("; whole run from a cold start, TPU time"), std::string::npos)
      << row->text;
  EXPECT_GT(number(row->fields, "gain"), 0.2);
  EXPECT_NEAR(number(row->fields, "gain"), number(row->fields, "predicted_gain"), 1e-9);
}

TEST(AdviseVerb, refuses_a_number_that_it_did_not_give) {
  Desk desk;
  EXPECT_EQ(desk.answer("advise 1 apply"), "no advice was given yet; `advise` gives it");
  desk.type("progress_bar on; advise");
  const Reply reply = desk.type("advise apply 99");
  EXPECT_TRUE(reply.failed);
  EXPECT_NE(reply.lines.at(0).find("numbers from 1 to"), std::string::npos);
  EXPECT_TRUE(desk.type("advise me").failed);
}

TEST(AdviseVerb, speaks_of_the_run_until_settings_change) {
  Desk desk;
  desk.type("run item_every_n_steps=1");
  EXPECT_TRUE(desk.answer("advise").starts_with("advice on run 1:"));
  EXPECT_NE(desk.answer("advise").find("1. a value is read inside the step (habit)"),
            std::string::npos);
  desk.type("batch 16");
  const std::string answer = desk.answer("advise");
  EXPECT_TRUE(answer.starts_with("advice on the settings as they are:"));
  EXPECT_EQ(answer.find("read inside"), std::string::npos);
}

TEST(AdviseVerb, does_not_take_an_older_run_for_one_that_did_not_begin) {
  Desk desk;
  desk.type("run progress_bar=on; model resnet50");
  EXPECT_NE(desk.answer("run").find("the run did not begin"), std::string::npos);
  EXPECT_TRUE(desk.answer("advise").starts_with("advice on the settings as they are:"));
}

TEST(AdviseVerb, speaks_of_a_run_only_while_one_as_set_would_do_its_steps) {
  Desk desk;
  desk.type("max_steps 100; step 20; slice v3-32; step 20");
  EXPECT_TRUE(desk.answer("advise").starts_with("advice on the settings as they are:"));
  desk.type("stop; slice v3-8; run");
  EXPECT_TRUE(desk.answer("pace watch; advise").find("advice on run 2:") != std::string::npos);
  EXPECT_TRUE(desk.answer("format csv; advise").find("advice on run 2:") != std::string::npos);
}

TEST(AdviseVerb, at_the_prompt_too_takes_no_older_run_for_one_that_did_not_begin) {
  Desk desk;
  desk.type("run progress_bar=on");
  desk.context.interactive = true;
  desk.type("model resnet50; run");
  desk.engine.wait();
  desk.context.interactive = false;
  EXPECT_TRUE(desk.answer("advise").starts_with("advice on the settings as they are:"));
}

TEST(AdviseVerb, says_in_one_line_that_nothing_helps) {
  Desk desk;
  const std::string answer =
      desk.answer("model resnet50; numbers off; batch 128; precision bf16-true; advise");
  EXPECT_NE(answer.find("nothing that was tried helps by 5"), std::string::npos);
  EXPECT_EQ(answer.find("\n1. "), std::string::npos);
}

// What was tried is told with what it gains, which it does when it is typed.
TEST(AdviseVerb, names_what_helps_too_little_where_nothing_helps_enough) {
  Desk desk;
  const std::string answer = desk.answer("model resnet50; numbers off; slice v5e-8; advise");
  const std::string small = "less than is named: `batch ";
  const std::size_t at = answer.find(small);
  ASSERT_NE(at, std::string::npos) << answer;
  const std::string rest = answer.substr(at + small.size());
  const std::string batch = rest.substr(0, rest.find('`'));
  const std::string gain = rest.substr(batch.size() + 2, rest.find(',') - batch.size() - 2);
  EXPECT_NE(desk.answer("whatif batch=" + batch).find(gain + " samples/s steady"),
            std::string::npos)
      << gain;
}

TEST(AdviseVerb, answers_at_the_prompt_beside_the_run) {
  Desk desk;
  desk.context.interactive = true;
  desk.type("progress_bar on");
  EXPECT_EQ(desk.answer("advise"), "advice is being worked out; `stop` cancels it");
  while (desk.engine.answering()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  desk.engine.wait();
  const auto news = desk.news();
  EXPECT_TRUE(std::ranges::any_of(
      news, [](const std::string& line) { return line.starts_with("1. the progress bar"); }));
  desk.type("advise 1 apply");
  EXPECT_FALSE(desk.settings.progress_bar);
}

TEST(AdviseVerb, says_what_to_change_in_the_words_of_the_stack) {
  Desk desk;
  desk.type("model resnet50; numbers off; batch 64; item_every_n_steps 1");
  EXPECT_NE(desk.answer("advise").find("   in PyTorch: no loss.item(), "), std::string::npos);
  desk.type("stack jax; model mlp");
  const std::string jitted = desk.answer("advise");
  EXPECT_NE(jitted.find("   in JAX: keep what the jitted step returns, and read it"),
            std::string::npos);
  EXPECT_NE(jitted.find("   as PyTorch calls it: "), std::string::npos);
  EXPECT_EQ(jitted.find("in PyTorch:"), std::string::npos);
}

TEST(AdviseVerb, advises_int8_only_where_something_trains_in_it) {
  Desk desk;
  desk.type("stack jax; model unet3d; batch 1; slice v5e-8; precision bf16-mixed; numbers off");
  EXPECT_NE(desk.answer("advise").find("conv_general_dilated"), std::string::npos);
  desk.type("model llama2-7b; slice v5e-16; precision bf16-true; stack pytorch-xla; remat full");
  EXPECT_EQ(desk.answer("advise").find("int8"), std::string::npos);
}

TEST(AdviseVerb, says_which_speed_of_int8_is_assumed) {
  Desk desk;
  desk.type("stack jax; model llama3-8b; batch 1; precision bf16-true; remat full; slice v7-8");
  EXPECT_NE(desk.answer("advise").find("int8 2 times as fast (assumed, as fp8), "),
            std::string::npos);
  EXPECT_NE(desk.answer("forecast quant=int8").find("2 times as high, assumed)"),
            std::string::npos);
  desk.type("slice v6e-16");
  EXPECT_NE(desk.answer("advise").find("int8 2 times as fast, and"), std::string::npos);
  EXPECT_NE(desk.answer("forecast quant=int8").find("2 times as high)"), std::string::npos);
}

// Stages without rows and weights that are gathered: replicas have neither.
TEST(AdviseVerb, tells_a_remedy_once_with_all_that_it_cures) {
  Desk desk;
  desk.type("model gpt3-175b; slice v4-512; batch 1; stack jax; remat full; precision bf16-mixed");
  const std::string told = desk.answer("mesh pipeline=8/microbatches=8; advise");
  const std::string here = "   here: mesh auto\n";
  const auto first = told.find(here);
  ASSERT_NE(first, std::string::npos) << told;
  EXPECT_EQ(told.find(here, first + 1), std::string::npos) << told;
  EXPECT_LT(told.find("   cures too: devices wait for what they exchange (structure)"), first);
  EXPECT_LT(told.find("inferred: without stages there is no bubble"), first);
}

// `whatif stack=jax` says so, too: each of the two may be off to another side.
TEST(AdviseVerb, says_where_bands_leave_a_gain_open) {
  Desk desk;
  desk.type("model resnet50; numbers off; precision bf16-true; batch 16");
  const std::string advice = desk.answer("advise");
  const auto jax = advice.find("here: stack jax");
  ASSERT_NE(jax, std::string::npos) << advice;
  EXPECT_LT(advice.find("   not distinguishable: the bands overlap", jax), advice.find("3. ", jax));
  EXPECT_NE(desk.answer("whatif stack=jax").find("not distinguishable"), std::string::npos);
  // Nor goes the error of what the host binds the way of that of HBM.
  EXPECT_NE(desk.answer("whatif batch=128").find("not distinguishable"), std::string::npos);
  EXPECT_NE(desk.answer("whatif batch=12").find("common error cancels"), std::string::npos);
  EXPECT_NE(advice.find("gains below 5.0 % are not named"), std::string::npos);
}

TEST(AdviseVerb, judges_no_gain_that_has_no_band) {
  const auto judged = [](const char* settings) {
    Desk desk;
    desk.type(settings);
    const Reply reply = desk.type("advise");
    const auto remedy = std::ranges::find(reply.rows, "advice.remedy", &OutputLine::event);
    if (remedy == reply.rows.end()) throw std::runtime_error("nothing is advised");
    const auto field = std::ranges::find(remedy->fields, "distinguishable", &EventField::name);
    return !std::holds_alternative<std::monostate>(field->value);
  };
  EXPECT_FALSE(judged("batch 32"));
  EXPECT_TRUE(judged("model resnet50; numbers off; batch 16"));
}

TEST(AdviseVerb, tells_values_that_are_chosen_anew_beside_the_others) {
  const std::string advice =
      Desk(Settings{}).answer("model resnet50; host colab-node-2021; loader_row_us 8000; advise");
  EXPECT_NE(advice.find("chosen anew beside the others: loader_workers 4"), std::string::npos)
      << advice;
}

}  // namespace
}  // namespace tpulab::advise_test
