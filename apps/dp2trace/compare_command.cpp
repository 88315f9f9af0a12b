#include "compare_command.h"

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "compare_forms.h"
#include "console.h"
#include "image/compare_pairs.h"
#include "options.h"

namespace dp2trace::app {
namespace {

struct CompareOptions {
  std::string expected;
  std::string actual;
  std::string output;  // file, or folder for folders; empty: no difference pictures
  bool json = false;
};

ExitCode CodeOf(image::PairState state) {
  switch (state) {
    case image::PairState::kEqual:
      return ExitCode::kOk;
    case image::PairState::kDifferent:
    case image::PairState::kMissing:
    case image::PairState::kExtra:
      return ExitCode::kFindings;
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

Result<std::vector<image::PicturePair>> PairsOf(const CompareOptions& options, bool are_folders) {
  if (are_folders) return image::PairPictures(options.expected, options.actual);
  return std::vector<image::PicturePair>{{options.expected, options.expected, options.actual}};
}

// Of two folders the difference pictures go to the same places in a third one.
image::DifferencePlace PlaceOf(const CompareOptions& options, const image::PicturePair& pair,
                               bool are_folders) {
  if (options.output.empty() || !are_folders) return {options.output, false};
  return {(std::filesystem::path(options.output) / pair.name).string(), true};
}

ExitCode RunCompare(const CompareOptions& options) {
  const bool are_folders = IsFolder(options.expected) || IsFolder(options.actual);
  if (are_folders && (IsFile(options.expected) || IsFile(options.actual))) {
    PrintError("compare takes two pictures or two folders, not one of each");
    return ExitCode::kUsage;
  }
  const Result<std::vector<image::PicturePair>> pairs = PairsOf(options, are_folders);
  if (!pairs.ok()) return ReportFailure(options.expected, pairs.status());
  ExitCode code = pairs->empty() ? ExitCode::kNothingToDo : ExitCode::kOk;
  std::vector<image::PairResult> results;
  for (const image::PicturePair& pair : *pairs) {
    results.push_back(image::ComparePair(pair, PlaceOf(options, pair, are_folders)));
    code = Worse(code, CodeOf(results.back().state));
    for (const auto& [path, status] : results.back().failures)
      code = Worse(code, ReportFailure(path, status));
  }
  return Worse(code, ReportOutput(WriteResult(options.json ? JsonOf(results) : TextOf(results))));
}

}  // namespace

void AddCompareCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand(
      "compare", "Compare two pictures, or two folders of pictures, pixel by pixel");
  command->add_option("A", options->expected, "Expected PNG file or folder")->required();
  command->add_option("B", options->actual, "Actual PNG file or folder")->required();
  command
      ->add_option("-o,--output", options->output,
                   "Where to write the picture of the differences (for folders: a folder)")
      ->type_name("DIFF.png");
  AddFormat(*command, options->json);
  AddExample(*command, "dp2trace compare expected.png actual.png -o difference.png");
  command->callback([options, &code] { code = RunCompare(*options); });
}

}  // namespace dp2trace::app
