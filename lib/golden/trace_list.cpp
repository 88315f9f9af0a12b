#include "golden/trace_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/file_walk.h"
#include "base/hash.h"
#include "json/side_files.h"
#include "os/files.h"
#include "os/path.h"
#include "rules/rule.h"
#include "trace_file/inputs.h"
#include "trace_file/source.h"

namespace dp2trace::golden {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMaxManifestSize = uint64_t{4} << 30;

Status ReadError(std::string message) {
  return Status(MakeDiagnostic(Rule::kTrace001, std::move(message)));
}

// Adds the paths, below the manifest's folder, of all traces in a folder there.
Status AddFolder(const std::string& root, const std::string& folder, std::set<std::string>& paths) {
  const FilesBelow below = FindFilesBelow(folder == "." ? root : root + folder);
  for (const auto& [path, reason] : below.unreadable)
    return ReadError(fmt::format("cannot read {}: {}", path, reason));
  for (const std::string& link : below.broken_links) {
    if (trace_file::FormOfPath(link))
      return ReadError(fmt::format("cannot read {}: it is a dangling link", link));
  }
  for (const std::string& file : below.files) {
    if (trace_file::FormOfPath(file))
      paths.insert(ToText(ToPath(file).lexically_relative(ToPath(root))));
  }
  return OkStatus();
}

bool IsBelow(std::string_view path, std::string_view folder) {
  return folder == "." || path == folder ||
         (path.starts_with(folder) && path.substr(folder.size()).starts_with('/'));
}

// Whether a name stands for a trace of the manifest: its own, that of a folder above it or a pattern.
bool Means(const std::string& name, const std::string& path) {
  return IsBelow(path, name) || trace_file::MatchesName(name, path);
}

// Adds what one path of the choice stands for: a trace, or those of a whole run below a folder.
Status AddChoice(const ManifestFile& file, const std::string& choice,
                 const std::set<std::string>& all, std::set<std::string>& paths) {
  const std::string relative = PathBelow(file.folder, choice);
  bool is_known = false;
  for (const std::string& name : {relative, WithoutSlashes(choice)}) {
    if (is_known || name.empty()) continue;
    for (const std::string& path : all) {
      if (!Means(name, path)) continue;
      paths.insert(path);
      is_known = true;
    }
  }
  std::error_code error;
  if (is_known) return OkStatus();
  if (relative.empty())
    return ReadError(fmt::format("no trace of the manifest matches {}", choice));
  if (!fs::is_regular_file(ToPath(choice), error))
    return ReadError(fmt::format("no trace of the manifest matches {}", choice));
  paths.insert(relative);
  return OkStatus();
}

// XXH3-128 of a file, whose pieces `look` sees.
template <class Look>
Result<std::string> HashPieces(const std::string& path, const Look& look) {
  Result<InputFile> file = InputFile::Open(path);
  if (!file.ok()) return file.status();
  Xxh3_128Stream hash;
  std::vector<uint8_t> piece(size_t{64} << 10);
  while (true) {
    const Result<size_t> count = file->Read(piece);
    if (!count.ok()) return count.status();
    if (*count == 0) return hash.Digest();
    hash.Add(Bytes(piece).first(*count));
    look(Bytes(piece).first(*count));
  }
}

bool HasTag(const ManifestTrace* trace, const std::vector<std::string>& tags) {
  if (tags.empty()) return true;
  return trace != nullptr && std::ranges::find_first_of(trace->tags, tags) != trace->tags.end();
}

}  // namespace

ManifestFile NewManifest(const std::string& path) {
  const std::string folder = PrefixOf(path);
  return ManifestFile{path, folder.empty() ? "./" : folder, {}, {}};
}

std::string PathBelow(const std::string& root, const std::string& path) {
  std::error_code error;
  const fs::path absolute_root = fs::weakly_canonical(ToPath(root), error);
  const fs::path absolute = fs::weakly_canonical(ToPath(path), error);
  const std::string relative = ToText(absolute.lexically_relative(absolute_root));
  if (relative == ".") return relative;
  return IsPlainPath(relative) ? relative : std::string();
}

bool IsMeant(const ManifestFile& file, const std::string& choice, const std::string& path) {
  if (Means(choice, path)) return true;
  const std::string relative = PathBelow(file.folder, choice);
  return !relative.empty() && Means(relative, path);
}

Result<ManifestFile> ReadManifest(const std::string& path) {
  const Result<std::vector<uint8_t>> bytes = ReadWholeFile(path, kMaxManifestSize);
  if (!bytes.ok()) {
    Diagnostic finding = bytes.status().diagnostic();
    if (LookAt(path).kind == FileKind::kMissing)
      finding.message += "; `dp2trace golden init FOLDER` writes a first one";
    return Status(std::move(finding));
  }
  Result<Manifest> manifest = ParseManifest(std::string(bytes->begin(), bytes->end()));
  if (!manifest.ok()) return manifest.status();
  ManifestFile file = NewManifest(path);
  file.hash = Xxh3_128(*bytes);
  file.manifest = std::move(*manifest);
  return file;
}

Result<std::string> HashOfFile(const std::string& path) {
  return HashPieces(path, [](Bytes) {});
}

Result<std::string> HashOfTrace(const std::string& path) {
  const Result<std::optional<trace_file::Form>> form = trace_file::FormOfFile(path);
  if (!form.ok()) return form.status();
  if (*form != trace_file::Form::kJson) return HashOfFile(path);
  json::SideFileNames finder;
  Result<std::string> hash = HashPieces(path, [&finder](Bytes piece) {
    finder.Add({reinterpret_cast<const char*>(piece.data()), piece.size()});
  });
  if (!hash.ok() || finder.names().empty()) return hash;
  const std::string folder = FolderOf(path);
  std::string all = *hash;
  for (const std::string& name : finder.names()) {
    if (!json::CheckSidePath(folder, name).ok()) continue;  // no replay reads it
    const Result<std::string> content = HashOfFile(ToText(ToPath(folder) / ToPath(name)));
    all += fmt::format("\n{}:{}={}", name.size(), name, content.ok() ? *content : "unreadable");
  }
  return Xxh3_128({reinterpret_cast<const uint8_t*>(all.data()), all.size()});
}

Result<std::vector<RunTrace>> ListTraces(const ManifestFile& file, const TraceChoice& choice) {
  std::set<std::string> all;
  for (const ManifestTrace& trace : file.manifest.traces)
    all.insert(all.end(), trace.path);
  for (const std::string& folder : file.manifest.include)
    DP2TRACE_RETURN_IF_ERROR(AddFolder(file.folder, folder, all));
  all.erase(dp2trace::NameOf(file.path));
  std::set<std::string> paths;
  for (const std::string& path : choice.paths)
    DP2TRACE_RETURN_IF_ERROR(AddChoice(file, path, all, paths));
  if (choice.paths.empty()) paths = std::move(all);
  std::vector<RunTrace> traces;
  for (const std::string& path : paths) {
    RunTrace trace{path, file.manifest.Find(path), {}};
    if (!HasTag(trace.expected, choice.tags)) continue;
    if (trace.expected == nullptr) {
      Result<std::string> hash = HashOfTrace(file.folder + path);
      if (!hash.ok()) return hash.status();
      trace.new_hash = std::move(*hash);
    }
    traces.push_back(std::move(trace));
  }
  return traces;
}

}  // namespace dp2trace::golden
