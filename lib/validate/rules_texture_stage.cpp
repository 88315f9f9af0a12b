#include "validate/rules_texture_stage.h"

#include "validate/memory.h"

namespace dp2trace::validate {

std::span<const CommandRule> TextureStageRules() { return {}; }

void CheckTextureStageAtDraw(const CommandView&) {}

}  // namespace dp2trace::validate
