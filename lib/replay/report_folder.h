// The folder that a replay leaves: its pictures as PNG, and report.json. Source: lib/design.md 7.
#pragma once

#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "image/picture.h"
#include "replay/images.h"
#include "replay/report_json.h"

namespace dp2trace::replay {

// Writes each picture into the folder, which exists, and keeps what the report says of it. Up to two pictures are compressed and written
// while the replay goes on; a failure is returned by a later call.
class PictureFolder final : public replay::ImageSink {
 public:
  explicit PictureFolder(std::string folder) : folder_(std::move(folder)) {}

  Status OnImage(const replay::ImageInfo& info, const image::Picture& picture) override;
  // Waits until all pictures are written. The first failure, in their order.
  Status Finish();
  // Those that were written before any failure, after Finish().
  std::vector<replay::ImageInfo> Take() { return std::move(images_); }

 private:
  // Waits until no more than `count` pictures are being written.
  Status WaitFor(size_t count);

  std::string folder_;
  std::vector<replay::ImageInfo> images_;
  // The last picture. A read by the CPU often has the pixels of the frame that was shown.
  std::shared_ptr<const image::Picture> picture_;
  std::shared_future<Result<std::vector<uint8_t>>> png_;  // of it
  std::deque<std::future<Status>> writing_;               // of the last of images_
};

// Takes away what an earlier replay left in the folder: the pictures that its report.json lists, and the report; how many pictures. Anything
// else stays; a report.json of anything else is an error, and so is, unless `is_forced`, a picture that a replay might replace and no
// report lists. Nothing is taken away then.
Result<uint64_t> RemoveEarlier(const std::string& folder, bool is_forced);

// Writes report.json into the folder, whole or not at all.
Status WriteReport(const std::string& folder, const Report& report, const DiagnosticList& findings);

}  // namespace dp2trace::replay
