#include "engine/ops/convolution_numbers.h"

#include <algorithm>
#include <vector>

#include "engine/ops/matrix_product.h"

namespace tpulab {

namespace {

using Buffer = std::vector<float>;

Buffer buffer_of(std::int64_t elements) { return Buffer(static_cast<std::size_t>(elements)); }

// [rows, all] -> its `count` columns from `first`.
Buffer columns_of(const float* from, std::int64_t rows, std::int64_t all, std::int64_t first,
                  std::int64_t count) {
  Buffer to = buffer_of(rows * count);
  for (std::int64_t row = 0; row < rows; ++row) {
    std::copy_n(from + row * all + first, count, to.data() + row * count);
  }
  return to;
}

void add_columns(const Buffer& from, std::int64_t rows, std::int64_t all, std::int64_t first,
                 std::int64_t count, float* to) {
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t i = 0; i < count; ++i) {
      to[row * all + first + i] += from[static_cast<std::size_t>(row * count + i)];
    }
  }
}

// One group of one image as a product's operand: [out pixels, taps x channels of the group].
Buffer patches_of(const ConvolutionExtents& extents, const float* image, std::int64_t group) {
  const std::int64_t channels = extents.group_inputs();
  Buffer patches = buffer_of(extents.grid.out_pixels() * extents.depth());
  extents.grid.for_each_tap([&](std::int64_t out, std::int64_t tap, std::int64_t pixel) {
    std::copy_n(image + pixel * extents.inputs + group * channels, channels,
                patches.data() + out * extents.depth() + tap * channels);
  });
  return patches;
}

void add_patches(const ConvolutionExtents& extents, const Buffer& patches, std::int64_t group,
                 float* image) {
  const std::int64_t channels = extents.group_inputs();
  extents.grid.for_each_tap([&](std::int64_t out, std::int64_t tap, std::int64_t pixel) {
    const float* from = patches.data() + out * extents.depth() + tap * channels;
    float* to = image + pixel * extents.inputs + group * channels;
    for (std::int64_t i = 0; i < channels; ++i) to[i] += from[i];
  });
}

// Calls body(image, group) for each pair.
template <class Body>
void for_each_group(const ConvolutionExtents& extents, const Body& body) {
  for (std::int64_t image = 0; image < extents.grid.batch; ++image) {
    for (std::int64_t group = 0; group < extents.groups; ++group) body(image, group);
  }
}

struct Product {
  MatmulOptions options;
  std::int64_t rows;
  std::int64_t columns;

  Buffer operator()(const ArrayView& left, const ArrayView& right,
                    const EvaluateContext& context) const {
    Buffer result = buffer_of(rows * columns);
    matrix_product(left, right, options, {result.data(), Shape{rows, columns}, DType::f32},
                   context);
    return result;
  }
};

// Calls body(in, tap and output channel, out) for each multiplication of a depthwise convolution;
// all are offsets of elements.
template <class Body>
void for_each_depthwise(const ConvolutionExtents& extents, const Body& body) {
  const WindowGrid& grid = extents.grid;
  const std::int64_t per_group = extents.group_outputs();
  for (std::int64_t image = 0; image < grid.batch; ++image) {
    grid.for_each_tap([&](std::int64_t out, std::int64_t tap, std::int64_t pixel) {
      const std::int64_t in_row = (image * grid.pixels() + pixel) * extents.inputs;
      const std::int64_t out_row = (image * grid.out_pixels() + out) * extents.outputs;
      for (std::int64_t i = 0; i < extents.outputs; ++i) {
        body(in_row + i / per_group, tap * extents.outputs + i, out_row + i);
      }
    });
  }
}

}  // namespace

void convolve(const ConvolutionExtents& extents, MatmulPrecision precision, const ArrayView& x,
              const ArrayView& filter, const ArraySpan& out, const EvaluateContext& context) {
  std::ranges::fill(out.values(), 0.0f);
  if (extents.depthwise()) {
    for_each_depthwise(extents, [&](std::int64_t in, std::int64_t weight, std::int64_t to) {
      out[to] += x[in] * filter[weight];
    });
    return;
  }
  const std::int64_t pixels = extents.grid.out_pixels();
  const std::int64_t depth = extents.depth();
  const std::int64_t width = extents.group_outputs();
  const Product product{{.precision = precision}, pixels, width};
  for_each_group(extents, [&](std::int64_t image, std::int64_t group) {
    const float* from = x.data + image * extents.grid.pixels() * extents.inputs;
    const Buffer patches = patches_of(extents, from, group);
    const Buffer weights = columns_of(filter.data, depth, extents.outputs, group * width, width);
    const Buffer result = product({patches.data(), Shape{pixels, depth}, x.dtype},
                                  {weights.data(), Shape{depth, width}, filter.dtype}, context);
    add_columns(result, pixels, extents.outputs, group * width, width,
                out.data + image * pixels * extents.outputs);
  });
}

void convolve_back(const ConvolutionExtents& extents, MatmulPrecision precision,
                   const ArrayView& upstream, const ArrayView& filter, const ArraySpan& out,
                   const EvaluateContext& context) {
  std::ranges::fill(out.values(), 0.0f);
  if (extents.depthwise()) {
    for_each_depthwise(extents, [&](std::int64_t in, std::int64_t weight, std::int64_t from) {
      out[in] += upstream[from] * filter[weight];
    });
    return;
  }
  const std::int64_t pixels = extents.grid.out_pixels();
  const std::int64_t depth = extents.depth();
  const std::int64_t width = extents.group_outputs();
  const Product product{{.transpose_right = true, .precision = precision}, pixels, depth};
  for_each_group(extents, [&](std::int64_t image, std::int64_t group) {
    const Buffer rows = columns_of(upstream.data + image * pixels * extents.outputs, pixels,
                                   extents.outputs, group * width, width);
    const Buffer weights = columns_of(filter.data, depth, extents.outputs, group * width, width);
    const Buffer patches = product({rows.data(), Shape{pixels, width}, upstream.dtype},
                                   {weights.data(), Shape{depth, width}, filter.dtype}, context);
    add_patches(extents, patches, group, out.data + image * extents.grid.pixels() * extents.inputs);
  });
}

void correlate(const ConvolutionExtents& extents, MatmulPrecision precision, const ArrayView& x,
               const ArrayView& upstream, const ArraySpan& out, const EvaluateContext& context) {
  std::ranges::fill(out.values(), 0.0f);
  if (extents.depthwise()) {
    for_each_depthwise(extents, [&](std::int64_t in, std::int64_t weight, std::int64_t from) {
      out[weight] += x[in] * upstream[from];
    });
    return;
  }
  const std::int64_t pixels = extents.grid.out_pixels();
  const std::int64_t depth = extents.depth();
  const std::int64_t width = extents.group_outputs();
  const Product product{{.transpose_left = true, .precision = precision}, depth, width};
  for_each_group(extents, [&](std::int64_t image, std::int64_t group) {
    const float* from = x.data + image * extents.grid.pixels() * extents.inputs;
    const Buffer patches = patches_of(extents, from, group);
    const Buffer rows = columns_of(upstream.data + image * pixels * extents.outputs, pixels,
                                   extents.outputs, group * width, width);
    const Buffer result = product({patches.data(), Shape{pixels, depth}, x.dtype},
                                  {rows.data(), Shape{pixels, width}, upstream.dtype}, context);
    add_columns(result, depth, extents.outputs, group * width, width, out.data);
  });
}

}  // namespace tpulab
