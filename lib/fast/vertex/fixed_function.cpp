#include "fast/vertex/fixed_function.h"

#include <bit>
#include <optional>

#include "d3d/enums.h"

namespace dp2trace::fast {
namespace {

using d3d::FogMode;
using d3d::LightType;
using d3d::MaterialColorSource;
using d3d::TexcoordGeneration;
using raster::kNoElement;

using Vector3 = std::array<Operand, 3>;

// Goes over all of the processing: to emit it, or without that only for the parameters, which so are the same ones.
class FixedFunctionCompiler {
 public:
  FixedFunctionCompiler(const raster::FixedFunctionProcessor& processor,
                        const vertex::ViewportMapping& viewport, bool emits)
      : processor_(processor),
        state_(processor.state()),
        viewport_(viewport),
        emits_(emits),
        emitter_(code_->program) {
    values_.reserve(kUsualConstants);
    if (!emits_) return;
    code_->program.instructions.reserve(kUsualInstructions);
    code_->program.constants.reserve(kUsualConstants);
  }

  std::shared_ptr<VertexCode> Compile() {
    if (!processor_.placement().is_simple()) return nullptr;
    Process();
    return code_;
  }
  std::vector<float> Parameters() {
    if (processor_.placement().is_simple()) Process();
    return std::move(values_);
  }

 private:
  // Of a draw with textures and some lights: room for them is asked for once.
  static constexpr size_t kUsualInstructions = 128, kUsualConstants = 128;

  void Process() {
    const Vector position = Element(processor_.position_element(), {0, 0, 0, 1});
    if (processor_.is_transformed()) {
      code_->position = position;
      normal_ = eye_ = {Zero(), Zero(), Zero()};
    } else {
      Place(position);
    }
    AddColors();
    AddCoordinates();
    if (emits_) AddScreen(emitter_, processor_.is_transformed(), viewport_, *code_);
  }

  // What the key of the program has.
  Operand Literal(float value) { return emits_ ? emitter_.Literal(value) : Operand::OfConstant(0); }
  // What it has not.
  Operand Parameter(float value) {
    values_.push_back(value);
    if (!emits_) return Operand::OfConstant(0);
    code_->parameters.push_back(emitter_.AddOpenConstant());
    return Operand::OfConstant(code_->parameters.back());
  }
  Operand Zero() { return Literal(0.0F); }
  Operand One() { return Literal(1.0F); }
  Operand New(Op op, Operand a, Operand b = {}, Operand c = {}) {
    const uint32_t to = code_->program.AddRegister();
    if (emits_) emitter_.To(to, op, a, b, c);
    return Operand::Register(to);
  }
  Vector Literals(const raster::Float4& v) {
    return {Literal(v[0]), Literal(v[1]), Literal(v[2]), Literal(v[3])};
  }
  Vector Parameters4(const raster::Float4& v) {
    return {Parameter(v[0]), Parameter(v[1]), Parameter(v[2]), Parameter(v[3])};
  }
  Vector3 Parameters3(const vertex::Float3& v) {
    return {Parameter(v[0]), Parameter(v[1]), Parameter(v[2])};
  }

  // The four components of an element; `missing` where the vertices have none.
  Vector Element(uint32_t element, const raster::Float4& missing) {
    if (element == kNoElement) return Literals(missing);
    for (const VertexElementInput& input : code_->inputs) {
      if (input.element == element) return RegistersOf(input);
    }
    VertexElementInput input{.element = element};
    for (uint16_t& to : input.to)
      to = static_cast<uint16_t>(code_->program.AddRegister());
    code_->inputs.push_back(input);
    return RegistersOf(input);
  }
  static Vector RegistersOf(const VertexElementInput& input) {
    return {Operand::Register(input.to[0]), Operand::Register(input.to[1]),
            Operand::Register(input.to[2]), Operand::Register(input.to[3])};
  }

  // a[0]*b[0] + a[1]*b[1] + ... from left to right.
  Operand Dot3(const Vector3& a, const Vector3& b) {
    Operand sum = New(Op::kMultiply, a[0], b[0]);
    sum = New(Op::kMultiplyAdd, a[1], b[1], sum);
    return New(Op::kMultiplyAdd, a[2], b[2], sum);
  }
  static bool IsConsecutive(const Vector& v) {
    for (uint32_t i = 0; i < 4; ++i) {
      if (v[i].is_constant() || v[i].number() != v[0].number() + i) return false;
    }
    return true;
  }
  // Row vector times matrix.
  Vector Transform(const Vector& v, const vertex::Matrix& m) {
    Vector result;
    if (IsConsecutive(v)) {
      const uint32_t to = code_->program.AddRegisters(4);
      // One after the other.
      const Operand first = Parameter(m[0]);
      for (size_t i = 1; i < m.size(); ++i)
        Parameter(m[i]);
      if (emits_) emitter_.To(to, Op::kTransform, v[0], first);
      for (uint32_t i = 0; i < 4; ++i)
        result[i] = Operand::Register(to + i);
      return result;
    }
    for (size_t j = 0; j < 4; ++j) {
      Operand sum = New(Op::kMultiply, v[0], Parameter(m[j]));
      for (size_t i = 1; i < 4; ++i)
        sum = New(Op::kMultiplyAdd, v[i], Parameter(m[4 * i + j]), sum);
      result[j] = sum;
    }
    return result;
  }
  // v * (1 / sqrt(v . v)); zero stays zero.
  Vector3 Normalize(const Vector3& v) {
    const Operand square = Dot3(v, v);
    const Operand scale = New(Op::kDivide, One(), New(Op::kSquareRoot, square));
    const Operand is_long = New(Op::kIsNotEqual, square, Zero());
    Vector3 result;
    for (size_t i = 0; i < 3; ++i)
      result[i] = New(Op::kAnd, is_long, New(Op::kMultiply, v[i], scale));
    return result;
  }
  Vector3 Negate(const Vector3& v) {
    return {New(Op::kNegate, v[0]), New(Op::kNegate, v[1]), New(Op::kNegate, v[2])};
  }

  void Place(const Vector& position) {
    const Vector world = Transform(position, state_.transform(d3d::TransformState::WorldMatrix0));
    AddPlanes(world);
    const Vector eye = Transform(world, state_.transform(d3d::TransformState::View));
    eye_ = {eye[0], eye[1], eye[2]};
    code_->position = Transform(eye, state_.transform(d3d::TransformState::Projection));
    const auto& matrices = processor_.placement().normal_matrices();
    normal_ = {Zero(), Zero(), Zero()};
    if (matrices.empty()) return;
    const Vector model = Element(processor_.placement().normal_element(), {});
    for (size_t j = 0; j < 3; ++j) {
      Operand sum = New(Op::kMultiply, model[0], Parameter(matrices[0][j]));
      for (size_t i = 1; i < 3; ++i)
        sum = New(Op::kMultiplyAdd, model[i], Parameter(matrices[0][3 * i + j]), sum);
      normal_[j] = sum;
    }
    if (processor_.placement().normalizes()) normal_ = Normalize(normal_);
  }

  // World space; w counts as 1.
  void AddPlanes(const Vector& world) {
    const uint32_t enabled = state_.value(d3d::RenderState::ClipPlaneEnable);
    for (uint32_t i = 0; i < raster::kUserPlaneCount; ++i) {
      if ((enabled >> i & 1U) == 0) continue;
      code_->plane_mask |= 1U << i;
      const Vector plane = Parameters4(state_.clip_planes[i]);
      Operand sum = New(Op::kMultiply, plane[0], world[0]);
      sum = New(Op::kMultiplyAdd, plane[1], world[1], sum);
      sum = New(Op::kMultiplyAdd, plane[2], world[2], sum);
      code_->plane_distances[i] = New(Op::kAdd, sum, plane[3]);
    }
  }

  Vector Saturated(const Vector& v) {
    return {New(Op::kSaturate, v[0]), New(Op::kSaturate, v[1]), New(Op::kSaturate, v[2]),
            New(Op::kSaturate, v[3])};
  }

  void AddColors() {
    Vector& diffuse = code_->varyings[raster::kDiffuseSlot];
    Vector& specular = code_->varyings[raster::kSpecularSlot];
    if (processor_.is_lit()) {
      Light(diffuse, specular);
      code_->steps += static_cast<uint32_t>(processor_.lighting().lights().size());
    } else {
      diffuse = Saturated(Element(processor_.diffuse_element(), {1, 1, 1, 1}));
      specular = Saturated(Element(processor_.specular_element(), {}));
    }
    code_->fog = Fog(specular[3]);
  }

  struct Sums {
    Vector3 ambient, diffuse, specular;
  };
  struct Incidence {
    Vector3 direction;
    Operand attenuation;
  };

  Vector MaterialColor(uint32_t source, const raster::Float4& material) {
    const bool is_first = source == d3d::Value(MaterialColorSource::Color1);
    const bool is_second = source == d3d::Value(MaterialColorSource::Color2);
    const bool is_vertex =
        processor_.lighting().state().uses_vertex_colors && (is_first || is_second);
    const uint32_t element =
        is_first ? processor_.diffuse_element() : processor_.specular_element();
    return is_vertex && element != kNoElement ? Element(element, {}) : Parameters4(material);
  }

  void Light(Vector& diffuse, Vector& specular) {
    const vertex::Lighting& lighting = processor_.lighting();
    const vertex::LightingState& state = lighting.state();
    const d3d::Material& material = lighting.material();
    Sums sums = {Parameters3(vertex::FirstThree(state.ambient)),
                 {Zero(), Zero(), Zero()},
                 {Zero(), Zero(), Zero()}};
    Vector3 viewer = {Zero(), Zero(), Literal(-1.0F)};
    if (state.has_specular && state.is_local_viewer && !lighting.lights().empty())
      viewer = Normalize(Negate(eye_));
    for (const vertex::EyeLight& light : lighting.lights())
      AddLight(light, viewer, sums);
    const Vector md = MaterialColor(state.diffuse_source, material.diffuse);
    const Vector ms = MaterialColor(state.specular_source, material.specular);
    const Vector ma = MaterialColor(state.ambient_source, material.ambient);
    const Vector me = MaterialColor(state.emissive_source, material.emissive);
    for (size_t i = 0; i < 3; ++i) {
      const Operand base = New(Op::kMultiplyAdd, ma[i], sums.ambient[i], me[i]);
      diffuse[i] = New(Op::kSaturate, New(Op::kMultiplyAdd, md[i], sums.diffuse[i], base));
      specular[i] = state.has_specular
                        ? New(Op::kSaturate, New(Op::kMultiply, ms[i], sums.specular[i]))
                        : Zero();
    }
    diffuse[3] = New(Op::kSaturate, md[3]);
    specular[3] = New(Op::kSaturate, ms[3]);
  }

  void AddLight(const vertex::EyeLight& light, const Vector3& viewer, Sums& sums) {
    const Incidence incidence = IncidenceOf(light);
    const Operand attenuation = incidence.attenuation;
    for (size_t i = 0; i < 3; ++i) {
      sums.ambient[i] =
          New(Op::kMultiplyAdd, Parameter(light.ambient[i]), attenuation, sums.ambient[i]);
    }
    const Operand nl = Dot3(normal_, incidence.direction);
    const Operand is_front = New(Op::kIsLess, Zero(), nl);
    const Operand factor = New(Op::kMultiply, nl, attenuation);
    const auto add = [&](Operand lanes, float color, Operand by, Operand& sum) {
      sum = New(Op::kSelect, lanes, New(Op::kMultiplyAdd, Parameter(color), by, sum), sum);
    };
    for (size_t i = 0; i < 3; ++i)
      add(is_front, light.diffuse[i], factor, sums.diffuse[i]);
    if (!processor_.lighting().state().has_specular) return;
    Vector3 half;
    for (size_t i = 0; i < 3; ++i)
      half[i] = New(Op::kAdd, viewer[i], incidence.direction[i]);
    const Operand nh = Dot3(normal_, Normalize(half));
    const Operand shines = New(Op::kAnd, is_front, New(Op::kIsLess, Zero(), nh));
    const Operand power = New(Op::kPower, nh, Parameter(processor_.lighting().material().power));
    const Operand shine = New(Op::kMultiply, power, attenuation);
    for (size_t i = 0; i < 3; ++i)
      add(shines, light.specular[i], shine, sums.specular[i]);
  }

  Incidence IncidenceOf(const vertex::EyeLight& light) {
    if (light.type == d3d::Value(LightType::Directional))
      return {Parameters3(vertex::Negate(light.direction)), One()};
    if (light.type == d3d::Value(LightType::ParallelPoint))
      return {Parameters3(light.position), One()};
    Vector3 to_light;
    for (size_t i = 0; i < 3; ++i)
      to_light[i] = New(Op::kSubtract, Parameter(light.position[i]), eye_[i]);
    const Operand d = New(Op::kSquareRoot, Dot3(to_light, to_light));
    const Operand is_apart = New(Op::kIsNotEqual, d, Zero());
    Incidence result;
    for (size_t i = 0; i < 3; ++i)
      result.direction[i] = New(Op::kAnd, is_apart, New(Op::kDivide, to_light[i], d));
    result.attenuation = DistanceAttenuation(light, d);
    if (light.type == d3d::Value(LightType::Spot)) {
      result.attenuation =
          New(Op::kMultiply, result.attenuation, SpotFactor(light, result.direction));
    }
    return result;
  }

  Operand DistanceAttenuation(const vertex::EyeLight& light, Operand d) {
    const Operand square =
        New(Op::kMultiply, New(Op::kMultiply, Parameter(light.attenuation[2]), d), d);
    const Operand linear =
        New(Op::kMultiplyAdd, Parameter(light.attenuation[1]), d, Parameter(light.attenuation[0]));
    const Operand near = New(Op::kReciprocal, New(Op::kAdd, linear, square));
    return New(Op::kAndNot, New(Op::kIsLess, Parameter(light.range), d), near);
  }

  Operand SpotFactor(const vertex::EyeLight& light, const Vector3& direction) {
    const Operand rho = Dot3(Parameters3(light.direction), Negate(direction));
    const Operand place = New(Op::kDivide, New(Op::kSubtract, rho, Parameter(light.cos_phi)),
                              Parameter(light.cos_theta - light.cos_phi));
    const Operand between = New(Op::kPower, place, Parameter(light.falloff));
    const Operand is_outside = New(Op::kIsLessEqual, rho, Parameter(light.cos_phi));
    const Operand is_inside = New(Op::kIsLess, Parameter(light.cos_theta), rho);
    return New(Op::kSelect, is_inside, One(), New(Op::kAndNot, is_outside, between));
  }

  Operand Fog(Operand specular_alpha) {
    const raster::VertexFog& fog = processor_.fog();
    switch (fog.source()) {
      case raster::VertexFog::Source::kNone:
        return One();
      case raster::VertexFog::Source::kElement:
        return Element(fog.element(), {})[0];
      case raster::VertexFog::Source::kSpecularAlpha:
        return specular_alpha;
      case raster::VertexFog::Source::kEquation:
        break;
    }
    const vertex::FogEquation& equation = fog.equation();
    const Operand distance =
        fog.is_range() ? New(Op::kSquareRoot, Dot3(eye_, eye_)) : New(Op::kAbs, eye_[2]);
    if (equation.mode == d3d::Value(FogMode::Linear)) {
      if (equation.start == equation.end) return Zero();
      const Operand left = New(Op::kSubtract, Literal(equation.end), distance);
      return New(Op::kSaturate, New(Op::kDivide, left, Literal(equation.end - equation.start)));
    }
    Operand exponent = New(Op::kMultiply, Literal(equation.density), distance);
    if (equation.mode == d3d::Value(FogMode::Exp2))
      exponent = New(Op::kMultiply, exponent, exponent);
    return New(Op::kSaturate, New(Op::kExpMinus, exponent));
  }

  void AddCoordinates() {
    for (size_t i = 0; i < processor_.stages().size(); ++i)
      code_->varyings[raster::kTexcoordSlot + i] = CoordinatesOf(processor_.stages()[i]);
  }

  Vector CoordinatesOf(const raster::StageCoordinates& stage) {
    if (stage.is_transformed()) return Element(stage.element(), {0, 0, 0, 1});
    Vector value = stage.generation() != TexcoordGeneration::PassThru ? Generate(stage)
                   : stage.matrix() != nullptr                        ? Padded(stage)
                                               : Element(stage.element(), {});
    if (stage.matrix() != nullptr) value = Transform(value, *stage.matrix());
    for (uint32_t i = stage.kept_count(); i < 4; ++i)
      value[i] = Zero();
    if (stage.is_projected() && stage.kept_count() != 0) value[3] = value[stage.kept_count() - 1];
    return value;
  }

  Vector Padded(const raster::StageCoordinates& stage) {
    Vector given = Element(stage.element(), {});
    if (stage.element() == kNoElement) return given;
    for (uint32_t i = stage.given_component_count(); i < 4; ++i)
      given[i] = i == stage.given_component_count() ? One() : Zero();
    return given;
  }

  Vector Generate(const raster::StageCoordinates& stage) {
    switch (stage.generation()) {
      case TexcoordGeneration::CameraSpaceNormal:
        return {normal_[0], normal_[1], normal_[2], One()};
      case TexcoordGeneration::CameraSpacePosition:
        return {eye_[0], eye_[1], eye_[2], One()};
      case TexcoordGeneration::CameraSpaceReflectionVector: {
        const Vector3 r = Reflection(stage);
        return {r[0], r[1], r[2], One()};
      }
      case TexcoordGeneration::SphereMap:
        return SphereMap(Reflection(stage));
      case TexcoordGeneration::PassThru:
        break;
    }
    return {Zero(), Zero(), Zero(), One()};
  }

  Vector3 Reflection(const raster::StageCoordinates& stage) {
    Vector3 e = {Zero(), Zero(), Literal(-1.0F)};
    if (stage.is_local_viewer()) e = Normalize(Negate(eye_));
    const Operand twice = New(Op::kMultiply, Literal(2.0F), Dot3(e, normal_));
    Vector3 r;
    for (size_t i = 0; i < 3; ++i)
      r[i] = New(Op::kMultiplySubtract, twice, normal_[i], e[i]);
    return r;
  }

  Vector SphereMap(const Vector3& r) {
    const Operand z = New(Op::kSubtract, r[2], One());
    const Vector3 moved = {r[0], r[1], z};
    const Operand m = New(Op::kMultiply, Literal(2.0F), New(Op::kSquareRoot, Dot3(moved, moved)));
    const Operand is_zero = New(Op::kIsEqual, m, Zero());
    const Operand half = Literal(0.5F);
    const auto place = [&](Operand value) {
      return New(Op::kSelect, is_zero, half, New(Op::kAdd, New(Op::kDivide, value, m), half));
    };
    return {place(r[0]), place(r[1]), Zero(), One()};
  }

  const raster::FixedFunctionProcessor& processor_;
  const device::State& state_;
  const vertex::ViewportMapping& viewport_;
  const bool emits_;
  std::vector<float> values_;  // of the parameters
  std::shared_ptr<VertexCode> code_ = std::make_shared<VertexCode>();
  Emitter emitter_;
  Vector3 eye_, normal_;
};

class Key {
 public:
  Key() { words_.reserve(kUsualWords); }
  void Add(uint32_t word) { words_.push_back(word); }
  void Add(bool value) { words_.push_back(value ? 1 : 0); }
  void Add(float value) { words_.push_back(std::bit_cast<uint32_t>(value)); }
  std::vector<uint32_t> Take() { return std::move(words_); }

 private:
  static constexpr size_t kUsualWords = 128;
  std::vector<uint32_t> words_;
};

void AddLights(const vertex::Lighting& lighting, Key& key) {
  const vertex::LightingState& state = lighting.state();
  for (const bool flag : {state.has_specular, state.is_local_viewer, state.uses_vertex_colors})
    key.Add(flag);
  for (const uint32_t source :
       {state.diffuse_source, state.specular_source, state.ambient_source, state.emissive_source})
    key.Add(source);
  for (const vertex::EyeLight& light : lighting.lights())
    key.Add(light.type);
}

}  // namespace

std::shared_ptr<VertexCode> CompileFixedFunction(const raster::FixedFunctionProcessor& processor,
                                                 const vertex::ViewportMapping& viewport) {
  return FixedFunctionCompiler(processor, viewport, true).Compile();
}

std::vector<float> FixedFunctionParameters(const raster::FixedFunctionProcessor& processor,
                                           const vertex::ViewportMapping& viewport) {
  return FixedFunctionCompiler(processor, viewport, false).Parameters();
}

std::vector<uint32_t> FixedFunctionKey(const raster::FixedFunctionProcessor& processor,
                                       const vertex::ViewportMapping& viewport) {
  Key key;
  const device::State& state = processor.state();
  for (const float value : {viewport.half_width, viewport.half_height, viewport.center_x,
                            viewport.center_y, viewport.min_z, viewport.depth_range})
    key.Add(value);
  key.Add(processor.is_transformed());
  key.Add(processor.is_lit());
  for (const uint32_t element :
       {processor.position_element(), processor.diffuse_element(), processor.specular_element()})
    key.Add(element);
  key.Add(static_cast<uint32_t>(processor.fog().source()));
  key.Add(processor.fog().element());
  const vertex::FogEquation& fog = processor.fog().equation();
  key.Add(fog.mode);
  for (const float value : {fog.start, fog.end, fog.density})
    key.Add(value);
  key.Add(processor.fog().is_range());
  for (const raster::StageCoordinates& stage : processor.stages()) {
    key.Add(static_cast<uint32_t>(stage.generation()));
    key.Add(stage.element());
    key.Add(stage.given_component_count());
    key.Add(stage.kept_count());
    key.Add(stage.is_projected());
    key.Add(stage.is_local_viewer());
    key.Add(stage.matrix() != nullptr);
  }
  if (processor.is_transformed()) return key.Take();
  const raster::VertexPlacement& placement = processor.placement();
  key.Add(placement.is_simple());
  key.Add(placement.normalizes());
  key.Add(placement.normal_element());
  key.Add(!placement.normal_matrices().empty());
  key.Add(state.value(d3d::RenderState::ClipPlaneEnable));
  if (processor.is_lit()) AddLights(processor.lighting(), key);
  return key.Take();
}

}  // namespace dp2trace::fast
