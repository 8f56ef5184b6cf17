#include "driftless/cli/complaint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "driftless/base/text.hpp"
#include "driftless/config/key.hpp"

namespace driftless {
namespace {

bool is_option(std::string_view word) { return word.size() > 1 && word.starts_with('-'); }

// The words of the command line that no level had a use for, in their order.
std::vector<std::string> unused_words(const CLI::App& app, bool options) {
  std::vector<std::string> words = app.remaining(true);
  std::erase_if(words, [&](const std::string& word) { return is_option(word) != options; });
  return words;
}

// "--formt": there is no such option of the command, which may take --set.
std::string unknown_option(const CLI::App& command, std::string_view word) {
  word = word.substr(0, word.find('='));
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  std::string unknown = fmt::format("unknown option {}", word);
  // A single letter is near to any other: it stands for a name that it begins.
  const bool is_letter = word.size() == 2;
  const auto nearest = nearest_names(is_letter ? fmt::format("-{}", word) : word, views_of(names));
  if (!nearest.empty()) return unknown + did_you_mean(nearest);
  std::string key(word.substr(word.find_first_not_of('-')));
  std::ranges::replace(key, '-', '_');
  const auto keys = keys_called(key);
  if (keys.empty() || command.get_option_no_throw("--set") == nullptr) return unknown;
  return fmt::format("{}; keys of the config are given as --set {}=VALUE", unknown, keys.front());
}

std::string unknown_command(const CLI::App& level, const std::string& path,
                            const std::vector<std::string>& words) {
  std::vector<std::string_view> commands;
  for (const CLI::App* command : level.get_subcommands({})) commands.push_back(command->get_name());
  const std::string found = words.empty()
                                ? "a command is missing"
                                : fmt::format("unknown command {}{}", words.front(),
                                              did_you_mean(nearest_names(words.front(), commands)));
  return fmt::format("{}; usage: {} COMMAND, which is {}", found, path, either_of(commands));
}

std::string what_is_wrong(const CLI::App& app, const CLI::App& level, const std::string& path,
                          const CLI::ParseError& error) {
  // An option that there is not is the cause of whatever else is wrong.
  const std::vector<std::string> options = unused_words(app, true);
  if (!options.empty()) return unknown_option(level, options.front());
  const std::vector<std::string> words = unused_words(app, false);
  if (!level.get_subcommands({}).empty()) return unknown_command(level, path, words);
  if (!words.empty()) return fmt::format("unexpected word {}", words.front());
  std::string told = error.what();
  // "--scale: lin: expected …", where the option and what it was given belong together
  const std::size_t colon = told.find(": ");
  const bool of_a_value = dynamic_cast<const CLI::ValidationError*>(&error) != nullptr;
  if (of_a_value && colon != std::string::npos) told.erase(colon, 1);
  return told;
}

}  // namespace

std::string complaint(const CLI::App& app, const CLI::ParseError& error) {
  std::string path = app.get_name();
  const CLI::App* level = &app;
  while (!level->get_subcommands().empty()) {
    level = level->get_subcommands().front();
    path += " " + level->get_name();
  }
  const std::string wrong = what_is_wrong(app, *level, path, error);
  return fmt::format("{}{} `{} --help` tells more", wrong, wrong.ends_with('?') ? "" : ";", path);
}

}  // namespace driftless
