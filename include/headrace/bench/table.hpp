// headrace/bench/table.hpp: the rows, warnings and verdicts that are printed. Not for users.
#pragma once

#include "suite.hpp"

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

constexpr std::size_t name_width = 28;

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

// What a reader must know about a row before believing it.
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

}  // namespace detail::timing
}  // namespace HEADRACE_BENCH_ABI
}  // namespace headrace
