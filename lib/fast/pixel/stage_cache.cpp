#include "fast/pixel/stage_cache.h"

#include <algorithm>
#include <bit>

#include "fast/pixel/fog_compiler.h"
#include "fast/pixel/stage_compiler.h"

namespace dp2trace::fast {
namespace {

// All that the compilers of stages and fog read, as words: equal keys give equal programs.
class KeyWriter {
 public:
  explicit KeyWriter(std::vector<uint32_t>& words) : words_(words) { words_.clear(); }

  // False where a program cannot be shared: it samples a surface itself.
  bool AddStages(const raster::TextureStages& stages, TextureCache& textures) {
    Add(stages.varying_mask);
    Add(stages.factor);
    Add(stages.adds_specular);
    Add(static_cast<uint32_t>(stages.stages.size()));
    return std::ranges::all_of(
        stages.stages, [&](const raster::StagePlan& stage) { return AddStage(stage, textures); });
  }
  void AddFog(const raster::FogPlan& fog) {
    Add(static_cast<uint32_t>(fog.source));
    Add(fog.table.mode);
    Add(fog.table.start);
    Add(fog.table.end);
    Add(fog.table.density);
    Add(fog.depth_bias);
    Add(fog.color);
  }

 private:
  void Add(uint32_t word) { words_.push_back(word); }
  void Add(bool flag) { words_.push_back(flag ? 1 : 0); }
  void Add(float value) { words_.push_back(std::bit_cast<uint32_t>(value)); }
  template <size_t kCount>
  void Add(const std::array<float, kCount>& values) {
    for (const float value : values)
      Add(value);
  }
  void Add(const raster::Equation& equation) {
    Add(static_cast<uint32_t>(equation.op));
    for (const raster::Argument& argument : {equation.a, equation.b, equation.c}) {
      Add(static_cast<uint32_t>(argument.source));
      Add(argument.is_complemented);
      Add(argument.replicates_alpha);
    }
  }
  void Add(const raster::BumpPlan& bump) {
    Add(bump.matrix);
    Add(bump.scales_luminance);
    Add(bump.has_luminance);
    Add(bump.luminance_scale);
    Add(bump.luminance_offset);
  }

  bool AddStage(const raster::StagePlan& stage, TextureCache& textures) {
    Add(stage.stage);
    Add(stage.divisor ? *stage.divisor + 1 : 0U);
    Add(stage.is_signed_texture);
    Add(stage.multiplies_color);
    Add(stage.multiplies_alpha);
    Add(stage.is_bump);
    Add(stage.bump.has_value());
    if (stage.bump) Add(*stage.bump);
    Add(stage.color);
    Add(stage.alpha);
    Add(stage.color_passes_current);
    Add(stage.alpha_passes_current);
    Add(stage.writes_temp);
    Add(stage.masks_by_alpha);
    Add(stage.constant);
    Add(stage.sampler != nullptr);
    if (stage.sampler == nullptr) return true;
    const SamplerPlan plan(*stage.sampler, textures);
    if (!plan.owns_texels()) return false;
    plan.AppendKey(words_);
    return true;
  }

  std::vector<uint32_t>& words_;
};

std::shared_ptr<const PixelCode> Compile(const raster::TextureStages& stages,
                                         const raster::FogPlan& fog, TextureCache& textures,
                                         NativeCache& native) {
  const std::shared_ptr<PixelCode> code = CompileStages(stages, textures);
  if (code != nullptr) FinishCode(fog, native, *code);
  return code;
}

}  // namespace

std::shared_ptr<const PixelCode> StageCache::Find(const raster::TextureStages& stages,
                                                  const raster::FogPlan& fog,
                                                  TextureCache& textures, NativeCache& native) {
  KeyWriter writer(key_);
  if (!writer.AddStages(stages, textures)) return Compile(stages, fog, textures, native);
  writer.AddFog(fog);
  const Entry* const found = entries_.Find([this](const Entry& e) { return e.key == key_; });
  if (found != nullptr) return found->code;
  return entries_.Add({key_, Compile(stages, fog, textures, native)}).code;
}

}  // namespace dp2trace::fast
