#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace driftless {

// Config keys and the values they have.
using Where = std::map<std::string, std::string>;

// What runs came to that differ in their seed alone.
struct Side {
  std::string experiment;  // the folder of its runs, seen from that of the reproduction
  Where where;
  std::vector<std::int64_t> seeds;   // ascending
  std::vector<double> values;        // of each seed; NaN where a run has none
  std::vector<std::string> configs;  // of each seed, the fingerprint of the run's config
};

// A value for each seed, and the runs that it was made of.
struct Sample {
  std::vector<std::int64_t> seeds;
  std::vector<double> values;
  std::vector<Side> sides;
};

// Of each seed that all have.
Sample difference(const Sample& a, const Sample& b);  // a − b
Sample log_ratio(const Sample& a, const Sample& b);   // log(a/b)

// The slope of log y over log x by least squares: y ~ x^slope.
double exponent(const std::vector<double>& x, const std::vector<double>& y);

// The same for each seed, where y has a sample for each x.
Sample exponents(const std::vector<double>& x, const std::vector<Sample>& y);

}  // namespace driftless
