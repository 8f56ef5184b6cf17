#include "driftless/site/site_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>

#include "driftless/algorithm/registry.hpp"
#include "driftless/base/error.hpp"
#include "driftless/base/file.hpp"
#include "driftless/base/parallel.hpp"
#include "driftless/base/version.hpp"
#include "driftless/config/key.hpp"
#include "driftless/experiment/row_rounds.hpp"
#include "driftless/experiment/setup.hpp"
#include "driftless/network/peers/switchboard.hpp"
#include "driftless/record/npy.hpp"
#include "driftless/site/site_state.hpp"
#include "driftless/site/site_status.hpp"
#include "driftless/site/told_scalars.hpp"

namespace driftless {
namespace {

using peers::Edge;
using peers::Session;

// Before the first round is saved, a site tells others of its data; after it, a few letters a
// round.
constexpr std::uint64_t letters_retained = 64;
constexpr std::uint64_t least_letter = std::uint64_t{1} << 16;
constexpr std::uint64_t most_words = std::uint64_t{16} << 20;  // bytes of a letter about data

// The edges of a site and what carries them.
class SiteEdges {
 public:
  SiteEdges(const SiteConfig& site, const Study& study, const std::optional<SiteState>& from,
            std::uint64_t life)
      : credentials_(site.files, site.name), listening_(peers::listen_on(site.listen)) {
    const auto count = static_cast<int>(site.sites.size());
    const peers::SiteGraph graph(*study.links, {study.links->nodes(), count});
    const Session::Settings settings{.retained = letters_retained,
                                     .most_bytes = most_words,
                                     .dead_after = std::numeric_limits<double>::infinity(),
                                     .durable = true};
    for (const int k : graph.neighbours(site.own())) {
      const std::string& name = site.sites[static_cast<std::size_t>(k)];
      const Session::Identity identity{.study = study.hash,
                                       .program = version(),
                                       .own = site.name,
                                       .neighbour = name,
                                       .life = life};
      edges_[k] = from ? std::make_shared<Edge>(settings, identity, from->sessions.at(name))
                       : std::make_shared<Edge>(settings, identity);
      const auto address = site.addresses.find(name);
      lines_.push_back({edges_[k], address == site.addresses.end()
                                       ? std::nullopt
                                       : std::optional(address->second)});
    }
  }
  void start() { switchboard_.emplace(credentials_, std::move(listening_), lines_); }

  const std::map<int, std::shared_ptr<Edge>>& all() const { return edges_; }
  std::vector<std::shared_ptr<Edge>> list() const {
    std::vector<std::shared_ptr<Edge>> list;
    list.reserve(edges_.size());
    for (const auto& [k, edge] : edges_) list.push_back(edge);
    return list;
  }
  std::map<std::string, Session::Memory> memories() const {
    std::map<std::string, Session::Memory> memories;
    for (const auto& [k, edge] : edges_) memories[edge->neighbour()] = edge->remember();
    return memories;
  }
  void keep(const std::map<std::string, Session::Memory>& memories) const {
    for (const auto& [k, edge] : edges_) edge->keep(memories.at(edge->neighbour()));
  }

 private:
  peers::Credentials credentials_;
  peers::Socket listening_;
  std::map<int, std::shared_ptr<Edge>> edges_;
  std::vector<peers::Switchboard::Line> lines_;
  std::optional<peers::Switchboard> switchboard_;
};

// One site on its way.
class SiteRun {
 public:
  SiteRun(const SiteConfig& site, const Study& study, const SiteRunOptions& options)
      : site_(site), study_(study), options_(options), folder_(Folder::make(options.out)) {
    if (!folder_.opened().lock()) {
      throw ConfigError("another driftless is at work in {}", options.out.string());
    }
    if (!folder_.has(state_file)) check_nothing_is_lost();
    if (options.force) folder_.remove(state_file);
    from_ = read_site_state(folder_);
    if (from_ && (from_->study != study.hash || from_->site != site.name)) {
      throw ConfigError(
          "{}: holds a run of another study, or of another site: give another --out, "
          "or --force to replace it",
          options.out.string());
    }
    at_ = from_.value_or(SiteState{.study = study.hash, .site = site.name, .life = new_life()});
  }

  SiteEnd run() {
    if (at_.finished) return SiteEnd::was_finished;
    SiteEdges edges(site_, study_, from_, at_.life);
    peers::Sites sites{.count = static_cast<int>(site_.sites.size()),
                       .own = site_.own(),
                       .edges = edges.all(),
                       .patience = {.seconds = site_.dead_after,
                                    .notice = options_.tell,
                                    .wants_stop = options_.wants_stop}};
    const auto assembly = std::make_shared<peers::Assembly>(*study_.links, std::move(sites));
    const peers::PeerRuntime runtime(assembly, at_.said);
    edges.start();
    StatusWriter status(folder_, site_.name, study_.config().run.rounds, edges.list());
    status_ = &status;
    status.set_round(at_.round);
    const Setup setup(study_.plan, runtime);
    assembly->mail().resume(std::max(at_.exchanges, assembly->mail().exchanges()));
    at_.said = runtime.said();
    write_file_atomically(folder_, "study.toml", to_toml(study_.config()));
    return std::visit(
        [&](const auto& problem) { return train(*problem, setup, *assembly, runtime, edges); },
        setup.problem(study_.config()));
  }

 private:
  // A folder with other files, such as the study's own, is not ours to write in.
  void check_nothing_is_lost() const {
    constexpr std::array ours{state_file, "node.npy", "sites.csv", "study.toml", "status.json"};
    for (const std::string& name : folder_.names()) {
      const auto is_part_of = [&](const char* each) { return name.starts_with(each); };
      if (std::ranges::any_of(ours, is_part_of)) continue;
      throw ConfigError("{}: holds {}, which no run of a site left there; give another --out",
                        options_.out.string(), name);
    }
  }

  static std::uint64_t new_life() {
    std::random_device entropy;
    return (std::uint64_t{entropy()} << 32 | entropy()) | 1;
  }

  template <class Real>
  SiteEnd train(const Problem<Real>& problem, const Setup& setup, peers::Assembly& assembly,
                const peers::PeerRuntime& runtime, SiteEdges& edges) {
    const ExperimentConfig& config = study_.config();
    std::optional<Conditions> conditions = setup.conditions(config, problem.dim());
    const auto network = conditions ? runtime.network(std::move(*conditions))
                                    : runtime.network(*setup.network(config).mixing);
    const auto method =
        make_algorithm(config.algorithm.kind, problem, *network, algorithm_options(config));
    const auto vectors =
        static_cast<std::uint64_t>(find_algorithm_kind(config.algorithm.kind)->vectors_an_edge);
    const auto letter = vectors * static_cast<std::uint64_t>(problem.dim()) * sizeof(Real);
    for (const auto& edge : edges.list()) edge->allow(std::max(letter, least_letter));
    ToldScalars told(folder_, site_.sites, from_ ? std::optional(at_.round) : std::nullopt);
    const auto tell = [&] { told.tell(at_.round, problem, *method, assembly); };
    if (from_) {
      restore(*method, *network);
    } else {
      method->start(starting_models(problem, *network));
      tell();
      save(*method, assembly, edges, told);
    }
    const RowRounds rows = row_rounds(config.run);
    while (at_.round < config.run.rounds) {
      if (options_.wants_stop()) return SiteEnd::stopped;
      method->advance(at_.round++);
      status_->set_round(at_.round);
      if (rows.has(at_.round)) tell();
      save(*method, assembly, edges, told);
      tell_how_far();
    }
    write_model(*method);
    return part(*method, assembly, edges, told);
  }

  template <class Real>
  void restore(Algorithm<Real>& method, Network& network) {
    method.resume(at_.round, at_.gradients, [&](const std::vector<NamedRows<Real>>& state) {
      const bool fits = state.size() == at_.rows.size();
      for (std::size_t k = 0; k < state.size(); ++k) {
        const std::size_t bytes = static_cast<std::size_t>(state[k].rows->dim()) * sizeof(Real);
        if (!fits || at_.rows[k].size() != bytes) {
          throw DataError("{}: its checkpoint is of another method or model; give --force",
                          options_.out.string());
        }
        std::memcpy(state[k].rows->row(site_.own()), at_.rows[k].data(), bytes);
      }
      network.resume(at_.round, Rows<Real>(network.hosted(), 0));
    });
  }

  // What others keep for us they forget only when this is on the disk.
  template <class Real>
  void save(Algorithm<Real>& method, peers::Assembly& assembly, SiteEdges& edges,
            ToldScalars& told) {
    told.flush_to_disk();
    at_.gradients = method.gradients();
    at_.exchanges = assembly.mail().exchanges();
    at_.sessions = edges.memories();
    at_.rows.clear();
    for (const NamedRows<Real>& each : method.state()) {
      at_.rows.emplace_back(reinterpret_cast<const char*>(each.rows->row(site_.own())),
                            static_cast<std::size_t>(each.rows->dim()) * sizeof(Real));
    }
    write_site_state(folder_, at_);
    edges.keep(at_.sessions);
  }

  // Now and then: ever more seldom, and at least every ten minutes.
  void tell_how_far() {
    if (peers::now() < tells_at_) return;
    options_.tell(fmt::format("{} of {} rounds are done", at_.round, study_.config().run.rounds));
    tells_every_ = std::min(2 * tells_every_, 600.0);
    tells_at_ = peers::now() + tells_every_;
  }

  template <class Real>
  void write_model(const Algorithm<Real>& method) {
    const auto& models = method.models();
    const Index dim = models.dim();
    write_npy<Real>(folder_, "node.npy",
                    std::span(models.row(site_.own()), static_cast<std::size_t>(dim)),
                    std::array{dim});
  }

  // Nobody goes before all neighbours have what they need of it.
  template <class Real>
  SiteEnd part(Algorithm<Real>& method, peers::Assembly& assembly, SiteEdges& edges,
               ToldScalars& told) {
    for (const auto& [k, edge] : edges.all()) edge->say_bye();
    for (const auto& [k, edge] : edges.all()) {
      const double since = peers::now();
      while (!edge->wait_until_closed(0.5)) {
        if (options_.wants_stop()) return SiteEnd::stopped;
        if (peers::now() - since > site_.dead_after) {
          options_.tell(
              fmt::format("{} has not taken leave: {}", edge->neighbour(), edge->status().trouble));
          break;
        }
      }
    }
    at_.finished = true;
    save(method, assembly, edges, told);
    return SiteEnd::finished;
  }

  const SiteConfig& site_;
  const Study& study_;
  const SiteRunOptions& options_;
  Folder folder_;
  std::optional<SiteState> from_;
  SiteState at_;
  StatusWriter* status_ = nullptr;  // while it runs
  double tells_every_ = 2, tells_at_ = peers::now() + tells_every_;
};

}  // namespace

SiteEnd run_site(const SiteConfig& site, const Study& study, const SiteRunOptions& options) {
  SiteEnd end = SiteEnd::finished;
  on_threads(options.threads, [&] {
    try {
      end = SiteRun(site, study, options).run();
    } catch (const peers::Stopped&) {  // in a round: the site goes on from the end of the last one
      end = SiteEnd::stopped;
    }
  });
  return end;
}

}  // namespace driftless
