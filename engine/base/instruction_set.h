// Loops over arrays, compiled for several instruction sets into one program: the widest that this
// CPU has is chosen when they run. The numbers have the same bits with each.
#pragma once

#include <cstdint>

// A build for one computer alone (-march=native) has nothing left to choose.
#if defined(__x86_64__) && !defined(__AVX2__)
#define TPULAB_CHOOSES_INSTRUCTIONS 1
#else
#define TPULAB_CHOOSES_INSTRUCTIONS 0
#endif

// Before a loop whose turns know nothing of each other: what a turn reads may lie where it writes.
// Clang looks whether they do as it runs, and would warn of loops that it leaves as they are.
#if defined(__GNUC__) && !defined(__clang__)
#define TPULAB_TURNS_APART _Pragma("GCC ivdep")
#else
#define TPULAB_TURNS_APART
#endif

namespace tpulab {

enum class InstructionSet : std::uint8_t {
  common,  // what every CPU of the kind has; SSE2 on x86-64
  avx2,
};

// Whether this build and this CPU can do it.
bool has_instruction_set(InstructionSet set);
// What loops use: the widest there is.
InstructionSet instruction_set();
// Whether this build could do more on a newer CPU of the kind.
bool lacks_wide_instructions();
// Makes loops use `set`, which the CPU must have; for tests, while no loop runs.
void use_instruction_set(InstructionSet set);

namespace detail {

#if TPULAB_CHOOSES_INSTRUCTIONS
// `flatten` draws the loop and all it calls into this function, so that it becomes AVX2.
template <class Body>
[[gnu::target("avx2"), gnu::flatten, gnu::noinline]] void run_with_avx2(const Body& body,
                                                                        std::int64_t first,
                                                                        std::int64_t last) {
  body(first, last);
}
#endif

}  // namespace detail

// body(first, last): a loop over [first, last), with the instruction set in use.
template <class Body>
void run_wide(const Body& body, std::int64_t first, std::int64_t last) {
#if TPULAB_CHOOSES_INSTRUCTIONS
  if (instruction_set() == InstructionSet::avx2) return detail::run_with_avx2(body, first, last);
#endif
  body(first, last);
}

}  // namespace tpulab
