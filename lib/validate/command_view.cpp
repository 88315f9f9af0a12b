#include "validate/command_view.h"

#include <fmt/format.h>

#include <utility>

#include "rules/rule.h"
#include "validate/causes.h"
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

namespace {

Diagnostic StateFinding(const CommandView& view, Rule rule, uint32_t detail,
                        const std::string& message, std::string actual, std::string expected) {
  const stream::Command& command = view.command;
  Diagnostic finding = MakeDiagnostic(rule, fmt::format("{}: {}", command.op->name, message));
  finding.offset = command.offset;
  finding.length = command.bytes.size();
  finding.is_whole = true;
  finding.path = stream::PathOf(command);
  finding.actual = std::move(actual);
  finding.expected = std::move(expected);
  AddCause(view.context, *command.op, detail, finding);
  return finding;
}

}  // namespace

void CommandView::ReportState(Rule rule, uint32_t detail, const std::string& message,
                              std::string actual, std::string expected) const {
  if (!Wants(rule)) return;
  findings.Add(StateFinding(*this, rule, detail, message, std::move(actual), std::move(expected)));
}

void CommandView::ReportAtDraw(Rule rule, uint32_t detail, const std::string& message,
                               std::string actual, std::string expected) const {
  if (!Wants(rule)) return;
  Recurring& recurring = memory.RecurringOf(*command.op);
  if (!recurring.IsNews(rule, detail) && !findings.lists_each())
    return findings.CountAgain(rule, recurring.cause());
  Diagnostic finding =
      StateFinding(*this, rule, detail, message, std::move(actual), std::move(expected));
  recurring.cause() = finding.cause;
  findings.Add(std::move(finding));
}

}  // namespace dp2trace::validate
