// Latent diffusion: a U-Net that tells the noise of an image, which it draws itself
// (arXiv 2112.10752, 2006.11239). Images and texts come encoded.
#include <fmt/format.h>

#include <cmath>

#include "engine/training/networks/blocks.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

Tensor normal(Scope& scope, const std::string& name, Tensor x, const DiffusionSizes& sizes) {
  const std::int64_t channels = x.shape().at(-1);
  const Tensor scale = scope.parameter(name + ".weight", {channels}, {.size = 1});
  const Tensor bias = scope.parameter(name + ".bias", {channels}, {.size = 0});
  return group_norm(x, sizes.groups, scale, bias);
}

Tensor window_of_three(Scope& scope, const std::string& name, Tensor x, std::int64_t outputs,
                       std::int64_t stride = 1) {
  return convolution(scope, name, x,
                     {.outputs = outputs, .height = 3, .width = 3, .stride = stride});
}

// Between its convolutions the block is told the time: [b,c] is added to each pixel.
Tensor block(Scope& scope, const std::string& name, Tensor x, Tensor time, std::int64_t outputs,
             const DiffusionSizes& sizes) {
  Tensor y = silu(normal(scope, name + ".norm1", x, sizes));
  y = window_of_three(scope, name + ".conv1", y, outputs);
  const Shape shape = y.shape();
  const Tensor pixels = reshape(y, {shape[0], shape[1] * shape[2], outputs});
  const Tensor told = dense(scope, name + ".time", time, outputs);
  y = reshape(add(pixels, repeat_like(told, pixels, 1)), shape);
  y = silu(normal(scope, name + ".norm2", y, sizes));
  y = window_of_three(scope, name + ".conv2", y, outputs);
  if (x.shape() != y.shape()) x = convolution(scope, name + ".shortcut", x, {.outputs = outputs});
  return add(x, y);
}

Tensor feed_forward(Scope& scope, const std::string& name, Tensor x) {
  constexpr std::int64_t wider = 4;
  const std::int64_t width = x.shape().at(-1);
  const auto up = [&](const char* part) {
    return dense(scope, name + part, x, wider * width, DenseSplit::columns);
  };
  const Tensor hidden = multiply(up(".up"), gelu(up(".gate")));
  return dense(scope, name + ".down", hidden, width, DenseSplit::rows);
}

// Pixels look at each other, then at the text.
Tensor attended(Scope& scope, const std::string& name, Tensor x, Tensor text,
                const DiffusionSizes& sizes) {
  const Shape shape = x.shape();
  const std::int64_t heads = sizes.head_width > 0 ? shape[3] / sizes.head_width : sizes.heads;
  const AttentionSizes each{.heads = heads, .shared = heads};
  Tensor y = normal(scope, name + ".norm", x, sizes);
  y = dense(scope, name + ".in", reshape(y, {shape[0], shape[1] * shape[2], shape[3]}), shape[3]);
  y = add(y, self_attention(scope, name + ".pixels", layer_normalised(scope, name + ".norm1", y),
                            each));
  y = add(y, attention_over(scope, name + ".text", layer_normalised(scope, name + ".norm2", y),
                            text, each));
  y = add(y, feed_forward(scope, name + ".feed", layer_normalised(scope, name + ".norm3", y)));
  return add(x, reshape(dense(scope, name + ".out", y, shape[3]), shape));
}

class UNet {
 public:
  UNet(Scope& scope, const DiffusionSizes& sizes, Tensor time, Tensor text)
      : scope_(scope), sizes_(sizes), time_(time), text_(text) {}

  // x [b,h,w,c] -> its like
  Tensor operator()(Tensor x) {
    const std::int64_t outputs = x.shape().at(-1);
    const std::size_t levels = sizes_.widths.size();
    std::vector<Tensor> seen{x = window_of_three(scope_, "in", x, sizes_.widths.front())};
    for (std::size_t level = 0; level < levels; ++level) {
      for (std::int64_t i = 1; i <= sizes_.blocks; ++i) {
        seen.push_back(x = both(fmt::format("down{}.{}", level + 1, i), x, level));
      }
      if (level + 1 == levels) break;
      const std::string name = fmt::format("down{}.half", level + 1);
      seen.push_back(x = window_of_three(scope_, name, x, sizes_.widths[level], 2));
    }
    x = block(scope_, "middle.1", x, time_, sizes_.widths.back(), sizes_);
    x = attended(scope_, "middle.attention", x, text_, sizes_);
    x = block(scope_, "middle.2", x, time_, sizes_.widths.back(), sizes_);
    for (std::size_t level = levels; level-- > 0;) {
      for (std::int64_t i = 0; i <= sizes_.blocks; ++i) {
        x = concatenate({x, seen.back()}, 3);
        seen.pop_back();
        x = both(fmt::format("up{}.{}", level + 1, i + 1), x, level);
      }
      if (level == 0) break;
      const std::string name = fmt::format("up{}.double", level + 1);
      x = window_of_three(scope_, name, upsampled(x), sizes_.widths[level]);
    }
    return window_of_three(scope_, "out", silu(normal(scope_, "norm", x, sizes_)), outputs);
  }

 private:
  Tensor both(const std::string& name, Tensor x, std::size_t level) {
    x = block(scope_, name, x, time_, sizes_.widths[level], sizes_);
    const bool looks = level + 1 < sizes_.widths.size() || sizes_.widths.size() == 1;
    return looks ? attended(scope_, name + ".attention", x, text_, sizes_) : x;
  }

  Scope& scope_;
  const DiffusionSizes& sizes_;
  Tensor time_;  // [b, hidden]
  Tensor text_;  // [b, tokens, width]
};

constexpr std::int64_t times = 1000;

// Cosines and sines of a time, of frequencies down to a ten thousandth, and a perceptron over them.
Tensor time_features(Scope& scope, Tensor at, const DiffusionSizes& sizes) {
  Graph& graph = *at.graph;
  const std::int64_t width = sizes.widths.front();
  const Shape half{times, width / 2};
  const Tensor table = rotary_embedding(
      concatenate({constant(graph, 1, half, DType::f32), constant(graph, 0, half, DType::f32)}, 1));
  const Tensor turned = convert(embedding(table, convert(at, DType::s32)), scope.compute());
  const Tensor hidden = silu(dense(scope, "time.1", turned, 4 * width));
  return silu(dense(scope, "time.2", hidden, 4 * width));
}

// What is left of the image at a time of [0,1000): the root of the product of 1 - b over all times
// before, whose b has a root that grows evenly; and as much noise as keeps the variance.
struct Shares {
  Tensor image;
  Tensor noise;
};
Shares shares_at(Tensor at) {
  constexpr double first = 0.00085;
  constexpr double last = 0.012;
  Graph& graph = *at.graph;
  const double begin = std::sqrt(first);
  const double grows = std::sqrt(last) - begin;
  const auto number = [&](double value) { return scalar(graph, value, "schedule"); };
  const Tensor u = multiply(at, number(1.0 / times));
  // The integral of (begin + grows u)^2, a thousand times.
  const Tensor cubic =
      add(multiply(u, number(times * grows * grows / 3)), number(times * begin * grows));
  const Tensor gone = multiply(u, add(multiply(u, cubic), number(times * first)));
  const Tensor left = exponential(subtract(scalar(graph, 0), gone));
  return {square_root(left), square_root(subtract(scalar(graph, 1), left))};
}

Tensor scaled(Tensor x, Tensor by_image) {
  const Shape shape = x.shape();
  return reshape(multiply_rows(reshape(x, {shape[0], shape.elements() / shape[0]}), by_image),
                 shape);
}

// What a row holds: latents as mean and logarithm of a variance, and a text; or an image, which a
// learned text goes with.
struct ImageAndText {
  Tensor image;  // f32
  Tensor text;
};

ImageAndText encoded_row(Scope& scope, Tensor x, const DiffusionSizes& sizes) {
  constexpr double scaling = 0.18215;  // to a deviation of 1
  const std::int64_t rows = x.shape()[0];
  const std::int64_t pixels = sizes.side * sizes.side * 2 * sizes.latents;
  const Tensor moments =
      convert(reshape(slice(x, 1, 0, pixels), {rows, sizes.side, sizes.side, 2 * sizes.latents}),
              DType::f32);
  Graph& graph = *x.graph;
  const Tensor logarithm = slice(moments, 3, sizes.latents, sizes.latents);
  const Tensor deviation = exponential(multiply(logarithm, scalar(graph, 0.5, "half")));
  const Dropout drawn = scope.dropping(0);
  const Tensor noise =
      random_numbers(graph, deviation.shape(), Distribution::normal, drawn.random, drawn.stream);
  const Tensor latents = add(slice(moments, 3, 0, sizes.latents), multiply(deviation, noise));
  const Tensor text = reshape(slice(x, 1, pixels, sizes.tokens * sizes.text_width),
                              {rows, sizes.tokens, sizes.text_width});
  return {multiply(latents, scalar(graph, scaling, "scaling")), convert(text, scope.compute())};
}

ImageAndText image_row(Scope& scope, Tensor x, const DiffusionSizes& sizes) {
  const Shape text{x.shape()[0], sizes.tokens, sizes.text_width};
  const Tensor learned = scope.parameter("text.weight", {sizes.tokens, sizes.text_width},
                                         {Initial::Kind::normal, 0.02});
  Graph& graph = *x.graph;
  const Tensor shape = constant(graph, 0, text, scope.compute());
  return {convert(x, DType::f32), repeat_like(convert(learned, scope.compute()), shape, 0)};
}

// The noise that is told, and behind it the true one: [b,h,w,2c].
Tensor denoised(Scope& scope, Tensor x, const DiffusionSizes& sizes) {
  const ImageAndText row =
      sizes.side > 0 ? encoded_row(scope, x, sizes) : image_row(scope, x, sizes);
  Graph& graph = *x.graph;
  const auto drawn = [&](const Shape& shape, Distribution how) {
    const Dropout own = scope.dropping(0);
    return random_numbers(graph, shape, how, own.random, own.stream);
  };
  const Tensor noise = drawn(row.image.shape(), Distribution::normal);
  const Tensor at =
      multiply(drawn(Shape{x.shape()[0]}, Distribution::uniform), scalar(graph, times, "times"));
  const Shares shares = shares_at(at);
  const Tensor noisy = add(scaled(row.image, shares.image), scaled(noise, shares.noise));
  UNet network(scope, sizes, time_features(scope, at, sizes), row.text);
  const Tensor told = network(convert(noisy, scope.compute()));
  return concatenate({convert(told, DType::f32), noise}, 3);
}

struct Halves {
  explicit Halves(Tensor outputs) {
    const std::int64_t channels = outputs.shape()[3] / 2;
    told = slice(outputs, 3, 0, channels);
    noise = slice(outputs, 3, channels, channels);
  }
  Tensor told;
  Tensor noise;
};

const std::vector<int> all_of_a_row{1, 2, 3};

Tensor denoising_losses(Tensor outputs, Tensor, const Example&) {
  const Halves halves(outputs);
  const Tensor missed = subtract(halves.told, halves.noise);
  return reduce_mean(multiply(missed, missed), all_of_a_row);
}

// Of how many numbers the sign is told.
Tensor told_signs(Tensor outputs, Tensor, const Example&) {
  const Halves halves(outputs);
  const Tensor agree = greater(multiply(halves.told, halves.noise), scalar(*outputs.graph, 0));
  return reduce_mean(convert(agree, DType::f32), all_of_a_row);
}

}  // namespace

Model diffusion(std::string name, const DiffusionSizes& sizes) {
  return {.input = sizes.side > 0 ? Input::numbers : Input::image,
          .name = [name = std::move(name)](const Example&) { return name; },
          .forward = [sizes](Scope& scope, Tensor x,
                             const Example&) { return denoised(scope, x, sizes); },
          .drops = true,
          .objective = {.losses = denoising_losses, .right = told_signs}};
}

}  // namespace tpulab
