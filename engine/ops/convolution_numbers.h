// The numbers of a convolution: patches gathered into a matrix, then a matrix product, image by
// image. Depthwise windows are plain f32 sums, as on the vector unit.
#pragma once

#include "engine/ops/window.h"

namespace tpulab {

struct ConvolutionExtents {
  WindowGrid grid;
  std::int64_t inputs = 0;  // channels
  std::int64_t outputs = 0;
  std::int64_t groups = 1;

  std::int64_t group_inputs() const { return inputs / groups; }
  std::int64_t group_outputs() const { return outputs / groups; }
  std::int64_t depth() const { return grid.taps() * group_inputs(); }  // of one group's product
  bool depthwise() const { return groups > 1 && group_inputs() == 1; }
};

// x [b,h,w,c], filter [fh,fw,c/groups,o] -> out [b,oh,ow,o]; of volumes with a depth before both.
void convolve(const ConvolutionExtents& extents, MatmulPrecision precision, const ArrayView& x,
              const ArrayView& filter, const ArraySpan& out, const EvaluateContext& context);
// upstream [b,oh,ow,o], filter -> d x.
void convolve_back(const ConvolutionExtents& extents, MatmulPrecision precision,
                   const ArrayView& upstream, const ArrayView& filter, const ArraySpan& out,
                   const EvaluateContext& context);
// x, upstream -> d filter.
void correlate(const ConvolutionExtents& extents, MatmulPrecision precision, const ArrayView& x,
               const ArrayView& upstream, const ArraySpan& out, const EvaluateContext& context);

}  // namespace tpulab
