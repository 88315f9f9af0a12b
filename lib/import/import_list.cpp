#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <system_error>

#include "base/file_walk.h"
#include "base/in_order.h"
#include "base/plain_text.h"
#include "import/import_files.h"
#include "os/path.h"

namespace dp2trace::import {
namespace {

namespace fs = std::filesystem;

// Names of places below the destination, by capture.
using Places = std::map<std::string, fs::path>;

// The captures that a name stands for.
void AddCaptures(const std::string& name, Places& captures) {
  std::error_code error;
  if (!fs::is_directory(ToPath(name), error)) {
    captures[name] = ToPath(name).filename();
    return;
  }
  for (const std::string& file : FindFilesBelow(name).files) {
    if (HasExtension(file, ".trace"))
      captures[file] = ToPath(file).lexically_relative(ToPath(name));
  }
}

std::string OutputOf(const std::string& destination, fs::path place) {
  return ToText(ToPath(destination) / place.replace_extension(".dp2t"));
}

bool AreDistinct(const Places& captures) {
  std::set<std::string> places;
  return std::ranges::all_of(captures, [&](const auto& capture) {
    return places.insert(FoldCase(OutputOf("", capture.second))).second;
  });
}

// Each place has the folders in which the captures differ.
void KeepFolders(Places& captures) {
  const auto whole = [](const std::string& name) {
    std::error_code error;
    return fs::absolute(ToPath(name), error).lexically_normal();
  };
  fs::path common = whole(captures.begin()->first).parent_path();
  for (const auto& [input, place] : captures) {
    const fs::path path = whole(input);
    const auto end = std::ranges::mismatch(common, path).in1;
    fs::path shared;
    for (auto part = common.begin(); part != end; ++part)
      shared /= *part;
    common = shared;
  }
  for (auto& [input, place] : captures)
    place = whole(input).lexically_relative(common);
}

}  // namespace

void ImportFiles(const FileOptions& options, std::vector<FileImport>& files, size_t threads) {
  const auto import = [&](size_t i) {
    ImportFile(options, files[i], {});
    return true;
  };
  InOrder(files.size(), threads, import, std::identity());
}

std::vector<FileImport> ListCaptures(const std::vector<std::string>& names,
                                     const std::string& destination) {
  Places captures;
  for (const std::string& name : names)
    AddCaptures(name, captures);
  if (!AreDistinct(captures)) KeepFolders(captures);
  std::vector<FileImport> files;
  for (const auto& [input, place] : captures) {
    FileImport& file = files.emplace_back();
    file.input = input;
    file.output = OutputOf(destination, place);
  }
  return files;
}

std::string MakePlaces(const std::vector<FileImport>& files) {
  std::map<std::string, std::string> inputs;
  for (const FileImport& file : files) {
    const auto [place, is_new] = inputs.emplace(FoldCase(file.output), file.input);
    if (!is_new)
      return fmt::format("{} and {} would both become {}", place->second, file.input, file.output);
    std::error_code error;  // writing the file says what is wrong
    fs::create_directories(ToPath(FolderOf(file.output)), error);
  }
  return {};
}

}  // namespace dp2trace::import
