#include "engine/base/utf8.h"

#include <algorithm>
#include <clocale>
#include <cwchar>

#include "tui/draw/canvas.h"

namespace tpulab {

namespace {

// wcwidth answers for the thread's locale; this borrows one that knows Unicode.
class UnicodeLocale {
 public:
  UnicodeLocale() : locale_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {}
  ~UnicodeLocale() {
    if (locale_) freelocale(locale_);
  }
  UnicodeLocale(const UnicodeLocale&) = delete;
  UnicodeLocale& operator=(const UnicodeLocale&) = delete;

  int width(char32_t glyph) const {
    if (!locale_) return -1;
    const locale_t before = uselocale(locale_);
    const int columns = wcwidth(static_cast<wchar_t>(glyph));
    uselocale(before);
    return columns;
  }

 private:
  locale_t locale_;
};

}  // namespace

int glyph_width(char32_t glyph) {
  if (glyph >= 0x20 && glyph < 0x7F) return 1;
  if (glyph >= 0x2500 && glyph < 0x25A0) return 1;  // lines and blocks: the bulk of every frame
  if (glyph >= 0x2800 && glyph < 0x2900) return 1;  // braille
  static const UnicodeLocale unicode;
  const int columns = unicode.width(glyph);
  return columns < 0 || glyph == 0 ? 1 : columns;
}

int display_width(std::string_view utf8) {
  int columns = 0;
  for (std::size_t at = 0; at < utf8.size();) columns += glyph_width(next_character(utf8, at));
  return columns;
}

char32_t next_character(std::string_view utf8, std::size_t& at) {
  const std::size_t size = character_size(utf8, at);
  const std::size_t begin = at;
  at += std::max<std::size_t>(size, 1);
  return size == 0 ? U'?' : code_point(utf8.substr(begin, size));
}

void append_utf8(std::string& text, char32_t glyph) {
  const auto byte = [&text](char32_t bits) { text.push_back(static_cast<char>(bits)); };
  if (glyph < 0x80) {
    byte(glyph);
  } else if (glyph < 0x800) {
    byte(0xC0 | glyph >> 6);
    byte(0x80 | (glyph & 0x3F));
  } else if (glyph < 0x10000) {
    byte(0xE0 | glyph >> 12);
    byte(0x80 | (glyph >> 6 & 0x3F));
    byte(0x80 | (glyph & 0x3F));
  } else {
    byte(0xF0 | glyph >> 18);
    byte(0x80 | (glyph >> 12 & 0x3F));
    byte(0x80 | (glyph >> 6 & 0x3F));
    byte(0x80 | (glyph & 0x3F));
  }
}

}  // namespace tpulab
