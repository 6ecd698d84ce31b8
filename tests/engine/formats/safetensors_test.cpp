#include "engine/formats/safetensors.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstring>

#include "engine/base/error.h"

namespace tpulab::safetensors_test {
namespace {

using nlohmann::json;

std::string file_of(const std::string& header, const std::string& numbers) {
  std::string bytes(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + numbers;
}

std::string refusal(const std::string& bytes) {
  try {
    parse_safetensors(bytes, "f");
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

Safetensors two_arrays() {
  return {{{"step", "7"}, {"quoted", "a \"b\"\n\xc3\xa9"}},
          {{"w", Array({2, 3}, {1, -2, 0.5f, 1e-40f, 3e38f, -0.0f})},
           {"b", Array({2}, {1.5f, -3}, DType::bf16)}}};
}

// By the published format, with nothing of this program.
TEST(Safetensors, is_written_as_its_format_says) {
  const std::string bytes = text_of(two_arrays());
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0U);
  const json header = json::parse(bytes.substr(8, length));
  EXPECT_EQ(bytes[8], '{');
  EXPECT_EQ(header["__metadata__"]["step"], "7");
  EXPECT_EQ(header["w"], (json{{"dtype", "F32"}, {"shape", {2, 3}}, {"data_offsets", {0, 24}}}));
  EXPECT_EQ(header["b"], (json{{"dtype", "BF16"}, {"shape", {2}}, {"data_offsets", {24, 28}}}));
  const std::string numbers = bytes.substr(8 + length);
  ASSERT_EQ(numbers.size(), 28U);
  float third = 0;
  std::memcpy(&third, numbers.data() + 8, 4);
  EXPECT_EQ(third, 0.5f);
  EXPECT_EQ(numbers.substr(24), "\xc0\x3f\x40\xc0");  // 1.5 and -3 as bfloat16
}

TEST(Safetensors, are_read_back_bit_for_bit) {
  const Safetensors before = two_arrays();
  const Safetensors after = parse_safetensors(text_of(before), "f");
  EXPECT_EQ(after.metadata, before.metadata);
  ASSERT_EQ(after.arrays.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto values = after.arrays[i].values.values();
    EXPECT_EQ(after.arrays[i].name, before.arrays[i].name);
    EXPECT_EQ(after.arrays[i].values.shape(), before.arrays[i].values.shape());
    EXPECT_EQ(after.arrays[i].values.dtype(), before.arrays[i].values.dtype());
    EXPECT_EQ(
        std::memcmp(values.data(), before.arrays[i].values.values().data(), values.size_bytes()),
        0);
  }
}

TEST(Safetensors, says_what_is_wrong_with_a_hostile_file) {
  const auto told = [](const std::string& entry, const std::string& numbers = "12345678") {
    const std::string text = refusal(file_of(entry, numbers));
    const std::string begin = "f is no safetensors file that can be read: ";
    return text.starts_with(begin) ? text.substr(begin.size()) : text;
  };
  EXPECT_EQ(told(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})"), "read");
  EXPECT_EQ(told(R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}})"),
            "a is of F64; F32 and BF16 are read");
  EXPECT_EQ(told(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,12]}})"),
            "a ends behind the file");
  EXPECT_EQ(told(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})"),
            "a f32[3] does not take 8 bytes");
  EXPECT_EQ(told(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})"),
            "nothing names the bytes before a");
  EXPECT_EQ(told(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})"),
            "nothing names its last bytes");
  EXPECT_EQ(told(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                 R"("b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})"),
            "b overlaps the array before it");
  EXPECT_EQ(told(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                 R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})"),
            "a name stands twice in its header");
  EXPECT_EQ(told(R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})"),
            "the shape of a are no whole numbers up to 2^40");
  EXPECT_EQ(told(R"({"a":{"dtype":"F32","shape":[1099511627776,1099511627776,1099511627776],)"
                 R"("data_offsets":[0,8]}})"),
            "a f32[1099511627776,1099511627776,1099511627776] does not take 8 bytes");
  EXPECT_EQ(told(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})"),
            "a has no begin and end");
  EXPECT_EQ(told(R"({"a":7})"), "a has no shape");
  EXPECT_EQ(told("[]"), "its header is no JSON object");
  EXPECT_EQ(told("{"), "its header is no JSON object");
  EXPECT_EQ(told(R"({"__metadata__":{"a":1}})", ""), "its metadata 'a' is no text");
}

TEST(Safetensors, believes_no_length_beyond_the_file) {
  const std::string whole = text_of(two_arrays());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(refusal(whole.substr(0, size)), "read") << size;
  }
  EXPECT_NE(refusal(whole.substr(0, 20)).find("bytes is cut"), std::string::npos);
  for (const char* const other : {"\xff\xff\xff\xff\xff\xff\xff\xff", "a,b,label\n1,2,0\n"}) {
    EXPECT_EQ(refusal(other),
              "f is no safetensors file that can be read: its first 8 bytes are no length of a "
              "header");
  }
  const std::string long_header = std::string((std::size_t{8} << 20) + 1, ' ');
  EXPECT_NE(refusal(file_of(long_header, "")).find("more than 8 MiB"), std::string::npos);
}

}  // namespace
}  // namespace tpulab::safetensors_test
