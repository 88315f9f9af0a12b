#include "state/bound_textures.h"

#include <fmt/format.h>

#include "base/output_folder.h"
#include "image/png.h"
#include "replay/pictures.h"
#include "state/state_snapshot.h"

namespace dp2trace::state {
namespace {

constexpr const char* kList = "textures.txt";
constexpr const char* kKind = "state --textures";

class StagePictures final : public replay::ImageSink {
 public:
  StagePictures(const OutputFolder& folder, uint32_t stage) : folder_(folder), stage_(stage) {}

  Status OnImage(const replay::ImageInfo& info, const image::Picture& picture) override {
    const Result<std::vector<uint8_t>> png = image::EncodePng(picture);
    if (!png.ok()) return png.status();
    return folder_.Write(fmt::format("stage-{}-{}", stage_, info.file),
                         {reinterpret_cast<const char*>(png->data()), png->size()});
  }

 private:
  const OutputFolder& folder_;
  uint32_t stage_;
};

// Calls visit(stage, handle) for each stage with a texture that is alive.
template <class Visit>
Status ForEachTexture(const device::Context& context, Visit visit) {
  for (uint32_t stage = 0; stage <= d3d::kLastVertexSampler; ++stage) {
    const std::optional<uint32_t> slot = device::StageSlot(stage);
    if (!slot || context.Texture(*slot) == nullptr) continue;
    DP2TRACE_RETURN_IF_ERROR(
        visit(stage, context.state.stage(*slot, d3d::TextureStageState::TextureMap)));
  }
  return OkStatus();
}

}  // namespace

Status WriteBoundTextures(const std::string& folder, const FoundDraw& draw,
                          const device::Device& device, const device::Context& context) {
  Result<OutputFolder> out = OutputFolder::Create(folder, kKind);
  if (!out.ok()) return out.status();
  std::string list = fmt::format("textures bound at draw {}\n", draw.token.number);
  DP2TRACE_RETURN_IF_ERROR(ForEachTexture(context, [&](uint32_t stage, uint32_t handle) {
    list += fmt::format("stage {}: {}\n", stage, SurfaceText(context, handle));
    return OkStatus();
  }));
  DP2TRACE_RETURN_IF_ERROR(out->Write(kList, list));
  DP2TRACE_RETURN_IF_ERROR(ForEachTexture(context, [&](uint32_t stage, uint32_t handle) {
    StagePictures sink(*out, stage);
    replay::PictureRequest request;
    request.kind = replay::ImageKind::kSurface;
    request.event = draw.event;
    request.space = context.space_id;
    request.handle = handle;
    request.surface = context.space->Find(handle);
    return replay::MakeSurfacePictures(device, request, sink);
  }));
  return out->Commit();
}

}  // namespace dp2trace::state
