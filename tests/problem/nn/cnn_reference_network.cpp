#include "tests/problem/nn/cnn_reference.hpp"

namespace driftless::testing::reference {

namespace {

void add(const LinearSlopes& slopes, Values& weights, Values& bias) {
  for (std::size_t k = 0; k < weights.size(); ++k) weights[k] += slopes.weights[k];
  for (std::size_t k = 0; k < bias.size(); ++k) bias[k] += slopes.bias[k];
}

// Channel c of values [channels][…] times multipliers[c].
Values multiplied(Values values, const Values& multipliers) {
  const std::size_t plane = values.size() / multipliers.size();
  for (std::size_t k = 0; k < values.size(); ++k) values[k] *= multipliers[k / plane];
  return values;
}

// body(tensor, its size) in the order of the flat vector.
template <class Self, class Body>
void for_each_tensor(Self& self, const Body& body) {
  body(self.weights1, 10 * 25);
  body(self.bias1, 10);
  body(self.weights2, 20 * 10 * 25);
  body(self.bias2, 20);
  body(self.weights3, 50 * 320);
  body(self.bias3, 50);
  body(self.weights4, 10 * 50);
  body(self.bias4, 10);
}

}  // namespace

Parameters::Parameters(const Vector<double>& flat) {
  const double* at = flat.data();
  for_each_tensor(*this, [&](Values& tensor, int size) {
    tensor.assign(at, at + size);
    at += size;
  });
}

Vector<double> Parameters::flat() const {
  Values all;
  for_each_tensor(*this, [&](const Values& tensor, int) {
    all.insert(all.end(), tensor.begin(), tensor.end());
  });
  return Vector<double>::Map(all.data(), std::ssize(all));
}

void forward1(const Parameters& x, const Values& image, Activations& all) {
  all.maps1 = convolve(convolution1, image, x.weights1, x.bias1);
  all.pooled1 = pool(24, all.maps1);
  all.active1 = relu(all.pooled1.values);
}

void backward1(const Parameters& x, const Values& image, const Activations& all,
               const Values& active1_slopes, Parameters& g) {
  const Values pooled = relu_back(all.pooled1.values, active1_slopes);
  const Values maps = pool_back(all.maps1.size(), all.pooled1.places, pooled);
  add(convolve_back(convolution1, image, x.weights1, maps), g.weights1, g.bias1);
}

void forward2(const Parameters& x, const Values& multipliers, Activations& all) {
  all.maps2 = multiplied(convolve(convolution2, all.active1, x.weights2, x.bias2), multipliers);
  all.pooled2 = pool(8, all.maps2);
  all.active2 = relu(all.pooled2.values);
}

Values backward2(const Parameters& x, const Values& multipliers, const Activations& all,
                 const Values& active2_slopes, Parameters& g) {
  const Values pooled = relu_back(all.pooled2.values, active2_slopes);
  const Values maps =
      multiplied(pool_back(all.maps2.size(), all.pooled2.places, pooled), multipliers);
  const LinearSlopes slopes = convolve_back(convolution2, all.active1, x.weights2, maps);
  add(slopes, g.weights2, g.bias2);
  return slopes.in;
}

void forward_dense(const Parameters& x, Activations& all) {
  all.sums3 = dense(all.active2, x.weights3, x.bias3);
  all.active3 = relu(all.sums3);
  all.logits = dense(all.active3, x.weights4, x.bias4);
}

Values backward_dense(const Parameters& x, const Activations& all, const Values& logit_slopes,
                      Parameters& g) {
  const LinearSlopes last = dense_back(all.active3, x.weights4, logit_slopes);
  add(last, g.weights4, g.bias4);
  const LinearSlopes first = dense_back(all.active2, x.weights3, relu_back(all.sums3, last.in));
  add(first, g.weights3, g.bias3);
  return first.in;
}

Activations forward(const Parameters& x, const Sample& sample) {
  Activations all;
  forward1(x, sample.image, all);
  forward2(x, sample.multipliers, all);
  forward_dense(x, all);
  return all;
}

double mean_loss(const Vector<double>& x, const std::vector<Sample>& samples) {
  const Parameters parameters(x);
  double loss = 0;
  for (const Sample& sample : samples) {
    loss += cross_entropy(forward(parameters, sample).logits, sample.label);
  }
  return loss / static_cast<double>(samples.size());
}

Vector<double> mean_gradient(const Vector<double>& x, const std::vector<Sample>& samples) {
  const Parameters parameters(x);
  Parameters g(Vector<double>::Zero(x.size()));
  for (const Sample& sample : samples) {
    const Activations all = forward(parameters, sample);
    const Values logit_slopes = cross_entropy_back(all.logits, sample.label);
    const Values active2_slopes = backward_dense(parameters, all, logit_slopes, g);
    const Values active1_slopes = backward2(parameters, sample.multipliers, all, active2_slopes, g);
    backward1(parameters, sample.image, all, active1_slopes, g);
  }
  return g.flat() / static_cast<double>(samples.size());
}

}  // namespace driftless::testing::reference
