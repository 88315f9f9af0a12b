#include "image/picture_pairs.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <system_error>

#include "rules/rule.h"

namespace dp2trace::image {
namespace {

using PairsByName = std::map<std::string, PicturePair>;

// Adds the pictures below `folder`, each to the `side` of its name.
Status Collect(const std::string& folder, std::string PicturePair::*side, PairsByName& pairs) {
  std::error_code error;
  std::filesystem::recursive_directory_iterator file(folder, error);
  while (!error && file != std::filesystem::recursive_directory_iterator()) {
    if (file->path().extension() == ".png" && !file->is_directory(error)) {
      const std::string name = file->path().lexically_relative(folder).generic_string();
      pairs[name].*side = file->path().string();
    }
    if (!error) file.increment(error);
  }
  if (!error) return OkStatus();
  return Status(MakeDiagnostic(
      Rule::kIo002, fmt::format("cannot read the folder {}: {}", folder, error.message())));
}

}  // namespace

Result<std::vector<PicturePair>> PairPictures(const std::string& expected_folder,
                                              const std::string& actual_folder) {
  PairsByName by_name;
  DP2TRACE_RETURN_IF_ERROR(Collect(expected_folder, &PicturePair::expected, by_name));
  DP2TRACE_RETURN_IF_ERROR(Collect(actual_folder, &PicturePair::actual, by_name));
  std::vector<PicturePair> pairs;
  for (auto& [name, pair] : by_name) {
    pair.name = name;
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

}  // namespace dp2trace::image
