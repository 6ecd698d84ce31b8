// Arrays seen as Eigen maps: a matrix by rows, or a flat array.
#pragma once

#include <Eigen/Core>

#include "engine/graph/array.h"

namespace tpulab {

using RowMajor = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Map<const RowMajor>;
using MatrixSpan = Eigen::Map<RowMajor>;

inline MatrixView matrix_of(const ArrayView& x, std::int64_t rows, std::int64_t columns) {
  return {x.data, rows, columns};
}
inline MatrixSpan matrix_of(const ArraySpan& x, std::int64_t rows, std::int64_t columns) {
  return {x.data, rows, columns};
}

}  // namespace tpulab
