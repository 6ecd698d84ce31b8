#include "commands/option_table.h"

#include <gtest/gtest.h>

namespace tpulab {
namespace {

Estimated row_of(const char* slice, const char* model, double rate, double band) {
  Estimated row;
  row.option.values = {slice};
  row.option.settings.slice = slice;
  row.estimate.machine = slice;
  row.estimate.model = model;
  row.estimate.step = picoseconds_from_seconds(1 / rate);
  row.estimate.samples_per_second = rate;
  row.estimate.band = band;
  return row;
}

std::string table_of(const std::vector<Estimated>& rows) {
  std::string text;
  for (const OutputLine& line : option_answer({{"slice", {}}}, rows, "compare", false, false)) {
    text += line.text + "\n";
  }
  return text;
}

TEST(OptionTable, the_fastest_row_is_called_so_where_the_bands_tell_it_apart) {
  const std::string text =
      table_of({row_of("v2-8", "m", 1000, 0.1), row_of("v3-8", "m", 2000, 0.1)});
  EXPECT_NE(text.find("fastest"), std::string::npos);
  EXPECT_NE(text.find("-50 %"), std::string::npos);
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
}

}  // namespace
}  // namespace tpulab
