#include "live/loader.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/file.h"
#include "import/import_files.h"
#include "trace_file/source.h"

namespace dp2trace::live {
namespace {

enum class Kind : uint8_t { kTrace, kCapture, kHexDumps };

// Of what is not a trace: text has no zero bytes, and a capture has some at its start.
Result<Kind> KindOfOther(const std::string& path) {
  Result<InputFile> file = InputFile::Open(path);
  if (!file.ok()) return file.status();
  std::array<uint8_t, 4096> start{};
  const Result<size_t> count = file->Read(start);
  if (!count.ok()) return count.status();
  const bool is_utf16 =
      *count >= 2 && std::min(start[0], start[1]) == 0xFE && std::max(start[0], start[1]) == 0xFF;
  const bool is_text =
      is_utf16 || std::find(start.begin(), start.begin() + *count, 0) == start.begin() + *count;
  return is_text ? Kind::kHexDumps : Kind::kCapture;
}

}  // namespace

std::string ExtensionOf(const std::string& name) {
  constexpr size_t kLongest = 8;
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos || name.size() - dot > kLongest) return {};
  const std::string extension = name.substr(dot);
  return std::all_of(extension.begin() + 1, extension.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0; })
             ? extension
             : std::string();
}

Result<Loaded> Load(const std::string& path, const std::string& place, const std::string& generator,
                    uint64_t max_memory, const import::Progress& progress) {
  DiagnosticList reading(DiagnosticLimits{.all = 0});
  trace_file::OpenError error;
  if (trace_file::Source::Open(path, max_memory, reading, error) != nullptr) return Loaded{path};
  const Result<Kind> kind = KindOfOther(path);
  if (!kind.ok()) return kind.status();
  import::FileImport file{.input = path, .output = place};
  const import::FileOptions options{
      .generator = generator, .caps = {}, .max_memory = max_memory, .max_steps = {}};
  if (*kind == Kind::kHexDumps) {
    import::ImportHexFile(options, {}, file, progress);
  } else {
    import::ImportFile(options, file, progress);
  }
  if (file.failure) return file.failure->second;
  Loaded loaded{place, std::move(file.notes)};
  if (file.error.empty()) return loaded;
  // What could be read of a capture that was cut is there.
  if (!FileState(LookAt(place)).size) return Failure(kCannotRead, file.error);
  loaded.notes.insert(loaded.notes.begin(), file.error);
  return loaded;
}

}  // namespace dp2trace::live
