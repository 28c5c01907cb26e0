// headrace/bench/json.hpp: a report as JSON. Not for users.
#pragma once

#include "suite.hpp"

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {
namespace detail::timing {

HEADRACE_BENCH_INLINE std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    char escape[8] = {'\\', c, 0};
    if (static_cast<unsigned char>(c) < 0x20)
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else if (c != '"' && c != '\\') escape[0] = c, escape[1] = 0;
    result.append(escape);
  }
  return result.append("\"");
}

// A JSON object or array under construction; text() ends it.
class json_writer {
 public:
  explicit json_writer(bool object, const char* separator = ", ")
      : text_(1, object ? '{' : '['), separator_(separator), end_(object ? '}' : ']') {}
  json_writer& raw(const char* key, std::string_view value) {
    if (text_.size() > 1) text_.append(separator_);
    if (key != nullptr) text_.append("\"").append(key).append("\": ");
    text_.append(value);
    return *this;
  }
  json_writer& add(const char* key, double value) { return raw(key, digits(value, 9)); }
  json_writer& add(const char* key, bool value) { return raw(key, value ? "true" : "false"); }
  json_writer& add(const char* key, std::string_view value) { return raw(key, json_string(value)); }
  json_writer& add(const char* key, const char* value) { return raw(key, json_string(value)); }
  json_writer& count(const char* key, std::uint64_t value) { return raw(key, whole(value)); }
  json_writer& null_or(const char* key, bool known, std::string_view value) { return raw(key, known ? value : "null"); }
  std::string text() const { return join({text_, std::string_view(&end_, 1)}); }

 private:
  std::string text_;
  const char* separator_;
  char end_;
};

HEADRACE_BENCH_INLINE std::string list(const std::vector<double>& values) {
  json_writer array(false);
  for (const double value : values) array.add(nullptr, value);
  return array.text();
}

HEADRACE_BENCH_INLINE std::string list(const std::vector<std::string>& values) {
  json_writer array(false);
  for (const std::string& value : values) array.add(nullptr, value);
  return array.text();
}

HEADRACE_BENCH_INLINE std::string json_of(const machine_facts& m) {
#ifdef __clang__
  const char* const compiler = __VERSION__;
#else
  const char* const compiler = "g++ " __VERSION__;
#endif
  return json_writer(true)
      .add("cpu", m.cpu)
      .null_or("processors", m.processors > 0, whole(static_cast<std::uint64_t>(m.processors)))
      .null_or("governor", !m.governor.empty(), json_string(m.governor))
      .null_or("turbo", m.turbo >= 0, m.turbo == 1 ? "true" : "false")
      .null_or("load", m.load >= 0, digits(m.load, 4))
      .add("compiler", compiler)
      .text();
}

HEADRACE_BENCH_INLINE std::string json_of(const bench_counters& c) {
  if (!c.present) return "null";
  json_writer object(true);
  object.add("cycles", c.cycles).add("instructions", c.instructions).add("branches", c.branches);
  return object.add("branch_misses", c.branch_misses).text();
}

HEADRACE_BENCH_INLINE std::string json_of(const bench_result& r) {
  json_writer object(true, ",\n     ");
  object.add("name", r.name).add("unit", r.unit).add("batch", r.batch).null_or("size", r.size != 0, whole(r.size));
  object.count("calls", r.calls).count("samples", r.samples).add("first", r.first);
  object.add("median", r.median).add("error", r.error).add("mean", r.mean);
  object.add("least", r.min).add("most", r.max).add("p75", r.p75).add("p99", r.p99);
  object.add("like_empty", r.like_empty).add("below_clock", r.below_clock).add("unoptimised", r.unoptimised);
  object.raw("counters", json_of(r.counters)).raw("values", list(r.values)).raw("rounds", list(r.rounds));
  return object.text();
}

HEADRACE_BENCH_INLINE std::string json_of(const bench_pair& p) {
  json_writer object(true);
  object.add("name", p.name).add("ratio", p.ratio);
  object.null_or("low", p.bounded, digits(p.low, 9)).null_or("high", p.bounded, digits(p.high, 9));
  return object.count("rounds", p.rounds).add("verdict", to_string(p.verdict)).text();
}

HEADRACE_BENCH_INLINE std::string json_of(const bench_comparison& c) {
  if (c.reference.empty()) return "null";
  json_writer pairs(false, ",\n      "), object(true, ",\n    ");
  for (const bench_pair& p : c.pairs) pairs.raw(nullptr, json_of(p));
  object.add("reference", c.reference).add("margin", c.margin).add("confidence", 0.95);
  return object.raw("twin", json_of(c.twin)).raw("left_out", list(c.left_out)).raw("pairs", pairs.text()).text();
}

HEADRACE_BENCH_INLINE std::string json_of(const bench_growth& g) {
  json_writer fits(false, ",\n      ");
  for (const bench_fit& f : g.fits) {
    json_writer entry(true);
    fits.raw(nullptr, entry.add("model", f.model).add("factor", f.factor).add("rms", f.rms).text());
  }
  return json_writer(true).add("name", g.name).raw("fits", fits.text()).text();
}

}  // namespace detail::timing

HEADRACE_BENCH_INLINE std::string bench::json() const {
  using namespace detail::timing;
  const suite_state& s = *state_;
  json_writer clock(true), functions(false, ",\n    "), growths(false, ",\n    "), object(true, ",\n  ");
  clock.add("resolution", s.resolution).add("overhead", s.overhead);
  for (const task* t : s.tasks) functions.raw(nullptr, json_of(t->result));
  for (const growth_entry* g = s.growths; g != nullptr; g = g->next) growths.raw(nullptr, json_of(g->growth));
  object.add("schema", "headrace.bench/1").add("title", s.title).add("time_unit", "ns").raw("clock", clock.text());
  object.add("budget_seconds", s.seconds).count("seed", s.seed);
  object.null_or("machine", s.consult, json_of(s.machine)).raw("warnings", list(s.warnings));
  object.raw("functions", functions.text()).raw("comparison", json_of(s.comparison)).raw("growth", growths.text());
  return object.text().append("\n");
}

}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace
