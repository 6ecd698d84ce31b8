// How many fused multiply-adds this computer can do at most, measured: the yardstick of the benches
// of numbers.
#pragma once

#include <immintrin.h>
#include <time.h>

#include <chrono>
#include <thread>
#include <vector>

namespace tpulab::bench {

// Time of this thread on a CPU: other programs on the computer do not count.
inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline bool has_fma() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}

// Twelve different sums (equal ones would be folded into one) hide the latency of two FMA pipes;
// `count` rounds of them.
__attribute__((target("avx512f"))) inline float fma_512(long count) {
  __m512 sums[12];
  for (int i = 0; i < 12; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
  const __m512 factor = _mm512_set1_ps(0.999f);
  for (long i = 0; i < count; ++i) {
#pragma GCC unroll 12
    for (__m512& sum : sums) sum = _mm512_fmadd_ps(sum, factor, factor);
  }
  __m512 total = sums[0];
  for (const __m512& sum : sums) total = _mm512_add_ps(total, sum);
  return total[0];
}

__attribute__((target("avx2,fma"))) inline float fma_256(long count) {
  __m256 sums[12];
  for (int i = 0; i < 12; ++i) sums[i] = _mm256_set1_ps(static_cast<float>(i));
  const __m256 factor = _mm256_set1_ps(0.999f);
  for (long i = 0; i < count; ++i) {
#pragma GCC unroll 12
    for (__m256& sum : sums) sum = _mm256_fmadd_ps(sum, factor, factor);
  }
  __m256 total = sums[0];
  for (const __m256& sum : sums) total = _mm256_add_ps(total, sum);
  return total[0];
}

// Does `count` rounds and answers how many operations that were (two per multiply-add). Needs
// has_fma().
inline double fma_operations(long count) {
  const bool wide = __builtin_cpu_supports("avx512f") != 0;
  const float result = wide ? fma_512(count) : fma_256(count);
  const double operations = 2.0 * 12 * (wide ? 16 : 8) * static_cast<double>(count);
  return result == 0 ? 0 : operations;  // read, so that the loop stays
}

// Of one thread, by its time on a CPU.
inline double fma_gigaflops() {
  const double start = thread_seconds();
  const double operations = fma_operations(1'000'000);
  return operations / (thread_seconds() - start) * 1e-9;
}

// Of so many threads at once, by wall time: what they share (a core, power, heat) counts.
inline double fma_gigaflops_together(int threads) {
  constexpr long count = 2'000'000;
  std::vector<double> operations(static_cast<std::size_t>(threads));
  const double start = wall_seconds();
  {
    std::vector<std::jthread> running;
    for (double& mine : operations) running.emplace_back([&mine] { mine = fma_operations(count); });
  }
  const double seconds = wall_seconds() - start;
  double total = 0;
  for (const double mine : operations) total += mine;
  return total / seconds * 1e-9;
}

}  // namespace tpulab::bench
