#include "base/temporaries.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file_list.h"
#include "base/hash.h"
#include "os/files.h"
#include "os/path.h"
#include "os/process.h"

namespace dp2trace {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".tmp";
constexpr size_t kRandomDigits = 16;
constexpr size_t kMostOfName = 200;  // bytes; systems have names of 255 bytes

struct Registry {
  std::mutex mutex;
  std::condition_variable never;
  bool is_over = false;
  std::vector<std::pair<std::string, std::function<void()>>> removers;  // and their paths
  std::map<std::string, std::multimap<std::string, std::string>>
      remainders;  // by folder: whose, and its path
};

// Never destroyed: threads may outlive main().
Registry& TheRegistry() {
  static auto* const registry = new Registry;
  return *registry;
}

// Eight digits for the machine: process numbers of another one say nothing here.
const std::string& Host() {
  static const std::string host = [] { return Xxh3_128(AsBytes(HostName())).substr(0, 8); }();
  return host;
}

// As much of a name, in whole characters of UTF-8, as leaves room for the rest.
std::string BeginningOf(std::string name) {
  if (name.size() <= kMostOfName) return name;
  size_t size = kMostOfName;
  while (size > 1 && (static_cast<uint8_t>(name[size]) & 0xC0U) == 0x80U)
    --size;
  name.resize(size);
  return name;
}

// Takes the part after the last full stop off; empty where there is none.
std::string_view TakeLast(std::string_view& name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view last = name.substr(dot + 1);
  name = name.substr(0, dot);
  return last;
}

// The name of the file that somebody was writing who is gone; empty where it is none of this host.
std::string_view RemainderOf(std::string_view name) {
  if (!name.ends_with(kExtension)) return {};
  name.remove_suffix(kExtension.size());
  if (TakeLast(name).size() != kRandomDigits || TakeLast(name) != Host()) return {};
  const std::string_view digits = TakeLast(name);
  int64_t process = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), process);
  if (result.ec != std::errc() || result.ptr != digits.data() + digits.size() || process <= 0)
    return {};
  return IsRunning(process) ? std::string_view() : name;
}

std::multimap<std::string, std::string> FindRemainders(const std::string& folder) {
  std::multimap<std::string, std::string> found;
  std::error_code error;
  for (fs::directory_iterator entry(ToPath(folder), error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = ToText(entry->path().filename());
    if (const std::string_view owner = RemainderOf(name); !owner.empty())
      found.emplace(std::string(owner), ToText(entry->path()));
  }
  return found;
}

void RemoveAll(const std::string& path) {
  std::error_code error;
  fs::remove_all(ToPath(path), error);
  RemoveEmptyFolder(path);
}

}  // namespace

std::unique_lock<std::mutex> LockTemporaries() {
  Registry& registry = TheRegistry();
  std::unique_lock lock(registry.mutex);
  registry.never.wait(lock, [&registry] { return !registry.is_over; });
  return lock;
}

void AddTemporary(const std::string& path, std::function<void()> remove) {
  TheRegistry().removers.emplace_back(path, std::move(remove));
}

void ForgetTemporary(const std::string& path) {
  const auto lock = LockTemporaries();
  std::erase_if(TheRegistry().removers, [&](const auto& entry) { return entry.first == path; });
}

void RemoveTemporaries() {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  registry.is_over = true;
  // NOLINTNEXTLINE(modernize-loop-convert): Clang 14 cannot compile std::views::reverse of this library
  for (auto entry = registry.removers.rbegin(); entry != registry.removers.rend(); ++entry)
    entry->second();
  registry.removers.clear();
}

std::string TemporaryName(const std::string& path) {
  return fmt::format("{}{}.{}.{}.{}{}", PrefixOf(path), BeginningOf(NameOf(path)), ProcessNumber(),
                     Host(), RandomDigits(), kExtension);
}

void RemoveRemainders(const std::string& path) {
  const std::string folder = FolderOf(path);
  const auto lock = LockTemporaries();
  const auto [known, is_new] = TheRegistry().remainders.try_emplace(folder);
  if (is_new) known->second = FindRemainders(folder);
  const auto [first, last] = known->second.equal_range(BeginningOf(NameOf(path)));
  std::for_each(first, last, [](const auto& remainder) {
    // What cannot be removed is in nobody's way.
    std::error_code error;
    const bool is_folder = LookAt(remainder.second).kind == FileKind::kFolder;
    (void)(is_folder ? RemoveListed(remainder.second) : std::error_code());
    if (!is_folder) fs::remove(ToPath(remainder.second), error);
  });
  known->second.erase(first, last);
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  const std::string path =
      ToText(fs::temp_directory_path(error) / ToPath("dp2trace-" + RandomDigits()));
  const auto lock = LockTemporaries();
  if (error || CreateNewFolder(path, 0700)) return;
  path_ = path;
  AddTemporary(path_, [path] { RemoveAll(path); });
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  RemoveAll(path_);
  ForgetTemporary(path_);
}

}  // namespace dp2trace
