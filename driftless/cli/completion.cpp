#include "driftless/cli/completion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/cli/checks.hpp"
#include "driftless/config/key.hpp"
#include "driftless/experiment/metrics.hpp"

namespace driftless {
namespace {

struct Completion {
  std::string text;
  std::string meaning = {};
};
using Completions = std::vector<Completion>;

constexpr const char* files = ":files";
constexpr const char* folders = ":folders";

// "network.nodes=", and for a key that is chosen from names "network.topology=ring" once it is
// there.
Completions settings(std::string_view begun) {
  Completions words;
  const std::size_t sign = begun.find('=');
  if (sign == std::string_view::npos) {
    for (const Key& key : config_keys()) words.push_back({key.name + "=", key.doc});
  } else if (const Key* key = find_key(begun.substr(0, sign))) {
    for (const std::string& choice : key->choices)
      words.push_back({fmt::format("{}={}", key->name, choice)});
  }
  return words;
}

// What an option takes shows in its choices, or else in the name of what it takes.
Completions possible_values(CLI::Option& option, std::string_view begun) {
  Completions words;
  for (const std::string& choice : choices_of(option)) words.push_back({choice});
  if (!words.empty()) return words;
  const std::string takes = option.get_type_name();
  if (takes == "FILE") return {{files}};
  if (takes == "DIR") return {{folders}};
  if (takes == "DATA") return {{"mnist"}, {files}};
  if (takes == "KEY=VALUE") return settings(begun);
  if (takes == "KEY") {
    for (const Key& key : config_keys()) words.push_back({key.name, key.doc});
  } else if (takes == "COLUMN") {
    for (const MetricColumn& column : metric_columns()) {
      if (!column.is_cost) words.push_back({std::string(column.name), std::string(column.meaning)});
    }
  }
  return words;
}

// Where a command line stands after some words.
class Position {
 public:
  explicit Position(CLI::App& app) : level_(&app) {}

  void pass(const std::string& word) {
    if (valued_ != nullptr) {
      valued_ = nullptr;
    } else if (word.starts_with('-') && word.size() > 1) {
      CLI::Option* option = level_->get_option_no_throw(word.substr(0, word.find('=')));
      const bool takes_next = option != nullptr && option->get_expected_min() > 0 &&
                              word.find('=') == std::string::npos;
      if (takes_next) valued_ = option;
    } else if (CLI::App* command = command_called(word)) {
      level_ = command;
      positionals_ = 0;
    } else {
      ++positionals_;
    }
  }

  Completions possible(const std::string& begun) const {
    if (valued_ != nullptr) return possible_values(*valued_, begun);
    const std::size_t sign = begun.find('=');
    if (begun.starts_with("--") && sign != std::string::npos) {
      return with_option(begun.substr(0, sign), begun.substr(sign + 1));
    }
    if (begun.starts_with('-')) return options();
    Completions words;
    for (const CLI::App* command : level_->get_subcommands({}))
      words.push_back({command->get_name(), command->get_description()});
    if (!words.empty()) return words;
    CLI::Option* positional = next_positional();
    return positional == nullptr ? options() : possible_values(*positional, begun);
  }

 private:
  CLI::App* command_called(const std::string& name) const {
    const auto found =
        level_->get_subcommands([&](const CLI::App* each) { return each->get_name() == name; });
    return found.empty() ? nullptr : found.front();
  }

  // "--format=html"
  Completions with_option(const std::string& name, const std::string& begun) const {
    CLI::Option* option = level_->get_option_no_throw(name);
    if (option == nullptr) return {};
    Completions words = possible_values(*option, begun);
    for (Completion& word : words)
      if (!word.text.starts_with(':')) word.text = fmt::format("{}={}", name, word.text);
    return words;
  }

  Completions options() const {
    Completions words;
    for (const CLI::Option* option : level_->get_options()) {
      for (const std::string& name : option->get_lnames())
        words.push_back({"--" + name, option->get_description()});
    }
    return words;
  }

  // The last one may take any number of words.
  CLI::Option* next_positional() const {
    std::vector<CLI::Option*> all =
        level_->get_options([](const CLI::Option* option) { return option->get_positional(); });
    if (all.empty()) return nullptr;
    if (positionals_ < all.size()) return all[positionals_];
    return all.back()->get_items_expected_max() > 1 ? all.back() : nullptr;
  }

  CLI::App* level_;
  CLI::Option* valued_ = nullptr;  // the next word is its value
  std::size_t positionals_ = 0;    // that were passed on this level
};

}  // namespace

std::string completions(CLI::App& app, const std::vector<std::string>& words) {
  Position position(app);
  for (std::size_t k = 0; k + 1 < words.size(); ++k) position.pass(words[k]);
  const std::string begun = words.empty() ? "" : words.back();
  std::string text;
  for (const auto& [word, meaning] : position.possible(begun)) {
    if (!word.starts_with(begun) && !word.starts_with(':')) continue;
    text += meaning.empty() ? word + '\n' : fmt::format("{}\t{}\n", word, meaning);
  }
  return text;
}

}  // namespace driftless
