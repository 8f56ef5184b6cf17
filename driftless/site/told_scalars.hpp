#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/algorithm/algorithm.hpp"
#include "driftless/network/peers/assembly.hpp"
#include "driftless/record/csv.hpp"

namespace driftless {

// What every site tells all others of itself, by name, and nothing else; kept in sites.csv. Each
// measures its own model on its own data, and on its own test data where it has such.
class ToldScalars {
 public:
  // Begins the file anew; or, where a run goes on after so many rounds, with the lines up to there.
  ToldScalars(const Folder& folder, const std::vector<std::string>& sites,
              std::optional<Round> goes_on_after);

  // Measures the site's own model after so many rounds, and hears of the others'. Collective.
  template <class Real>
  void tell(Round round, const Problem<Real>& problem, const Algorithm<Real>& method,
            peers::Assembly& assembly);
  void flush_to_disk() { file_.flush_to_disk(); }

 private:
  const std::vector<std::string>& sites_;
  CsvFile file_;
};

}  // namespace driftless
