#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

#include "d3d/formats.h"
#include "device/draw.h"
#include "reduce/edits.h"
#include "stream/records.h"
#include "stream/struct_visitor.h"

namespace dp2trace::reduce {
namespace {

using opcode::FieldDesc;
using opcode::Meaning;
using opcode::StructDesc;

constexpr size_t kSmallestPiece = 4;  // bytes
constexpr size_t kMostPieces = 16;    // of one content

// A change of one event.
using EventChange = std::function<bool(trace_model::ModelEvent& event)>;
Edit ChangeOf(uint64_t id, EventChange change) {
  return [id, change = std::move(change)](
             const trace_model::Model& model) -> std::optional<trace_model::Model> {
    const trace_model::ModelEvent* const found = model.Find(id);
    if (found == nullptr) return std::nullopt;
    trace_model::ModelEvent event = *found;
    if (!change(event)) return std::nullopt;
    trace_model::Model result = model;
    result.Replace(std::move(event));
    return result;
  };
}

// A change of the bytes of one token.
using BytesChange = std::function<bool(std::vector<uint8_t>& bytes)>;
Edit TokenChange(uint64_t event, uint64_t token_id, BytesChange change) {
  return ChangeOf(event, [token_id, change = std::move(change)](trace_model::ModelEvent& changed) {
    const auto token = std::ranges::find(changed.tokens, token_id, &trace_model::ModelToken::id);
    if (token == changed.tokens.end()) return false;
    std::vector<uint8_t> bytes = *token->bytes;
    if (!change(bytes)) return false;
    token->bytes = trace_model::Share(std::move(bytes));
    return true;
  });
}

// ---------- primitives ----------

struct Place {
  uint32_t offset = 0;  // in the token
  uint32_t size = 0;    // bytes: 2 or 4
};

uint32_t Load(const std::vector<uint8_t>& bytes, Place place) {
  return place.size == 2 ? LoadU16(bytes.data() + place.offset)
                         : LoadU32(bytes.data() + place.offset);
}

void Put(std::vector<uint8_t>& bytes, Place place, uint32_t value) {
  if (place.size == 2) {
    Store(bytes.data() + place.offset, static_cast<uint16_t>(value));
  } else {
    Store(bytes.data() + place.offset, value);
  }
}

std::optional<Place> Find(const StructDesc& layout, uint32_t at, std::string_view name) {
  for (size_t i = 0; i < layout.fields.size(); ++i) {
    if (layout.fields[i].name == name)
      return Place{at + opcode::FieldOffset(layout, i), opcode::SizeOf(layout.fields[i].wire)};
  }
  return std::nullopt;
}

// Keeps the first half, or the second where the draw has a first vertex or index to move.
void AddHalves(const trace_model::ModelEvent& event, const trace_model::ModelToken& token,
               Place count, std::optional<Place> start, uint32_t step, Edits& edits) {
  if (start) {
    edits.push_back(TokenChange(event.id, token.id, [=](std::vector<uint8_t>& bytes) {
      const uint32_t all = Load(bytes, count);
      const uint32_t half = all / 2;
      if (half == 0) return false;
      Put(bytes, count, all - half);
      Put(bytes, *start, Load(bytes, *start) + half * step);
      return true;
    }));
  }
  edits.push_back(TokenChange(event.id, token.id, [=](std::vector<uint8_t>& bytes) {
    const uint32_t all = Load(bytes, count);
    if (all < 2) return false;
    Put(bytes, count, (all + 1) / 2);
    return true;
  }));
}

uint32_t StepOf(d3d::PrimitiveType type) {
  if (type == d3d::PrimitiveType::TriangleList) return 3;
  return type == d3d::PrimitiveType::LineList ? 2 : 1;
}

void AddStreamDraw(const trace_model::ModelEvent& event, const trace_model::ModelToken& token,
                   Edits& edits) {
  const StructDesc& layout = *token.op->record;
  for (uint32_t at = opcode::kCommandHeaderSize; at + layout.size <= token.bytes->size();
       at += layout.size) {
    const std::optional<Place> count = Find(layout, at, "primitive_count");
    const std::optional<Place> type = Find(layout, at, "prim_type");
    if (!count || !type) return;
    const auto primitive = static_cast<d3d::PrimitiveType>(Load(*token.bytes, *type));
    std::optional<Place> start = Find(layout, at, "v_start");
    if (!start) start = Find(layout, at, "start_index");
    if (primitive == d3d::PrimitiveType::TriangleFan) start.reset();
    AddHalves(event, token, *count, start, StepOf(primitive), edits);
    if (const std::optional<Place> vertices = Find(layout, at, "num_vertices"))
      AddHalves(event, token, *vertices, {}, 0, edits);
  }
}

// Their count is that of the header.
void AddLegacyDraw(const trace_model::ModelEvent& event, const trace_model::ModelToken& token,
                   Edits& edits) {
  using enum opcode::Op;
  const bool is_list = token.op->op == kTriangleList || token.op->op == kLineList;
  std::optional<Place> start;
  if (token.op->fixed != nullptr && token.op->op != kTriangleFan)
    start = Find(*token.op->fixed, opcode::kCommandHeaderSize, "v_start");
  const uint32_t step = !is_list ? 1 : token.op->op == kTriangleList ? 3 : 2;
  AddHalves(event, token, {2, 2}, start, step, edits);
}

// ---------- resources ----------

const d3d::FormatInfo* FormatOf(const trace::SurfaceCreate& create) {
  return create.format != 0 ? d3d::FindFormat(create.format) : nullptr;
}

bool IsBuffer(const trace::SurfaceCreate& create) {
  return create.kind == d3d::SurfaceKind::kVertexBuffer ||
         create.kind == d3d::SurfaceKind::kIndexBuffer;
}

void SetData(trace_model::ModelEvent& event, trace::SurfaceUpdate& update,
             std::vector<uint8_t> data) {
  event.storage.push_back(trace_model::Share(std::move(data)));
  update.data = *event.storage.back();
}

// The bytes of an update of level 0, as far as the smaller surface holds them. False: nothing is left, or it cannot be cut.
bool CropUpdate(trace_model::ModelEvent& event, const trace::SurfaceCreate& before,
                const trace::SurfaceCreate& after) {
  auto& update = std::get<trace::SurfaceUpdate>(event.event);
  if (IsBuffer(after)) {
    const uint32_t offset = update.range ? update.range->offset : 0;
    if (offset >= after.width) return false;
    update.data = update.data.first(std::min<size_t>(update.data.size(), after.width - offset));
    if (update.range) update.range->size = static_cast<uint32_t>(update.data.size());
    return true;
  }
  const d3d::FormatInfo* const format = FormatOf(after);
  if (update.rect || update.box || update.range || update.level != 0 || format == nullptr ||
      format->block_width != 1 || format->kind == d3d::FormatKind::kPlanarYuv || after.depth != 1)
    return false;
  const size_t row = size_t{format->block_size} * after.width;
  const size_t pitch =
      update.pitch.value_or(static_cast<uint32_t>(size_t{format->block_size} * before.width));
  std::vector<uint8_t> data;
  for (uint32_t y = 0; y < after.height && y * pitch + row <= update.data.size(); ++y) {
    data.insert(data.end(), update.data.begin() + static_cast<std::ptrdiff_t>(y * pitch),
                update.data.begin() + static_cast<std::ptrdiff_t>(y * pitch + row));
  }
  update.pitch.reset();
  SetData(event, update, std::move(data));
  return true;
}

using CreateChange = std::function<bool(trace::SurfaceCreate& create)>;
// Changes a surface, and cuts what is written into it.
Edit SurfaceChange(uint64_t id, CreateChange change) {
  return [id, change = std::move(change)](
             const trace_model::Model& model) -> std::optional<trace_model::Model> {
    const trace_model::ModelEvent* const found = model.Find(id);
    if (found == nullptr) return std::nullopt;
    const auto& before = std::get<trace::SurfaceCreate>(found->event);
    trace::SurfaceCreate after = before;
    if (!change(after)) return std::nullopt;
    trace_model::Model result;
    for (const auto& event : model.events) {
      trace_model::ModelEvent changed = *event;
      if (event->id == id) changed.event = after;
      const auto* const update = std::get_if<trace::SurfaceUpdate>(&event->event);
      const bool is_cut =
          update != nullptr && update->space == after.space && update->handle == after.handle;
      if (is_cut && update->level >= after.levels) continue;
      if (is_cut && (before.width != after.width || before.height != after.height) &&
          !CropUpdate(changed, before, after))
        continue;
      result.events.push_back(
          is_cut || event->id == id
              ? std::make_shared<const trace_model::ModelEvent>(std::move(changed))
              : event);
    }
    return result;
  };
}

bool DropLevels(trace::SurfaceCreate& create) {
  if (create.levels < 2) return false;
  create.levels = 1;
  std::erase_if(create.sub_surfaces, [](const trace::SubSurface& sub) { return sub.level != 0; });
  return true;
}

bool HalveExtent(trace::SurfaceCreate& create, bool is_width, bool is_height) {
  if (create.levels > 1 || !create.sub_surfaces.empty()) return false;
  const bool is_changed = (is_width && create.width > 1) || (is_height && create.height > 1);
  if (is_width) create.width = std::max(create.width / 2, 1U);
  if (is_height) create.height = std::max(create.height / 2, 1U);
  create.pitch.reset();
  return is_changed;
}

// A quarter less, a multiple of 4.
bool CutBuffer(trace::SurfaceCreate& create) {
  const uint32_t width = create.width / 16 * 12;
  if (width == 0 || width >= create.width) return false;
  create.width = width;
  return true;
}

// Keeps `parts` of 4 parts of the vertices.
bool CutVertices(trace_model::ModelEvent& event, size_t parts) {
  const trace_model::VertexFields vertices = trace_model::VerticesOf(event.event);
  const size_t size = std::max(*vertices.size, 1U);
  const size_t count = vertices.data->size() / size;
  const size_t rest = (count * parts + 3) / 4;
  if (rest == 0 || rest >= count) return false;
  *vertices.data = vertices.data->first(rest * size);
  if (*vertices.length) *vertices.length = static_cast<uint32_t>(rest);
  return true;
}

// ---------- values ----------

// Every field of a structure that is not what it is by default, one after the other. `find` gives the structure in the event, or null.
template <class T, class Find>
void AddFieldsOf(uint64_t id, const Find& find, Edits& edits) {
  const auto add = [&](auto member) {
    edits.push_back(ChangeOf(id, [member, find](trace_model::ModelEvent& changed) {
      T* const target = find(changed);
      if (target == nullptr) return false;
      const T defaults = {};
      if constexpr (requires { (target->*member).empty(); }) {
        if ((target->*member).empty()) return false;
        target->*member = {};
        return true;
      } else if constexpr (requires { target->*member == defaults.*member; }) {
        if (target->*member == defaults.*member) return false;
        target->*member = defaults.*member;
        return true;
      } else {
        (void)member;
        return false;
      }
    }));
  };
  if constexpr (requires { T::Fields([](const trace::Field&, auto) {}); }) {
    T::Fields([&](const trace::Field& field, auto member) {
      if (field.name != "kind") add(member);  // what a reader knows a surface by
    });
  }
}

// What stands before the tokens of a packet, and what it says of vertices.
void AddPacketFields(const trace_model::ModelEvent& event, Edits& edits) {
  const auto packet_of = [](trace_model::ModelEvent& changed) {
    return std::get_if<trace::Render>(&changed.event);
  };
  edits.push_back(ChangeOf(event.id, [packet_of](trace_model::ModelEvent& changed) {
    trace::Render& packet = *packet_of(changed);
    if (!changed.packet || packet.command_offset == 0) return false;
    packet.command_offset = 0;
    packet.command_buffer = {};
    return true;
  }));
  edits.push_back(ChangeOf(event.id, [packet_of](trace_model::ModelEvent& changed) {
    trace::Render& packet = *packet_of(changed);
    const bool is_changed = packet.dp2_env.has_value();
    packet.dp2_env.reset();
    return is_changed;
  }));
  const auto environment_of = [packet_of](trace_model::ModelEvent& changed) {
    std::optional<trace::Dp2Env>& environment = packet_of(changed)->dp2_env;
    return environment ? &*environment : nullptr;
  };
  AddFieldsOf<trace::Dp2Env>(event.id, environment_of, edits);
}

bool IsPlainNumber(const FieldDesc& field) {
  switch (field.meaning) {
    case Meaning::kNumber:
    case Meaning::kHex:
    case Meaning::kBool:
    case Meaning::kColor:
    case Meaning::kFlags:
      return field.name != "primitive_count" && field.name != "index";
    default:
      return false;
  }
}

struct Number {
  Place place;
  bool is_flags = false;
};

// Clears these bits.
Edit BitsZero(uint64_t event, uint64_t token, Place place, uint32_t bits) {
  return TokenChange(event, token, [place, bits](std::vector<uint8_t>& bytes) {
    if (place.offset + place.size > bytes.size()) return false;
    const uint32_t value = Load(bytes, place);
    if ((value & bits) == 0) return false;
    Put(bytes, place, value & ~bits);
    return true;
  });
}

class NumberFinder final : public stream::StructVisitor {
 public:
  NumberFinder(const uint8_t* start, std::vector<Number>& places)
      : start_(start), places_(places) {}

 private:
  void OnStruct(const StructDesc& layout, const uint8_t* at) override {
    for (size_t i = 0; i < layout.fields.size(); ++i) {
      const FieldDesc& field = layout.fields[i];
      const uint32_t size = opcode::SizeOf(field.wire);
      if (size == 1 || !IsPlainNumber(field)) continue;
      for (uint32_t part = 0; part < field.count; ++part) {
        const uint8_t* const place = at + opcode::FieldOffset(layout, i) + size_t{part} * size;
        places_.push_back(
            {{static_cast<uint32_t>(place - start_), size}, field.meaning == Meaning::kFlags});
      }
    }
  }

  const uint8_t* start_;
  std::vector<Number>& places_;
};

// The bytes of an event that are content.
Bytes* ContentOf(trace_model::ModelEvent& event) {
  if (auto* const update = std::get_if<trace::SurfaceUpdate>(&event.event)) return &update->data;
  return trace_model::VerticesOf(event.event).data;
}

Edit ContentZero(uint64_t id, size_t piece, size_t pieces) {
  return ChangeOf(id, [piece, pieces](trace_model::ModelEvent& event) {
    Bytes* const content = ContentOf(event);
    const size_t begin = content->size() * piece / pieces;
    const size_t end = content->size() * (piece + 1) / pieces;
    std::vector<uint8_t> bytes(content->begin(), content->end());
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = bytes.begin() + static_cast<std::ptrdiff_t>(end);
    if (std::all_of(first, last, [](uint8_t byte) { return byte == 0; })) return false;
    std::fill(first, last, uint8_t{0});
    event.storage.push_back(trace_model::Share(std::move(bytes)));
    *content = *event.storage.back();
    return true;
  });
}

}  // namespace

Edits HalvePrimitives(const trace_model::Model& model) {
  Edits edits;
  for (const auto& event : model.events) {
    for (const trace_model::ModelToken& token : event->tokens) {
      if (token.op == nullptr || !token.op->is(opcode::kDraw) || token.filler_at != 0) continue;
      if (token.op->record != nullptr && token.op->tails.empty()) {
        AddStreamDraw(*event, token, edits);
      } else if (token.op->repeat == opcode::Repeat::kNone && token.op->tails.empty()) {
        AddLegacyDraw(*event, token, edits);
      }
    }
  }
  return edits;
}

Edits ShrinkResources(const trace_model::Model& model) {
  Edits edits;
  for (const auto& event : model.events) {
    trace::Event copy = event->event;
    if (const Bytes* const vertices = trace_model::VerticesOf(copy).data) {
      for (const size_t parts : {2U, 3U}) {
        if (!vertices->empty()) {
          edits.push_back(ChangeOf(event->id, [parts](trace_model::ModelEvent& changed) {
            return CutVertices(changed, parts);
          }));
        }
      }
    }
    const auto* const create = std::get_if<trace::SurfaceCreate>(&event->event);
    if (create == nullptr) continue;
    edits.push_back(SurfaceChange(event->id, DropLevels));
    const bool is_texture = create->kind == d3d::SurfaceKind::kTexture;
    const bool is_square = create->faces != 0;
    if (!is_texture && !IsBuffer(*create)) continue;
    edits.push_back(SurfaceChange(event->id, [is_texture](trace::SurfaceCreate& changed) {
      return HalveExtent(changed, true, is_texture);
    }));
    if (IsBuffer(*create)) edits.push_back(SurfaceChange(event->id, CutBuffer));
    if (!is_texture || is_square) continue;
    edits.push_back(SurfaceChange(event->id, [](trace::SurfaceCreate& changed) {
      return HalveExtent(changed, true, false);
    }));
    edits.push_back(SurfaceChange(event->id, [](trace::SurfaceCreate& changed) {
      return HalveExtent(changed, false, true);
    }));
  }
  return edits;
}

Edits DefaultFields(const trace_model::Model& model) {
  Edits edits;
  for (const auto& event : model.events) {
    std::visit(
        [&](const auto& value) {
          using T = std::decay_t<decltype(value)>;
          const auto find = [](trace_model::ModelEvent& changed) {
            return std::get_if<T>(&changed.event);
          };
          AddFieldsOf<T>(event->id, find, edits);
        },
        event->event);
    if (std::holds_alternative<trace::Render>(event->event)) AddPacketFields(*event, edits);
  }
  return edits;
}

Edits ZeroNumbers(const trace_model::Model& model) {
  Edits edits;
  for (const auto& event : model.events) {
    const stream::Environment environment = trace_model::TokenEnvironment(*event);
    for (const trace_model::ModelToken& token : event->tokens) {
      const std::optional<trace_model::FramedToken> framed = trace_model::Frame(token, environment);
      if (!framed || token.filler_at != 0) continue;
      std::vector<Number> numbers;
      NumberFinder finder(framed->command.bytes.data(), numbers);
      stream::Visit(framed->command, environment, finder);
      for (const auto& [place, is_flags] : numbers) {
        const uint32_t value = Load(*token.bytes, place);
        if (value == 0) continue;
        edits.push_back(BitsZero(event->id, token.id, place, UINT32_MAX));
        for (uint32_t bit = 1; is_flags && bit != 0 && value != bit; bit <<= 1)
          if ((value & bit) != 0) edits.push_back(BitsZero(event->id, token.id, place, bit));
      }
    }
  }
  return edits;
}

Edits ZeroContents(const trace_model::Model& model) {
  Edits edits;
  for (const auto& event : model.events) {
    trace_model::ModelEvent copy = *event;
    const Bytes* const content = ContentOf(copy);
    if (content == nullptr || content->empty()) continue;
    for (size_t pieces = 1; pieces <= kMostPieces && content->size() / pieces >= kSmallestPiece;
         pieces *= 2) {
      for (size_t piece = 0; piece < pieces; ++piece)
        edits.push_back(ContentZero(event->id, piece, pieces));
    }
  }
  return edits;
}

}  // namespace dp2trace::reduce
