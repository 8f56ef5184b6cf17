#include "driftless/network/peers/peer_network.hpp"

#include <algorithm>
#include <cstring>

#include "driftless/base/error.hpp"
#include "driftless/base/kernels.hpp"

namespace driftless::peers {
namespace {

class PeerExchange final : public Exchange {
 public:
  PeerExchange(const std::vector<LinkedProcess>& linked, SiteMail& mail, Bytes bytes_a_node)
      : mail_(mail), bytes_a_node_(bytes_a_node), parcels_(parcels(linked)) {
    for (const LinkedProcess& other : linked) {
      incoming_.push_back({other.process, other.received.size() * bytes_a_node, nullptr});
    }
  }

  Bytes send(PackNode pack) override {
    mail_.begin_exchange();
    Bytes sent = 0;
    for (const Parcel& parcel : parcels_) {
      const auto body = std::make_shared<Body>(parcel.nodes.size() * bytes_a_node_);
      std::byte* to = body->data();
      for (const NodeId node : parcel.nodes) {
        pack(node, to);
        to += bytes_a_node_;
      }
      std::vector<int> sites;
      sites.reserve(parcel.to.size());
      for (const std::size_t k : parcel.to) sites.push_back(incoming_[k].site);
      mail_.post(sites, body);
      sent += body->size() * sites.size();
    }
    return sent;
  }
  void wait_for_received() override {
    for (Incoming& each : incoming_) each.body = mail_.take(each.site, each.size);
  }
  const std::byte* from(std::size_t process, std::size_t node) const override {
    return incoming_[process].body->data() + node * bytes_a_node_;
  }
  void finish(bool /*again*/) override {
    for (Incoming& each : incoming_) mail_.give_back(each.site, std::move(each.body));
  }

 private:
  struct Incoming {
    int site;
    std::size_t size;
    std::shared_ptr<Body> body;
  };

  SiteMail& mail_;
  Bytes bytes_a_node_;
  std::vector<Parcel> parcels_;
  std::vector<Incoming> incoming_;
};

template <class Real>
const std::byte* bytes_of(const Real* numbers) {
  return reinterpret_cast<const std::byte*>(numbers);
}

}  // namespace

std::unique_ptr<Exchange> PeerNetwork::make_exchange(const std::vector<LinkedProcess>& linked,
                                                     Bytes bytes_a_node, int /*number*/) {
  return std::make_unique<PeerExchange>(linked, assembly_->mail(), bytes_a_node);
}

void PeerNetwork::check_models_travel(const char* what) const {
  if (assembly_->models_travel() || hosts_all()) return;
  throw ConfigError(
      "{} takes the models of all sites to one place, and sites show theirs to "
      "neighbours alone",
      what);
}

Body PeerNetwork::gather_bytes(const std::byte* own, std::size_t bytes_a_node) const {
  std::vector<std::size_t> sizes;
  sizes.reserve(static_cast<std::size_t>(hosting().processes));
  for (int site = 0; site < hosting().processes; ++site) {
    sizes.push_back(static_cast<std::size_t>(hosting().of(site).size()) * bytes_a_node);
  }
  const std::size_t mine = sizes[static_cast<std::size_t>(process())];
  Body all;
  for (const Body& part : assembly_->tell_all(Body(own, own + mine), sizes)) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

void PeerNetwork::mean_rows(FloatOrDouble<RowsMean> mean) const {
  check_models_travel("a mean over all nodes");
  const auto mean_of_rows = [&]<class Real>(const RowsMean<Real>& request) {
    const Index dim = request.rows.dim();
    const Body all = gather_bytes(bytes_of(request.rows.row(hosted().first)),
                                  static_cast<std::size_t>(dim) * sizeof(Real));
    Vector<Real> row(dim);
    Eigen::Map<Vector<Real>> out(request.out, dim);
    out.setZero();
    for (NodeId i = 0; i < nodes(); ++i) {
      const auto bytes = static_cast<std::size_t>(dim) * sizeof(Real);
      if (bytes > 0)
        std::memcpy(row.data(), all.data() + static_cast<std::size_t>(i) * bytes, bytes);
      kernel::sum_in_order(out.data(), row.data(), dim);
    }
    out /= static_cast<Real>(request.count);
  };
  std::visit(mean_of_rows, mean);
}

std::vector<double> PeerNetwork::gather_numbers(std::vector<double> own) const {
  const Body all = gather_bytes(bytes_of(own.data()), sizeof(double));
  std::vector<double> numbers(static_cast<std::size_t>(nodes()));
  std::memcpy(numbers.data(), all.data(), all.size());
  return numbers;
}

void PeerNetwork::collect_rows(FloatOrDouble<Transfer> transfer) const {
  check_models_travel("to write all models into one file");
  const auto collect_each = [&]<class Real>(const Transfer<Real>& rows) {
    const Body all = gather_bytes(bytes_of(rows.from.row(hosted().first)),
                                  static_cast<std::size_t>(rows.from.dim()) * sizeof(Real));
    if (process() != 0) return;
    rows.to = Rows<Real>({0, nodes()}, rows.from.dim());
    std::memcpy(rows.to.row(0), all.data(), all.size());
  };
  std::visit(collect_each, transfer);
}

void PeerNetwork::distribute_rows(FloatOrDouble<Transfer> transfer) const {
  check_models_travel("to read all models from one file");
  const auto distribute_each = [&]<class Real>(const Transfer<Real>& rows) {
    const std::size_t bytes = static_cast<std::size_t>(rows.to.dim()) * sizeof(Real);
    std::vector<std::size_t> sizes(static_cast<std::size_t>(hosting().processes), 0);
    sizes[0] = static_cast<std::size_t>(nodes()) * bytes;
    Body own;
    if (process() == 0)
      own.assign(bytes_of(rows.from.row(0)), bytes_of(rows.from.row(0)) + sizes[0]);
    const Body all = assembly_->tell_all(std::move(own), sizes)[0];
    const NodeRange mine = hosted();
    std::memcpy(rows.to.row(mine.first), all.data() + static_cast<std::size_t>(mine.first) * bytes,
                static_cast<std::size_t>(mine.size()) * bytes);
  };
  std::visit(distribute_each, transfer);
}

// A node joins with the model of a neighbour, so there is an edge.
void PeerNetwork::copy_row(FloatOrDouble<RowCopy> copy) {
  const auto copy_each = [&]<class Real>(const RowCopy<Real>& row) {
    const int from = hosting().host_of(row.from);
    const int to = hosting().host_of(row.to);
    if (row.rows.dim() == 0) return;
    if (from == to) {
      if (from == process()) row.rows[row.to] = row.rows[row.from];
      return;
    }
    const std::size_t bytes = static_cast<std::size_t>(row.rows.dim()) * sizeof(Real);
    assembly_->mail().begin_exchange();
    if (from == process()) {
      const std::byte* own = bytes_of(row.rows.row(row.from));
      assembly_->mail().post({to}, std::make_shared<Body>(own, own + bytes));
    } else if (to == process()) {
      std::memcpy(row.rows.row(row.to), assembly_->mail().take(from, bytes)->data(), bytes);
    }
  };
  std::visit(copy_each, copy);
}

}  // namespace driftless::peers
