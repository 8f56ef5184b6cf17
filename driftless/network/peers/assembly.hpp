#pragma once

#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "driftless/network/peers/site_graph.hpp"
#include "driftless/network/peers/site_mail.hpp"

namespace driftless::peers {

// The sites of a network as one of them sees them.
struct Sites {
  int count = 1;
  int own = 0;
  // Of all sites that it has links with, in some round, by their places.
  std::map<int, std::shared_ptr<Edge>> edges = {};
  Patience patience = {.seconds = std::numeric_limits<double>::infinity()};
  // Whether models may go to sites that are no neighbours, which a mean over all models and the
  // like take. Else they are refused with a ConfigError, and letters go between neighbours alone.
  bool models_travel = false;
};

// A site among the others: letters to its neighbours, and words to all along a tree of edges.
class Assembly {
 public:
  // Throws ConfigError where there are more sites than nodes, or where a site that has links with
  // this one has no edge.
  Assembly(const LinkSequence& links, Sites sites);

  const Hosting& hosting() const { return hosting_; }
  int own() const { return own_; }
  bool models_travel() const { return models_travel_; }
  SiteMail& mail() { return mail_; }

  // What every site gives, told to all. All know the `sizes` of all. Collective.
  std::vector<Body> tell_all(Body own, const std::vector<std::size_t>& sizes);
  // The same where nobody knows the sizes of others.
  std::vector<Body> tell_all(Body own);

 private:
  Hosting hosting_;
  int own_;
  bool models_travel_;
  SiteGraph graph_;
  SiteMail mail_;
};

}  // namespace driftless::peers
