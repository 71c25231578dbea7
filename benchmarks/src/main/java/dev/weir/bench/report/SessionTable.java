package dev.weir.bench.report;

import dev.weir.bench.series.RecordedSeries;
import dev.weir.bench.series.Session;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes the sessions of a series as Markdown. */
public final class SessionTable {
  private static final double MB = 1e6;

  private SessionTable() {}

  /** Returns the number of sessions and their days, as the end of a sentence. */
  public static String when(List<Session> sessions) {
    return String.format(
        Locale.ROOT,
        "in %d session%s. %s,",
        sessions.size(),
        sessions.size() == 1 ? "" : "s",
        sessions.stream()
            .map(session -> session.begun().atZone(ZoneOffset.UTC).toLocalDate().toString())
            .distinct()
            .collect(Collectors.joining(", ")));
  }

  /**
   * Returns a row per session.
   *
   * @param sessions in order
   * @param kept counts the runs of each
   */
  public static String of(List<Session> sessions, RecordedSeries<?> kept) {
    MarkdownTable table =
        new MarkdownTable(
            List.of("session", "begun", "a link carries", "load before", "commit", "runs"));
    for (Session session : sessions) {
      table.row(
          List.of(
              String.valueOf(session.number()),
              String.valueOf(session.begun().truncatedTo(ChronoUnit.SECONDS)),
              session.bytesPerSecond() > 0
                  ? String.format(Locale.ROOT, "%.3f MB/s", session.bytesPerSecond() / MB)
                  : "not measured",
              String.format(Locale.ROOT, "%.1f", session.load()),
              session.commit(),
              String.valueOf(kept.madeIn(session))));
    }
    return table.toString();
  }
}
