#include "kmt/handle_words.h"

#include <doctest/doctest.h>

#include <vector>

#include "opcode/opcode.h"
#include "worked_packet.h"

using namespace dp2trace;       // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::kmt;  // NOLINT(google-build-using-namespace): test file

namespace {

std::vector<HandleWord> WordsOf(Bytes token) {
  std::vector<HandleWord> words;
  HandleWordCursor cursor(token);
  for (HandleWord word; cursor.Next(word);)
    words.push_back(word);
  return words;
}

// A token with one or more elements of u32 words.
std::vector<uint8_t> Token(uint8_t op, uint16_t count, std::initializer_list<uint32_t> words) {
  std::vector<uint8_t> bytes;
  ByteWriter writer(bytes);
  writer.Write(op);
  writer.Write(uint8_t{0});
  writer.Write(count);
  for (const uint32_t word : words)
    writer.Write(word);
  return bytes;
}

}  // namespace

TEST_CASE("Handle words: every row agrees with the operation table") {
  for (const HandleWordDesc& row : AllHandleWords()) {
    CAPTURE(row.op_name);
    CAPTURE(row.field);
    const opcode::OpInfo* op = opcode::Find(row.op);
    REQUIRE(op != nullptr);
    CHECK(op->name == row.op_name);
    const opcode::StructDesc* layout = row.repeat == WordRepeat::kOnce ? op->fixed : op->record;
    REQUIRE(layout != nullptr);
    CHECK(layout->size == row.element_size);
    uint32_t at = 0;
    bool is_found = false;
    for (const opcode::FieldDesc& field : layout->fields) {
      if (at == row.at) {
        is_found = true;
        CHECK(field.spec_name == row.field);
        CHECK(field.size() == 4);
      }
      at += field.size();
    }
    CHECK(is_found);
  }
}

TEST_CASE("Handle words: the operation table knows no other surface handle") {
  for (const opcode::OpInfo& op : opcode::AllOps()) {
    CAPTURE(op.name);
    size_t surfaces = 0;
    for (const opcode::StructDesc* layout : {op.fixed, op.record}) {
      if (layout == nullptr) continue;
      for (const opcode::FieldDesc& field : layout->fields) {
        if (field.meaning == opcode::Meaning::kSurface) ++surfaces;
      }
    }
    size_t unconditional = 0;
    for (const HandleWordDesc& row : HandleWordsOf(static_cast<uint8_t>(op.op))) {
      if (row.condition == WordCondition::kAlways) ++unconditional;
    }
    CHECK(surfaces == unconditional);
  }
}

TEST_CASE("HandleWordCursor: finds the words of the worked packet") {
  const auto targets = WordsOf(Bytes(kWorkedCommands, 12));
  REQUIRE(targets.size() == 2);
  CHECK(targets[0].offset == 4);
  CHECK(targets[0].value == 1);
  CHECK(targets[0].slot == 1u);
  CHECK(targets[0].driver_id() == 0x29);
  CHECK(targets[1].value == 2);
  CHECK(targets[1].slot == 5u);
  CHECK(targets[1].driver_id() == 0x129);

  const auto stream = WordsOf(Bytes(kWorkedCommands + 12, 16));
  REQUIRE(stream.size() == 1);
  CHECK(stream[0].offset == 8);
  CHECK(stream[0].value == 3);
  CHECK(stream[0].slot == 32u);
  CHECK(WordsOf(Bytes(kWorkedCommands + 28, 16)).empty());
}

TEST_CASE("HandleWordCursor: state words are handles only for the texture states") {
  const auto states = Token(8, 3, {7, 5, 1, 6, 27, 8});
  const auto words = WordsOf(states);
  REQUIRE(words.size() == 1);
  CHECK(words[0].element == 1);
  CHECK(words[0].offset == 16);
  CHECK(words[0].value == 6);
  CHECK(words[0].slot == 16u);
  CHECK(words[0].driver_id() == 0x10008);

  // Stage 258 texture map; stage 0 state 1.
  const auto stages = Token(25, 2, {0x00000102, 9, 0x00010000, 4});
  REQUIRE(WordsOf(stages).size() == 1);
  CHECK(WordsOf(stages)[0].slot == 10u);
}

TEST_CASE("HandleWordCursor: numbers outside the slot table have no slot") {
  CHECK(WordsOf(Token(25, 1, {16, 9}))[0].slot == std::nullopt);
  CHECK(WordsOf(Token(25, 1, {261, 9}))[0].slot == std::nullopt);
  CHECK(WordsOf(Token(49, 1, {15, 9, 0}))[0].slot == 47u);
  CHECK(WordsOf(Token(49, 1, {16, 9, 0}))[0].slot == std::nullopt);
  CHECK(WordsOf(Token(85, 1, {3, 9}))[0].slot == 4u);
  CHECK(WordsOf(Token(85, 1, {0xFFFFFFFF, 9}))[0].slot == std::nullopt);
}

TEST_CASE("HandleWordCursor: a count beyond the token is cut, and every prefix is safe") {
  const auto token = Token(81, 0xFFFF, {1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0});
  CHECK(WordsOf(token).size() == 2);
  for (size_t size = 0; size <= token.size(); ++size)
    CHECK(WordsOf(Bytes(token).first(size)).size() == (size < 56 ? 0 : 2));
}

TEST_CASE("HandleWordCursor: SETRENDERTARGET ignores its count") {
  CHECK(WordsOf(Token(41, 0, {1, 2})).size() == 2);
  CHECK(WordsOf(Token(41, 5, {1, 2})).size() == 2);
}
