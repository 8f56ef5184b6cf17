#include "driftless/problem/nn/dense.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/base/targets.hpp"
#include "tests/problem/nn/slopes.hpp"
#include "tests/problem/nn/tiny_data.hpp"

namespace driftless::testing {
namespace {

using nn::DenseShape;

// One layer and one batch, with all that goes in and comes out.
template <class Real>
struct Case {
  Case(Index batch_size, const DenseShape& layer)
      : batch(batch_size),
        shape(layer),
        input(random_values<Real>(1, batch * shape.in)),
        weight(random_values<Real>(2, shape.weights())),
        bias(random_values<Real>(3, shape.out)),
        output_gradient(random_values<Real>(4, batch * shape.out)) {}

  Index batch;
  DenseShape shape;
  std::vector<Real> input;
  std::vector<Real> weight;
  std::vector<Real> bias;
  std::vector<Real> output_gradient;
};

// Calls check on shapes around the sizes of vectors and of register tiles.
template <class Real, class Check>
void for_each_case(const Check& check) {
  on_every_target([&] {
    for (const Index batch : {1, 2, 3, 5, 11}) {
      for (const Index in : {1, 2, 3, 7, 8, 13, 16, 17, 33, 64, 67}) {
        for (const Index out : {1, 2, 3, 4, 5, 7, 10, 12}) {
          SCOPED_TRACE(::testing::Message() << batch << " × " << in << " → " << out);
          check(Case<Real>(batch, {in, out}));
          if (::testing::Test::HasFailure()) return;
        }
      }
    }
  });
}

template <class Real>
constexpr double dense_tolerance = std::is_same_v<Real, float> ? 1e-5 : 1e-13;

template <class Real>
class Dense : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Dense, Reals);

TYPED_TEST(Dense, ForwardIsThePlainSumOnEveryTarget) {
  for_each_case<TypeParam>([](const Case<TypeParam>& c) {
    std::vector<TypeParam> output(static_cast<std::size_t>(c.batch * c.shape.out), 777);
    nn::dense_forward(c.shape, c.batch, c.input.data(), c.weight.data(), c.bias.data(),
                      output.data());
    for (Index b = 0; b < c.batch; ++b) {
      for (Index o = 0; o < c.shape.out; ++o) {
        double expected = c.bias[o];
        for (Index k = 0; k < c.shape.in; ++k) {
          expected +=
              static_cast<double>(c.input[b * c.shape.in + k]) * c.weight[o * c.shape.in + k];
        }
        EXPECT_NEAR(output[b * c.shape.out + o], expected, dense_tolerance<TypeParam>);
      }
    }
  });
}

TYPED_TEST(Dense, BackwardAddsThePlainSumsToTheParametersOnEveryTarget) {
  for_each_case<TypeParam>([](const Case<TypeParam>& c) {
    std::vector<TypeParam> weight_gradient = c.weight;
    std::vector<TypeParam> bias_gradient = c.bias;
    nn::dense_backward_parameters(c.shape, c.batch, c.input.data(), c.output_gradient.data(),
                                  weight_gradient.data(), bias_gradient.data());
    for (Index o = 0; o < c.shape.out; ++o) {
      double of_bias = c.bias[o];
      for (Index b = 0; b < c.batch; ++b) of_bias += c.output_gradient[b * c.shape.out + o];
      EXPECT_NEAR(bias_gradient[o], of_bias, dense_tolerance<TypeParam>);
      for (Index k = 0; k < c.shape.in; ++k) {
        double expected = c.weight[o * c.shape.in + k];
        for (Index b = 0; b < c.batch; ++b) {
          expected += static_cast<double>(c.output_gradient[b * c.shape.out + o]) *
                      c.input[b * c.shape.in + k];
        }
        EXPECT_NEAR(weight_gradient[o * c.shape.in + k], expected, dense_tolerance<TypeParam>);
      }
    }
  });
}

TYPED_TEST(Dense, BackwardGivesThePlainSumOfTheInputOnEveryTarget) {
  for_each_case<TypeParam>([](const Case<TypeParam>& c) {
    std::vector<TypeParam> input_gradient(c.input.size(), 777);
    nn::dense_backward_input(c.shape, c.batch, c.weight.data(), c.output_gradient.data(),
                             input_gradient.data());
    for (Index b = 0; b < c.batch; ++b) {
      for (Index k = 0; k < c.shape.in; ++k) {
        double expected = 0;
        for (Index o = 0; o < c.shape.out; ++o) {
          expected += static_cast<double>(c.output_gradient[b * c.shape.out + o]) *
                      c.weight[o * c.shape.in + k];
        }
        EXPECT_NEAR(input_gradient[b * c.shape.in + k], expected, dense_tolerance<TypeParam>);
      }
    }
  });
}

TEST(DenseSlopes, BackwardIsTheSlopeOfForward) {
  const Index batch = 3;
  const DenseShape shape{7, 6};
  const Vector<double> into = random_vector<double>(4, batch * shape.out);
  // ⟨into, output⟩ of the parameters followed by the input.
  const auto f = [&](const Vector<double>& all) {
    Vector<double> output(batch * shape.out);
    nn::dense_forward(shape, batch, all.data() + shape.parameters(), all.data(),
                      all.data() + shape.weights(), output.data());
    return into.dot(output);
  };
  const Vector<double> all = random_vector<double>(5, shape.parameters() + batch * shape.in);
  Vector<double> gradient = Vector<double>::Zero(all.size());
  nn::dense_backward_parameters(shape, batch, all.data() + shape.parameters(), into.data(),
                                gradient.data(), gradient.data() + shape.weights());
  nn::dense_backward_input(shape, batch, all.data(), into.data(),
                           gradient.data() + shape.parameters());
  expect_close(gradient, slopes(f, all), 1e-9);
}

TYPED_TEST(Dense, ReluIsPassedByWhatIsPositive) {
  std::vector<TypeParam> value{-2, 0, 3, std::numeric_limits<TypeParam>::quiet_NaN(), -1e-30, 1};
  nn::relu_forward(6, value.data());
  EXPECT_EQ((std::vector<TypeParam>{value[0], value[1], value[2], value[4], value[5]}),
            (std::vector<TypeParam>{0, 0, 3, 0, 1}));
  EXPECT_TRUE(std::isnan(value[3]));
  std::vector<TypeParam> gradient{1, 2, 3, 4, 5, 6};
  nn::relu_backward(6, value.data(), gradient.data());
  EXPECT_EQ(gradient, (std::vector<TypeParam>{0, 0, 3, 4, 0, 6}));
}

}  // namespace
}  // namespace driftless::testing
