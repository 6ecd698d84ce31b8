#include "engine/base/error.h"

#include <fmt/format.h>

#include <new>

#include "engine/base/utf8.h"

namespace tpulab {

namespace {

constexpr std::size_t longest_message = 1500;

}  // namespace

Error::Error(const std::string& what_happened_and_what_to_do)
    : std::runtime_error(shortened(what_happened_and_what_to_do, longest_message)) {}

DoesNotDivide::DoesNotDivide(const std::string& what_happened, const std::string& what_to_do)
    : Impossible(what_happened + (what_to_do.empty() ? "" : "; ") + what_to_do),
      what_happened_(what_happened) {}

std::string text_of_failure(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) == nullptr) return error.what();
  return "this computer has no memory left for it; choose a smaller model or batch; a run with "
         "`numbers off` computes none";
}

void detail::report_bug(const char* what_must_hold, const std::source_location& where) {
  throw std::logic_error(fmt::format("bug in tpulab: {} ({}:{}); please report it", what_must_hold,
                                     where.file_name(), where.line()));
}

}  // namespace tpulab
