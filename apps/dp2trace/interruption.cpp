#include "interruption.h"

#include <mutex>
#include <utility>

#include "base/temporaries.h"
#include "console.h"
#include "os/interruption.h"

namespace dp2trace::app {
namespace {

struct Note {
  std::mutex mutex;
  std::function<std::string()> make;
};
// Never destroyed: the thread that waits outlives main().
Note& TheNote() {
  static auto* const note = new Note;
  return *note;
}

}  // namespace

void CleanUpWhenInterrupted() {
  WatchInterruption([] {
    RemoveTemporaries();
    Note& note = TheNote();
    const std::lock_guard lock(note.mutex);
    if (note.make) PrintNote("interrupted: " + note.make());
  });
}

InterruptionNote::InterruptionNote(std::function<std::string()> note) {
  const std::lock_guard lock(TheNote().mutex);
  TheNote().make = std::move(note);
}

InterruptionNote::~InterruptionNote() {
  const std::lock_guard lock(TheNote().mutex);
  TheNote().make = nullptr;
}

}  // namespace dp2trace::app
