#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driftless/base/folder.hpp"
#include "driftless/network/peers/peer_runtime.hpp"

namespace driftless {

// Where a site stands between two rounds: all that it needs to go on where it was, whatever its
// neighbours did meanwhile.
struct SiteState {
  peers::StudyHash study{};
  std::string site;
  std::uint64_t life = 0;
  Round round = 0;  // rounds done
  std::int64_t gradients = 0;
  bool finished = false;        // all rounds are done, and all neighbours know
  std::uint64_t exchanges = 0;  // of letters with others
  std::map<std::string, peers::Session::Memory> sessions = {};  // by neighbour
  peers::Said said = {};                                        // before the first round
  std::vector<std::string> rows = {};  // the method's, as bytes, in its order
};

inline constexpr const char* state_file = "site.checkpoint";

// The state file: "driftless site\n", the length of the header (8 bytes, little-endian), the
// header (JSON), the rows, the bodies of letters, what was said, and CRC-32 of all before. It is
// replaced at once or not at all.
void write_site_state(const Folder& folder, const SiteState& state);
// None where there is none. Throws DataError for a file that is not whole.
std::optional<SiteState> read_site_state(const Folder& folder);

}  // namespace driftless
