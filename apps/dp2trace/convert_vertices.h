// Vertices as numbers: `convert --vertices readable`.
#pragma once

#include <cstdint>
#include <string>

#include "state/vertex_words.h"
#include "trace/reader.h"

namespace dp2trace::app {

// What events do not say of their vertices, the draws do: the trace is read twice.
class ReadableVertices {
 public:
  // Reads the trace a first time; standard input has only one.
  ReadableVertices(const std::string& path, uint64_t max_memory);

  // The event that is written next.
  void OnEvent(const trace::EventRecord& record);
  // Of its vertices (json::WriterOptions); null: they stay bytes, or the event says their format.
  const std::string* words() const { return words_; }
  // Which vertices stay bytes, and why; empty where none do.
  std::string Reason() const;

 private:
  bool is_read_once_;
  state::VertexWords finder_;
  const std::string* words_ = nullptr;
  uint64_t calls_ = 0, uploads_ = 0;  // that stay bytes
};

}  // namespace dp2trace::app
