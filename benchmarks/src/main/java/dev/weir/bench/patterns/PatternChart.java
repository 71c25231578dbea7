package dev.weir.bench.patterns;

import dev.weir.bench.report.TimingStatistics;
import dev.weir.bench.series.Setup;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * Draws the times of experiments as an SVG image: a bar per setup for the mean, a line for the mean
 * plus and minus the deviation of runs. The image needs no script and follows a dark colour scheme.
 */
final class PatternChart {
  private static final int WIDTH = 720;
  private static final int RIGHT = 80;
  private static final int TOP = 44;
  private static final int CHARACTER = 8;
  private static final int BAR = 16;
  private static final int GAP = 14;
  private static final int BOTTOM = 46;
  private static final int LEGEND_ENTRY = 110;
  private static final int MOST_TICKS = 8;

  /** The colours of setups are those of {@code bench.js}. */
  private static final String STYLE =
      """
      <style>
        text { font: 13px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1c2430 }
        .page { fill: #ffffff } .grid { stroke: #d5dbe3 }
        .deviation { stroke: #1c2430; stroke-width: 1.5 }
        .bar { fill: #8b95a1 } .stock-r1 { fill: #c3c9d0 } .weir { fill: #009e73 }
        .dispatch-r3 { fill: #56b4e9 } .dispatch-r1 { fill: #a5d5f2 }
        .left { text-anchor: end } .middle { text-anchor: middle }
        @media (prefers-color-scheme: dark) {
          text { fill: #e6edf3 } .page { fill: #0d1117 } .grid { stroke: #30363d }
          .deviation { stroke: #e6edf3 } .stock-r3 { fill: #57606a } .stock-r1 { fill: #848d97 }
        }
      </style>
      """;

  private final List<PatternOutcome> outcomes;
  private final StringBuilder svg = new StringBuilder();
  private final int left;
  private final double most;
  private final double scale;

  private PatternChart(List<PatternOutcome> outcomes) {
    this.outcomes = outcomes;
    this.left =
        CHARACTER * outcomes.stream().mapToInt(one -> one.title().length()).max().orElse(0) + GAP;
    this.most =
        outcomes.stream()
            .flatMap(outcome -> outcome.series().bySetup().values().stream())
            .mapToDouble(times -> times.mean() + times.deviation())
            .max()
            .orElse(1);
    this.scale = (WIDTH - left - RIGHT) / most;
  }

  static String svg(List<PatternOutcome> outcomes) {
    return new PatternChart(outcomes).draw();
  }

  private String draw() {
    int bars = outcomes.stream().mapToInt(one -> one.series().bySetup().size()).sum();
    int bottom = TOP + bars * BAR + outcomes.size() * GAP;
    int height = bottom + BOTTOM;
    add(
        "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d'>",
        WIDTH, height, WIDTH, height);
    svg.append(STYLE);
    add("<rect class='page' width='%d' height='%d'/>", WIDTH, height);
    legend();
    axis(bottom);
    int y = TOP + GAP / 2;
    for (PatternOutcome outcome : outcomes) {
      y = group(outcome, y) + GAP;
    }
    return svg.append("</svg>\n").toString();
  }

  private void legend() {
    int x = left;
    for (Setup setup : PatternOutcome.setups(outcomes)) {
      add("<rect class='bar %s' x='%d' y='14' width='12' height='12'/>", setup.label(), x);
      add("<text x='%d' y='25'>%s</text>", x + 18, setup.label());
      x += LEGEND_ENTRY;
    }
  }

  private void axis(int bottom) {
    double power = Math.pow(10, Math.floor(Math.log10(most)));
    double step =
        DoubleStream.of(0.2, 0.5, 1, 2)
            .map(part -> part * power)
            .filter(one -> most / one <= MOST_TICKS)
            .findFirst()
            .orElse(most);
    int decimals = (int) Math.max(0, Math.ceil(-Math.log10(step)));
    for (int i = 0; i * step <= most; i++) {
      double x = x(i * step);
      add("<line class='grid' x1='%.1f' y1='%d' x2='%.1f' y2='%d'/>", x, TOP, x, bottom);
      add(
          "<text class='middle' x='%.1f' y='%d'>%." + decimals + "f</text>",
          x,
          bottom + 17,
          i * step);
    }
    add(
        "<text class='middle' x='%d' y='%d'>seconds: mean of all repetitions ± deviation of the"
            + " means of runs</text>",
        (left + WIDTH - RIGHT) / 2, bottom + 37);
  }

  /** Returns the lower edge. */
  private int group(PatternOutcome outcome, int top) {
    int y = top;
    for (var setup : outcome.series().bySetup().entrySet()) {
      bar(setup.getKey(), setup.getValue(), y);
      y += BAR;
    }
    add(
        "<text class='left' x='%d' y='%d'>%s</text>",
        left - 10, (top + y) / 2 + 5, outcome.title());
    return y;
  }

  private void bar(Setup setup, TimingStatistics times, int y) {
    add(
        "<rect class='bar %s' x='%d' y='%d' width='%.1f' height='%d'/>",
        setup.label(), left, y, times.mean() * scale, BAR - 2);
    double low = x(Math.max(0, times.mean() - times.deviation()));
    double high = x(times.mean() + times.deviation());
    if (times.means().size() > 1) {
      int middle = y + BAR / 2 - 1;
      add("<path class='deviation' d='M%.1f %d v6 m0 -3 H%.1f m0 -3 v6'/>", low, middle - 3, high);
    }
    add("<text x='%.1f' y='%d'>%.2f</text>", high + 6, y + BAR - 4, times.mean());
  }

  private double x(double seconds) {
    return left + seconds * scale;
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
