// Findings that a project has accepted, in a file: known by rule, file and fingerprint, each with a reason and perhaps a last day.
//
//   {"version":3,"entries":[
//   {"rule":"DP2-RS-006","file":"traces/menu.dp2t","fingerprint":"0a..","count":3,"reason":"fixed in the next driver",
//    "expires":"2026-12-31","message":"..."}]}
//
// The fingerprint is that of lint/fingerprint.h without the occurrence: an entry accepts so many occurrences (1 where it does not say), in
// the order of the file, and what recurs of it: a cause (Diagnostic::cause) is one, however often it is met, and so is what other frames say
// again, whether they are listed (--all) or not. Names of files are relative to the folder of the baseline; before version 3 to the current
// folder, as the command line had them. In version 1 different findings had one fingerprint: such a baseline only lends its reasons to an update.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/status.h"
#include "lint/finding_writer.h"

namespace dp2trace::lint {

class Baseline {
 public:
  // `path`: of the file. `today` as "2026-12-31": an entry counts up to and with the day that it names.
  Baseline(std::string path, std::string today)
      : path_(std::move(path)), today_(std::move(today)) {}

  // Fails for a file of version 1, unless it is read to be updated.
  Status Read(bool is_updated);
  // Marks the findings of the file that have an entry in force, and takes them out of its counts.
  void Apply(FileFindings& file);
  // Makes the findings of the file entries, with the reasons and last days that they have; what has expired stays so, and counts.
  void Update(const FileFindings& file);

  // What the user should know after all files: entries that have expired, and entries of which less is found than they accept. Of a file
  // that was not looked at nothing is said.
  std::vector<std::string> Notes() const;
  // After Update(): how many entries there are, are new and are gone; those that have expired; of version 1 what was not taken over.
  std::vector<std::string> UpdateNotes() const;
  // After Update(): what is in the files that were looked at, and the entries of others.
  std::string Json() const;

 private:
  struct Entry {
    std::string message, place;  // of its first finding, for people
    std::string reason;
    std::string expires;  // empty: never
    bool is_new = false;
    uint64_t count = 1;
    uint64_t found = 0;                   // occurrences, by Apply()
    uint64_t current = 0;                 // the same, by Update()
    std::optional<uint64_t> first_frame;  // of these
  };
  using Key = std::tuple<std::string, std::string, std::string>;  // file, rule, fingerprint
  // Why findings of a rule in a file are accepted, from version 1; nothing where it gave several reasons.
  using OldReasons = std::map<std::pair<std::string, std::string>, std::optional<Entry>>;

  // What entries call a file.
  std::string NameOf(const std::string& file) const;
  void AddOldEntry(const std::string& file, const std::string& rule, const Entry& entry);

  // Whether an occurrence of the entry recurs in the finding, which is not counted then.
  static bool IsAgain(const Entry& entry, const Diagnostic& finding);
  bool HasExpired(const Entry& entry) const {
    return !entry.expires.empty() && entry.expires < today_;
  }

  std::string path_;
  std::string today_;
  std::map<Key, Entry> entries_;
  OldReasons old_reasons_;
  std::map<std::string, bool> files_;  // that were looked at
};

}  // namespace dp2trace::lint
