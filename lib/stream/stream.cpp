#include "stream/stream.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/flag_text.h"
#include "base/plain_text.h"
#include "rules/rule.h"
#include "stream/framing.h"
#include "stream/records.h"

namespace dp2trace::stream {
namespace {

using opcode::OpInfo;

constexpr uint8_t kExitCode = 11;  // D3DOP_EXIT of the execute buffers

struct Place {
  uint64_t offset;  // from the start of the command buffer
  uint64_t length;
  std::string path;
};

Diagnostic Finding(Rule rule, Place place, std::string message, const Environment& environment) {
  Diagnostic finding = MakeDiagnostic(rule, std::move(message));
  finding.event = environment.event;
  finding.offset = place.offset;
  finding.length = place.length;
  finding.path = std::move(place.path);
  return finding;
}

// Both offsets of a token that ends its stream: the one that is reported counts from the start of the buffer.
std::string StreamOffsetNote(const Environment& environment, uint64_t position) {
  return environment.command_offset == 0 ? "" : fmt::format(" (stream offset {})", position);
}

Rule RuleOf(const Framing& framing, const OpInfo& op) {
  switch (framing.defect) {
    case FrameDefect::kNone:
      break;
    case FrameDefect::kFixed:
      return Rule::kDp2Stream002;
    case FrameDefect::kRecords:
      return Rule::kDp2Stream003;
    case FrameDefect::kTail:
      return Rule::kDp2Stream004;
    case FrameDefect::kTailOverflow:
      return Rule::kDp2Stream005;
    case FrameDefect::kVertices:
      return Rule::kDp2Imm001;
    case FrameDefect::kRecordCheck:
      return op.check->rule;
  }
  return Rule::kDp2Stream002;
}

// The field that decides about the length of a token: what it holds, and what it may hold.
std::string CheckedText(const OpInfo& op, uint32_t value) {
  const EnumInfo* const names = op.record->fields[op.check->field].names;
  return names != nullptr ? FlagsText(*names, value) : fmt::format("{}", value);
}

std::string LegalText(const OpInfo& op) {
  const EnumInfo* const names = op.record->fields[op.check->field].names;
  if (names == nullptr || op.check->value != 0) return CheckedText(op, op.check->value);
  return fmt::format("bits of {}", FlagsText(*names, ~op.check->mask));
}

std::string MessageOf(const Framing& framing, const OpInfo& op, uint16_t count,
                      uint32_t vertex_size) {
  switch (framing.defect) {
    case FrameDefect::kNone:
      break;
    case FrameDefect::kFixed:
      return fmt::format("{}: the fixed structure needs {} and has {}", op.name,
                         Counted(framing.needed, "byte"), framing.available);
    case FrameDefect::kRecords:
      return fmt::format("{}: {} of {} bytes need {} and have {}", op.name, op.list_name,
                         op.record->size, Counted(framing.needed, "byte"), framing.available);
    case FrameDefect::kTail:
      return fmt::format("{}: {} needs {} and has {}", op.name, framing.tail->name,
                         Counted(framing.needed, "byte"), framing.available);
    case FrameDefect::kTailOverflow:
      return fmt::format("{}: the variable data of one record need {}, more than 32 bits can count",
                         op.name, Counted(framing.needed, "byte"));
    case FrameDefect::kVertices:
      return fmt::format("{}: {} vertices of {} after {} of padding need {} and have {}", op.name,
                         uint64_t{framing.tail->vertex_mul} * count + framing.tail->vertex_add,
                         Counted(vertex_size, "byte"), Counted(framing.padding, "byte"),
                         Counted(framing.needed, "byte"), framing.available);
    case FrameDefect::kRecordCheck:
      return fmt::format("{}: {} is {}; the token has a known length only with {}", op.name,
                         op.record->fields[op.check->field].name, CheckedText(op, framing.value),
                         LegalText(op));
  }
  return {};
}

// A defective value is reported where it stands, a part that is cut off at the header of its token.
Place PlaceOf(const Framing& framing, const OpInfo& op, uint64_t offset, uint64_t rest_size,
              uint32_t index) {
  std::string path = fmt::format("commands/{}", index);
  if (framing.record.has_value()) path += fmt::format("/{}/{}", op.list_name, *framing.record);
  if (framing.defect != FrameDefect::kRecordCheck) return {offset, rest_size, std::move(path)};
  const opcode::FieldDesc& field = op.record->fields[op.check->field];
  return {offset + framing.position, field.size(), fmt::format("{}/{}", path, field.name)};
}

Diagnostic FramingFinding(const Framing& framing, const OpInfo& op, uint16_t count, Place place,
                          const Environment& environment, uint64_t position) {
  Diagnostic finding = Finding(RuleOf(framing, op), std::move(place),
                               MessageOf(framing, op, count, environment.vertex_size) +
                                   StreamOffsetNote(environment, position),
                               environment);
  if (framing.defect == FrameDefect::kRecordCheck) {
    finding.actual = CheckedText(op, framing.value);
    finding.expected = LegalText(op);
  } else {
    finding.actual = fmt::format("{}", framing.available);
    finding.expected = fmt::format("{}", framing.needed);
  }
  return finding;
}

}  // namespace

bool Decoder::NextSlow(Command& command) {
  if (end_ != StreamEnd::kRunning) return false;
  const Bytes left = rest();
  if (left.empty()) {
    end_ = StreamEnd::kComplete;
    return false;
  }
  if (left.size() < opcode::kCommandHeaderSize) return EndAtTrailingBytes();

  const OpInfo* const op = opcode::Find(left[0]);
  if (op == nullptr || op->direction != opcode::Direction::kToDriver)
    return EndAtForeignOperation(left[0], op);

  const Framing framing = Frame(*op, left, {rest_offset(), environment_.vertex_size});
  if (framing.defect != FrameDefect::kNone) {
    end_ = framing.defect == FrameDefect::kRecordCheck ? StreamEnd::kUnknownLength
                                                       : StreamEnd::kTruncated;
    if (findings_ != nullptr) {
      Place place = PlaceOf(framing, *op, rest_offset(), left.size(), index_);
      findings_->Add(FramingFinding(framing, *op, LoadU16(left.data() + 2), std::move(place),
                                    environment_, position_));
    }
    return false;
  }
  Take(op, static_cast<size_t>(framing.size), command);
  if (command.reserved != 0 && findings_ != nullptr) ReportReserved(command);
  return true;
}

bool Decoder::EndAtTrailingBytes() {
  end_ = StreamEnd::kTrailingBytes;
  if (findings_ == nullptr) return false;
  const Bytes left = rest();
  const bool is_padding =
      std::all_of(left.begin(), left.end(), [](uint8_t byte) { return byte == 0; });
  const Rule rule = is_padding ? Rule::kDp2Stream010 : Rule::kDp2Stream001;
  Diagnostic finding =
      Finding(rule, {rest_offset(), left.size(), fmt::format("commands/{}", index_)},
              fmt::format("the stream ends with {} ({}), a command header has {}{}",
                          Counted(left.size(), "byte"), ToHex(left), opcode::kCommandHeaderSize,
                          StreamOffsetNote(environment_, position_)),
              environment_);
  finding.actual = fmt::format("{}", left.size());
  finding.expected = fmt::format("{}", opcode::kCommandHeaderSize);
  findings_->Add(std::move(finding));
  return false;
}

bool Decoder::EndAtForeignOperation(uint8_t code, const OpInfo* op) {
  end_ = code == kExitCode ? StreamEnd::kExitToken : StreamEnd::kUnknownOperation;
  if (findings_ == nullptr) return false;
  const Rule rule = code == kExitCode ? Rule::kDp2Stream007
                    : op != nullptr   ? Rule::kDp2Stream008
                                      : Rule::kDp2Stream006;
  std::string message =
      code == kExitCode
          ? fmt::format("operation 11 (D3DOP_EXIT) ends the stream, {} bytes are left unread",
                        rest().size())
      : op != nullptr ? fmt::format("operation {} ({}) travels from the driver to the runtime only",
                                    code, op->name)
                      : fmt::format("operation {} is not defined, {} bytes cannot be read", code,
                                    rest().size());
  message += StreamOffsetNote(environment_, position_);
  Diagnostic finding = Finding(rule, {rest_offset(), 1, fmt::format("commands/{}/op", index_)},
                               std::move(message), environment_);
  finding.actual = fmt::format("{}", code);
  finding.expected = "an operation that travels to the driver";
  findings_->Add(std::move(finding));
  return false;
}

void Decoder::ReportReserved(const Command& command) {
  Diagnostic finding =
      Finding(Rule::kDp2Stream009,
              {command.offset + 1, 1, fmt::format("commands/{}/reserved", command.index)},
              fmt::format("{}: bReserved is {}, expected 0", command.op->name, command.reserved),
              environment_);
  finding.actual = fmt::format("{}", command.reserved);
  finding.expected = "0";
  findings_->Add(std::move(finding));
}

void Visit(const Command& command, const Environment& environment, Visitor& visitor) {
  const OpInfo& op = *command.op;
  if (op.fixed != nullptr) visitor.OnFixed(*op.fixed, FixedAt(command));
  const auto visit_tails = [&visitor, &op](uint32_t record, const TailHost& host) {
    for (size_t i = 0; i < op.tails.size(); ++i) {
      const TailPart part = Tail(host, i);
      if (part.is_present) visitor.OnTail(record, *part.desc, part.padding, part.bytes);
    }
  };
  if (op.record == nullptr) {
    visit_tails(0, FixedTails(command, environment));
    return;
  }
  for (const Record& record : Records(command, environment)) {
    visitor.OnRecord(record.index, *op.record, record.at());
    visit_tails(record.index, record.host);
  }
}

void Encoder::Header(uint8_t code, uint8_t reserved, uint16_t count) {
  ByteWriter writer(*out_);
  writer.Write(code);
  writer.Write(reserved);
  writer.Write(count);
}

void Encoder::Raw(Bytes bytes) {
  out_->insert(out_->end(), bytes.begin(), bytes.end());
}

void Encoder::Padding(Bytes padding) {
  const uint32_t size = PaddingSize();
  for (uint32_t i = 0; i < size; ++i)
    out_->push_back(i < padding.size() ? padding[i] : uint8_t{0});
}

uint32_t Encoder::PaddingSize() const {
  return VertexPadding(offset());
}

uint64_t Encoder::offset() const {
  return environment_.command_offset + (out_->size() - start_);
}

}  // namespace dp2trace::stream
