#include "validate/command_view.h"

#include <fmt/format.h>

#include <utility>

#include "validate/memory.h"

namespace dp2trace::validate {

void CommandView::Report(Rule rule, const std::string& message, std::string actual,
                         std::string expected) const {
  if (!Wants(rule)) return;
  findings.Add(rule, Place{command.offset, command.bytes.size(), stream::PathOf(command)},
               fmt::format("{}: {}", command.op->name, message), std::move(actual),
               std::move(expected));
}

void CommandView::Report(Rule rule, const stream::Record& record, const std::string& message,
                         std::string actual, std::string expected) const {
  if (record.host.layout == nullptr || record.host.layout == command.op->fixed) {
    Report(rule, message, std::move(actual), std::move(expected));
    return;
  }
  if (!Wants(rule)) return;
  findings.Add(rule, Place{record.offset(), record.bytes.size(), stream::PathOf(command, record)},
               fmt::format("{}: {}", command.op->name, message), std::move(actual),
               std::move(expected));
}

void CommandView::ReportAtDraw(Rule rule, uint32_t detail, const std::string& message,
                               std::string actual, std::string expected) const {
  if (memory.recurring.IsNews(rule, detail))
    Report(rule, message, std::move(actual), std::move(expected));
}

}  // namespace dp2trace::validate
