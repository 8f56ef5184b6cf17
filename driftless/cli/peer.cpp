#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "driftless/base/folder.hpp"
#include "driftless/cli/commands.hpp"
#include "driftless/cli/stop_signal.hpp"
#include "driftless/experiment/setup.hpp"
#include "driftless/network/peers/probe.hpp"
#include "driftless/network/peers/site_graph.hpp"
#include "driftless/network/peers/trial_authority.hpp"
#include "driftless/site/site_run.hpp"
#include "driftless/site/site_status.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

struct PeerRequest {
  fs::path config;
  fs::path out;
  bool force = false;
  int threads = 1;
};

// For checking a site's data: as if all sites had the same.
class LikeOurs final : public Processes {
 public:
  LikeOurs(int own, int count) {
    rank_ = own;
    count_ = count;
  }
  std::vector<std::string> gather(std::string own) const override {
    return std::vector<std::string>(static_cast<std::size_t>(count_), own);
  }
};

// So that a fault in this site's own files shows before anyone is called or anything is written.
void check_own_files(const SiteConfig& site, const Study& study) {
  const peers::Credentials credentials(site.files, site.name);
  const Setup setup(study.plan, LikeOurs(site.own(), static_cast<int>(site.sites.size())));
}

fs::path folder_of(const PeerRequest& request, const SiteConfig& site) {
  return request.out.empty() ? fs::path("runs") / site.name : request.out;
}

void run_peer(const PeerRequest& request, int& exit_code) {
  const SiteConfig site = load_site_config(request.config);
  const Study study = load_study(site);
  check_own_files(site, study);
  listen_for_stop_signals();
  const SiteRunOptions options{
      .out = folder_of(request, site),
      .force = request.force,
      .threads = request.threads,
      .wants_stop = [] { return stop_signal() != 0; },
      .tell = [&](const std::string& line) { say("{}: {}\n", site.name, line); }};
  switch (run_site(site, study, options)) {
    case SiteEnd::finished:
      say("{}: all {} rounds are done; the model is in {}\n", site.name, study.config().run.rounds,
          (options.out / "node.npy").string());
      return;
    case SiteEnd::was_finished:
      say("{}: {} holds this run, finished; give --force to begin anew\n", site.name,
          options.out.string());
      return;
    case SiteEnd::stopped:
      say("{}: stopped; it goes on when it is started again\n", site.name);
      exit_code = 128 + stop_signal();
  }
}

std::string days_left(std::int64_t expires) {
  const double days = static_cast<double>(expires - std::time(nullptr)) / 86400;
  return fmt::format("valid for {:.0f} more days", days);
}

void check_neighbours(const SiteConfig& site, const Study& study,
                      const peers::Credentials& credentials, int& exit_code) {
  const peers::SiteGraph graph(*study.links,
                               {study.links->nodes(), static_cast<int>(site.sites.size())});
  for (const int k : graph.neighbours(site.own())) {
    const std::string& name = site.sites[static_cast<std::size_t>(k)];
    const auto address = site.addresses.find(name);
    if (address == site.addresses.end()) {
      print_line(name.c_str(), "calls us: peer.addresses has no address of it");
      continue;
    }
    const peers::ProbeResult result = probe(
        credentials,
        {.own = site.name, .neighbour = name, .address = address->second, .study = study.hash});
    if (!result.well) exit_code = exit_failed;
    print_line(name.c_str(),
               result.well ? fmt::format("{}; {:.1f} ms away", result.words, result.latency_ms)
                           : result.words);
  }
}

void check_peer(const PeerRequest& request, int& exit_code) {
  const SiteConfig site = load_site_config(request.config);
  const Study study = load_study(site);
  const peers::Credentials credentials(site.files, site.name);
  print_line("site", site.name);
  print_line("certificate", days_left(credentials.expires()));
  const Setup setup(study.plan, LikeOurs(site.own(), static_cast<int>(site.sites.size())));
  print_line("data", "can be read");
  std::string hash;
  for (std::size_t k = 0; k < 6; ++k) {
    hash += fmt::format("{:02x}", static_cast<unsigned>(study.hash[k]));
  }
  print_line("study", hash + "…");
  check_neighbours(site, study, credentials, exit_code);
}

void show_status(const PeerRequest& request) {
  const SiteConfig site = load_site_config(request.config);
  for (const StatusLine& line : read_status(folder_of(request, site))) {
    print_line(line.name.c_str(), line.words);
  }
}

struct CertsRequest {
  std::vector<std::string> names;
  fs::path out = "certificates";
};

void write_certificates(const CertsRequest& request) {
  std::set<std::string> once;
  for (const std::string& name : request.names) {
    if (!peers::is_site_name(name)) {
      throw ConfigError("--names {}: use letters, digits, dots and dashes", name);
    }
    if (!once.insert(name).second) throw ConfigError("--names: {} is there twice", name);
  }
  const Folder folder = Folder::make(request.out);
  if (!folder.names().empty()) {
    throw ConfigError("--out {}: is not empty; give another folder", request.out.string());
  }
  const peers::TrialAuthority authority;
  authority.write(request.out);
  for (const std::string& name : request.names) authority.issue(request.out, name);
  say("driftless: warning: all keys were made on this machine, which is right for a trial alone; "
      "in earnest each site makes its own and has it signed\n");
  print_line("wrote",
             fmt::format("{}/authority.pem, and a .pem and a .key for each site, valid for "
                         "90 days",
                         request.out.string()));
}

CLI::App* add_site_command(CLI::App* peer, const std::string& name, const std::string& doc,
                           const std::shared_ptr<PeerRequest>& request) {
  CLI::App* command = peer->add_subcommand(name, doc);
  add_option(command, "config", request->config, "the site's own file (TOML)", "FILE")->required();
  return command;
}

}  // namespace

void add_peer_command(CLI::App& app, int& exit_code) {
  CLI::App* peer = app.add_subcommand(
      "peer", "Train with sites of other organisations, each with its own data, over mutual TLS");
  peer->require_subcommand(1);
  const auto request = std::make_shared<PeerRequest>();
  CLI::App* run = add_site_command(
      peer, "run", "Take part as one site; goes on where it was if it was stopped", request);
  add_option(run, "--out", request->out, "where the results go (default: runs/<name of the site>)",
             "DIR");
  add_option(run, "--threads", request->threads, "threads of the site's own work (default: 1)", "N")
      ->check(CLI::Range(1, 4096));
  run->add_flag("--force", request->force,
                "begin anew where --out holds a run; all sites must do so");
  run->callback([request, &exit_code] { run_peer(*request, exit_code); });
  CLI::App* check = add_site_command(
      peer, "check", "Are the files right, the data there, the neighbours reached?", request);
  check->callback([request, &exit_code] { check_peer(*request, exit_code); });

  CLI::App* status = add_site_command(
      peer, "status", "How far a site is, and how it stands with each neighbour", request);
  add_option(status, "--out", request->out, "where it runs (default: runs/<name of the site>)",
             "DIR");
  status->callback([request] { show_status(*request); });

  const auto certs = std::make_shared<CertsRequest>();
  CLI::App* command = peer->add_subcommand(
      "certs", "Make an authority and a certificate for each site, for a trial");
  add_option(command, "--names", certs->names, "the sites, as in peer.sites", "A,B,C")
      ->delimiter(',')
      ->required();
  add_option(command, "--out", certs->out, "where they go (default: certificates)", "DIR");
  command->callback([certs] { write_certificates(*certs); });
}

}  // namespace driftless
