#include "compare_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "console.h"
#include "image/compare.h"
#include "image/picture_pairs.h"
#include "image/png.h"
#include "json/text.h"
#include "options.h"

namespace dp2trace::app {
namespace {

struct CompareOptions {
  std::string expected;
  std::string actual;
  std::string output;  // file, or folder for folders; empty: no difference pictures
  bool json = false;
};

enum class PairState { kEqual, kDifferent, kMissing, kExtra, kUnreadable };
constexpr std::string_view kStateNames[] = {"equal", "different", "missing", "extra", "unreadable"};

struct PairResult {
  image::PicturePair pair;
  PairState state = PairState::kUnreadable;
  image::Comparison comparison;
  std::string difference_file;  // where one was written
};

std::string_view Name(PairState state) {
  return kStateNames[static_cast<size_t>(state)];
}

ExitCode CodeOf(PairState state) {
  switch (state) {
    case PairState::kEqual:
      return ExitCode::kOk;
    case PairState::kDifferent:
    case PairState::kMissing:
    case PairState::kExtra:
      return ExitCode::kFindings;
    case PairState::kUnreadable:
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

// The picture, or nothing after a line that says why.
std::optional<image::Picture> Read(const std::string& path) {
  Result<image::Picture> picture = image::ReadPng(path);
  if (picture.ok()) return std::move(*picture);
  (void)ReportFailure(path, picture.status());
  return std::nullopt;
}

// Where the difference picture of a pair goes; an empty path: nowhere.
struct DifferencePlace {
  std::string path;
  bool makes_folders = false;
};

Status WriteDifference(const image::Picture& expected, const image::Picture& actual,
                       const DifferencePlace& place) {
  const Result<image::Picture> difference = image::DifferencePicture(expected, actual);
  if (!difference.ok()) return difference.status();
  if (place.makes_folders) {
    std::error_code ignored;  // writing the file says what is wrong
    std::filesystem::create_directories(std::filesystem::path(place.path).parent_path(), ignored);
  }
  return image::WritePng(place.path, *difference);
}

// Compares one pair; writes a difference picture where the pixels differ.
PairResult ComparePair(const image::PicturePair& pair, const DifferencePlace& place,
                       ExitCode& code) {
  PairResult result;
  result.pair = pair;
  if (pair.expected.empty() || pair.actual.empty()) {
    result.state = pair.actual.empty() ? PairState::kMissing : PairState::kExtra;
    return result;
  }
  const std::optional<image::Picture> expected = Read(pair.expected);
  const std::optional<image::Picture> actual = Read(pair.actual);
  if (!expected || !actual) return result;
  result.comparison = image::Compare(*expected, *actual);
  result.state = result.comparison.equal() ? PairState::kEqual : PairState::kDifferent;
  if (result.comparison.equal() || place.path.empty()) return result;
  const Status written = WriteDifference(*expected, *actual, place);
  if (written.ok()) {
    result.difference_file = place.path;
  } else {
    code = Worse(code, ReportFailure(place.path, written));
  }
  return result;
}

std::string TextOf(const std::vector<PairResult>& results) {
  std::string text;
  size_t equal = 0;
  for (const PairResult& result : results) {
    equal += result.state == PairState::kEqual ? 1U : 0U;
    const bool is_different = result.state == PairState::kDifferent;
    if (result.state == PairState::kEqual && results.size() > 1) continue;
    text += fmt::format("{}: {}\n", result.pair.name,
                        is_different ? image::Describe(result.comparison) : Name(result.state));
  }
  if (results.size() > 1)
    text += fmt::format("{} of {} pictures are equal\n", equal, results.size());
  return text;
}

void AppendComparison(const image::Comparison& comparison, json::Text& text) {
  text.Raw(fmt::format(
      R"(,"same_size":{},"differing_pixels":{},"bounds":[{},{},{},{}],"max_difference":[{}])",
      comparison.same_size, comparison.differing_pixels, comparison.left, comparison.top,
      comparison.right - comparison.left, comparison.bottom - comparison.top,
      fmt::join(comparison.max_difference, ",")));
  if (!comparison.first) return;
  const image::PixelDifference& first = *comparison.first;
  text.Raw(fmt::format(R"(,"first":{{"x":{},"y":{},"expected":"{:02x}","actual":"{:02x}"}})",
                       first.x, first.y, fmt::join(first.expected, ""),
                       fmt::join(first.actual, "")));
}

std::string JsonOf(const std::vector<PairResult>& results) {
  json::Text text;
  text.Raw("{\"pictures\":[");
  for (const PairResult& result : results) {
    text.Separate();
    text.Raw("\n{\"name\":");
    text.String(result.pair.name);
    text.Raw(",\"state\":");
    text.Name(Name(result.state));
    if (result.state == PairState::kDifferent) AppendComparison(result.comparison, text);
    if (!result.difference_file.empty()) {
      text.Raw(",\"difference\":");
      text.String(result.difference_file);
    }
    text.Raw('}');
  }
  text.Raw("\n]}\n");
  return text.string();
}

Result<std::vector<image::PicturePair>> PairsOf(const CompareOptions& options, bool are_folders) {
  if (are_folders) return image::PairPictures(options.expected, options.actual);
  return std::vector<image::PicturePair>{{options.expected, options.expected, options.actual}};
}

// Of two folders the difference pictures go to the same places in a third one.
DifferencePlace PlaceOf(const CompareOptions& options, const image::PicturePair& pair,
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
  std::vector<PairResult> results;
  for (const image::PicturePair& pair : *pairs) {
    results.push_back(ComparePair(pair, PlaceOf(options, pair, are_folders), code));
    code = Worse(code, CodeOf(results.back().state));
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
