#pragma once

#include <string>

#include "driftless/problem/learning_options.hpp"
#include "driftless/problem/registry.hpp"

namespace driftless {

// What a request for a problem that learns from samples asks for. Each key is a text of all that
// something depends on, so that runs share what is the same for them.

LearningOptions options_in(const ProblemRequest& request);
LabelType label_type(const ProblemRequest& request);
std::string data_key(const ProblemRequest& request);
std::string samples_key(const ProblemRequest& request);  // of the nodes
std::string model_key(const ProblemRequest& request);
std::string optimum_key(const ProblemRequest& request);

}  // namespace driftless
