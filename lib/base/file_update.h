// Programs that write where others write: who waits, and who is refused. The locks lie on the files themselves: nothing stays of them.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "os/files.h"

namespace dp2trace {

// A file that is read, changed and written again. Programs that do so wait for one another, and what anybody else writes meanwhile is not
// overwritten. Errors: IO-001, TRACE-001.
class FileUpdate {
 public:
  // Before the file is read. Waits until no other program updates it; it need not be there.
  static Result<FileUpdate> Begin(const std::string& path);

  // False: there is nothing to read yet.
  bool is_there() const { return !hash_.empty(); }
  // Replaces the file; fails where it is no longer what it was at Begin().
  Status Commit(std::string_view text);

 private:
  std::string path_, hash_;
  Descriptor lock_;
};

// For a program that fills a folder, which is there, file by file. Fails where another one does. The lock lasts as long as the object.
Result<Descriptor> LockFolder(const std::string& path);

}  // namespace dp2trace
