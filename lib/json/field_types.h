// What is common to writing and reading the fields of events.
#pragma once

#include <type_traits>

#include "json/commands.h"
#include "trace/field_types.h"

namespace dp2trace::json {

using trace::IsDefault;
using trace::kDefault;
using trace::kIsOptional;
using trace::kIsVector;
using trace::Structure;

// Structures that are written as an array of their fields: [left, top, right, bottom].
template <class T>
inline constexpr bool kIsTuple = std::is_same_v<T, d3d::Rect> || std::is_same_v<T, d3d::Box>;

template <class T>
uint32_t FieldCount() {
  uint32_t count = 0;
  trace::VisitFields<T>([&count](const trace::Field&, auto) { ++count; });
  return count;
}

// Structures with vertices of a format: Dp2 and Dp2Env.
template <class T>
concept VertexHolder = requires(T structure) {
  structure.vertex_type;
  structure.vertex_size;
  structure.vertices;
};

// Structures whose bytes are the texels of a surface.
template <class T>
concept TexelHolder = std::is_same_v<T, trace::SurfaceUpdate> || std::is_same_v<T, trace::Picture>;

// Whether `member` is the one that `of` says, which may have another type.
template <class A, class B>
bool IsMember(A member, B of) {
  if constexpr (std::is_same_v<A, B>) {
    return member == of;
  } else {
    return false;
  }
}

// Where the command stream of an event stands. Only Dp2 and Render have one.
template <class T>
StreamPlace PlaceOf(const T& event) {
  if constexpr (std::is_same_v<T, trace::Dp2>) {
    return {.command_offset = event.command_offset,
            .vertex_type = event.vertex_type,
            .vertex_size = event.vertex_size};
  } else if constexpr (std::is_same_v<T, trace::Render>) {
    return {.command_offset = event.command_offset,
            .vertex_type = event.dp2_env ? event.dp2_env->vertex_type : 0,
            .vertex_size = event.dp2_env ? event.dp2_env->vertex_size : 0,
            .has_prefix = true,
            .is_dp2 = event.payload == trace::PayloadKind::kDp2};
  } else {
    return {};
  }
}

}  // namespace dp2trace::json
