#include "fast/shader/shader_cache.h"

#include "d3d/enums.h"

namespace dp2trace::fast {
namespace {

// All that CompileShader() reads beside the program.
void WriteKey(const ShaderEnvironment& environment, const std::vector<WantedOutput>& outputs,
              std::vector<uint32_t>& key) {
  key.clear();
  for (const WantedOutput& output : outputs)
    key.push_back(static_cast<uint32_t>(output.type) << 16U | output.number);
  key.push_back(UINT32_MAX);
  for (const auto& integer : environment.constants->integers()) {
    for (const int32_t component : integer)
      key.push_back(static_cast<uint32_t>(component));
  }
  const std::vector<uint32_t>& booleans = environment.constants->booleans();
  key.insert(key.end(), booleans.begin(), booleans.end());
  for (uint32_t number = 0; number < d3d::kPixelSamplerCount; ++number) {
    const raster::Sampler* const sampler = environment.textures->sampler(number);
    key.push_back(sampler == nullptr ? 0 : sampler->may_kill() ? 2 : 1);
  }
  for (uint32_t stage = 0; stage < d3d::kCombinerStageCount; ++stage)
    key.push_back(environment.textures->divisor(stage).value_or(UINT32_MAX));
}

}  // namespace

std::shared_ptr<const ShaderCode> ShaderCache::Find(
    const std::shared_ptr<const shader::Program>& program, const ShaderEnvironment& environment,
    const std::vector<WantedOutput>& outputs) {
  WriteKey(environment, outputs, key_);
  const Entry* const found =
      entries_.Find([&](const Entry& e) { return e.program == program && e.key == key_; });
  if (found != nullptr) return found->code;
  const std::shared_ptr<const ShaderCode> code = CompileShader(*program, environment, outputs);
  if (code != nullptr) compiled_ += code->program.instructions.size();
  return entries_.Add({program, key_, code}).code;
}

}  // namespace dp2trace::fast
