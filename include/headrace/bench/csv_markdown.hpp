// headrace/bench/csv_markdown.hpp: a report as CSV and Markdown. Not for users.
#pragma once

#include "suite.hpp"

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {
namespace detail::timing {

// CSV (RFC 4180): a field is quoted where it must be.
HEADRACE_BENCH_INLINE std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result.append(c == '"' ? 2 : 1, c);
  return result.append("\"");
}

HEADRACE_BENCH_INLINE std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result;
}

HEADRACE_BENCH_INLINE const bench_pair* pair_of(const bench_comparison& c, const std::string& name) {
  for (const bench_pair& p : c.pairs)
    if (p.name == name) return &p;
  return nullptr;
}

HEADRACE_BENCH_INLINE std::string csv_row(const bench_result& r, const bench_comparison& c) {
  std::string line =
      join({field(r.name), ",", field(r.unit), ",", digits(r.batch, 9), ",", whole(r.calls), ",", whole(r.samples)});
  const auto add = [&line](bool known, double value) {
    line.append(",");
    if (known) line.append(digits(value, 9));
  };
  const bench_counters& k = r.counters;
  for (const double value : {r.first, r.median, r.error, r.mean, r.min, r.max, r.p75, r.p99}) add(true, value);
  for (const double value : {k.cycles, k.instructions, k.branches, k.branch_misses}) add(k.present, value);
  const bench_pair* const p = pair_of(c, r.name);
  add(p != nullptr, p == nullptr ? 0 : p->ratio);
  add(p != nullptr && p->bounded, p == nullptr ? 0 : p->low);
  add(p != nullptr && p->bounded, p == nullptr ? 0 : p->high);
  return join({line, ",", p == nullptr ? "" : to_string(p->verdict), "\n"});
}

HEADRACE_BENCH_INLINE std::string markdown_row(const bench_result& r, const bench_comparison& c) {
  const bench_pair* const p = pair_of(c, r.name);
  std::string against = r.name == c.reference ? "reference" : "";
  if (p != nullptr) against = join({ratio_text(*p, false), " ", to_string(p->verdict)});
  return join({"| ", cell(r.name), " | ", duration(r.median, true), " | ", percent(r.error), " | ",
               duration(r.min, true), " … ", duration(r.max, true), " | ", duration(r.p75, true), " | ",
               duration(r.p99, true), " | ", rate(r.batch / r.median * 1e9, cell(r.unit)), " | ", against, " |\n"});
}

}  // namespace detail::timing

HEADRACE_BENCH_INLINE std::string bench::csv() const {
  std::string text =
      "name,unit,batch,calls,samples,first_ns,median_ns,error,mean_ns,least_ns,most_ns,p75_ns,p99_ns,"
      "cycles,instructions,branches,branch_misses,ratio,low,high,verdict\n";
  for (const detail::timing::task* t : state_->tasks)
    text.append(detail::timing::csv_row(t->result, state_->comparison));
  return text;
}

HEADRACE_BENCH_INLINE std::string bench::markdown() const {
  using namespace detail::timing;
  const bench_comparison& c = state_->comparison;
  std::string text = join({"| ", cell(state_->title), " | median | err% | min … max | p75 | p99 | rate | against ",
                           c.reference.empty() ? "-" : cell(c.reference), " |\n|---|--:|--:|--:|--:|--:|--:|---|\n"});
  for (const task* t : state_->tasks) text.append(markdown_row(t->result, c));
  return text;
}

}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace
