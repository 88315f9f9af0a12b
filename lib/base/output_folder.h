// A folder that appears whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "os/files.h"

namespace dp2trace {

// Filled under a temporary name beside PATH, which then takes the place of PATH, in one step where the system can do that. A link is
// followed. Each folder has a list of its files (file_list.h): one that is there already is replaced only where it is empty or holds
// what its list has and nothing else. Of two programs that write one folder the later one replaces what the other wrote. Errors: IO-001.
class OutputFolder {
 public:
  // `kind` says what writes it ("golden report"); another one does not replace it.
  static Result<OutputFolder> Create(const std::string& path, const std::string& kind);
  OutputFolder(OutputFolder&& other) noexcept;
  OutputFolder& operator=(OutputFolder&& other) noexcept;
  ~OutputFolder();

  // Where files go until Commit().
  const std::string& temporary() const { return temporary_; }
  // Writes a new file below it, and the folders on the way.
  Status Write(const std::string& file, std::string_view text) const;
  Status Copy(const std::string& from, const std::string& file) const;
  // Allows more such folders in this one ("inspect"): they are made under temporary() / name.
  Status AllowFoldersIn(const std::string& name) const;
  Status Commit();

 private:
  OutputFolder() = default;
  Status List(const std::string& name) const;
  Status Replace() const;
  std::error_code ReplaceInTwoSteps(std::string& replaced) const;
  Status RemoveReplaced(const std::string& replaced) const;
  void Discard();

  std::string path_;  // as the caller names it
  std::string target_;
  std::string kind_;
  std::string temporary_;  // empty: nothing to discard
  Descriptor list_;
};

}  // namespace dp2trace
