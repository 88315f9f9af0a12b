#include "compare_command.h"

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "compare_forms.h"
#include "compare_options.h"
#include "console.h"
#include "image/compare_pairs.h"
#include "options.h"

namespace dp2trace::app {
namespace {

// A picture of a folder that is missing is a difference; a file that was named and is not there is no input.
ExitCode CodeOf(image::PairState state, bool are_folders) {
  switch (state) {
    case image::PairState::kEqual:
    case image::PairState::kAccepted:
      return ExitCode::kOk;
    case image::PairState::kDifferent:
      return ExitCode::kFindings;
    case image::PairState::kMissing:
    case image::PairState::kExtra:
      return are_folders ? ExitCode::kFindings : ExitCode::kInput;
    case image::PairState::kUnreadable:
      break;
  }
  return ExitCode::kInput;
}

bool IsFolder(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

// Something that is there and no folder.
bool IsFile(const std::string& path) {
  std::error_code error;
  return path == "-" || (std::filesystem::exists(path, error) && !IsFolder(path));
}

Result<std::vector<image::PicturePair>> PairsOf(const CompareVerb& options) {
  if (options.are_folders) return image::PairPictures(options.expected, options.actual);
  return std::vector<image::PicturePair>{{options.expected, options.expected, options.actual}};
}

// Of two folders the difference pictures go to the same places in a third one.
image::DifferencePlace PlaceOf(const CompareVerb& options, const image::PicturePair& pair) {
  if (options.output.empty() || !options.are_folders) return {options.output, false};
  return {(std::filesystem::path(options.output) / pair.name).string(), true};
}

// Says on standard error what cannot be read.
ExitCode Report(const CompareVerb& options, const image::PairResult& result) {
  const ExitCode code = CodeOf(result.state, options.are_folders);
  const bool is_missing = result.state == image::PairState::kMissing;
  if (code == ExitCode::kInput && (is_missing || result.state == image::PairState::kExtra))
    PrintError("there is no picture " + (is_missing ? options.actual : options.expected));
  ExitCode worst = code;
  for (const auto& [path, status] : result.failures)
    worst = Worse(worst, ReportFailure(path, status));
  return worst;
}

ExitCode RunCompare(CompareVerb options) {
  options.are_folders = IsFolder(options.expected) || IsFolder(options.actual);
  if (options.are_folders && (IsFile(options.expected) || IsFile(options.actual))) {
    return UsageError("compare takes two pictures or two folders, not one of each");
  }
  const Result<std::vector<image::PicturePair>> pairs = PairsOf(options);
  if (!pairs.ok()) {
    PrintError(pairs.status().diagnostic().message);
    return ExitCode::kInput;
  }
  ExitCode code = pairs->empty() ? ExitCode::kNothingToDo : ExitCode::kOk;
  if (pairs->empty()) PrintError("neither folder has a picture");
  std::vector<image::PairResult> results;
  for (const image::PicturePair& pair : *pairs) {
    results.push_back(image::ComparePair(pair, PlaceOf(options, pair), options.pairs));
    code = Worse(code, Report(options, results.back()));
  }
  return Worse(
      code, ReportOutput(WriteResult(options.json ? JsonOf(results) : TextOf(options, results))));
}

}  // namespace

void AddCompareCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<CompareVerb>();
  CLI::App* command = app.add_subcommand(
      "compare", "Compare two pictures, or two folders of pictures, pixel by pixel");
  AddCompareOptions(*command, *options);
  AddExample(*command, "dp2trace compare expected.png actual.png --tolerance 2 -o difference.png");
  command->callback([options, &code] { code = RunCompare(*options); });
}

}  // namespace dp2trace::app
