// The state of a Direct3D 8 or 9 device under one kind of key, so that filtering and state blocks need no code for any single state.
// Source: lib/opcode/dp2.md 7 to 11.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "runtime/core/token.h"
#include "runtime/direct3d/objects.h"

namespace dp2trace::runtime {

enum class StateKind : uint8_t {
  kRenderState,   // a: state                    word
  kTextureStage,  // a: stage, b: D3DTSS         word
  kSampler,       // a: stage, b: DDI number     word
  kTexture,       // a: stage                    object
  kTransform,     // a: D3DTS                    16 words
  kViewport,      //                             x, y, width, height, min z, max z
  kScissor,       //                             left, top, right, bottom
  kClipPlane,     // a: index                    4 words
  kMaterial,      //                             17 words
  kLight,         // a: index                    26 words (D3DLIGHT)
  kLightEnable,   // a: index                    word
  kVertexFormat,  //                             word: FVF; or object: declaration, level 8 shader
  kVertexShader,  // level 9                     object
  kPixelShader,   //                             object
  kStream,        // a: stream                   offset, stride; object
  kStreamFrequency,  // a: stream                   word
  kIndices,          //                             word: base vertex (level 8); object
  kVertexFloat,      // a: register                 4 words
  kVertexInt,        // a: register                 4 words
  kVertexBool,       // a: register                 word
  kPixelFloat,       // as above
  kPixelInt,
  kPixelBool,
};

struct StateKey {
  StateKind kind{};
  uint32_t a = 0;
  uint16_t b = 0;
  auto operator<=>(const StateKey&) const = default;
  uint64_t Packed() const {
    return uint64_t{static_cast<uint8_t>(kind)} << 48 | uint64_t{a} << 16 | b;
  }
};

struct StateValue {
  uint32_t word = 0;
  std::vector<uint32_t> words;
  std::shared_ptr<Object> object;
  bool operator==(const StateValue&) const = default;
};

// The handle of the object as a driver knows it; 0 for none.
uint32_t HandleOf(const Object* object);

// The values that were set.
class StateTable {
 public:
  // Null where it was never set.
  const StateValue* Find(const StateKey& key) const;
  // The value, or the default.
  StateValue Get(const StateKey& key, bool has_depth) const;
  void Set(const StateKey& key, StateValue value) { values_[key.Packed()] = std::move(value); }
  void Erase(const StateKey& key) { values_.erase(key.Packed()); }
  // In the order of the keys: what a value held last ends with it.
  void Clear();
  size_t size() const { return values_.size(); }
  // Every key that was set, in order.
  std::vector<StateKey> Keys() const;

 private:
  std::unordered_map<uint64_t, StateValue> values_;
};

// D3DMATERIAL7 before any is set: diffuse white, the rest 0. Source: lib/raster/rendering.md 0.8.
inline constexpr std::array<uint32_t, 17> kDefaultMaterial = {Bits(1.0f), Bits(1.0f), Bits(1.0f),
                                                              Bits(1.0f)};

// Value of a state that was never set. Source: lib/raster/rendering.md 0.8.
StateValue DefaultValue(const StateKey& key, bool has_depth);

// D3DSBT_*.
enum class StateBlockType : uint32_t { kAll = 1, kPixel = 2, kVertex = 3 };

// Of looking at one state (Allowance), and the bytes that one takes, about.
inline constexpr uint64_t kStateSteps = 60, kStateSize = 320;

// States that belong together, with their values, in the order of application.
struct StateBlock : std::map<StateKey, StateValue> {
  StateBlock() = default;
  StateBlock(const StateBlock&) = default;
  StateBlock(StateBlock&&) = default;
  StateBlock& operator=(const StateBlock&) = default;
  StateBlock& operator=(StateBlock&&) = default;
  // Standard libraries have orders of their own, and surfaces say when they end.
  ~StateBlock() {
    while (!empty())
      erase(begin());
  }
};

// What a block of that type holds, given what was set so far.
std::vector<StateKey> KeysOfBlock(StateBlockType type, const StateTable& state, uint32_t level);

}  // namespace dp2trace::runtime
