// The hashes of the pictures of a replay, by file name.
#pragma once

#include <map>
#include <string>

#include "replay/images.h"

namespace dp2trace::testing {

class HashSink final : public replay::ImageSink {
 public:
  Status OnImage(const replay::ImageInfo& info, const image::Picture& /*picture*/) override {
    hashes[info.file] = info.hash + info.raw_hash;
    return OkStatus();
  }
  std::map<std::string, std::string> hashes;
};

}  // namespace dp2trace::testing
