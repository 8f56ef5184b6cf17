#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "driftless/network/conditions.hpp"
#include "tests/support/instance.hpp"

namespace driftless::testing {

// An Instance on a network that has its moods: links that come and go, faults, packed letters. All
// that is drawn prints in one line.
struct Weathered {
  std::string kind = "k-gt";
  Instance instance = {};
  std::string sequence = {};  // of links; empty: those of the instance's graph in every round
  FaultOptions faults = {};
  CompressionOptions compression = {};

  Conditions conditions() const;
};

std::ostream& operator<<(std::ostream& stream, const Weathered& weathered);

// What may befall a run.
struct Moods {
  bool changing_links = true;  // sequences, drops
  bool pauses = true;
  bool crashes = true;
  bool late_letters = true;
  bool slow_nodes = true;
  bool codecs = true;  // in place of all these but slow nodes
};

// One of these methods under some of that.
rc::Gen<Weathered> any_weathered(const std::vector<std::string>& kinds, Moods moods = {});

// The methods of which sums over nodes are kept, whatever happens between neighbours.
std::vector<std::string> methods_of_corrections();
// The same and those without a correction.
std::vector<std::string> methods_of_neighbours();

}  // namespace driftless::testing
