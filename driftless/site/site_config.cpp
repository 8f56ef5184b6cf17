#include "driftless/site/site_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <utility>

#include "driftless/base/error.hpp"
#include "driftless/base/regular_file.hpp"
#include "driftless/base/text.hpp"
#include "driftless/config/parse_toml.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 10> peer_keys{
    "name",        "sites", "listen",    "data",       "test_data",
    "certificate", "key",   "authority", "dead_after", "addresses"};

// Reads one file and collects what is wrong with it.
class SiteReader {
 public:
  explicit SiteReader(const fs::path& file)
      : name_(file.string()),
        folder_(fs::absolute(file).parent_path()),
        document_(parse_toml(read_file(file), name_)) {}

  SiteConfig read() {
    check_names(document_, "", std::array<std::string_view, 2>{"experiment", "peer"});
    SiteConfig site;
    if (const toml::table* section = section_named("experiment")) {
      check_names(*section, "experiment.", std::array<std::string_view, 1>{"file"});
      site.study = path(*section, "experiment.", "file", true);
    }
    if (const toml::table* section = section_named("peer")) read_peer(*section, site);
    if (!faults_.empty()) throw ConfigError("{}", faults_);
    return site;
  }

 private:
  void add_fault(const toml::node* node, const std::string& fault) {
    const std::string place =
        node != nullptr ? fmt::format("{}:{}", name_, node->source().begin.line) : name_;
    faults_ += fmt::format("{}{}: {}", faults_.empty() ? "" : "\n", place, fault);
  }

  void check_names(const toml::table& table, const std::string& before,
                   std::span<const std::string_view> known) {
    for (auto&& [key, node] : table) {
      const std::string name(key.str());
      if (std::ranges::find(known, name) != known.end()) continue;
      add_fault(&node, fmt::format("unknown key {}{}{}", before, name, suggestion(name, known)));
    }
  }
  const toml::table* section_named(const std::string& name) {
    const toml::node* node = document_.get(name);
    if (node != nullptr && node->is_table()) return node->as_table();
    add_fault(node, fmt::format("there must be a section [{}]", name));
    return nullptr;
  }
  std::string text(const toml::table& table, const std::string& before, const std::string& key,
                   bool required) {
    const toml::node* node = table.get(key);
    if (node == nullptr) {
      if (required) add_fault(&table, fmt::format("{}{} must be given", before, key));
      return "";
    }
    const auto value = node->value_exact<std::string>();
    if (!value || value->empty()) {
      add_fault(node, fmt::format("{}{} must be a text in quotes", before, key));
    }
    return value.value_or("");
  }
  fs::path path(const toml::table& table, const std::string& before, const std::string& key,
                bool required) {
    const std::string value = text(table, before, key, required);
    return value.empty() ? fs::path() : (folder_ / value).lexically_normal();
  }
  // What `read` throws is a fault of that key.
  void checked(const toml::table& table, const std::string& key, const auto& read) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return;
    const std::string fault = fault_in(read);
    if (!fault.empty()) add_fault(node, fmt::format("peer.{}: {}", key, fault));
  }

  void read_peer(const toml::table& peer, SiteConfig& site) {
    check_names(peer, "peer.", peer_keys);
    site.name = text(peer, "peer.", "name", true);
    read_sites(peer, site);
    const std::string listen = text(peer, "peer.", "listen", true);
    if (!listen.empty())
      checked(peer, "listen", [&] { site.listen = peers::parse_address(listen); });
    site.data = path(peer, "peer.", "data", false);
    site.test_data = path(peer, "peer.", "test_data", false);
    site.files = {.authority = path(peer, "peer.", "authority", true),
                  .certificate = path(peer, "peer.", "certificate", true),
                  .key = path(peer, "peer.", "key", true)};
    const std::string dead_after = text(peer, "peer.", "dead_after", false);
    if (!dead_after.empty()) {
      checked(peer, "dead_after", [&] { site.dead_after = parse_duration(dead_after); });
    }
    read_addresses(peer, site);
  }

  void read_sites(const toml::table& peer, SiteConfig& site) {
    const toml::array* names = peer.get_as<toml::array>("sites");
    if (names == nullptr || names->size() < 2) {
      add_fault(
          peer.get("sites") != nullptr ? peer.get("sites") : &peer,
          "peer.sites must name all sites in the order of the study's nodes, the same list at "
          "each site: sites = [\"clinic-a\", \"clinic-b\"]");
      return;
    }
    site.sites.reserve(names->size());
    for (const toml::node& node : *names) {
      const std::string name = node.value_exact<std::string>().value_or("");
      if (!peers::is_site_name(name)) {
        add_fault(&node, "peer.sites: names are texts of letters, digits, dots and dashes");
      } else if (std::ranges::find(site.sites, name) != site.sites.end()) {
        add_fault(&node, fmt::format("peer.sites: {} is there twice", name));
      }
      site.sites.push_back(name);
    }
    if (!site.name.empty() && site.own() < 0) {
      add_fault(peer.get("name"),
                fmt::format("peer.name = \"{}\" is not in peer.sites{}", site.name,
                            suggestion(site.name, views_of(site.sites))));
    }
  }

  void read_addresses(const toml::table& peer, SiteConfig& site) {
    const toml::node* node = peer.get("addresses");
    if (node == nullptr) return;
    if (!node->is_table()) return add_fault(node, "peer.addresses must be a section of its own");
    for (auto&& [key, value] : *node->as_table()) {
      const std::string name(key.str());
      if (std::ranges::find(site.sites, name) == site.sites.end() || name == site.name) {
        add_fault(&value, fmt::format("peer.addresses.{} is no other site of peer.sites{}", name,
                                      suggestion(name, views_of(site.sites))));
        continue;
      }
      const std::string address = value.value_exact<std::string>().value_or("");
      const std::string fault =
          fault_in([&] { site.addresses[name] = peers::parse_address(address); });
      if (!fault.empty()) add_fault(&value, fmt::format("peer.addresses.{}: {}", name, fault));
    }
  }

  std::string name_;
  fs::path folder_;
  toml::table document_;
  std::string faults_;
};

}  // namespace

int SiteConfig::own() const {
  const auto found = std::ranges::find(sites, name);
  return found == sites.end() ? -1 : static_cast<int>(found - sites.begin());
}

double parse_duration(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 4> units{
      {{"min", 60}, {"h", 3600}, {"d", 86400}, {"s", 1}}};
  for (const auto& [unit, seconds] : units) {
    if (!text.ends_with(unit)) continue;
    const auto number = parse_number(trimmed(text.substr(0, text.size() - unit.size())));
    if (number && *number > 0 && *number < 1e9) return *number * seconds;
  }
  throw ConfigError("\"{}\" is no time; write a number and s, min, h or d, as in \"5min\"", text);
}

SiteConfig load_site_config(const fs::path& file) { return SiteReader(file).read(); }

}  // namespace driftless
