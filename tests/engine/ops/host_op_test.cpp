#include "engine/ops/host_op.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/engine/ops/check_op.h"

namespace tpulab::test::host_op_test {
namespace {

// A runtime in miniature: values of leaves are known, a host op's result becomes a fresh leaf.
class HostStep : public Step {
 public:
  HostStep() {
    graph.run_on_host = [this](const std::shared_ptr<const Op>& op,
                               std::span<const Tensor> inputs) {
      std::vector<ArrayView> views;
      for (const Tensor& tensor : inputs) views.push_back(value(tensor).view());
      last = op;
      return input(op->evaluate_on_host(views));
    };
  }

  std::shared_ptr<const Op> last;
};

TEST(Nonzero, finds_the_flat_positions) {
  HostStep step;
  const Tensor out = nonzero(step.input(Array(Shape{2, 3}, {0, 1, 0, -2, 0, 3})));
  EXPECT_EQ(out.type().dtype, DType::s32);
  EXPECT_EQ(out.shape(), (Shape{3}));
  EXPECT_EQ(step.value(out)[0], 1);
  EXPECT_EQ(step.value(out)[1], 3);
  EXPECT_EQ(step.value(out)[2], 5);
  EXPECT_EQ(step.last->name(), "aten::nonzero");
}

TEST(Nonzero, of_zeros_is_empty) {
  HostStep step;
  EXPECT_EQ(nonzero(step.input(Array(Shape{4}))).shape(), (Shape{0}));
}

TEST(Nonzero, has_a_size_that_only_values_know) {
  HostStep step;
  nonzero(step.input(Array(Shape{4})));
  const Type type{Shape{4}};
  EXPECT_NE(error_of([&] {
              step.last->infer({&type, 1});
            }).find("depends on values"),
            std::string::npos);
}

TEST(Bincount, counts_labels_into_bins) {
  HostStep step;
  const Tensor out = bincount(step.input(labels({2, 0, 2, 2})), 4);
  EXPECT_EQ(out.type(), (Type{Shape{4}, DType::f32}));
  EXPECT_EQ(step.value(out)[0], 1);
  EXPECT_EQ(step.value(out)[1], 0);
  EXPECT_EQ(step.value(out)[2], 3);
  EXPECT_EQ(step.last->name(), "aten::bincount");
  EXPECT_EQ(step.last->attributes(), "bins=4");
  const Type type{Shape{4}, DType::s32};
  EXPECT_EQ(step.last->infer({&type, 1}), (Type{Shape{4}, DType::f32}));
}

TEST(Bincount, refuses_labels_outside_the_bins_and_labels_that_are_no_integers) {
  HostStep step;
  const Tensor classes = step.input(labels({4}));
  EXPECT_EQ(error_of([&] { bincount(classes, 4); }),
            "aten::bincount: index 4 is outside 0 to 3; check the labels or the number of classes");
  EXPECT_NE(error_of([&] { bincount(classes, 0); }), "");
  EXPECT_NE(error_of([&] { bincount(step.input(Array(Shape{4})), 4); }), "");
}

// By hand, of 4, 0.5, 2 and 0.5.
TEST(HostStatistic, is_what_torch_says_of_the_losses) {
  const auto of = [](const char* op) {
    HostStep step;
    const Tensor out = host_statistic(op, step.input(Array(Shape{4}, {4, 0.5f, 2, 0.5f})));
    const Type losses{Shape{4}};
    EXPECT_EQ(step.last->infer({&losses, 1}).shape, out.shape()) << op;
    EXPECT_EQ(step.last->infer({&losses, 1}).dtype, out.type().dtype) << op;
    const auto values = step.value(out).values();
    return std::vector<float>(values.begin(), values.end());
  };
  using Values = std::vector<float>;
  EXPECT_EQ(of("aten::median"), Values{0.5f});
  EXPECT_EQ(of("aten::nanmedian"), Values{0.5f});
  EXPECT_EQ(of("aten::mode"), Values{0.5f});
  EXPECT_EQ(of("aten::bucketize"), (Values{6, 4, 5, 4}));  // edges 0.01, 0.03, 0.1, 0.3, 1, 3, 10
  EXPECT_EQ(of("aten::searchsorted"), of("aten::bucketize"));
  EXPECT_EQ(of("aten::aminmax"), (Values{0.5f, 4}));
  EXPECT_EQ(of("aten::equal"), Values{1});
  EXPECT_EQ(of("aten::huber_loss"), (Values{3.5f, 0.125f, 1.5f, 0.125f}));
  EXPECT_EQ(of("aten::cummin"), (Values{4, 0.5f, 0.5f, 0.5f}));
  EXPECT_NEAR(of("aten::hypot")[2], std::sqrt(5.0), 1e-6);
  EXPECT_NEAR(of("aten::logcumsumexp")[1], std::log(std::exp(4.0) + std::exp(0.5)), 1e-6);
  const Values counts = of("aten::histc");  // 100 bins from 0.5 to 4
  ASSERT_EQ(counts.size(), 100U);
  EXPECT_EQ(counts[0], 2);
  EXPECT_EQ(counts[42], 1);
  EXPECT_EQ(counts[99], 1);
}

TEST(HostStatistic, of_numbers_that_are_none_leaves_them_out_or_not) {
  HostStep step;
  const float none = std::nanf("");
  const Tensor losses = step.input(Array(Shape{3}, {none, 2, 1}));
  EXPECT_EQ(step.value(host_statistic("aten::nanmedian", losses))[0], 1);
  EXPECT_EQ(step.value(host_statistic("aten::equal", losses))[0], 0);
  EXPECT_TRUE(std::isnan(step.value(host_statistic("aten::median", losses))[0]));
  EXPECT_TRUE(std::isnan(step.value(host_statistic("aten::mode", losses))[0]));
  const float most = std::numeric_limits<float>::infinity();
  const Tensor wide = step.input(Array(Shape{5}, {none, most, -most, 3e38f, -3e38f}));
  const Tensor counts = host_statistic("aten::histc", wide);
  EXPECT_EQ(step.value(counts)[0] + step.value(counts)[99], 2);
  EXPECT_EQ(host_statistics().size(), 12U);
}

TEST(HostOp, is_never_a_node_and_lets_no_gradient_through) {
  HostStep step;
  const Tensor out = nonzero(step.input(Array(Shape{4}, {1, 0, 0, 1})));
  EXPECT_TRUE(step.graph.node(out.id).leaf());
  EXPECT_TRUE(step.last->traits().on_host);
  const std::vector<Tensor> inputs(1, out);
  EXPECT_FALSE(step.last->gradient(inputs, out, out)[0]);
  EXPECT_THROW(step.last->evaluate({}, {}, {}), std::logic_error);
}

// 1000 f32 in (4,000 bytes), 10 s32 out (40 bytes).
TEST(HostOp, touches_each_byte_once_and_each_element_once) {
  HostStep step;
  nonzero(step.input(Array(Shape{4})));
  const Type input{Shape{1000}};
  const Type output{Shape{10}, DType::s32};
  const auto work = std::get<HostWork>(step.last->work({&input, 1}, output));
  EXPECT_EQ(work.flops.value, 1000);
  EXPECT_EQ(work.bytes.value, 4040);
}

}  // namespace
}  // namespace tpulab::test::host_op_test
