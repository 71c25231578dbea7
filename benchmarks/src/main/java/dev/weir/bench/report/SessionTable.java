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
  public static String of(List<Session> sessions, RecordedSeries kept) {
    StringBuilder text =
        new StringBuilder("| session | begun | a link carries | load before | commit | runs |\n");
    text.append("|---|---|---|---|---|---|\n");
    for (Session session : sessions) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %d | %s | %s | %.1f | %s | %d |\n",
              session.number(),
              session.begun().truncatedTo(ChronoUnit.SECONDS),
              session.bytesPerSecond() > 0
                  ? String.format(Locale.ROOT, "%.3f MB/s", session.bytesPerSecond() / MB)
                  : "not measured",
              session.load(),
              session.commit(),
              kept.madeIn(session)));
    }
    return text.toString();
  }
}
