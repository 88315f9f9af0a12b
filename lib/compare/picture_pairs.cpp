#include "compare/picture_pairs.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <utility>

#include "base/file_walk.h"
#include "os/path.h"
#include "rules/rule.h"

namespace dp2trace::compare {
namespace {

using PairsByName = std::map<std::string, PicturePair>;

// Adds the pictures below `folder`, each to the `side` of its name.
Status Collect(const std::string& folder, std::string PicturePair::*side, PairsByName& pairs,
               std::vector<std::string>& broken_links) {
  const FilesBelow below = FindFilesBelow(folder);
  for (const auto& [path, reason] : below.unreadable)
    return Failure(Rule::kIo002, fmt::format("cannot read the folder {}: {}", path, reason));
  const auto add = [&](const std::string& file) {
    if (!HasExtension(file, ".png")) return false;
    const std::string name = ToText(ToPath(file).lexically_relative(ToPath(folder)));
    pairs[name].*side = file;
    return true;
  };
  for (const std::string& file : below.files)
    (void)add(file);
  for (const std::string& link : below.broken_links) {
    if (!add(link)) broken_links.push_back(link);
  }
  return OkStatus();
}

}  // namespace

Result<PairedPictures> PairPictures(const std::string& expected_folder,
                                    const std::string& actual_folder) {
  PairsByName by_name;
  PairedPictures paired;
  DP2TRACE_RETURN_IF_ERROR(
      Collect(expected_folder, &PicturePair::expected, by_name, paired.broken_links));
  DP2TRACE_RETURN_IF_ERROR(
      Collect(actual_folder, &PicturePair::actual, by_name, paired.broken_links));
  for (auto& [name, pair] : by_name) {
    pair.name = name;
    paired.pairs.push_back(std::move(pair));
  }
  return paired;
}

}  // namespace dp2trace::compare
