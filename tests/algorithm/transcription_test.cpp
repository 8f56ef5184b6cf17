// Methods against other forms of themselves, written here with whole matrices: X, C and G are
// nodes × d, so mixing is W X.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/trial.hpp"

namespace driftless::testing {
namespace {

// K local steps with corrections C that stay as they are within the round. `exchange` says how the
// models meet and the corrections change.
class CorrectedSgd {
 public:
  CorrectedSgd(const Problem<double>& problem, const Instance& instance)
      : problem_(problem),
        options_(instance.options()),
        W_(instance.mixing().to_dense()),
        X_(starts(problem)),
        C_(Eigen::MatrixXd::Zero(X_.rows(), X_.cols())) {
    if (instance.gradient_start) {
      const Eigen::MatrixXd G = gradients(problem_, X_, options_.seed, 0, 0);
      C_ = G.colwise().mean().replicate(G.rows(), 1) - G;
    }
  }
  virtual ~CorrectedSgd() = default;

  void round(Round t) {
    Y_ = X_;
    sum_ = Eigen::MatrixXd::Zero(X_.rows(), X_.cols());
    for (Step k = 0; k < options_.local_steps; ++k) {
      last_ = gradients(problem_, Y_, options_.seed, t, k);
      Y_ -= options_.local_rate * (last_ + C_);
      sum_ += last_;
    }
    exchange();
  }
  const Eigen::MatrixXd& models() const { return X_; }
  const Eigen::MatrixXd& corrections() const { return C_; }

 protected:
  virtual void exchange() = 0;

  static Eigen::MatrixXd starts(const Problem<double>& problem) {
    Eigen::MatrixXd X(problem.nodes(), problem.dim());
    for (NodeId i = 0; i < problem.nodes(); ++i) {
      Vector<double> x(problem.dim());
      problem.start(i, x);
      X.row(i) = x.transpose();
    }
    return X;
  }

  const Problem<double>& problem_;
  const AlgorithmOptions options_;
  const Eigen::MatrixXd W_;
  Eigen::MatrixXd X_, C_;
  Eigen::MatrixXd Y_, sum_, last_;  // after the local steps; Σ_k g and the last g
};

// X' = W(X − Kη(Ḡ + C)), C' = WC + (W − I)Ḡ with Ḡ = (1/K) Σ_k G_k.
struct TrackedKGt final : CorrectedSgd {
  using CorrectedSgd::CorrectedSgd;
  void exchange() override {
    const double K = options_.local_steps;
    const Eigen::MatrixXd mean = sum_ / K;
    X_ = W_ * (X_ - K * options_.local_rate * options_.communication_rate * (mean + C_));
    C_ = W_ * C_ + W_ * mean - mean;
  }
};

// Only the last gradient enters the corrections: C' = W(C + G_{K−1}) − G_{K−1}.
struct CorrectedPeriodicalGt final : CorrectedSgd {
  using CorrectedSgd::CorrectedSgd;
  void exchange() override {
    X_ = W_ * (X_ - options_.communication_rate * (X_ - Y_));
    C_ = W_ * (C_ + last_) - last_;
  }
};

// K-GT with η_s = 1 whose corrections take what mixing does to the models: C' = C + (I −
// W)Y/(Kη_c).
struct CorrectedLed final : CorrectedSgd {
  using CorrectedSgd::CorrectedSgd;
  void exchange() override {
    X_ = W_ * Y_;
    C_ += (Y_ - X_) / (options_.local_steps * options_.local_rate);
  }
};

// The corrections of both forms agree too, in units of what moves a model in a round.
template <class Form>
void check_corrections(const Trial& trial, const Form& form, const AlgorithmOptions& options) {
  const double unit = options.local_steps * options.local_rate;
  RC_ASSERT(difference(unit * trial.corrections(), unit * form.corrections()) < rounding);
}

RC_GTEST_PROP(Transcription, KGtTracksTheMeanOfItsGradients, (const Instance& instance)) {
  const auto problem = instance.problem();
  Trial trial("k-gt", *problem, instance.mixing(), instance.options());
  TrackedKGt form(*problem, instance);
  RC_ASSERT(apart(trial, form) < rounding);
  check_corrections(trial, form, instance.options());
}

RC_GTEST_PROP(Transcription, PeriodicalGtIsCorrectedSgd, (const Instance& instance)) {
  const auto problem = instance.problem();
  // Its own corrections come from the first gradient of the next round's sample; the models
  // suffice.
  RC_ASSERT(apart(Trial("periodical-gt", *problem, instance.mixing(), instance.options()),
                  CorrectedPeriodicalGt(*problem, instance)) < rounding);
}

RC_GTEST_PROP(Transcription, LedIsKGtWhoseCorrectionsFollowTheModels, (Instance instance)) {
  instance.communication_rate = 1;
  instance.gradient_start = false;
  const auto problem = instance.problem();
  Trial trial("led", *problem, instance.mixing(), instance.options());
  CorrectedLed form(*problem, instance);
  RC_ASSERT(apart(trial, form) < rounding);
  check_corrections(trial, form, instance.options());
}

}  // namespace
}  // namespace driftless::testing
