// exp and log as polynomials: they vectorise, and have the same bits on every x86-64.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace tpulab {

// e^x to 2 ulp: x = n ln 2 + r with |r| <= ln 2 / 2, then a polynomial of degree 7 in r; 0 below
// the smallest normal number, infinity above 88.3. Coefficients: [Cephes expf].
inline float exponential(float x) {
  constexpr float rounding = 12582912.0f;  // 1.5 * 2^23: adding it leaves a whole number
  const float shifted = x * 1.44269504088896341f + rounding;
  const float whole = shifted - rounding;
  float rest = x - whole * 0.693359375f;
  rest -= whole * -2.12194440e-4f;
  float sum = 1.9875691500e-4f;
  sum = sum * rest + 1.3981999507e-3f;
  sum = sum * rest + 8.3334519073e-3f;
  sum = sum * rest + 4.1665795894e-2f;
  sum = sum * rest + 1.6666665459e-1f;
  sum = sum * rest + 5.0000001201e-1f;
  sum = sum * (rest * rest) + rest + 1.0f;
  const std::uint32_t exponent =
      std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(rounding) + 127u;
  const float power = std::bit_cast<float>(exponent << 23);
  const float result = x < -87.33654f ? 0.0f : sum * power;
  return x > 88.3f ? std::numeric_limits<float>::infinity() : result;
}

// Natural logarithm of a positive normal number to 2 ulp: x = m 2^e with m in [sqrt(1/2), sqrt(2)),
// then a polynomial in m - 1. Coefficients: [Cephes logf].
inline float logarithm(float x) {
  auto bits = std::bit_cast<std::uint32_t>(x);
  auto exponent = static_cast<float>(static_cast<std::int32_t>(bits >> 23) - 126);
  bits = (bits & 0x007fffffu) | 0x3f000000u;
  float part = std::bit_cast<float>(bits);  // in [1/2, 1)
  if (part < 0.707106781186547524f) {
    exponent -= 1.0f;
    part += part;
  }
  part -= 1.0f;
  const float square = part * part;
  float sum = 7.0376836292e-2f;
  sum = sum * part - 1.1514610310e-1f;
  sum = sum * part + 1.1676998740e-1f;
  sum = sum * part - 1.2420140846e-1f;
  sum = sum * part + 1.4249322787e-1f;
  sum = sum * part - 1.6668057665e-1f;
  sum = sum * part + 2.0000714765e-1f;
  sum = sum * part - 2.4999993993e-1f;
  sum = sum * part + 3.3333331174e-1f;
  sum = sum * part * square;
  sum += exponent * -2.12194440e-4f;
  sum -= 0.5f * square;
  return part + sum + exponent * 0.693359375f;
}

}  // namespace tpulab
