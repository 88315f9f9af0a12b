#include "lint/report_folder.h"

#include <filesystem>

#include "base/file.h"
#include "image/png.h"

namespace dp2trace::lint {
namespace {

std::string PathIn(const std::string& folder, const std::string& file) {
  return (std::filesystem::path(folder) / file).string();
}

}  // namespace

Status PictureFolder::OnImage(const replay::ImageInfo& info, const image::Picture& picture) {
  DP2TRACE_RETURN_IF_ERROR(image::WritePng(PathIn(folder_, info.file), picture));
  images_.push_back(info);
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
