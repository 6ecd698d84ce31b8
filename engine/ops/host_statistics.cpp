// What scripts ask of the losses of a batch, and no release lowers.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/base/error.h"
#include "engine/ops/host_op.h"
#include "engine/ops/ops.h"

namespace tpulab {

namespace {

using Values = std::vector<float>;

constexpr int histogram_bins = 100;  // torch.histc's default
constexpr std::array<float, 9> edges{0.01f, 0.03f, 0.1f, 0.3f, 1.0f, 3.0f, 10.0f, 30.0f, 100.0f};

constexpr float no_number = std::numeric_limits<float>::quiet_NaN();

bool any_nan(const Values& x) {
  return std::ranges::any_of(x, [](float value) { return std::isnan(value); });
}

// The lower one of two in the middle, as torch.median.
Values median(Values x) {
  if (any_nan(x)) return {no_number};
  const auto middle = x.begin() + (std::ssize(x) - 1) / 2;
  std::ranges::nth_element(x, middle);
  return {*middle};
}

Values nanmedian(Values x) {
  std::erase_if(x, [](float value) { return std::isnan(value); });
  return x.empty() ? Values{no_number} : median(std::move(x));
}

// The smallest of those that are there most often.
Values mode(Values x) {
  if (any_nan(x)) return {no_number};
  std::ranges::sort(x);
  auto best = std::ranges::equal_range(x, x.front());
  for (auto next = best.end(); next != x.end();) {
    const auto same = std::ranges::equal_range(x, *next);
    if (same.size() > best.size()) best = same;
    next = same.end();
  }
  return {best.front()};
}

// What is no number is in no bin.
Values histogram(Values x) {
  std::erase_if(x, [](float value) { return !std::isfinite(value); });
  Values counts(histogram_bins);
  if (x.empty()) return counts;
  const auto [least, most] = std::ranges::minmax(x);
  const float width = std::max(most / histogram_bins - least / histogram_bins, 1e-30f);
  for (const float value : x) {
    const float bin = std::min((value - least) / width, histogram_bins - 1.0f);
    counts[static_cast<std::size_t>(bin)] += 1;
  }
  return counts;
}

Values bins_of(Values x) {
  for (float& value : x) {
    value = static_cast<float>(std::ranges::lower_bound(edges, value) - edges.begin());
  }
  return x;
}

Values least_and_most(Values x) {
  const auto [least, most] = std::ranges::minmax(x);
  return {least, most};
}

Values equals_itself(Values x) {
  return {std::ranges::equal(x, x) ? 1.0f : 0.0f};  // false where one is no number
}

// delta 1, against 0.
Values huber(Values x) {
  for (float& value : x) {
    const float size = std::abs(value);
    value = size < 1 ? 0.5f * size * size : size - 0.5f;
  }
  return x;
}

Values running_log_sum(Values x) {
  double sum = 0;
  for (float& value : x) {
    sum += std::exp(static_cast<double>(value));
    value = static_cast<float>(std::log(sum));
  }
  return x;
}

Values running_least(Values x) {
  for (std::size_t i = 1; i < x.size(); ++i) x[i] = std::min(x[i], x[i - 1]);
  return x;
}

// torch.hypot(loss, 1).
Values against_one(Values x) {
  for (float& value : x) value = std::hypot(value, 1.0f);
  return x;
}

struct Statistic {
  std::string_view op;
  Values (*of)(Values losses);
  std::int64_t outputs = 0;  // 0: as many as losses
  DType dtype = DType::f32;
};

constexpr std::array<Statistic, 12> statistics{{
    {"aten::median", median, 1},
    {"aten::nanmedian", nanmedian, 1},
    {"aten::mode", mode, 1},
    {"aten::histc", histogram, histogram_bins},
    {"aten::bucketize", bins_of, 0, DType::s32},
    {"aten::searchsorted", bins_of, 0, DType::s32},
    {"aten::aminmax", least_and_most, 2},
    {"aten::equal", equals_itself, 1, DType::s32},
    {"aten::huber_loss", huber},
    {"aten::logcumsumexp", running_log_sum},
    {"aten::cummin", running_least},
    {"aten::hypot", against_one},
}};

class HostStatistic final : public HostOp {
 public:
  explicit HostStatistic(const Statistic& statistic) : statistic_(statistic) {}

  std::string_view name() const override { return statistic_.op; }

  Type infer(std::span<const Type> inputs) const override {
    const std::int64_t count = inputs[0].shape.elements();
    const std::int64_t outputs = statistic_.outputs > 0 ? statistic_.outputs : count;
    return {Shape{outputs}, statistic_.dtype, joined(inputs)};
  }

  Array evaluate_on_host(std::span<const ArrayView> inputs) const override {
    Values losses(inputs[0].values().begin(), inputs[0].values().end());
    Values out = statistic_.of(std::move(losses));
    const auto count = std::ssize(out);
    return Array(Shape{count}, std::move(out), statistic_.dtype);
  }

 private:
  const Statistic& statistic_;
};

}  // namespace

std::vector<std::string_view> host_statistics() {
  std::vector<std::string_view> names;
  names.reserve(statistics.size());
  for (const Statistic& one : statistics) names.push_back(one.op);
  return names;
}

std::shared_ptr<const Op> host_statistic(std::string_view op) {
  const auto* const found = std::ranges::find(statistics, op, &Statistic::op);
  expects(found != statistics.end(), "a statistic that there is");
  return std::make_shared<const HostStatistic>(*found);
}

Tensor host_statistic(std::string_view op, Tensor values) {
  if (values.shape().rank() != 1 || values.shape()[0] < 1 || is_integer(values.type().dtype)) {
    throw Error(std::string(op) + ": give at least one value [m]");
  }
  return values.graph->apply(host_statistic(op), {values});
}

}  // namespace tpulab
