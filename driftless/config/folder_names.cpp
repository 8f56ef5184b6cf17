#include "driftless/config/folder_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/config/key.hpp"

namespace driftless {
namespace {

// Letters that any file system and any shell takes as they are, and not too many of them.
std::string file_name_part(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string part(text.substr(0, longest));
  for (char& c : part) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain && std::string_view("._+-").find(c) == std::string_view::npos) c = '_';
  }
  return part;
}

}  // namespace

FolderNames::FolderNames(const std::vector<std::string>& keys) {
  for (const std::string& name : keys) {
    const std::string_view short_name = find_key(name)->short_name();
    const auto namesakes = std::ranges::count_if(keys, [&](const std::string& other) {
      return find_key(other)->short_name() == short_name;
    });
    labels_.emplace_back(namesakes > 1 ? std::string_view(name) : short_name);
  }
}

std::string FolderNames::next(const std::vector<std::pair<std::string, std::string>>& values) {
  if (values.empty()) return "";
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!values[i].second.empty())
      parts.push_back(fmt::format("{}={}", labels_[i], file_name_part(values[i].second)));
  constexpr std::size_t longest = 200;  // file systems stop at 255
  std::string name = parts.empty() ? "base" : fmt::format("{}", fmt::join(parts, ","));
  name.resize(std::min(name.size(), longest));
  std::string distinct = name;
  for (int i = 2; !taken_.insert(distinct).second; ++i) distinct = fmt::format("{}~{}", name, i);
  return distinct;
}

}  // namespace driftless
