// What the program has under construction: files and folders with temporary names, which an interruption must not leave behind.
#pragma once

#include <functional>
#include <mutex>
#include <string>

namespace dp2trace {

// Held while something with a temporary name is made or takes its place. After RemoveTemporaries() it is never had again: what waits
// for it ends with the program.
std::unique_lock<std::mutex> LockTemporaries();
// With the lock: remembers that something lies, or is about to lie, at `path`, and how it is removed.
void AddTemporary(const std::string& path, std::function<void()> remove);
// Without the lock: it has its place, or was removed.
void ForgetTemporary(const std::string& path);

// Removes all of them, the last one first, for good: the program ends at once. For a thread of its own, not for a signal handler.
void RemoveTemporaries();

// "PATH.PID.HOST.RANDOM.tmp": a name only for this process, which nobody can foresee.
std::string TemporaryName(const std::string& path);
// Removes files with such names of `path` whose process was on this host and is gone: it was killed; of folders what they list
// (file_list.h). What they lie in is read once.
void RemoveRemainders(const std::string& path);

// A folder only for this object in the system's folder of temporary files; goes away with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  // Empty: it could not be made.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace dp2trace
