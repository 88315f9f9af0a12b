// What if something in a trace were different: a list of changes, as JSON or as words of the command line.
// README.md of this folder describes both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/selection.h"
#include "base/status.h"
#include "device/state_value.h"
#include "image/picture.h"

namespace dp2trace::edit {

enum class ChangeKind : uint8_t {
  kSet,          // states have other values at these draws; after each they are what they were
  kInsert,       // tokens come in front of these draws; what they set stays
  kDrop,         // these draws are left out
  kMove,         // this draw comes before another one, with the states that it had
  kReplace,      // a level of a surface holds another picture, whatever is written into it
  kVertex,       // a vertex that these draws read has another value
  kInstruction,  // an instruction of the shader that these draws run is another one
};

struct Change {
  ChangeKind kind = ChangeKind::kSet;
  std::string text;                  // for messages: "changes/0", or the word of the command line
  Selection draws;                   // but for kReplace; of kMove one
  uint64_t before = 0;               // of kMove: a draw of the same context
  std::vector<uint8_t> tokens = {};  // of kSet and kInsert
  std::vector<device::StateKey> states = {};  // of kSet: those that the tokens set
  uint32_t handle = 0, face = 0, level = 0;   // of kReplace
  image::Picture picture = {};
  uint32_t vertex = 0;                 // of kVertex: its number, with the base vertex added
  std::string element = {};            // as history::InputName() names it
  std::vector<float> values = {};      // of its components
  std::optional<uint32_t> color = {};  // in place of them: D3DCOLOR
  bool is_pixel = false;               // of kInstruction: the stage of the shader
  uint32_t instruction = 0;            // its number, from 1, as the disassembly has them
  std::string assembly = {};           // what takes its place: instructions between ';', or none
};

using Patch = std::vector<Change>;

// Appends the changes of a text; `folder` is what the paths of its pictures come after; none: no file is read, and one that is named is refused. JSON-*
// with the place where it is not a patch, IO-002 where a picture is not one.
Status ReadPatch(const std::string& text, const std::optional<std::string>& folder, Patch& patch);
Status ReadPatchFile(const std::string& path, Patch& patch);

// The words of options, as a patch with one change.
// "draw=5,ZENABLE=FALSE", "draw=3-7,stage 0 COLOROP=DISABLE": names and values as `state` prints them. "draw=5,vs.c4=1,0,0,1", "draw=5,ps.b0=1": a
// register. "draw=5,VIEW=1,0,0,0,...": a transform, 16 numbers. "draw=5,vertex.2.POSITION=0,0,1": an element of a vertex.
// "draw=5,ps.3=mul r0, v0, c1": an instruction of a shader.
Result<std::string> PatchOfSet(std::string_view word);
// "draw=7"
Result<std::string> PatchOfDrop(std::string_view word);
// "draw=7,before=3"
Result<std::string> PatchOfMove(std::string_view word);
// "texture=3,LEVEL,FILE.png", "texture=3,LEVEL,FACE,FILE.png"
Result<std::string> PatchOfReplace(std::string_view word);

}  // namespace dp2trace::edit
