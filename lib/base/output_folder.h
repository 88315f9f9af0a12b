// A folder that appears whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace dp2trace {

// The folder that a path lies in; "." for a name alone.
std::string FolderOf(const std::string& path);

// Filled under the name PATH.tmp, which then takes the place of PATH, in one step where the system can do that. What an interrupted
// program left under that name is replaced. Errors: IO-001.
class OutputFolder {
 public:
  // A folder that is there already is replaced only where it is empty or its file `mark`, directly in it, has the text `sign` near its
  // beginning: nothing that somebody else made is ever deleted.
  static Result<OutputFolder> Create(const std::string& path, const std::string& mark,
                                     const std::string& sign);
  OutputFolder(OutputFolder&& other) noexcept;
  OutputFolder& operator=(OutputFolder&& other) noexcept;
  ~OutputFolder();

  // Where files go until Commit().
  const std::string& temporary() const { return temporary_; }
  // Writes a file below it, and the folders on the way. The caller writes `mark` first.
  Status Write(const std::string& file, std::string_view text) const;
  Status Copy(const std::string& from, const std::string& file) const;
  Status Commit();

 private:
  OutputFolder() = default;
  void Discard();

  std::string path_;
  std::string mark_;
  std::string temporary_;  // empty: nothing to discard
};

}  // namespace dp2trace
