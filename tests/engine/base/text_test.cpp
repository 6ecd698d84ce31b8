#include "engine/base/text.h"

#include <gtest/gtest.h>

namespace tpulab::test::text_test {
namespace {

Picoseconds seconds(double value) { return picoseconds_from_seconds(value); }

TEST(Text, times_have_three_digits_and_the_unit_that_fits) {
  EXPECT_EQ(text_of(Picoseconds(0)), "0 s");
  EXPECT_EQ(text_of(Picoseconds(1'500)), "1.50 ns");
  EXPECT_EQ(text_of(Picoseconds(500)), "0.50 ns");
  EXPECT_EQ(text_of(seconds(12.44e-6)), "12.4 us");
  EXPECT_EQ(text_of(seconds(3.1e-3)), "3.10 ms");
  EXPECT_EQ(text_of(seconds(187.4e-3)), "187 ms");
  EXPECT_EQ(text_of(seconds(1.25)), "1.25 s");
  EXPECT_EQ(text_of(seconds(-0.5)), "-500 ms");
}

TEST(Text, times_change_their_unit_where_three_digits_would_round_over) {
  EXPECT_EQ(text_of(seconds(999.4e-6)), "999 us");
  EXPECT_EQ(text_of(seconds(999.6e-6)), "1.00 ms");
  EXPECT_EQ(text_of(seconds(9.996)), "10.0 s");
  EXPECT_EQ(text_of(seconds(59.9)), "59.9 s");
  EXPECT_EQ(text_of(seconds(59.96)), "1 min 00 s");
}

TEST(Text, long_times_are_minutes_and_hours) {
  EXPECT_EQ(text_of(seconds(185)), "3 min 05 s");
  EXPECT_EQ(text_of(seconds(3599.6)), "1 h 00 min");
  EXPECT_EQ(text_of(seconds(2 * 3600 + 7 * 60)), "2 h 07 min");
}

TEST(Text, one_of_a_thing_has_no_plural) {
  EXPECT_EQ(count_with(0, "step"), "0 steps");
  EXPECT_EQ(count_with(1, "step"), "1 step");
  EXPECT_EQ(count_with(1000, "step"), "1,000 steps");
}

TEST(Text, lowers_letters_from_a_to_z_and_no_byte_of_others) {
  EXPECT_EQ(lowered("ResNet-50 AZ@["), "resnet-50 az@[");
  const std::string others = "\xc3\x84\xc4\xd0\xff";
  EXPECT_EQ(lowered(others), others);
}

TEST(Text, has_no_mark_of_xml_once_it_is_escaped) {
  EXPECT_EQ(escaped_for_xml("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
}

TEST(Text, bytes_are_powers_of_1024) {
  EXPECT_EQ(text_of(Bytes{0}), "0 B");
  EXPECT_EQ(text_of(Bytes{512}), "512 B");
  EXPECT_EQ(text_of(Bytes{1023}), "1023 B");
  EXPECT_EQ(text_of(Bytes{1024}), "1.0 KiB");
  EXPECT_EQ(text_of(Bytes{3'328'599'655}), "3.1 GiB");
  EXPECT_EQ(text_of(Bytes{1024 * 1024 - 1}), "1.0 MiB");  // not "1024.0 KiB"
}

TEST(Text, counts_take_decimal_prefixes) {
  EXPECT_EQ(text_of_count(0), "0");
  EXPECT_EQ(text_of_count(999), "999");
  EXPECT_EQ(text_of_count(1.5), "1.50");
  EXPECT_EQ(text_of_count(0.0037), "0.00370");
  EXPECT_EQ(text_of_count(18'400), "18.4k");
  EXPECT_EQ(text_of_count(1'130'000), "1.13M");
  EXPECT_EQ(text_of_count(999'600), "1.00M");
}

TEST(Text, numbers_have_three_digits_and_no_exponent) {
  EXPECT_EQ(text_of_number(0), "0");
  EXPECT_EQ(text_of_number(0.0144), "0.0144");
  EXPECT_EQ(text_of_number(0.000021), "0.0000210");
  EXPECT_EQ(text_of_number(86.68), "86.7");
  EXPECT_EQ(text_of_number(866.8), "867");
  EXPECT_EQ(text_of_number(1290.4), "1,290");
}

TEST(Text, shares_stay_readable_down_to_hundredths_of_a_percent) {
  EXPECT_EQ(text_of_share(0.94), "94 %");
  EXPECT_EQ(text_of_share(0.042), "4.2 %");
  EXPECT_EQ(text_of_share(0.0003), "0.03 %");
  EXPECT_EQ(text_of_share(0.00004), "<0.01 %");
  EXPECT_EQ(text_of_share(0), "0 %");
  EXPECT_EQ(text_of_share(1), "100 %");
}

TEST(Text, commas_part_the_thousands) {
  EXPECT_EQ(text_with_commas(7), "7");
  EXPECT_EQ(text_with_commas(1437), "1,437");
  EXPECT_EQ(text_with_commas(-123456), "-123,456");
  EXPECT_EQ(text_with_commas(1234567), "1,234,567");
}

TEST(Text, split_keeps_empty_parts_and_trimmed_cuts_blanks) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(split("", ','), std::vector<std::string>{""});
  EXPECT_EQ(trimmed(" \t run 5\r\n"), "run 5");
  EXPECT_EQ(trimmed(" \n"), "");
}

TEST(Text, a_whole_text_is_a_number_or_none) {
  EXPECT_EQ(number_in<int>("42"), 42);
  EXPECT_EQ(number_in<int>("-7"), -7);
  EXPECT_EQ(number_in<double>("2e3"), 2000);
  EXPECT_EQ(number_in<unsigned>("ff", 16), 255U);
  for (const char* none : {"", "+1", " 1", "1 ", "1x", "99999999999"}) {
    EXPECT_EQ(number_in<int>(none), std::nullopt) << none;
  }
}

TEST(Text, words_are_parted_by_any_number_of_blanks) {
  EXPECT_EQ(words_in(" one  two "), (std::vector<std::string_view>{"one", "two"}));
}

TEST(Text, nearest_name_finds_typing_errors_and_beginnings) {
  const std::vector<std::string> names{"batch", "devices", "precision"};
  EXPECT_EQ(nearest_name("bacth", names), "batch");
  EXPECT_EQ(nearest_name("device", names), "devices");
  EXPECT_EQ(nearest_name("prec", names), "precision");
  EXPECT_EQ(nearest_name("Devices", names), "devices");
  EXPECT_EQ(nearest_name("xyz", names), "");
  EXPECT_EQ(nearest_name("1", std::vector<std::string>{"$"}), "");  // no letter of it is there
}

TEST(Text, a_row_is_found_by_a_field_or_there_is_none) {
  const std::vector<std::pair<std::string, int>> rows{{"v3", 2}, {"v4", 1}};
  EXPECT_EQ(find_row(rows, "v4", &std::pair<std::string, int>::first), &rows[1]);
  EXPECT_EQ(find_row(rows, "v5e", &std::pair<std::string, int>::first), nullptr);
}

// Comparing letter by letter would take a hundred million steps for each name.
TEST(Text, nearest_name_of_a_pasted_megabyte_is_none) {
  const std::vector<std::string> names(100, "precision");
  EXPECT_EQ(nearest_name(std::string(1 << 20, 'p'), names), "");
}

TEST(Text, differences_are_signed_percents) {
  EXPECT_EQ(signed_percent(1.35), "+35 %");
  EXPECT_EQ(signed_percent(0.93), "-7.0 %");
  EXPECT_EQ(signed_percent(0.004), "-99.6 %");
  EXPECT_EQ(signed_percent(0), "-100 %");
  EXPECT_EQ(signed_percent(1.0001), "0 %");
}

}  // namespace
}  // namespace tpulab::test::text_test
