#include "driftless/base/version.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <Eigen/Core>
#include <cstddef>
#include <cstring>
#include <span>

namespace driftless {

namespace {

// The id among the notes of an ELF file. A note is a header, a name and a text, each padded to a
// multiple of four bytes.
std::string build_id_in(std::span<const std::byte> notes) {
  const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
  while (notes.size() > sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof note);
    const std::size_t text_at = sizeof note + padded(note.n_namesz);
    const std::size_t end = text_at + padded(note.n_descsz);
    if (end > notes.size()) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
        std::memcmp(notes.data() + sizeof note, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0) {
      std::string digits;
      for (const std::byte each : notes.subspan(text_at, note.n_descsz)) {
        digits += fmt::format("{:02x}", std::to_integer<unsigned>(each));
      }
      return digits;
    }
    notes = notes.subspan(end);
  }
  return "";
}

// dl_iterate_phdr shows the executable first, then its libraries; a value that is not 0 ends it.
int look_in_executable(dl_phdr_info* loaded, std::size_t /*size*/, void* id) {
  for (const ElfW(Phdr) & part : std::span(loaded->dlpi_phdr, loaded->dlpi_phnum)) {
    std::string& found = *static_cast<std::string*>(id);
    if (part.p_type != PT_NOTE || !found.empty()) continue;
    // The loader tells addresses as numbers.
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    const auto* begin = reinterpret_cast<const std::byte*>(loaded->dlpi_addr + part.p_vaddr);
    found = build_id_in({begin, part.p_memsz});
  }
  return 1;
}

}  // namespace

std::string build_id() {
  std::string id;
  dl_iterate_phdr(look_in_executable, &id);
  return id.empty() ? "unknown" : id;
}

std::string version() { return DRIFTLESS_VERSION; }

std::string compiler() {
#ifdef __clang__
  return fmt::format("clang {}", __clang_version__);
#else
  return fmt::format("gcc {}", __VERSION__);
#endif
}

std::string eigen_version() {
  return fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION);
}

}  // namespace driftless
