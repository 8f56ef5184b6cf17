#pragma once

#include <functional>
#include <string>
#include <vector>

#include "driftless/base/processes.hpp"
#include "driftless/data/dataset.hpp"

namespace driftless {

// What a site tells of its samples, so that sites can be compared.
struct SiteShape {
  std::string inputs;   // "a table", "sparse rows", "images of 28 x 28"
  std::string columns;  // a hash of their names, and their number where that must be the same
  std::int64_t features = 0;
  std::vector<std::string> classes;  // none: numbers are learnt
  std::vector<std::string> places;   // where each class first occurs
  std::vector<double> values;        // of numbers, the two that there are; empty: there are more
};

SiteShape shape_of(const Dataset& data);

// Collective: the shapes of all nodes, in order.
std::vector<SiteShape> gather_shapes(const std::vector<SiteShape>& own, const Processes& processes);

// Throws DataError where inputs or classes differ from those of the first node, and where what is
// to be learnt is of the wrong kind. `name` gives a node's file.
void throw_if_different(const std::vector<SiteShape>& all,
                        const std::function<std::string(std::size_t)>& name);

// A hash of each column's name, as a text.
std::string column_hashes(const Dataset& data);
// How the columns differ from those of the first site, of which only the hashes are known.
std::string column_difference(const Dataset& data, const std::string& file,
                              const std::string& first_hashes, const std::string& first_file);

}  // namespace driftless
