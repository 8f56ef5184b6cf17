#include "driftless/network/peers/assembly.hpp"

#include <cstring>
#include <utility>

#include "driftless/base/error.hpp"

namespace driftless::peers {
namespace {

Hosting hosting_of(NodeId nodes, int sites) {
  if (sites <= nodes) return {nodes, sites};
  throw ConfigError("{} sites for network.nodes = {}: a site hosts at least one node", sites,
                    nodes);
}

std::size_t sum_of(const std::vector<std::size_t>& sizes, const std::vector<int>& sites) {
  std::size_t sum = 0;
  for (const int site : sites) sum += sizes[static_cast<std::size_t>(site)];
  return sum;
}

}  // namespace

Assembly::Assembly(const LinkSequence& links, Sites sites)
    : hosting_(hosting_of(links.nodes(), sites.count)),
      own_(sites.own),
      models_travel_(sites.models_travel),
      graph_(links, hosting_),
      mail_(std::move(sites.edges), std::move(sites.patience)) {
  for (const int site : graph_.neighbours(own_)) {
    if (!mail_.reaches(site)) {
      throw ConfigError("site {} has links with site {}, and no edge to it", own_, site);
    }
  }
}

// Up the tree to the root, and all of it down again. Nothing is not sent.
std::vector<Body> Assembly::tell_all(Body own, const std::vector<std::size_t>& sizes) {
  std::vector<Body> told(sizes.size());
  told[static_cast<std::size_t>(own_)] = std::move(own);
  const auto post = [&](const std::vector<int>& to, const std::vector<int>& sites) {
    if (to.empty() || sum_of(sizes, sites) == 0) return;
    const auto body = std::make_shared<Body>();
    body->reserve(sum_of(sizes, sites));
    for (const int site : sites) {
      const Body& part = told[static_cast<std::size_t>(site)];
      body->insert(body->end(), part.begin(), part.end());
    }
    mail_.post(to, body);
  };
  const auto take = [&](int from, const std::vector<int>& sites) {
    const std::size_t size = sum_of(sizes, sites);
    if (size == 0) return;
    const auto body = mail_.take(from, size);
    auto at = body->begin();
    for (const int site : sites) {
      const auto end = at + static_cast<std::ptrdiff_t>(sizes[static_cast<std::size_t>(site)]);
      told[static_cast<std::size_t>(site)].assign(at, end);
      at = end;
    }
  };

  mail_.begin_exchange();
  const std::vector<int> children = graph_.children(own_);
  const std::vector<int> all = graph_.below(0);
  for (const int child : children) take(child, graph_.below(child));
  if (const int parent = graph_.parent(own_); parent >= 0) {
    post({parent}, graph_.below(own_));
    take(parent, all);
  }
  post(children, all);
  return told;
}

std::vector<Body> Assembly::tell_all(Body own) {
  const std::uint64_t size = own.size();
  Body said(sizeof size);
  std::memcpy(said.data(), &size, sizeof size);
  std::vector<std::size_t> sizes;
  const std::vector<std::size_t> same(static_cast<std::size_t>(hosting_.processes), sizeof size);
  for (const Body& each : tell_all(std::move(said), same)) {
    std::uint64_t told = 0;
    std::memcpy(&told, each.data(), sizeof told);
    sizes.push_back(told);
  }
  return tell_all(std::move(own), sizes);
}

}  // namespace driftless::peers
