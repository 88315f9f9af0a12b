// Findings that a project has accepted, in a file: known by rule, file and fingerprint, each with a reason and perhaps a last day.
//
//   {"version":1,"entries":[
//   {"rule":"DP2-RS-006","file":"traces/menu.dp2t","fingerprint":"0a..:1","reason":"fixed in the next driver","expires":"2026-12-31"}]}
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "base/status.h"
#include "lint/finding_writer.h"

namespace dp2trace::lint {

class Baseline {
 public:
  // `today` as "2026-12-31": an entry counts up to and with the day that it names.
  explicit Baseline(std::string today) : today_(std::move(today)) {}

  Status Read(const std::string& path);
  // Marks the findings of the file that have an entry in force, and takes them out of its counts.
  void Apply(FileFindings& file);
  // Makes the findings of the file entries, with the reasons and last days that they have; what has expired loses its last day.
  void Update(const FileFindings& file);

  // What the user should know after all files: entries that have expired, and entries without a finding. Of a file that was not
  // looked at nothing is said.
  std::vector<std::string> Notes() const;
  // After Update(): what is in the files that were looked at, and the entries of others.
  std::string Json() const;

 private:
  struct Entry {
    std::string reason;
    std::string expires;  // empty: never
    bool is_used = false;
    bool is_current = false;  // seen by Update()
  };
  using Key = std::tuple<std::string, std::string, std::string>;  // file, rule, fingerprint

  bool HasExpired(const Entry& entry) const {
    return !entry.expires.empty() && entry.expires < today_;
  }

  std::string today_;
  std::map<Key, Entry> entries_;
  std::map<std::string, bool> files_;  // that were looked at
};

}  // namespace dp2trace::lint
