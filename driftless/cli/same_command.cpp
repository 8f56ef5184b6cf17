#include "driftless/cli/same_command.hpp"

#include <algorithm>
#include <filesystem>

#include "driftless/base/version.hpp"

namespace driftless {

namespace {

using Words = std::vector<std::string>;

// "problem.data=there/points.svm" becomes "problem.data=points.svm".
std::string without_folders(const std::string& value) {
  const std::size_t begin = value.find('=') == std::string::npos ? 0 : value.find('=') + 1;
  std::filesystem::path path = std::filesystem::path(value.substr(begin)).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();  // it ended in a slash
  return value.substr(0, begin) + path.filename().string();
}

void add_words(const CLI::App& app, Words& words) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_name() == "--threads") continue;
    for (const std::string& value : option->results()) {
      const bool is_flag = option->get_expected_min() == 0;
      if (option->get_positional()) {
        words.push_back(without_folders(value));
      } else {
        words.push_back(option->get_name() + (is_flag ? "" : " " + without_folders(value)));
      }
    }
  }
  for (const CLI::App* command : app.get_subcommands()) {
    words.push_back(command->get_name());
    add_words(*command, words);
  }
}

// No word has this character: it ends the arguments of a program.
constexpr char between_words = '\0';

Words split(const std::string& text) {
  Words words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(between_words, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

Words only_in_first(const Words& first, const Words& second) {
  Words only;
  std::ranges::copy_if(first, std::back_inserter(only), [&](const std::string& word) {
    return std::ranges::count(second, word) == 0;
  });
  return only;
}

// The words that only one of the two ranks was given; all words where only their order differs.
std::string told(const Difference& odd) {
  const Words all_there = split(odd.there);
  const Words all_at_first = split(odd.at_first);
  Words there = only_in_first(all_there, all_at_first);
  Words at_first = only_in_first(all_at_first, all_there);
  if (there.empty() && at_first.empty()) {
    there = all_there;
    at_first = all_at_first;
  }
  const auto with = [](const Words& words) { return fmt::format("{}", fmt::join(words, " ")); };
  if (there.empty()) {
    return fmt::format("rank 0 was started with {}, rank {} without", with(at_first), odd.rank);
  }
  return fmt::format("rank {} was started with {}, rank 0 {}", odd.rank, with(there),
                     at_first.empty() ? "without" : "with " + with(at_first));
}

}  // namespace

std::vector<std::string> words_of(const CLI::App& app) {
  Words words;
  add_words(app, words);
  return words;
}

void agree_on_command(const Processes& ranks, const CLI::App& app, const std::string& fault) {
  if (const auto odd = ranks.difference(fmt::format("{} (build {})", version(), build_id()))) {
    throw ConfigError("rank {} is driftless {}, rank 0 is {}; give all machines the same build",
                      odd->rank, odd->there, odd->at_first);
  }
  ranks.agree(fault);
  std::string all;
  for (const std::string& word : words_of(app)) all += word + between_words;
  if (const auto odd = ranks.difference(std::move(all))) {
    throw ConfigError("{}; give all ranks the same command", told(*odd));
  }
}

}  // namespace driftless
