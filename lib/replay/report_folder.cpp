#include "replay/report_folder.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "base/file.h"
#include "image/png.h"
#include "os/path.h"

namespace dp2trace::replay {
namespace {

constexpr ImageKind kKinds[] = {ImageKind::kFrame, ImageKind::kRead, ImageKind::kDraw,
                                ImageKind::kSurface};
constexpr uint64_t kMaxReport = uint64_t{1} << 30;  // bytes

std::string PathIn(const std::string& folder, const std::string& file) {
  return ToText(ToPath(folder) / ToPath(file));
}

bool IsOurs(const std::string& tool) {
  return tool == "dp2trace" || tool.starts_with("dp2trace ");
}
// Whether WriteReport() made it.
bool IsOfReplay(const nlohmann::json& report) {
  return report.is_object() && report.contains("images") && report["images"].is_array() &&
         report.contains("trace") && report.contains("tool") && report["tool"].is_string() &&
         IsOurs(report["tool"].get<std::string>());
}

// Those of the folder that the report lists.
std::set<std::string> PicturesIn(const std::string& folder, const nlohmann::json& report) {
  std::set<std::string> files;
  for (const nlohmann::json& image : report["images"]) {
    const bool is_named = image.is_object() && image.contains("file") && image["file"].is_string();
    const std::string file = is_named ? image["file"].get<std::string>() : std::string();
    // Pictures lie in the folder itself.
    if (ToPath(file).extension() != ".png" || NameOf(file) != file) continue;
    if (LookAt(PathIn(folder, file)).kind == FileKind::kRegular) files.insert(file);
  }
  return files;
}

// No picture with a name as a replay gives it, "frame-000001.png", is somebody else's.
Status CheckOthers(const std::string& folder, const std::set<std::string>& listed) {
  std::error_code error;
  for (std::filesystem::directory_iterator at(ToPath(folder), error), end; !error && at != end;
       at.increment(error)) {
    const std::string file = ToText(at->path().filename());
    const bool is_named =
        file.ends_with(".png") && std::ranges::any_of(kKinds, [&](ImageKind kind) {
          return file.starts_with(std::string(Name(kind)) + "-");
        });
    if (!is_named || listed.contains(file) || !at->is_regular_file(error)) continue;
    return CannotWrite(folder, file +
                                   " is there, and no report.json lists it; choose another "
                                   "folder, or replace it with --force");
  }
  return OkStatus();
}

}  // namespace

Status PictureFolder::OnImage(const replay::ImageInfo& info, const image::Picture& picture) {
  DP2TRACE_RETURN_IF_ERROR(WaitFor(1));
  // Where no thread is to be had, std::async works when it is waited for.
  if (picture_ == nullptr || *picture_ != picture) {
    picture_ = std::make_shared<const image::Picture>(picture);
    png_ = std::async([picture = picture_] { return image::EncodePng(*picture); });
  }
  writing_.push_back(std::async([path = PathIn(folder_, info.file), png = png_] {
    return image::WritePng(path, png.get());
  }));
  images_.push_back(info);
  return OkStatus();
}

Status PictureFolder::Finish() {
  return WaitFor(0);
}

Status PictureFolder::WaitFor(size_t count) {
  while (writing_.size() > count) {
    const Status written = writing_.front().get();
    if (!written.ok()) {
      images_.resize(images_.size() - writing_.size());
      writing_.clear();
      return written;
    }
    writing_.pop_front();
  }
  return OkStatus();
}

Result<uint64_t> RemoveEarlier(const std::string& folder, bool is_forced) {
  const std::string path = PathIn(folder, "report.json");
  std::error_code error;
  std::set<std::string> listed;
  if (std::filesystem::is_regular_file(ToPath(path), error)) {
    const Result<std::vector<uint8_t>> bytes = ReadWholeFile(path, kMaxReport);
    if (!bytes.ok()) return bytes.status();
    const nlohmann::json report = nlohmann::json::parse(*bytes, nullptr, false);
    if (!IsOfReplay(report))
      return CannotWrite(path,
                         "it is not the report of a replay; choose another folder, or delete it");
    listed = PicturesIn(folder, report);
  }
  if (!is_forced) DP2TRACE_RETURN_IF_ERROR(CheckOthers(folder, listed));
  uint64_t removed = 0;
  for (const std::string& file : listed)
    removed += std::filesystem::remove(ToPath(PathIn(folder, file)), error) ? 1U : 0U;
  std::filesystem::remove(ToPath(path), error);
  return removed;
}

Status WriteReport(const std::string& folder, const Report& report,
                   const DiagnosticList& findings) {
  Result<OutputFile> file = OutputFile::Create(PathIn(folder, "report.json"));
  if (!file.ok()) return file.status();
  DP2TRACE_RETURN_IF_ERROR(file->Write(ReportJson(report, findings)));
  return file->Commit();
}

}  // namespace dp2trace::replay
