#include "trace_file/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <system_error>

#include "base/file.h"
#include "base/file_walk.h"
#include "os/path.h"
#include "trace/container.h"
#include "trace_file/form.h"

namespace dp2trace::trace_file {
namespace {

namespace fs = std::filesystem;

constexpr size_t kPeekSize = 4096;  // bytes that tell a trace from other JSON

// An array whose first object says that it is an event; or a container under a wrong name, of which reading it says so.
bool StartsAsTrace(const std::string& path) {
  Result<InputFile> file = InputFile::Open(path);
  if (!file.ok()) return true;  // reading it says why
  std::array<uint8_t, kPeekSize> bytes{};
  const Result<size_t> count = file->Read(bytes);
  if (!count.ok()) return true;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), *count);
  if (trace::ParseFileHeader(Bytes(bytes).first(*count))) return true;
  const size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string_view::npos && text[first] == '[' &&
         text.find("\"event\"") != std::string_view::npos;
}

bool IsTrace(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  const std::optional<Form> form = FormOfPath(ToText(path));
  return form == Form::kBinary || (form == Form::kJson && StartsAsTrace(ToText(path)));
}

// Traces, and what could not be looked at.
struct Found {
  std::set<std::string> paths;
  std::set<std::string> passed_over;
};

void AddFolder(const fs::path& folder, Found& found) {
  const FilesBelow below = FindFilesBelow(ToText(folder));
  for (const std::string& file : below.files) {
    if (IsTrace(ToPath(file))) found.paths.insert(ToText(ToPath(file).lexically_normal()));
  }
  for (const std::string& link : below.broken_links)
    found.passed_over.insert(fmt::format("{} is a dangling link; skipped", link));
  for (const auto& [path, reason] : below.unreadable)
    found.passed_over.insert(fmt::format("{} is skipped: {}", path, reason));
}

// The position after a set "[...]" that starts at `at`, and whether it holds the character; npos where it is not closed.
size_t EndOfSet(std::string_view pattern, size_t at, char c, bool& is_in) {
  size_t i = at + 1;
  const bool is_inverse = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (is_inverse) ++i;
  bool has = false;
  for (const size_t first = i; i < pattern.size() && (pattern[i] != ']' || i == first); ++i) {
    if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
      has = has || (c >= pattern[i] && c <= pattern[i + 2]);
      i += 2;
    } else {
      has = has || c == pattern[i];
    }
  }
  is_in = has != is_inverse;
  return i < pattern.size() ? i + 1 : std::string_view::npos;
}

// Position in the pattern after what matches `c`, or npos.
size_t MatchOne(std::string_view pattern, size_t at, char c) {
  if (at == pattern.size()) return std::string_view::npos;
  if (pattern[at] == '?') return at + 1;
  if (pattern[at] == '[') {
    bool is_in = false;
    const size_t end = EndOfSet(pattern, at, c, is_in);
    if (end != std::string_view::npos) return is_in ? end : std::string_view::npos;
  }
  return pattern[at] == c ? at + 1 : std::string_view::npos;
}

bool IsPattern(std::string_view name) {
  return name.find_first_of("*?[") != std::string_view::npos;
}

using Parts = std::vector<std::string>;

// The children of a folder, by name; nothing where it cannot be read.
std::vector<fs::path> ChildrenOf(const fs::path& folder) {
  std::vector<fs::path> children;
  std::error_code error;
  fs::directory_iterator at(folder.empty() ? ToPath(".") : folder, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error))
    children.push_back(folder / at->path().filename());
  std::ranges::sort(children);
  return children;
}

// What a pattern ends at: a trace, or a folder of traces.
void AddMatch(const fs::path& path, Found& found) {
  std::error_code error;
  if (IsTrace(path)) found.paths.insert(ToText(path.lexically_normal()));
  if (fs::is_directory(path, error)) AddFolder(path, found);
}

// `depth` bounds what a loop of links can cost.
void Match(const fs::path& folder, const Parts& parts, size_t part, uint32_t depth, Found& found) {
  constexpr uint32_t kMaxDepth = 64;
  if (part == parts.size() || depth > kMaxDepth) return;
  const bool is_last = part + 1 == parts.size();
  const bool is_any = parts[part] == "**";
  if (is_any) Match(folder, parts, part + 1, depth + 1, found);
  if (!is_any && !IsPattern(parts[part])) {
    const fs::path child = folder / ToPath(parts[part]);
    return is_last ? AddMatch(child, found) : Match(child, parts, part + 1, depth + 1, found);
  }
  for (const fs::path& child : ChildrenOf(folder)) {
    std::error_code error;
    const bool is_folder = fs::is_directory(child, error);
    if (is_any) {
      if (is_folder && !fs::is_symlink(child, error)) Match(child, parts, part, depth + 1, found);
    } else if (MatchesName(parts[part], ToText(child.filename()))) {
      if (is_last) AddMatch(child, found);
      if (!is_last && is_folder) Match(child, parts, part + 1, depth + 1, found);
    }
  }
}

void AddPattern(const std::string& pattern, Found& found) {
  Parts parts;
  const fs::path path = ToPath(pattern);
  for (const fs::path& part : path.relative_path())
    parts.push_back(ToText(part));
  if (!parts.empty() && parts.back() == "**") parts.emplace_back("*");
  Match(path.root_path(), parts, 0, 0, found);
}

}  // namespace

bool MatchesName(std::string_view pattern, std::string_view name) {
  size_t at = 0;
  size_t i = 0;
  size_t star = std::string_view::npos;
  size_t restart = 0;  // the last *, and where the name goes on after it
  while (i < name.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      restart = i;
      continue;
    }
    const size_t next = MatchOne(pattern, at, name[i]);
    if (next != std::string_view::npos) {
      at = next;
      ++i;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      i = ++restart;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

Inputs ExpandInputs(const std::vector<std::string>& names) {
  Inputs inputs;
  std::set<std::string> paths;
  std::set<std::string> passed_over;
  for (const std::string& name : names) {
    std::error_code error;
    const bool exists = name == "-" || fs::exists(fs::symlink_status(ToPath(name), error));
    Found found;
    if (exists && name != "-" && fs::is_directory(ToPath(name), error)) {
      AddFolder(name, found);
    } else if (!exists && IsPattern(name)) {
      AddPattern(name, found);
    } else {
      found.paths.insert(name == "-" ? name : ToText(ToPath(name).lexically_normal()));
    }
    if (found.paths.empty()) inputs.unmatched.push_back(name);
    paths.merge(found.paths);
    passed_over.merge(found.passed_over);
  }
  inputs.paths.assign(paths.begin(), paths.end());
  inputs.passed_over.assign(passed_over.begin(), passed_over.end());
  return inputs;
}

}  // namespace dp2trace::trace_file
