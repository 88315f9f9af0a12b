#include "validate/command_view.h"

#include <fmt/format.h>

#include <utility>

#include "validate/memory.h"

namespace dp2trace::validate {

void CommandView::Report(Rule rule, const std::string& message, std::string actual,
                         std::string expected) const {
  if (!Wants(rule)) return;
  findings.Add(rule, stream::PlaceOf(command), fmt::format("{}: {}", command.op->name, message),
               std::move(actual), std::move(expected));
}

void CommandView::Report(Rule rule, const stream::Record& record, const std::string& message,
                         std::string actual, std::string expected) const {
  Report(rule, record, stream::Word(), message, std::move(actual), std::move(expected));
}

void CommandView::Report(Rule rule, const stream::Record& record, const stream::Word& word,
                         const std::string& message, std::string actual,
                         std::string expected) const {
  if (!Wants(rule)) return;
  findings.Add(rule, stream::PlaceOf(command, record, word),
               fmt::format("{}: {}", command.op->name, message), std::move(actual),
               std::move(expected));
}

void CommandView::ReportAtDraw(Rule rule, uint32_t detail, const std::string& message,
                               std::string actual, std::string expected) const {
  if (Wants(rule) && memory.RecurringOf(*command.op).IsNews(rule, detail))
    Report(rule, message, std::move(actual), std::move(expected));
}

}  // namespace dp2trace::validate
