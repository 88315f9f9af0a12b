#include "lint/report_folder.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/file.h"
#include "image/png.h"

namespace dp2trace::lint {
namespace {

constexpr uint64_t kMaxReport = uint64_t{1} << 30;  // bytes

std::string PathIn(const std::string& folder, const std::string& file) {
  return (std::filesystem::path(folder) / file).string();
}

}  // namespace

Status PictureFolder::OnImage(const replay::ImageInfo& info, const image::Picture& picture) {
  DP2TRACE_RETURN_IF_ERROR(image::WritePng(PathIn(folder_, info.file), picture));
  images_.push_back(info);
  return OkStatus();
}

Status RemoveEarlier(const std::string& folder) {
  const std::string path = PathIn(folder, "report.json");
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return OkStatus();
  const Result<std::vector<uint8_t>> bytes = ReadWholeFile(path, kMaxReport);
  if (!bytes.ok()) return bytes.status();
  // A report that cannot be read lists nothing.
  const nlohmann::json report = nlohmann::json::parse(*bytes, nullptr, false);
  if (!report.is_object() || !report.contains("images") || !report["images"].is_array())
    return OkStatus();
  for (const nlohmann::json& image : report["images"]) {
    const bool is_named = image.is_object() && image.contains("file") && image["file"].is_string();
    const std::filesystem::path file = is_named ? image["file"].get<std::string>() : std::string();
    // Pictures lie in the folder itself.
    if (file.extension() == ".png" && !file.has_parent_path())
      std::filesystem::remove(std::filesystem::path(folder) / file, error);
  }
  std::filesystem::remove(path, error);
  return OkStatus();
}

Status WriteReport(const std::string& folder, const Report& report,
                   const DiagnosticList& findings) {
  Result<OutputFile> file = OutputFile::Create(PathIn(folder, "report.json"));
  if (!file.ok()) return file.status();
  DP2TRACE_RETURN_IF_ERROR(file->Write(ReportJson(report, findings)));
  return file->Commit();
}

}  // namespace dp2trace::lint
