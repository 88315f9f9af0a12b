#include "fast/vertex/vertex_blocks.h"

#include <algorithm>

#include "fast/vertex/fetch.h"
#include "fast/vertex/fixed_function.h"
#include "fast/vertex/vertex_shader.h"

namespace dp2trace::fast {
namespace {

constexpr size_t kMaxCachedCodes = 32;

// Where the results of a program are that the records of a draw want.
VertexOperands OperandsOf(const VertexCode& code, const QueuedDraw& queued) {
  VertexOperands operands = {.position = code.position,
                             .components = {},
                             .planes = code.plane_distances,
                             .screen = code.screen,
                             .inside = code.inside};
  operands.components.reserve(queued.components.size());
  for (const PixelInput& component : queued.components) {
    if (component.slot != kFogSlot) {
      operands.components.push_back(code.varyings[component.slot][component.component]);
    } else {
      const bool is_depth = queued.plan.raster.fog == raster::FogSource::kZ;
      operands.components.push_back(is_depth ? code.screen[2] : code.fog);
    }
  }
  return operands;
}

// Null stays null.
std::shared_ptr<const VertexCode> WithNative(std::shared_ptr<VertexCode> code,
                                             NativeCache& native) {
  if (code == nullptr) return nullptr;
  std::vector<Operand> results(code->plane_distances.begin(), code->plane_distances.end());
  results.insert(results.end(), {code->fog, code->inside});
  results.insert(results.end(), code->position.begin(), code->position.end());
  results.insert(results.end(), code->screen.begin(), code->screen.end());
  for (const Vector& varying : code->varyings)
    results.insert(results.end(), varying.begin(), varying.end());
  native.AddTo(code->program, results);
  return code;
}

}  // namespace

BoundVertexCode VertexBlocks::CodeOf(const raster::VertexProcessor& processor,
                                     const std::shared_ptr<const shader::Program>& shader,
                                     const vertex::ViewportMapping& viewport) {
  if (const auto* vertex = dynamic_cast<const raster::VertexShader*>(&processor))
    return {WithNative(CompileVertexShader(*vertex, shader, *shaders_, viewport), *native_),
            nullptr};
  const auto* fixed = dynamic_cast<const raster::FixedFunctionProcessor*>(&processor);
  if (fixed == nullptr) return {};
  std::vector<uint32_t> key = FixedFunctionKey(*fixed, viewport);
  ++use_;
  auto cached = std::ranges::find(cache_, key, &CachedCode::key);
  if (cached == cache_.end()) {
    if (cache_.size() == kMaxCachedCodes)
      cache_.erase(std::ranges::min_element(cache_, {}, &CachedCode::last_use));
    cache_.push_back(
        {std::move(key), WithNative(CompileFixedFunction(*fixed, viewport), *native_), use_});
    cached = cache_.end() - 1;
  }
  cached->last_use = use_;
  return {cached->code,
          std::make_shared<std::vector<float>>(FixedFunctionParameters(*fixed, viewport))};
}

const Constant* VertexBlocks::Bind(const BoundVertexCode& bound) {
  const VertexCode& code = *bound.code;
  if (bound.parameters == nullptr) return code.program.constants.data();
  if (bound_.code != bound.code) constants_ = code.program.constants;
  if (bound_.code != bound.code || bound_.parameters != bound.parameters) {
    for (size_t i = 0; i < code.parameters.size(); ++i)
      constants_[code.parameters[i]].lanes.fill((*bound.parameters)[i]);
    bound_ = bound;
  }
  return constants_.data();
}

void VertexBlocks::Run(const BoundVertexCode& bound, const raster::VertexProcessor& processor,
                       const device::Draw& draw, const QueuedDraw& queued,
                       std::span<const int64_t> numbers, uint32_t instance,
                       VertexRecords& records) {
  const VertexCode& code = *bound.code;
  const VertexOperands operands = OperandsOf(code, queued);
  if (registers_.size() < code.program.register_count)
    registers_.resize(code.program.register_count);
  Frame frame;
  frame.registers = registers_.data();
  frame.constants = Bind(bound);
  if (const auto* shader = dynamic_cast<const raster::VertexShader*>(&processor)) {
    frame.reals = shader->constants().floats().data();
    frame.real_count = static_cast<uint32_t>(shader->constants().floats().size());
  }
  while (!numbers.empty()) {
    const size_t count = std::min(kLanes, numbers.size());
    const std::span<const int64_t> block = numbers.first(count);
    for (const VertexElementInput& input : code.inputs) {
      FetchElement(draw, input.element, block, instance,
                   {&registers_[input.to[0]], &registers_[input.to[1]], &registers_[input.to[2]],
                    &registers_[input.to[3]]});
    }
    frame.active = count == kLanes ? kAllLanes : (uint64_t{1} << count) - 1;
    if (count <= kFewLanes) {
      kernels_->RunFewWith(code.program, frame);
    } else {
      kernels_->RunWith(code.program, frame);
    }
    records.AppendBlock(frame, operands, count);
    numbers = numbers.subspan(count);
  }
}

}  // namespace dp2trace::fast
