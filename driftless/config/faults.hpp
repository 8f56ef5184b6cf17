#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace driftless {

// Where the user wrote something: "fig1.toml:3", or "--set run.rounds=5" (then there is no line).
struct Place {
  std::string text;
  int line = 0;
};

// Collects what is wrong with a config, so that all of it is told at once.
class Faults {
 public:
  // `combination` names the point of the sweep at which the fault shows. The same fault at several
  // points is told once, with the first of them.
  void add(const Place& place, std::string message, std::string_view combination = "");

  int count() const { return static_cast<int>(faults_.size()); }

  // Throws a ConfigError that lists everything, in the order of the lines; returns when there is
  // nothing to tell. `combinations` is the size of the sweep: a fault of all of it names none.
  void throw_if_any(std::string_view source_name, int combinations = 1) const;

 private:
  struct Fault {
    Place place;
    std::string message;
    std::string combination;
    int occurrences;
  };
  std::vector<Fault> faults_;
  std::map<std::pair<std::string, std::string>, std::size_t> index_;
};

}  // namespace driftless
