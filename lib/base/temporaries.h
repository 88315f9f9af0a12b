// What the program has under construction: files and folders with temporary names, which an interruption must not leave behind.
#pragma once

#include <functional>
#include <mutex>
#include <string>

namespace dp2trace {

// Held while something with a temporary name is made or takes its place. Behind RemoveTemporaries() it is never had again: what waits
// for it ends with the program.
std::unique_lock<std::mutex> LockTemporaries();
// With the lock: remembers that something lies, or is about to lie, at `path`, and how it is removed.
void AddTemporary(const std::string& path, std::function<void()> remove);
// Without the lock: it has its place, or was removed.
void ForgetTemporary(const std::string& path);

// Removes all of them, for good: the program ends at once. For a thread of its own, not for a signal handler.
void RemoveTemporaries();

// "PATH.PID.HOST.tmp": a name for this process alone.
std::string TemporaryName(const std::string& path);
// Removes files with such names of `path` whose process was on this host and is gone: it was killed. Folders are read once.
void RemoveRemainders(const std::string& path);

}  // namespace dp2trace
