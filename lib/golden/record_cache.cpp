#include "golden/record_cache.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "os/path.h"
#include "rules/rule.h"

namespace dp2trace::golden {
namespace {

constexpr uint64_t kMaxFileSize = uint64_t{1} << 30;
constexpr size_t kHashSize = 32;

std::string HashOf(std::string_view text) {
  return Xxh3_128({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

}  // namespace

RecordCache::RecordCache(std::string folder, std::string program, const GoldenLimits& limits)
    : folder_(std::move(folder)),
      key_(fmt::format("1\n{}\n{}\n{}\n", program, limits.max_memory.value_or(0),
                       limits.max_worker_memory.value_or(0))) {}

std::string RecordCache::PathOf(const std::string& trace_hash) const {
  const std::string hash = HashOf(key_ + trace_hash);
  return fmt::format("{}/{}/{}", folder_, hash.substr(0, 2), hash.substr(2));
}

// A file is the hash of the rest, a line end, and the record.
std::optional<RenderRecord> RecordCache::Find(const std::string& trace_hash) const {
  if (folder_.empty()) return std::nullopt;
  const Result<std::vector<uint8_t>> bytes = ReadWholeFile(PathOf(trace_hash), kMaxFileSize);
  if (!bytes.ok() || bytes->size() <= kHashSize) return std::nullopt;
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  const std::string_view body = text.substr(kHashSize + 1);
  if (text[kHashSize] != '\n' || HashOf(body) != text.substr(0, kHashSize)) return std::nullopt;
  Result<RenderRecord> record = ParseRecord(std::string(body));
  if (!record.ok()) return std::nullopt;
  return std::move(*record);
}

Status RecordCache::Keep(const std::string& trace_hash, const RenderRecord& record) const {
  if (folder_.empty()) return OkStatus();
  const std::string path = PathOf(trace_hash);
  std::error_code error;
  std::filesystem::create_directories(ToPath(FolderOf(path)), error);
  if (error) {
    return Status(
        MakeDiagnostic(Rule::kIo001, fmt::format("cannot write {}: {}", path, error.message())));
  }
  Result<OutputFile> file = OutputFile::Create(path);
  if (!file.ok()) return file.status();
  const std::string body = RecordLine(record);
  DP2TRACE_RETURN_IF_ERROR(file->Write(HashOf(body) + "\n" + body));
  return file->Commit(Sync::kNone);  // a torn file has another hash
}

}  // namespace dp2trace::golden
