#include "engine/formats/element_types.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace tpulab::element_types_test {
namespace {

TEST(ElementTypes, are_held_alike_whichever_text_names_them) {
  using Spellings = std::pair<const char*, const char*>;
  const std::array<Spellings, 7> both{Spellings{"f32", "f32"}, {"f16", "f16"},
                                      {"ui8", "u8"},           {"i1", "pred"},
                                      {"f8E4M3", "f8e4m3"},    {"f8E5M2FNUZ", "f8e5m2fnuz"},
                                      {"complex<f32>", "c64"}};
  for (const auto& [mlir, hlo] : both) {
    EXPECT_TRUE(dtype_of_mlir(mlir)) << mlir;
    EXPECT_EQ(dtype_of_mlir(mlir), dtype_of_hlo(hlo)) << hlo;
  }
}

TEST(ElementTypes, that_no_tpu_is_priced_with_are_in_neither) {
  for (const char* const none : {"f64", "complex<f64>", "c128", ""}) {
    EXPECT_FALSE(dtype_of_mlir(none)) << none;
    EXPECT_FALSE(dtype_of_hlo(none)) << none;
  }
  EXPECT_FALSE(dtype_of_hlo("ui8"));
  EXPECT_FALSE(dtype_of_mlir("u8"));
}

}  // namespace
}  // namespace tpulab::element_types_test
