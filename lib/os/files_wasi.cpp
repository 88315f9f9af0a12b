#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "os/files.h"
#include "os/path.h"
#include "os/wasi/memory_files.h"

namespace dp2trace {
namespace {

using Content = std::shared_ptr<std::vector<uint8_t>>;

struct OpenFile {
  Content content;
  size_t position = 0;
};

// By name; a file that is open outlives its name.
std::map<std::string, Content>& Files() {
  static std::map<std::string, Content> files;
  return files;
}

// By number.
std::map<int, OpenFile>& OpenFiles() {
  static std::map<int, OpenFile> files;
  return files;
}

std::error_code Missing() {
  return std::make_error_code(std::errc::no_such_file_or_directory);
}

// Null: standard input and output, of which there are none, and what is closed.
OpenFile* Find(const Descriptor& file) {
  const auto found = OpenFiles().find(file.number());
  return found == OpenFiles().end() ? nullptr : &found->second;
}

std::error_code Open(Content content, size_t position, Descriptor& file) {
  if (content == nullptr) return Missing();
  static int last = 2;
  OpenFiles()[++last] = {std::move(content), position};
  file = Descriptor(last);
  return {};
}

FileState StateOf(const Content& content) {
  FileState state;
  if (content == nullptr) return state;
  state.kind = FileKind::kRegular;
  state.mode = kNewFileMode;
  state.size = content->size();
  state.number = reinterpret_cast<uintptr_t>(content.get());
  return state;
}

}  // namespace

std::shared_ptr<std::vector<uint8_t>> FindMemoryFile(const std::string& path) {
  const auto found = Files().find(path);
  return found == Files().end() ? nullptr : found->second;
}

void PutMemoryFile(const std::string& path, std::vector<uint8_t> bytes) {
  Files()[path] = std::make_shared<std::vector<uint8_t>>(std::move(bytes));
}

bool RemoveMemoryFile(const std::string& path) {
  return Files().erase(path) != 0;
}

std::error_code Descriptor::Close() {
  OpenFiles().erase(std::exchange(number_, -1));
  return {};
}

FileState LookAt(const std::string& path) {
  return StateOf(FindMemoryFile(path));
}

FileState LookAt(const Descriptor& file) {
  const OpenFile* const open = Find(file);
  return StateOf(open == nullptr ? nullptr : open->content);
}

std::error_code FollowLinks(std::string&) {
  return {};
}

std::error_code OpenToRead(const std::string& path, Descriptor& file) {
  return Open(FindMemoryFile(path), 0, file);
}

std::error_code OpenToWrite(const std::string& path, Descriptor& file) {
  return Open(FindMemoryFile(path), 0, file);
}

std::error_code OpenToAppend(const std::string& path, Descriptor& file) {
  if (FindMemoryFile(path) == nullptr) PutMemoryFile(path, {});
  const Content content = FindMemoryFile(path);
  return Open(content, content->size(), file);
}

std::error_code CreateNew(const std::string& path, uint32_t, Descriptor& file) {
  if (FindMemoryFile(path) != nullptr) return std::make_error_code(std::errc::file_exists);
  PutMemoryFile(path, {});
  return Open(FindMemoryFile(path), 0, file);
}

std::error_code CreateNewFolder(const std::string&, uint32_t) {
  return {};
}

void RemoveEmptyFolder(const std::string&) {}

std::error_code ReadSome(const Descriptor& file, std::span<uint8_t> out, size_t& count) {
  count = 0;
  OpenFile* const open = Find(file);
  if (open == nullptr) return std::make_error_code(std::errc::bad_file_descriptor);
  const size_t left = open->content->size() - std::min(open->position, open->content->size());
  count = std::min(out.size(), left);
  std::copy_n(open->content->begin() + static_cast<ptrdiff_t>(open->position), count, out.begin());
  open->position += count;
  return {};
}

std::error_code ReadFully(const Descriptor& file, std::span<uint8_t> out, size_t& count) {
  return ReadSome(file, out, count);
}

bool AwaitInput(const Descriptor&, std::chrono::milliseconds) {
  return false;
}

std::error_code WriteFully(const Descriptor& file, std::span<const uint8_t> bytes) {
  OpenFile* const open = Find(file);
  if (open == nullptr) return std::make_error_code(std::errc::bad_file_descriptor);
  std::vector<uint8_t>& content = *open->content;
  content.resize(std::max(content.size(), open->position + bytes.size()));
  std::copy(bytes.begin(), bytes.end(), content.begin() + static_cast<ptrdiff_t>(open->position));
  open->position += bytes.size();
  return {};
}

std::error_code MoveTo(const Descriptor& file, uint64_t position) {
  OpenFile* const open = Find(file);
  if (open == nullptr) return std::make_error_code(std::errc::bad_file_descriptor);
  open->position = static_cast<size_t>(position);
  return {};
}

std::error_code Synchronize(const Descriptor&) {
  return {};
}

void TakeOwnerAndMode(const Descriptor&, const FileState&) {}

std::error_code Rename(const std::string& from, const std::string& to) {
  const Content content = FindMemoryFile(from);
  if (content == nullptr) return Missing();
  Files()[to] = content;
  Files().erase(from);
  return {};
}

std::error_code RenameToNew(const std::string& from, const std::string& to) {
  if (FindMemoryFile(to) != nullptr) return std::make_error_code(std::errc::file_exists);
  return Rename(from, to);
}

std::error_code ExchangeNames(const std::string& one, const std::string& other) {
  if (FindMemoryFile(one) == nullptr || FindMemoryFile(other) == nullptr) return Missing();
  std::swap(Files()[one], Files()[other]);
  return {};
}

std::error_code TakeLock(Descriptor&, bool) {
  return {};
}

}  // namespace dp2trace
