#include "base/temporaries.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/hash.h"
#include "base/output_folder.h"

namespace dp2trace {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".tmp";

struct Registry {
  std::mutex mutex;
  std::condition_variable never;
  bool is_over = false;
  std::map<std::string, std::function<void()>> removers;  // by path
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
  static const std::string host = [] {
    std::array<char, 256> name{};
    (void)gethostname(name.data(), name.size() - 1);
    const std::string_view text(name.data());
    return Xxh3_128({reinterpret_cast<const uint8_t*>(text.data()), text.size()}).substr(0, 8);
  }();
  return host;
}

// Takes the part behind the last full stop off; empty where there is none.
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
  if (TakeLast(name) != Host()) return {};
  const std::string_view digits = TakeLast(name);
  pid_t process = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), process);
  if (result.ec != std::errc() || result.ptr != digits.data() + digits.size() || process <= 0)
    return {};
  return kill(process, 0) != 0 && errno == ESRCH ? name : std::string_view();
}

std::multimap<std::string, std::string> FindRemainders(const fs::path& folder) {
  std::multimap<std::string, std::string> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (const std::string_view owner = RemainderOf(name); !owner.empty())
      found.emplace(std::string(owner), entry->path().string());
  }
  return found;
}

}  // namespace

std::unique_lock<std::mutex> LockTemporaries() {
  Registry& registry = TheRegistry();
  std::unique_lock lock(registry.mutex);
  registry.never.wait(lock, [&registry] { return !registry.is_over; });
  return lock;
}

void AddTemporary(const std::string& path, std::function<void()> remove) {
  TheRegistry().removers[path] = std::move(remove);
}

void ForgetTemporary(const std::string& path) {
  const auto lock = LockTemporaries();
  TheRegistry().removers.erase(path);
}

void RemoveTemporaries() {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  registry.is_over = true;
  for (const auto& [path, remove] : registry.removers)
    remove();
  registry.removers.clear();
}

std::string TemporaryName(const std::string& path) {
  return fmt::format("{}.{}.{}{}", path, getpid(), Host(), kExtension);
}

void RemoveRemainders(const std::string& path) {
  const fs::path file(path);
  const std::string folder = FolderOf(path);
  const auto lock = LockTemporaries();
  const auto [known, is_new] = TheRegistry().remainders.try_emplace(folder);
  if (is_new) known->second = FindRemainders(folder);
  const auto [first, last] = known->second.equal_range(file.filename().string());
  std::error_code error;
  std::for_each(first, last, [&error](const auto& remainder) {
    fs::remove(remainder.second, error);  // what cannot be removed is in nobody's way
  });
  known->second.erase(first, last);
}

}  // namespace dp2trace
