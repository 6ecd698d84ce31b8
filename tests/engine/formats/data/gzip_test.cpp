#include "engine/formats/data/gzip.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace tpulab::gzip_test {
namespace {

// printf hello | gzip -9n
const std::string hello(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\x48\xcd\xc9\xc9\x07\x00"
    "\x86\xa6\x10\x36\x05\x00\x00\x00",
    25);

std::string refusal(const std::string& bytes, std::size_t most = 100) {
  try {
    return "read: " + unpacked(bytes, "f.gz", most);
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Gzip, unpacks_what_gzip_packs_and_leaves_all_else_alone) {
  EXPECT_EQ(unpacked(hello, "f", 5), "hello");
  EXPECT_EQ(unpacked(hello + hello, "f", 10), "hellohello");
  EXPECT_EQ(unpacked("hello", "f", 1), "hello");
  EXPECT_EQ(unpacked("", "f", 1), "");
}

TEST(Gzip, says_what_is_cut_damaged_or_too_much) {
  EXPECT_EQ(refusal(hello, 4), "f.gz unpacks to more than 4 B; give a smaller one");
  for (std::size_t size = 2; size < hello.size(); ++size) {
    EXPECT_EQ(refusal(hello.substr(0, size)),
              "f.gz cannot be unpacked: it is cut short; fetch it again")
        << size;
  }
  std::string changed = hello;
  changed[19] = 'x';  // of its checksum
  EXPECT_EQ(refusal(changed), "f.gz cannot be unpacked: it is damaged; fetch it again");
  EXPECT_EQ(refusal(hello + "x"), "f.gz cannot be unpacked: it is cut short; fetch it again");
  EXPECT_EQ(refusal(hello + "no member"), "f.gz cannot be unpacked: it is damaged; fetch it again");
}

}  // namespace
}  // namespace tpulab::gzip_test
