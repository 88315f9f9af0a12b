// What is true of a draw, in facts that draws may share: the states in force, transforms, lights, material and constants, the formats of
// what it uses, its shaders, operation and primitives. States without an effect on the draw are no facts of it.
// Source: lib/opcode/dp2.md 5 to 11; lib/raster/rendering-texture.md 4; lib/raster/rendering-output.md 5; lib/raster/rendering-geometry.md 6.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "device/context.h"
#include "device/draw.h"
#include "device/state_value.h"
#include "shader/program.h"

namespace dp2trace::blame {

struct Fact {
  std::string
      name;  // "stage 0 COLOROP", "ZENABLE", "format of texture 0", "VIEW", "vs.c4", "operation"
  std::string value;  // "ADDSIGNED"
  bool operator==(const Fact&) const = default;
};

// The name of the fact without which the one with this name is none: "ALPHABLENDENABLE" of "SRCBLEND"; empty where it is always one.
std::string_view CauseOf(std::string_view name);

// Slots of the textures that a draw of the context samples: of the stages that fixed function executes, or all that a pixel shader may.
std::vector<uint32_t> TexturesInUse(const device::Context& context);

using FactNumber = uint32_t;
using Facts = std::vector<FactNumber>;  // ascending, each once

// Numbers the facts of a frame in the order in which they appear.
class FactTable {
 public:
  // Those of a draw that the context is about to execute, or of a clear.
  Facts OfDraw(const device::Context& context, std::string_view operation,
               const device::Draw& draw);
  Facts OfPatch(const device::Context& context, std::string_view operation,
                const device::PatchDraw& patch);
  Facts OfClear(const device::Context& context, std::string_view operation);

  const Fact& at(FactNumber number) const { return facts_[number]; }
  size_t size() const { return facts_.size(); }

 private:
  struct StateValue {
    uint64_t key = 0;
    uint32_t value = 0;
    uint32_t runtime_version = 0;
    bool operator==(const StateValue&) const = default;
  };
  struct Hash {
    size_t operator()(const StateValue& value) const;
  };

  void Add(Facts& facts, std::string name, std::string value);
  void AddState(Facts& facts, const device::Context& context, device::StateKey key,
                std::string_view prefix, std::string_view name, uint32_t value);
  void AddCommon(Facts& facts, const device::Context& context, std::string_view operation);
  void AddSurface(Facts& facts, std::string_view what, const device::SurfaceRef& surface);
  void AddRenderStates(Facts& facts, const device::Context& context);
  void AddStages(Facts& facts, const device::Context& context);
  void AddTexture(Facts& facts, const device::Context& context, uint32_t slot);
  // A value of several words, which `name` names in full.
  void AddValue(Facts& facts, const device::Context& context, device::StateKey key,
                std::string_view name);
  // Transforms, material and lights, where fixed function processes the vertices.
  void AddGeometry(Facts& facts, const device::Context& context);
  // Of the registers that the program reads and does not define itself.
  void AddConstants(Facts& facts, const device::Context& context, const shader::Program& program,
                    bool is_vertex);
  void AddPrograms(Facts& facts, const device::Context& context,
                   const device::VertexLayout* layout);
  // Sorts, and keeps one of equal ones.
  static Facts Finish(Facts facts);

  std::vector<Fact> facts_;
  std::map<std::pair<std::string, std::string>, FactNumber> by_text_;
  std::unordered_map<StateValue, FactNumber, Hash> by_state_;
  std::map<std::pair<device::StateKey, device::StateWords>, FactNumber> by_words_;
};

}  // namespace dp2trace::blame
