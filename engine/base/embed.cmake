# Run by CMake at build time: turns FILES (separated by |) into OUT, which defines
# std::span<const EmbeddedFile> SYMBOL().
string(REPLACE "|" ";" files "${FILES}")
set(bodies "")
set(rows "")
set(count 0)
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  string(APPEND bodies "constexpr char body_${count}[] = {${bytes}'\\0'};\n")
  string(APPEND rows "    {\"${name}\", {body_${count}, sizeof(body_${count}) - 1}},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUT} "// Written by engine/base/embed.cmake.
#include <array>
#include \"engine/base/embedded.h\"
namespace tpulab {
namespace {
${bodies}
constexpr std::array<EmbeddedFile, ${count}> rows{{
${rows}}};
}  // namespace
std::span<const EmbeddedFile> ${SYMBOL}() { return rows; }
}  // namespace tpulab
")
