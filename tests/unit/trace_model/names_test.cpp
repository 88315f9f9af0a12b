#include "trace_model/names.h"

#include <doctest/doctest.h>

#include <array>
#include <utility>
#include <vector>

#include "d3d/states.h"
#include "runtime/core/token.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

using opcode::Meaning;
using opcode::Op;
using Names = std::vector<std::pair<Meaning, uint32_t>>;

Names NamesOf(Op op, std::initializer_list<uint32_t> values) {
  runtime::TokenBuffer tokens;
  CHECK(tokens.Append(op, std::span(values.begin(), values.size()), {}, std::nullopt));
  stream::Decoder decoder(tokens.bytes(), {}, nullptr);
  stream::Command command;
  CHECK(decoder.Next(command));
  Names names;
  trace_model::VisitNames(command, {}, [&](Meaning kind, uint32_t handle, uint32_t offset) {
    CHECK(LoadU32(command.bytes.data() + offset) == handle);
    names.emplace_back(kind, handle);
  });
  return names;
}

}  // namespace

TEST_CASE("names of a token: by the meaning of its fields") {
  CHECK(NamesOf(Op::kSetStreamSource, {1, 7, 24}) == Names{{Meaning::kSurface, 7}});
  CHECK(NamesOf(Op::kSetPalette, {3, 1, 9}) ==
        Names{{Meaning::kPalette, 3}, {Meaning::kSurface, 9}});
  CHECK(NamesOf(Op::kStateSet, {3, 12, 0}) == Names{{Meaning::kStateBlock, 12}});
  CHECK(NamesOf(Op::kIssueQuery, {5, 1}) == Names{{Meaning::kQuery, 5}});
  CHECK(NamesOf(Op::kSetStreamSource, {1, 0, 24}).empty());
}

TEST_CASE("names of a token: values of states that are handles") {
  const uint32_t texture = d3d::Value(d3d::TextureStageState::TextureMap);
  const uint32_t delete_patch = d3d::Value(d3d::RenderState::DeleteRtPatch);
  CHECK(NamesOf(Op::kTextureStageState, {2, texture, 44}) == Names{{Meaning::kSurface, 44}});
  CHECK(NamesOf(Op::kTextureStageState, {2, texture + 1, 44}).empty());
  CHECK(NamesOf(Op::kRenderState, {delete_patch, 6}) == Names{{Meaning::kPatch, 6}});
}

TEST_CASE("names of a token: odd vertex formats are handles") {
  CHECK(NamesOf(Op::kSetVertexShader, {0x144}).empty());
  CHECK(NamesOf(Op::kSetVertexShader, {0x145}) == Names{{Meaning::kVertexShader, 0x145}});
  CHECK(NamesOf(Op::kSetVertexShaderDecl, {3}) == Names{{Meaning::kVertexDeclaration, 3}});
}
