#include "json/side_files.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/file.h"
#include "base/hash.h"
#include "os/path.h"
#include "rules/rule.h"

namespace dp2trace::json {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".bin";
constexpr size_t kHashDigits = 32;

Status Refuse(std::string message) {
  return Status(MakeDiagnostic(Rule::kJson013, std::move(message)));
}

bool IsInside(const fs::path& path) {
  if (path.empty() || !path.has_filename() || path.is_absolute() || path.has_root_path())
    return false;
  for (const fs::path& part : path) {
    if (part == "..") return false;
  }
  return true;
}

// True when no symbolic link leads out of the folder. What does not exist is for the reader to report.
bool StaysInside(const fs::path& folder, const fs::path& path) {
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  const fs::path target = error ? fs::path() : fs::canonical(folder / path, error);
  if (error) return true;
  return std::mismatch(root.begin(), root.end(), target.begin(), target.end()).first == root.end();
}

// The hash that a file name announces, or empty where it is not a hash.
std::string HashOfName(const fs::path& path) {
  const std::string stem = ToText(path.stem());
  const bool is_hash = path.extension() == kExtension && stem.size() == kHashDigits &&
                       stem.find_first_not_of("0123456789abcdef") == std::string::npos;
  return is_hash ? stem : std::string();
}

bool HasContent(const fs::path& path, Bytes bytes) {
  std::error_code error;
  if (fs::file_size(path, error) != bytes.size() || error) return false;
  const Result<std::vector<uint8_t>> content = ReadWholeFile(ToText(path), bytes.size());
  return content.ok() && Xxh3_128(*content) == Xxh3_128(bytes);
}

// Longer ones than the system's longest path are not opened; an escape takes six characters.
constexpr size_t kMaxName = 6 * 4096;

// What a string of JSON stands for, given without its quotes; nothing where it is none.
std::optional<std::string> Unescaped(const std::string& token) {
  if (token.find('\\') == std::string::npos) return token;
  const nlohmann::json text = nlohmann::json::parse('"' + token + '"', nullptr, false);
  if (!text.is_string()) return std::nullopt;
  return text.get<std::string>();
}

}  // namespace

void SideFileNames::Add(std::string_view piece) {
  for (const char c : piece) {
    if (place_ == Place::kOutside) {
      if (c == '"') {
        place_ = Place::kString;
        token_.clear();
        is_too_long_ = false;
      } else if (c == ':') {
        is_value_ = is_key_;
      } else if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
        is_key_ = is_value_ = false;
      }
      continue;
    }
    if (place_ == Place::kString &&
        (c == '"' || c == '\n')) {  // a line end ends a text that is not JSON
      place_ = Place::kOutside;
      EndString();
      continue;
    }
    place_ = place_ == Place::kString && c == '\\' ? Place::kEscape : Place::kString;
    if (token_.size() == kMaxName) {
      is_too_long_ = true;
    } else {
      token_.push_back(c);
    }
  }
}

void SideFileNames::EndString() {
  const std::optional<std::string> text = is_too_long_ ? std::nullopt : Unescaped(token_);
  if (is_value_ && text) names_.insert(*text);
  is_key_ = !is_value_ && (text == "file" || text == "png");
  is_value_ = false;
}

SideFileWriter::SideFileWriter(const std::string& json_path) {
  const fs::path path = ToPath(json_path);
  parent_ = ToText(path.parent_path());
  if (!parent_.empty()) parent_ += '/';
  folder_ = ToText(path.stem()) + ".blobs";
}

Result<std::string> SideFileWriter::Store(Bytes bytes) {
  if (!folder_exists_) {
    std::error_code error;
    fs::create_directories(ToPath(parent_ + folder_), error);
    if (error) {
      return Status(MakeDiagnostic(Rule::kIo001, fmt::format("cannot create the folder {}{}: {}",
                                                             parent_, folder_, error.message())));
    }
    folder_exists_ = true;
  }
  std::string relative = fmt::format("{}/{}{}", folder_, Xxh3_128(bytes), kExtension);
  const std::string path = parent_ + relative;
  if (HasContent(path, bytes)) return relative;
  Result<OutputFile> file = OutputFile::Create(path);
  if (!file.ok()) return file.status();
  DP2TRACE_RETURN_IF_ERROR(file->Write(bytes));
  DP2TRACE_RETURN_IF_ERROR(file->Commit());
  return relative;
}

Status CheckSidePath(const std::string& folder, std::string_view relative) {
  if (relative.find('\0') != std::string_view::npos ||
      relative.find('\\') != std::string_view::npos) {
    return Refuse("the path of a side file may not hold NUL or backslash");
  }
  const fs::path path = ToPath(relative);
  if (!IsInside(path) || !StaysInside(folder, path)) {
    return Refuse(
        fmt::format("the path \"{}\" does not stay inside the folder of the JSON file", relative));
  }
  std::error_code error;
  const fs::file_status status = fs::status(ToPath(folder) / path, error);
  if (!error && fs::exists(status) && !fs::is_regular_file(status))
    return Refuse(fmt::format("\"{}\" is not a file", relative));
  return OkStatus();
}

Result<std::vector<uint8_t>> ReadSideFile(const std::string& folder, std::string_view relative,
                                          uint64_t limit) {
  DP2TRACE_RETURN_IF_ERROR(CheckSidePath(folder, relative));
  const fs::path path = ToPath(relative);
  Result<std::vector<uint8_t>> content = ReadWholeFile(ToText(ToPath(folder) / path), limit);
  if (!content.ok()) return Refuse(content.status().diagnostic().message);
  const std::string hash = HashOfName(path);
  if (!hash.empty() && Xxh3_128(*content) != hash) {
    return Refuse(
        fmt::format("the content of \"{}\" has the hash {}", relative, Xxh3_128(*content)));
  }
  return content;
}

}  // namespace dp2trace::json
