// headrace/bench/report.hpp: rows, warnings and verdicts as they are printed; a report as JSON, CSV and Markdown. Not
// for users.
#pragma once

#include "measure.hpp"

namespace headrace {
inline namespace HEADRACE_BENCH_ABI {
namespace detail::timing {

// "1.03x [1.01, 1.05]": three decimals where two would print both ends alike.
HEADRACE_BENCH_INLINE std::string ratio_text(const bench_pair& pair, bool inverse) {
  const double ratio = inverse ? 1 / pair.ratio : pair.ratio;
  const double low = inverse ? 1 / pair.high : pair.low, high = inverse ? 1 / pair.low : pair.high;
  const int decimals = high >= 100 ? 0 : high - low < 0.02 && high < 10 ? 3 : 2;
  const std::string estimate = fixed(ratio, decimals);
  if (!pair.bounded) return join({estimate, "x"});
  return join({estimate, "x [", fixed(low, decimals), ", ", fixed(high, decimals), "]"});
}

struct bins {
  static constexpr std::size_t number = 16;
  std::size_t counts[number] = {}, highest = 1;
};

// Counts the sorted values in bins of equal width. The last one ends three quartile distances above the third quartile,
// so that an outlier does not squeeze the rest into one bin (Tukey, "Exploratory Data Analysis", 1977), and holds
// whatever is beyond.
HEADRACE_BENCH_INLINE bins count_in_bins(const std::vector<double>& sorted) {
  bins found;
  const double min = percentile(sorted, 0), quartile = percentile(sorted, 0.75), max = percentile(sorted, 1);
  const double fence = quartile + 3 * (quartile - percentile(sorted, 0.25));
  const double span = (fence < max ? fence : max) - min;
  for (const double value : sorted) {
    const double place = span > 0 ? (value - min) / span * bins::number : 0;
    const std::size_t at = place < bins::number - 1 ? static_cast<std::size_t>(place) : bins::number - 1;
    const std::size_t count = ++found.counts[at];
    if (count > found.highest) found.highest = count;
  }
  return found;
}

HEADRACE_BENCH_INLINE std::string histogram(const std::vector<double>& sorted, bool unicode) {
  const char* const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const char* const letters[] = {".", ":", "-", "=", "+", "*", "%", "#"};
  const bins found = count_in_bins(sorted);
  std::string text;
  for (const std::size_t count : found.counts)
    text.append(count == 0 ? " " : (unicode ? blocks : letters)[count * 7 / found.highest]);
  return text;
}

inline constexpr std::size_t name_width = 28;

HEADRACE_BENCH_INLINE void introduce(suite_state& s) {
  if (s.introduced) return;
  s.introduced = true;
  if (s.consult) {
    s.machine = inspect_machine();
    s.warnings = warnings_about(s.machine);
  }
  print(s,
        {paint(s.look.colour, "1", s.title), "\n  clock steps of ", duration(s.resolution, s.look.unicode), ", budget ",
         digits(s.seconds, 3), " s per function", s.machine.cpu.empty() ? "" : ", ", s.machine.cpu, "\n"});
  for (const std::string& warning : s.warnings) print_warning(s, warning);
}

HEADRACE_BENCH_INLINE bool has_rate(const bench_result& r) { return r.batch != 1 || r.unit != "op"; }

HEADRACE_BENCH_INLINE std::string table_head(const bench_result& r, bool unicode) {
  std::string line = join({"  ", left("function", name_width), "     median     err%",
                           right(unicode ? "min … max" : "min .. max", 24), "        p75        p99"});
  if (has_rate(r)) line.append(right("rate", 17));
  if (r.counters.present) line.append("     cycles    IPC   branches   miss%");
  return line.append("           samples  distribution");
}

HEADRACE_BENCH_INLINE std::string counters_text(const bench_counters& c) {
  const double ipc = c.cycles > 0 ? c.instructions / c.cycles : 0;
  const double missed = c.branches > 0 ? c.branch_misses / c.branches : 0;
  return join({right(digits(c.cycles, 4), 11), right(fixed(ipc, 2), 7), right(digits(c.branches, 4), 11),
               right(percent(missed), 8)});
}

HEADRACE_BENCH_INLINE std::string table_row(const bench_result& r, bench_look look) {
  const bool u = look.unicode;
  std::string line = join({"  ", left(r.name, name_width)});
  if (width_of(r.name) > name_width) line.append("\n").append(name_width + 2, ' ');
  const std::string range = join({duration(r.min, u), u ? " … " : " .. ", duration(r.max, u)});
  line.append(paint(look.colour, "1;36", right(duration(r.median, u), 11)));
  for (const std::string& text :
       {right(percent(r.error), 9), right(range, 24), right(duration(r.p75, u), 11), right(duration(r.p99, u), 11)})
    line.append(text);
  if (has_rate(r)) line.append(right(rate(r.batch / r.median * 1e9, r.unit), 17));
  if (r.counters.present) line.append(counters_text(r.counters));
  const std::string samples = join({whole(r.samples), " x ", whole(r.calls)});
  return join({line, right(samples, 18), "  ", paint(look.colour, "36", histogram(r.values, u))});
}

// A reader must know these about a row before believing it.
HEADRACE_BENCH_INLINE std::vector<std::string> warnings_about(const bench_result& r) {
  std::vector<std::string> found;
  if (r.like_empty)
    found.push_back(
        join({r.name, ": no slower than an empty loop: the compiler computed it beforehand or removed it, or it ",
              "is too small to tell; keep() its result and pass its inputs through keep()"}));
  if (r.below_clock) found.push_back(join({r.name, ": too short for this clock: give one call more to do"}));
  if (r.unoptimised) found.push_back(join({r.name, ": compiled without optimisation: compile with -O2"}));
  if (r.error > 0.05)
    found.push_back(join({r.name, ": unsteady: half of the samples are more than ", percent(r.error),
                          " off the median; quieten the machine or raise the budget"}));
  return found;
}

HEADRACE_BENCH_INLINE void print_row(suite_state& s, const bench_result& r) {
  const std::string head = table_head(r, s.look.unicode);
  if (head != s.columns) print(s, {paint(s.look.colour, "2", head), "\n"});
  s.columns = head;
  print(s, {table_row(r, s.look), "\n"});
  for (const std::string& warning : warnings_about(r)) print_warning(s, warning);
}

// "1.03x [1.01, 1.05] faster than ofstream": the reference's side of the pair.
HEADRACE_BENCH_INLINE std::string pair_text(const bench_pair& p, double margin, bool colour) {
  const bool ahead = p.ratio >= 1;
  const std::string ratio = ratio_text(p, !ahead), plain = ratio_text(p, false), name = paint(colour, "1", p.name);
  const char* const word = ahead ? " faster than " : " slower than ";
  switch (p.verdict) {
    case bench_verdict::slower:
    case bench_verdict::faster:
      return join({paint(colour, ahead ? "32" : "31", ratio), word, name});
    case bench_verdict::small:
      return join({ratio, word, name, ": detectable but small"});
    case bench_verdict::same:
      return join({"same within ", percent(same_margin(margin)), " as ", name, ": ", plain});
    case bench_verdict::unclear:
      break;
  }
  return join({paint(colour, "33", "cannot tell apart from "), name, ": ", plain});
}

HEADRACE_BENCH_INLINE void print_comparison(const suite_state& s) {
  const bench_comparison& c = s.comparison;
  for (const std::string& name : c.left_out)
    print_warning(s, join({name, ": not compared, because nothing of it could be measured"}));
  if (c.reference.empty()) return print(s, {"compare: needs two functions that take time; run() another\n"});
  print(s, {paint(s.look.colour, "1", "compare"), ": ", whole(c.twin.rounds), " rounds in shuffled order, margin ",
            percent(c.margin), " (", c.reference, " against itself: ", ratio_text(c.twin, false),
            "), 95 % intervals\n  ", paint(s.look.colour, "1", c.reference), "\n"});
  for (const bench_pair& p : c.pairs) {
    print(s, {"    ", pair_text(p, c.margin, s.look.colour), "\n"});
    if (p.bounded) continue;
    const task* const own = find_task(s, p.name);
    const task* const other = find_task(s, c.reference);
    const double slower = own->wall > other->wall ? own->wall : other->wall;
    print_warning(
        s, join({p.name, ": ", whole(p.rounds), " of the ", whole(min_rounds),
                 " rounds that an interval needs fitted into the budget: allow about ",
                 digits(__builtin_ceil(slower * 1.2e-9), 6), " s per function (budget() or HEADRACE_BENCH_SECONDS)"}));
  }
  if (c.margin > max_same_margin)
    print_warning(
        s, join({c.reference, " differed by ", percent(c.margin),
                 " from itself: smaller differences cannot be seen here; quieten the machine or raise the budget"}));
}

HEADRACE_BENCH_INLINE void print_growth(const suite_state& s, const bench_growth& g) {
  const bench_fit &best = g.fits[0], &next = g.fits[1];
  print(s, {"  ", g.name, " grows as ", paint(s.look.colour, "1", best.model), ": ", digits(best.factor, 4), " ns x ",
            best.model, ", rms ", percent(best.rms), "; next ", next.model, ", rms ", percent(next.rms), "\n"});
}

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
