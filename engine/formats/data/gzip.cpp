#include "engine/formats/data/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/base/units.h"

namespace tpulab {

namespace {

constexpr int gzip_alone = 16 + MAX_WBITS;
constexpr std::size_t part_bytes = std::size_t{1} << 16;

// One after the other: zlib takes a member at a time, and gzip files may have several.
class Unpacking {
 public:
  explicit Unpacking(std::string& packed) {
    stream_.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream_.avail_in = static_cast<uInt>(packed.size());
    if (::inflateInit2(&stream_, gzip_alone) != Z_OK) throw Error("no memory to unpack a file");
  }
  ~Unpacking() { ::inflateEnd(&stream_); }
  Unpacking(const Unpacking&) = delete;
  Unpacking& operator=(const Unpacking&) = delete;

  // Appends some of what is packed. False if there is no more, or what follows is wrong.
  bool add_part(std::string& bytes) {
    stream_.next_out = part_.data();
    stream_.avail_out = part_bytes;
    state_ = ::inflate(&stream_, Z_NO_FLUSH);
    const std::size_t made = part_bytes - stream_.avail_out;
    bytes.append(reinterpret_cast<const char*>(part_.data()), made);
    const bool another = state_ == Z_STREAM_END && stream_.avail_in > 0;
    if (another) state_ = ::inflateReset(&stream_);
    return state_ == Z_OK && (another || made > 0 || stream_.avail_in > 0);
  }
  bool complete() const { return state_ == Z_STREAM_END; }
  bool cut() const { return state_ == Z_OK || state_ == Z_BUF_ERROR; }

 private:
  z_stream stream_{};
  int state_ = Z_OK;
  std::array<Bytef, part_bytes> part_{};
};

}  // namespace

std::string unpacked(std::string bytes, const std::string& file, std::size_t most_bytes) {
  if (!bytes.starts_with("\x1f\x8b")) return bytes;
  Unpacking unpacking(bytes);
  std::string all;
  for (bool more = true; more;) {
    more = unpacking.add_part(all);
    if (all.size() <= most_bytes) continue;
    throw Error(fmt::format("{} unpacks to more than {}; give a smaller one", file,
                            text_of(Bytes{static_cast<std::int64_t>(most_bytes)})));
  }
  if (unpacking.complete()) return all;
  throw Error(fmt::format("{} cannot be unpacked: it is {}; fetch it again", file,
                          unpacking.cut() ? "cut short" : "damaged"));
}

}  // namespace tpulab
