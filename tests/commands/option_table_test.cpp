#include "commands/option_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stop_token>

#include "engine/machine/own_generations.h"
#include "tests/commands/desk.h"
#include "tests/temporary_folder.h"

namespace tpulab::option_table_test {
namespace {

Estimated row_of(const char* slice, const char* model, double rate, double band) {
  Estimated row;
  row.option.values = {slice};
  row.option.settings.slice = slice;
  Estimate estimate;
  estimate.machine = slice;
  estimate.model = model;
  estimate.step = picoseconds_from_seconds(1 / rate);
  estimate.samples_per_second = rate;
  estimate.band = band;
  row.outcome = estimate;
  return row;
}

Estimated failed_row(const char* slice) {
  Estimated row;
  row.option.values = {slice};
  row.option.settings.slice = slice;
  row.outcome = NoEstimate{"it does not fit\nwhat would fit: batch 8"};
  return row;
}

Reply reply_to(const std::vector<Estimated>& rows, bool csv) {
  return reply_of(option_answer({{"slice", {}}}, rows, "compare", {.csv = csv}));
}

EventValue value_of(const OutputLine& row, std::string_view name) {
  const auto field = std::ranges::find(row.fields, name, &EventField::name);
  return field == row.fields.end() ? EventValue("no such field") : field->value;
}

std::string table_of(const std::vector<Estimated>& rows) {
  std::string text;
  for (const OutputLine& line : option_answer({{"slice", {}}}, rows, "compare", {})) {
    text += line.text + "\n";
  }
  return text;
}

// A row of one is no row of the other.
TEST(OptionTable, says_how_many_tokens_rows_of_different_models_have) {
  Estimated one = row_of("v3-8", "bert-base", 10, 0.1);
  Estimated other = row_of("v4-8", "llama2-7b", 20, 0.1);
  one.option.settings.model = "bert-base";
  other.option.settings.model = "llama2-7b";
  const auto with = [&](double tokens, double of_other) {
    std::get<Estimate>(one.outcome).tokens_per_second = tokens;
    std::get<Estimate>(other.outcome).tokens_per_second = of_other;
    return table_of({one, other});
  };
  const std::string told = with(10 * 4096.0, 20 * 8192.0);
  EXPECT_NE(told.find("tokens a row: 4,096 (bert-base), 8,192 (llama2-7b)"), std::string::npos)
      << told;
  EXPECT_EQ(with(10 * 4096.0, 20 * 4096.0).find("tokens a row"), std::string::npos);
}

TEST(OptionTable, the_fastest_row_is_called_so_where_the_bands_tell_it_apart) {
  const std::string text =
      table_of({row_of("v2-8", "m", 1000, 0.1), row_of("v3-8", "m", 2000, 0.1)});
  EXPECT_NE(text.find("fastest"), std::string::npos);
  EXPECT_NE(text.find("-50 %"), std::string::npos);
}

TEST(OptionTable, rows_whose_steps_alone_are_alike_tell_their_whole_runs) {
  const auto run_of = [](const char* slice, double step, double seconds) {
    Estimated row = row_of(slice, "m", 1 / step, 0.1);
    Estimate estimate = *row.estimate();
    estimate.run =
        RunEstimate{.time = picoseconds_from_seconds(seconds), .samples_per_second = 100 / seconds};
    row.outcome = estimate;
    return row;
  };
  const std::string alike = table_of({run_of("v2-8", 0.1, 20), run_of("v3-8", 0.1, 40)});
  EXPECT_NE(alike.find("whole runs from a cold start: v2-8 20.0 s, v3-8 40.0 s"), std::string::npos)
      << alike;
  EXPECT_EQ(table_of({run_of("v2-8", 0.1, 20), run_of("v3-8", 0.2, 40)}).find("whole runs"),
            std::string::npos);
  // As where changing shapes compile again and again.
  const std::string apart = table_of({run_of("v2-8", 0.1, 20), run_of("v3-8", 0.2, 80)});
  EXPECT_NE(apart.find("whole runs from a cold start: v2-8 20.0 s (5 samples/s), v3-8 1 min 20 s "
                       "(1.25 samples/s)"),
            std::string::npos)
      << apart;
}

// In the words of forecast.
TEST(OptionTable, a_step_that_is_the_mean_of_shorter_ones_is_told_below_the_table) {
  Desk desk;
  EXPECT_NE(desk.answer("max_steps -1; batch 128; forecast")
                .find("the mean of steps with 711.8 of 1024 rows;"),
            std::string::npos);
  for (const std::string verb : {"compare", "sweep"}) {
    const std::string both = desk.answer(verb + " batch=32,128");
    EXPECT_NE(both.find("\nstep: the mean of steps with 240.4 of 256 rows (32), 711.8 of 1024 rows "
                        "(128)\n"),
              std::string::npos)
        << both;
    const std::string many = desk.answer(verb + " batch=8,16,32,64,128");
    EXPECT_NE(many.find("\nstep: in 5 rows the mean of steps that are not all full\n"),
              std::string::npos)
        << many;
    EXPECT_EQ(desk.answer(verb + " drop_last=on batch=32").find("mean of steps"),
              std::string::npos);
  }
}

// 76 is the room of a row on a screen of 80 columns.
TEST(OptionTable, bands_of_machines_of_the_users_own_say_that_they_are_those_of_others) {
  const test::TemporaryFolder folder;
  folder.write("slices.d/mine.toml", "base = 'v6e'\n");
  ASSERT_TRUE(read_own_generations(std::vector{folder.path()}).empty());
  const std::string note =
      "\nbands of yours:mine: of built-in machines, as yours was not measured\n";
  const Estimated built_in = row_of("v6e-8", "m", 1000, 0.1);
  const auto text = table_of({built_in, row_of("mine-8", "m", 900, 0.1)});
  EXPECT_NE(text.find(note), std::string::npos) << text;
  EXPECT_EQ(table_of({built_in, row_of("mine-8", "m", 900, 0)}).find("measured"),
            std::string::npos);
  EXPECT_EQ(table_of({built_in, built_in}).find("not measured"), std::string::npos);
  for (const std::string& line : reply_to({row_of("mine-8", "m", 900, 0.1)}, true).lines) {
    EXPECT_EQ(line.find("not measured"), std::string::npos) << line;
  }
  read_own_generations({});
}

TEST(OptionTable, bound_and_useful_share_stay_where_dollars_have_no_room) {
  Desk desk;
  desk.context.columns = 76;
  const std::string text =
      desk.answer("sweep model=gemm-16x4096x4096,gemm-8192x4096x4096,gemm-1024x4096x4096");
  EXPECT_NE(text.find("bound         useful"), std::string::npos) << text;
  EXPECT_NE(text.find("matrix units"), std::string::npos) << text;
  EXPECT_NE(text.find("no room here for: "), std::string::npos) << text;
  desk.context.columns = 0;
  EXPECT_NE(desk.answer("sweep batch=8,16").find("$ an epoch"), std::string::npos);
}

TEST(OptionTable, without_bands_no_row_is_fastest_and_no_percentage_is_given) {
  const std::string text = table_of({row_of("v2-8", "m", 1000, 0), row_of("v3-8", "m", 2000, 0)});
  EXPECT_EQ(text.find("fastest"), std::string::npos);
  EXPECT_EQ(text.find("-50 %"), std::string::npos);
  EXPECT_NE(text.find("no band"), std::string::npos);
  EXPECT_NE(text.find("reference"), std::string::npos);
}

TEST(OptionTable, one_overlapping_band_is_enough_for_no_row_to_be_fastest) {
  const std::string text = table_of({row_of("v2-8", "m", 1000, 0.1), row_of("v4-8", "m", 1900, 0.1),
                                     row_of("v3-8", "m", 2000, 0.1)});
  EXPECT_EQ(text.find("fastest"), std::string::npos);
  EXPECT_NE(text.find("not distinguishable"), std::string::npos);
  EXPECT_NE(text.find("-50 %"), std::string::npos);
}

TEST(OptionTable, each_model_has_its_own_reference) {
  const std::string text = table_of({row_of("v2-8", "a", 1000, 0.1), row_of("v3-8", "a", 2000, 0.1),
                                     row_of("v2-8", "b", 10, 0.1), row_of("v3-8", "b", 40, 0.1)});
  EXPECT_NE(text.find("-50 %"), std::string::npos);
  EXPECT_NE(text.find("-75 %"), std::string::npos);
  EXPECT_NE(text.find("fastest of its model"), std::string::npos);
}

TEST(OptionTable, a_row_that_fails_has_no_values_its_failure_and_never_wins) {
  const Reply reply = reply_to({failed_row("v2-8"), row_of("v3-8", "m", 10, 0.1)}, false);
  EXPECT_FALSE(reply.failed);
  ASSERT_EQ(reply.rows.size(), 2U);
  EXPECT_EQ(value_of(reply.rows[0], "slice"), EventValue("v2-8"));
  for (const char* name : {"step_seconds", "samples_per_second", "global_batch", "bound", "machine",
                           "dollars_per_million_samples"}) {
    EXPECT_EQ(value_of(reply.rows[0], name), EventValue()) << name;
  }
  EXPECT_EQ(value_of(reply.rows[0], "failure"),
            EventValue("it does not fit\nwhat would fit: batch 8"));
  EXPECT_EQ(value_of(reply.rows[1], "failure"), EventValue());
  EXPECT_EQ(value_of(reply.rows[1], "samples_per_second"), EventValue(10.0));
  EXPECT_TRUE(reply.lines[1].starts_with("v3-8")) << reply.lines[1];
  EXPECT_NE(reply.lines[1].find("fastest"), std::string::npos);
  EXPECT_EQ(reply.lines[2], "v2-8: it does not fit");
}

TEST(OptionTable, a_failed_row_of_csv_has_empty_cells_and_a_quoted_failure) {
  const Reply reply = reply_to({failed_row("v2-8"), row_of("v3-8", "m", 10, 0.1)}, true);
  EXPECT_TRUE(reply.lines[1].starts_with("v2-8,,,,")) << reply.lines[1];
  EXPECT_TRUE(reply.lines[1].ends_with(",\"it does not fit what would fit: batch 8\""))
      << reply.lines[1];
}

TEST(OptionTable, what_an_estimate_found_has_a_name_beside_that_of_the_axis) {
  Estimated row = row_of("v2-8", "m of 512 tokens", 1000, 0);
  row.option.values = {"m"};
  const Reply reply = reply_of(option_answer({{"model", {}}}, {row}, "sweep", {}));
  EXPECT_EQ(value_of(reply.rows[0], "model"), EventValue("m"));
  EXPECT_EQ(value_of(reply.rows[0], "estimated_model"), EventValue("m of 512 tokens"));
  EXPECT_NE(csv_heads({{"model", {}}}).find("model,machine,estimated_model,"), std::string::npos);
}

// A block of so many programs takes longer than the interval of waiting: the stop comes within it.
TEST(OptionTable, a_sweep_that_streams_its_rows_ends_inside_a_block_when_it_is_asked_to) {
  Desk desk;
  std::stop_source stop;
  int rows = 0;
  desk.settings.workers = 64;  // as many rows are the first block
  desk.context.interrupted = stop.get_token();
  desk.context.while_waiting = [&stop] { stop.request_stop(); };
  desk.context.print_row = [&rows](const std::string&, const OutputLine&) { ++rows; };
  std::string batches = "1";
  for (int batch = 2; batch <= 200; ++batch) batches += "," + std::to_string(batch);
  EXPECT_EQ(desk.answer("sweep format=csv model=resnet152 batch=" + batches),
            "the sweep was cancelled");
  EXPECT_EQ(rows, 1) << "the heads alone";
}

// A search among other settings, for each of a thousand rows, that no table shows.
TEST(OptionTable, what_would_fit_is_looked_for_where_one_option_alone_does_not) {
  Desk desk;
  const auto failures = [&desk](const std::string& line) {
    std::string all;
    for (const OutputLine& row : desk.type(line).rows) {
      for (const EventField& field : row.fields) {
        const auto* text = std::get_if<std::string>(&field.value);
        if (field.name == "failure" && text != nullptr) all += *text;
      }
    }
    return all;
  };
  const std::string needed = "Used 18.4 GiB of 15.5 GiB hbm";
  const std::string several = failures("compare model=resnet50 batch=280,20");
  EXPECT_NE(several.find(needed), std::string::npos) << several;
  EXPECT_EQ(several.find("What would fit"), std::string::npos) << several;
  const std::string one = failures("compare model=resnet50 batch=280");
  EXPECT_NE(one.find(needed), std::string::npos) << one;
  EXPECT_NE(one.find("What would fit: forecast model=resnet50 batch=248"), std::string::npos)
      << one;
}

TEST(OptionTable, where_every_row_fails_the_answer_does_and_keeps_its_rows) {
  const Reply one = reply_to({failed_row("v2-8")}, true);
  EXPECT_TRUE(one.failed && one.impossible);
  EXPECT_EQ(one.lines,
            (std::vector<std::string>{"v2-8: it does not fit", "what would fit: batch 8"}));
  const Reply two = reply_to({failed_row("v2-8"), failed_row("v3-8")}, false);
  EXPECT_TRUE(two.failed && two.impossible);
  EXPECT_EQ(two.rows.size(), 2U);
  EXPECT_EQ(two.lines,
            (std::vector<std::string>{"v2-8: it does not fit", "v3-8: it does not fit"}));
}

}  // namespace
}  // namespace tpulab::option_table_test
