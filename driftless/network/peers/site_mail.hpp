#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "driftless/network/peers/edge.hpp"

namespace driftless::peers {

// How a site waits for others.
struct Patience {
  double seconds;  // that another site may keep this one waiting
  // Told now and then whom we wait for and what is known of it; may be empty.
  std::function<void(const std::string&)> notice = {};
  // Asked while we wait: whether to stop, by throwing Stopped; may be empty.
  std::function<bool()> wants_stop = {};
};

class Stopped : public std::exception {};

// The letters of a site that goes round by round: every site does the same exchanges in the same
// order, so a letter's tag tells which of them it belongs to.
//
// A neighbour that is lost, or began anew, or left, or keeps us waiting for too long, ends the run:
// SilentProcess is thrown and names it. So does a letter that is not the one that is due.
class SiteMail {
 public:
  // `edges` by the neighbours' places among all sites.
  SiteMail(std::map<int, std::shared_ptr<Edge>> edges, Patience patience)
      : patience_(std::move(patience)), edges_(std::move(edges)) {}

  void begin_exchange() { ++exchange_; }
  // Of the exchange that began last, to each of these sites.
  void post(const std::vector<int>& sites, const std::shared_ptr<Body>& body);
  // Of this exchange, from this site and of this size.
  std::shared_ptr<Body> take(int site, std::size_t size);
  void give_back(int site, std::shared_ptr<Body> body) { edge(site).give_back(std::move(body)); }

  bool reaches(int site) const { return edges_.contains(site); }
  // How many exchanges there were: with the sessions' memories, all that a later process needs.
  std::uint64_t exchanges() const { return exchange_; }
  void resume(std::uint64_t exchanges) { exchange_ = exchanges; }

 private:
  class Wait;

  Edge& edge(int site) const { return *edges_.at(site); }

  Patience patience_;
  std::uint64_t exchange_ = 0;
  std::map<int, std::shared_ptr<Edge>> edges_;
};

}  // namespace driftless::peers
