#include "commands/lessons/expression.h"

#include <gtest/gtest.h>

#include "commands/lessons/condition.h"
#include "engine/base/error.h"

namespace tpulab::expression_test {
namespace {

Facts two_rows() {
  Facts facts;
  OutputLine row;
  row.event = "sweep";
  row.fields = {{"devices", std::int64_t{1}}, {"step_seconds", 0.003}, {"duty_cycle", 0.05}};
  facts.add(row);
  row.fields = {{"devices", std::int64_t{8}}, {"step_seconds", 0.002}, {"duty_cycle", 0.08}};
  facts.add(row);
  row.event = "summary";
  row.fields = {{"bound", "host tracing, saves 92 % if free"},
                {"hbm_bytes", std::int64_t{1} << 30}};
  facts.add(row);
  return facts;
}

std::string worked_out(std::string_view text) {
  const Facts facts = two_rows();
  return text_of(
      value_of(parse_expression(text), [&facts](const std::string& name, const FactChoice& choice) {
        return facts.find(name, choice);
      }));
}

bool true_here(std::string_view text) {
  const Facts facts = two_rows();
  return holds(parse_condition(text), [&facts](const std::string& name, const FactChoice& choice) {
    return facts.find(name, choice);
  });
}

std::string refusal(std::string_view text) {
  try {
    parse_condition(text);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Expression, a_figure_is_shown_as_the_program_shows_it) {
  EXPECT_EQ(worked_out("step"), "2.00 ms");
  EXPECT_EQ(worked_out("duty"), "8.0 %");
  EXPECT_EQ(worked_out("hbm_bytes"), "1.0 GiB");
  EXPECT_EQ(worked_out("bound"), "host tracing, saves 92 % if free");
  EXPECT_EQ(worked_out("devices * 180"), "1,440");
}

TEST(Expression, a_row_is_chosen_by_a_field_or_by_its_number_and_else_is_the_newest) {
  EXPECT_EQ(worked_out("step[devices=1]"), "3.00 ms");
  EXPECT_EQ(worked_out("step[2]"), "2.00 ms");
  EXPECT_EQ(worked_out("duty[event=sweep]"), "8.0 %");
  EXPECT_THROW(worked_out("step[3]"), Error);
  EXPECT_THROW(worked_out("step[devices=4]"), Error);
  EXPECT_THROW(worked_out("loss"), Error);
}

TEST(Expression, products_come_before_sums_and_brackets_before_both) {
  EXPECT_EQ(worked_out("1 + 2 * 3"), "7");
  EXPECT_EQ(worked_out("(1 + 2) * 3"), "9");
  EXPECT_EQ(worked_out("12 / 3 / 2"), "2");
  EXPECT_EQ(worked_out("5 - 3 - 1"), "1");
}

TEST(Expression, units_are_kept_and_cancel) {
  EXPECT_EQ(worked_out("step[1] / step[2]"), "1.50");
  EXPECT_EQ(worked_out("2 * step"), "4.00 ms");
  EXPECT_EQ(worked_out("50 % * step"), "1.00 ms");
  EXPECT_EQ(worked_out("duty[2] / duty[1]"), "1.60");
  EXPECT_THROW(worked_out("step + 1"), Error);
  EXPECT_THROW(worked_out("bound * 2"), Error);
  EXPECT_THROW(worked_out("step / 0"), Error);
}

TEST(Condition, compares_numbers_with_units_and_words) {
  EXPECT_TRUE(true_here("step < 2.5 ms"));
  EXPECT_FALSE(true_here("step < 2 ms"));
  EXPECT_TRUE(true_here("step <= 2 ms"));
  EXPECT_TRUE(true_here("step[1] / step[2] ~ 1.4 within 10 %"));
  EXPECT_FALSE(true_here("step[1] / step[2] ~ 1.4 within 5 %"));
  EXPECT_TRUE(true_here("devices == 8"));
  EXPECT_TRUE(true_here("devices != 7"));
  EXPECT_TRUE(true_here("bound has \"host\""));
  EXPECT_FALSE(true_here("bound is \"host\""));
  EXPECT_THROW(true_here("step < 2 GiB"), Error);
}

TEST(Condition, says_what_was_expected_and_what_is_there) {
  EXPECT_EQ(refusal("step"), "'step': expected one of < <= > >= == != ~ has is, not the end");
  EXPECT_EQ(refusal("step < "), "'step <': expected a number or a name, not the end");
  EXPECT_EQ(refusal("step[ < 3"), "'step[ < 3': expected a ] behind the row, not '[ < 3'");
  EXPECT_NE(refusal("step ~ 3 ms").find("~ and within go together"), std::string::npos);
  EXPECT_NE(refusal("step < 3 within 5 %").find("~ and within go together"), std::string::npos);
  EXPECT_NE(refusal(std::string(100, '(') + "1").find("expected"), std::string::npos);
  EXPECT_NE(refusal("step < 3 ms now").find("expected the end, not 'now'"), std::string::npos);
}

TEST(Condition, an_answer_may_leave_its_unit_out) {
  const Facts facts = two_rows();
  const FigureScope scope = [&facts](const std::string& name, const FactChoice& choice) {
    return facts.find(name, choice);
  };
  const auto right = [&](std::string_view wanted, std::string_view typed) {
    return is_met_by(parse_answer(wanted), typed_value(typed), scope);
  };
  EXPECT_TRUE(right("step within 20 %", "2.3 ms"));
  EXPECT_TRUE(right("step within 20 %", "2.3"));
  EXPECT_FALSE(right("step within 20 %", "2.5"));
  EXPECT_TRUE(right("duty within 20 %", "8 %"));
  EXPECT_TRUE(right("duty within 20 %", "8"));
  EXPECT_TRUE(right("duty within 20 %", "0.08"));
  EXPECT_TRUE(right("duty / 8 * 100 % within 20 %", "1"));
  EXPECT_TRUE(right("devices", "8"));
  EXPECT_FALSE(right("devices", "7"));
  EXPECT_FALSE(right("devices", "eight"));
  EXPECT_TRUE(right("bound", "Host Tracing"));
  EXPECT_FALSE(right("bound", "HBM"));
  EXPECT_FALSE(right("bound", "o"));
}

TEST(Condition, an_answer_may_have_a_range_outside_of_which_none_is) {
  const auto why = [](std::string_view wanted, std::string_view typed) {
    return why_impossible(parse_answer(wanted), std::string(typed));
  };
  EXPECT_EQ(why("core + 1 from 1 to 2", "7"), "7 cannot be: it lies from 1 to 2");
  EXPECT_EQ(why("core + 1 from 1 to 2", "2"), "");
  EXPECT_EQ(why("core + 1", "7"), "");
  const char* share = "duty within 50 % from 0 % to 100 %";
  for (const char* typed : {"0", "1", "5", "5 %", "0.5 %", "100"}) EXPECT_EQ(why(share, typed), "");
  EXPECT_EQ(why(share, "200"), "200 cannot be: it lies from 0 % to 100 %");
  EXPECT_EQ(why(share, "0.044"), "0.044 may be 4.4 % or 0.044 %");
  EXPECT_EQ(why("step from 1 ms to 9 ms", "0.5"), "0.5 cannot be: it lies from 1.00 ms to 9.00 ms");
  EXPECT_EQ(why(share, "0.5 ms"), "0.5 ms cannot be: it lies from 0 % to 100 %");
  EXPECT_THROW(parse_answer("duty from 9 to 1"), Error);
  EXPECT_THROW(parse_answer("duty from 1 % to 9"), Error);
  EXPECT_THROW(parse_answer("duty from 1"), Error);
}

}  // namespace
}  // namespace tpulab::expression_test
