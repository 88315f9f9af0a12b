#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <system_error>

#include "base/file_walk.h"
#include "base/in_order.h"
#include "base/plain_text.h"
#include "import/import_files.h"
#include "os/path.h"

namespace dp2trace::import {
namespace {

namespace fs = std::filesystem;

// A capture's place below the destination.
std::string PlaceOf(const std::string& destination, fs::path name) {
  return ToText(ToPath(destination) / name.replace_extension(".dp2t"));
}

// The captures that a name stands for, with their places.
void AddCaptures(const std::string& name, const std::string& destination,
                 std::map<std::string, std::string>& captures) {
  std::error_code error;
  if (!fs::is_directory(ToPath(name), error)) {
    captures[name] = PlaceOf(destination, ToPath(name).filename());
    return;
  }
  for (const std::string& file : FindFilesBelow(name).files) {
    if (HasExtension(file, ".trace"))
      captures[file] = PlaceOf(destination, ToPath(file).lexically_relative(ToPath(name)));
  }
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
  std::map<std::string, std::string> captures;
  for (const std::string& name : names)
    AddCaptures(name, destination, captures);
  std::vector<FileImport> files;
  for (const auto& [input, output] : captures) {
    FileImport& file = files.emplace_back();
    file.input = input;
    file.output = output;
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
