#include "driftless/base/file_sum.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <charconv>

#include "driftless/base/regular_file.hpp"

namespace driftless {

void FileSum::add(std::string_view more) {
  bytes += more.size();
  crc = static_cast<std::uint32_t>(
      crc32_z(crc, reinterpret_cast<const Bytef*>(more.data()), more.size()));
}

FileSum sum_of(std::string_view contents) {
  FileSum sum;
  sum.add(contents);
  return sum;
}

FileSum sum_of_file(const std::filesystem::path& path) {
  const RegularFile file(path);
  // Most files are small and many: no memory is taken and cleared for each.
  std::array<char, std::size_t{1} << 14> piece;
  FileSum sum;
  while (const std::size_t got = file.read(piece.data(), piece.size()))
    sum.add({piece.data(), got});
  return sum;
}

nlohmann::ordered_json to_json_object(const FileSums& sums) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, sum] : sums)
    json[name] = {{"bytes", sum.bytes}, {"crc32", fmt::format("{:08x}", sum.crc)}};
  return json;
}

std::optional<FileSums> file_sums_in(const nlohmann::json& json) {
  if (!json.is_object()) return std::nullopt;
  FileSums sums;
  for (const auto& [name, entry] : json.items()) {
    const auto bytes = entry.find("bytes");
    const auto crc = entry.find("crc32");
    if (!entry.is_object() || bytes == entry.end() || crc == entry.end() ||
        !bytes->is_number_unsigned() || !crc->is_string()) {
      return std::nullopt;
    }
    const auto& digits = crc->get_ref<const std::string&>();
    FileSum& sum = sums[name];
    sum.bytes = bytes->get<std::uint64_t>();
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), sum.crc, 16);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  }
  return sums;
}

}  // namespace driftless
