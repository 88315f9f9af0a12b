#include "replay/report_folder.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/file.h"
#include "image/png.h"
#include "os/path.h"

namespace dp2trace::replay {
namespace {

constexpr uint64_t kMaxReport = uint64_t{1} << 30;  // bytes

std::string PathIn(const std::string& folder, const std::string& file) {
  return ToText(ToPath(folder) / ToPath(file));
}

// Whether WriteReport() made it.
bool IsOfReplay(const nlohmann::json& report) {
  return report.is_object() && report.contains("images") && report["images"].is_array() &&
         report.contains("trace") && report.contains("tool") && report["tool"].is_string() &&
         report["tool"].get<std::string>().starts_with("dp2trace ");
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
  if (!std::filesystem::is_regular_file(ToPath(path), error)) return OkStatus();
  const Result<std::vector<uint8_t>> bytes = ReadWholeFile(path, kMaxReport);
  if (!bytes.ok()) return bytes.status();
  const nlohmann::json report = nlohmann::json::parse(*bytes, nullptr, false);
  if (!IsOfReplay(report))
    return CannotWrite(path,
                       "it is not the report of a replay; choose another folder, or delete it");
  for (const nlohmann::json& image : report["images"]) {
    const bool is_named = image.is_object() && image.contains("file") && image["file"].is_string();
    const std::string file = is_named ? image["file"].get<std::string>() : std::string();
    // Pictures lie in the folder itself.
    if (ToPath(file).extension() != ".png" || NameOf(file) != file) continue;
    const std::string picture = PathIn(folder, file);
    if (LookAt(picture).kind == FileKind::kRegular) std::filesystem::remove(ToPath(picture), error);
  }
  std::filesystem::remove(ToPath(path), error);
  return OkStatus();
}

Status WriteReport(const std::string& folder, const Report& report,
                   const DiagnosticList& findings) {
  Result<OutputFile> file = OutputFile::Create(PathIn(folder, "report.json"));
  if (!file.ok()) return file.status();
  DP2TRACE_RETURN_IF_ERROR(file->Write(ReportJson(report, findings)));
  return file->Commit();
}

}  // namespace dp2trace::replay
