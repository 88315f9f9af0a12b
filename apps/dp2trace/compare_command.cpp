#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "base/output_folder.h"
#include "compare/compare_forms.h"
#include "compare/compare_pairs.h"
#include "compare/difference_folder.h"
#include "compare/picture_pairs.h"
#include "compare_options.h"
#include "compare_summary.h"
#include "console.h"
#include "options.h"
#include "os/path.h"
#include "sandbox_option.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

bool IsFolder(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(ToPath(path), error);
}

// Something that is there and no folder.
bool IsFile(const std::string& path) {
  std::error_code error;
  return path == "-" || (std::filesystem::exists(ToPath(path), error) && !IsFolder(path));
}

Result<compare::PairedPictures> PairsOf(const CompareOptions& options) {
  if (options.are_folders) return compare::PairPictures(options.expected, options.actual);
  return compare::PairedPictures{{{options.expected, options.expected, options.actual}}, {}};
}

// Of two folders the difference pictures go to the same places in a third one.
compare::DifferencePlace PlaceOf(const CompareOptions& options, const compare::PicturePair& pair) {
  if (options.output.empty() || !options.are_folders) return {options.output, false};
  return {ToText(ToPath(options.output) / ToPath(pair.name)), true};
}

// Two names of one file or folder.
bool IsSame(const std::string& one, const std::string& other) {
  std::error_code error;
  return std::filesystem::equivalent(ToPath(one), ToPath(other), error);
}

// Links lead to pictures anywhere: their folders are known now.
void ConfineTo(const CompareOptions& options, const compare::PairedPictures& paired) {
  std::set<std::string> folders;
  for (const compare::PicturePair& pair : paired.pairs) {
    for (const std::string& path : {pair.expected, pair.actual}) {
      if (!path.empty()) folders.insert(path == "-" ? path : FolderOf(path));
    }
  }
  Confinement confinement = {.inputs = {folders.begin(), folders.end()}};
  (options.are_folders ? confinement.folders : confinement.files).push_back(options.output);
  Confine(options.is_sandboxed, confinement);
}

ExitCode RunCompare(CompareOptions options) {
  options.are_folders = IsFolder(options.expected) || IsFolder(options.actual);
  if (options.are_folders && (IsFile(options.expected) || IsFile(options.actual))) {
    return UsageError("compare takes two pictures or two folders, not one of each");
  }
  if (IsSame(options.output, options.expected) || IsSame(options.output, options.actual)) {
    return UsageError("-o names what is compared: the differences would take its place");
  }
  const Result<compare::PairedPictures> paired = PairsOf(options);
  if (!paired.ok()) {
    PrintError(paired.status().diagnostic().message);
    return ExitCode::kInput;
  }
  std::vector<std::string> places;
  for (const compare::PicturePair& pair : paired->pairs)
    places.push_back(PlaceOf(options, pair).path);
  if (CheckPlaces(places, options.is_forced) != ExitCode::kOk) return ExitCode::kUsage;
  ConfineTo(options, *paired);
  for (const std::string& link : paired->broken_links)
    PrintNote(link + " is a dangling link; skipped");
  compare::DifferenceFolder folder;
  if (options.are_folders && !options.output.empty()) {
    if (const Status opened = folder.Open(options.output); !opened.ok())
      return ReportFailure(options.output, opened);
  }
  ExitCode code = ExitCode::kOk;
  std::vector<compare::PairResult> results;
  for (const compare::PicturePair& pair : paired->pairs) {
    results.push_back(compare::ComparePair(pair, PlaceOf(options, pair), options.pairs));
    code = Worse(code, ReportPair(options, results.back()));
  }
  code = Worse(code, CheckCompared(results));
  const compare::Compared compared = {.expected = options.expected,
                                      .actual = options.actual,
                                      .are_folders = options.are_folders,
                                      .tolerance = options.pairs.loose.tolerance};
  return Worse(code,
               ReportOutput(WriteResult(options.json ? compare::ReportJson(results)
                                                     : compare::ReportText(compared, results))));
}

}  // namespace

void AddCompare(Verb& program) {
  auto options = std::make_shared<CompareOptions>();
  Verb& command = program.AddVerb(
      "compare", "Compare two pictures, or two folders of pictures, pixel by pixel");
  AddCompareOptions(command, *options);
  command.SetExample("dp2trace compare expected.png actual.png --tolerance 2 -o difference.png");
  command.OnRun([options] { return RunCompare(*options); });
}

}  // namespace dp2trace::app
