#include "scene_replay.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <variant>

#include "base/file.h"
#include "d3d/caps.h"
#include "json/reader.h"
#include "replay/replayer.h"

namespace dp2trace::testing {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLargestFile = uint64_t{1} << 20;
constexpr uint32_t kClipTlVerts = 0x200;  // D3DPMISCCAPS_CLIPTLVERTS

class PictureStore final : public replay::ImageSink {
 public:
  explicit PictureStore(std::map<PictureKey, image::Picture>& pictures) : pictures_(&pictures) {}

  Status OnImage(const replay::ImageInfo& info, const image::Picture& picture) override {
    if (info.kind == replay::ImageKind::kFrame)
      pictures_->emplace(PictureKey{PictureKind::kFrame, info.sequence}, picture);
    if (info.kind != replay::ImageKind::kRead) return OkStatus();
    const PictureKind kind = info.is_stencil ? PictureKind::kStencil : PictureKind::kRead;
    pictures_->emplace(PictureKey{kind, info.sequence}, picture);
    return OkStatus();
  }

 private:
  std::map<PictureKey, image::Picture>* pictures_;
};

bool ClipsTransformedZ(const trace::Header& header) {
  for (const trace::CapValue& cap : header.caps) {
    if (cap.name == d3d::Info(d3d::Cap::PrimitiveMiscCaps).name)
      return (cap.value & kClipTlVerts) != 0;
  }
  return true;
}

}  // namespace

Status ReplayScene(const std::string& path, ReplayedScene& scene) {
  Result<InputFile> file = InputFile::Open(path);
  if (!file.ok()) return file.status();
  json::Reader reader([&file](std::span<uint8_t> out) { return file->Read(out); });
  PictureStore store(scene.pictures);
  std::unique_ptr<replay::Replayer> replayer;
  trace::Event event;
  for (uint64_t number = 0;; ++number) {
    const Result<bool> next = reader.Next(event);
    if (!next.ok()) return next.status();
    if (!*next) break;
    if (!replayer) {
      replay::Options options;
      if (const auto* header = std::get_if<trace::Header>(&event))
        options.raster.clips_transformed_z = ClipsTransformedZ(*header);
      replayer = std::make_unique<replay::Replayer>(options, scene.findings, store);
    }
    DP2TRACE_RETURN_IF_ERROR(replayer->OnEvent(number, event));
  }
  return replayer ? replayer->Finish() : OkStatus();
}

std::vector<std::string> ScenesOf(const std::string& folder) {
  std::vector<std::string> paths;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(DP2TRACE_SOURCE_DIR) / "traces" / "facts" / folder)) {
    if (entry.path().extension() == ".expected")
      paths.push_back((entry.path().parent_path() / entry.path().stem()).string());
  }
  std::ranges::sort(paths);
  return paths;
}

Result<std::string> ReadText(const std::string& path) {
  const Result<std::vector<uint8_t>> bytes = ReadWholeFile(path, kLargestFile);
  if (!bytes.ok()) return bytes.status();
  return std::string(bytes->begin(), bytes->end());
}

}  // namespace dp2trace::testing
