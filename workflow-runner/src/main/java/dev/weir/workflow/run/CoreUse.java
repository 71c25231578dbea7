package dev.weir.workflow.run;

import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.scheduler.api.Quantiles;
import dev.weir.workflow.scheduler.api.TaskProfiles.Profile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Estimates how many cores tasks of each type keep busy: a command's processor time divided by its
 * run time. A command on a busy worker may get fewer cores than it could use, so attempts with free
 * cores count, if there are enough. The estimate is the upper quartile, not the maximum: a core too
 * many reserved for each task lies idle, while one too few is only shared.
 */
final class CoreUse {

  /** Shorter commands mostly measure their own start. */
  private static final long LEAST_MILLIS = 1_000;

  /** The number of attempts for a reliable measurement. */
  private static final int ENOUGH = 3;

  /** A worker with this much of a core idle does not limit its commands. */
  private static final double ROOM = 0.5;

  /** A command counts as alone if its neighbours use at most this much of a core. */
  private static final double ALONE = 0.25;

  /** The least fraction of the known need that remains after a run with lower needs. */
  private static final double REMEMBERED = 0.75;

  private static final double HUNDREDTHS = 100;

  private final List<TaskRecord> attempts;
  private final int workerCores;
  private final double[] busy;
  private final double[] neighbours;

  private CoreUse(List<TaskRecord> attempts, int workerCores) {
    this.attempts = attempts;
    this.workerCores = workerCores;
    this.busy = attempts.stream().mapToDouble(CoreUse::busy).toArray();
    this.neighbours = new double[busy.length];
    Map<String, List<Integer>> byWorker = new HashMap<>();
    for (int i = 0; i < busy.length; i++) {
      byWorker.computeIfAbsent(attempts.get(i).worker(), id -> new ArrayList<>()).add(i);
    }
    byWorker.values().forEach(this::meet);
  }

  /**
   * The measurement of a type in a run.
   *
   * @param cores cores kept busy
   * @param samples number of attempts
   * @param free whether these attempts had free cores
   */
  record Seen(double cores, int samples, boolean free) {

    /**
     * Combines the known profile with the measurement. The profile grows at once and shrinks
     * slowly.
     *
     * @param known the type's profile before
     * @param workerCores how many cores each worker of the run had
     */
    Profile addTo(Profile known, int workerCores) {
      if (samples < ENOUGH && known.coreSamples() >= ENOUGH) {
        return known;
      }
      if (cores >= known.cores()) {
        return known.withCores(cores, samples);
      }
      // Tasks on busy or smaller workers may be able to use more cores.
      return free && known.wholeCores() <= workerCores
          ? known.withCores(rounded(Math.max(cores, REMEMBERED * known.cores())), samples)
          : known;
    }
  }

  /**
   * Measures a run.
   *
   * @param workerCores how many cores each of its workers had
   * @return the measurements by type, without types whose commands were all too short
   */
  static Map<String, Seen> byType(List<TaskRecord> attempts, int workerCores) {
    return new CoreUse(attempts, workerCores).byType();
  }

  private Map<String, Seen> byType() {
    Map<String, List<Integer>> types = new HashMap<>();
    for (int i = 0; i < busy.length; i++) {
      if (counts(attempts.get(i))) {
        types.computeIfAbsent(attempts.get(i).type(), type -> new ArrayList<>()).add(i);
      }
    }
    Map<String, Seen> seen = new HashMap<>();
    types.forEach((type, all) -> seen.put(type, seen(all)));
    return seen;
  }

  private static boolean counts(TaskRecord attempt) {
    return attempt.outcome() == Outcome.SUCCEEDED
        && attempt.effort().cpuMillis() > 0
        && attempt.phases().run().toMillis() >= LEAST_MILLIS;
  }

  private Seen seen(List<Integer> all) {
    List<Integer> free = all.stream().filter(this::hadRoom).toList();
    boolean enough = free.size() >= Math.min(ENOUGH, all.size());
    List<Integer> chosen = enough ? free : all;
    double[] sorted = chosen.stream().mapToDouble(i -> busy[i]).sorted().toArray();
    return new Seen(rounded(Quantiles.slow(sorted)), sorted.length, enough);
  }

  private boolean hadRoom(int attempt) {
    return neighbours[attempt] <= ALONE
        || busy[attempt] + neighbours[attempt] <= workerCores - ROOM;
  }

  /** Adds up the cores that concurrent commands of one worker kept busy. */
  private void meet(List<Integer> there) {
    List<Integer> byBegin = new ArrayList<>(there);
    byBegin.sort(Comparator.comparingLong(i -> begin(attempts.get(i))));
    for (int first = 0; first < byBegin.size(); first++) {
      int one = byBegin.get(first);
      long end = end(attempts.get(one));
      for (int second = first + 1; second < byBegin.size(); second++) {
        int other = byBegin.get(second);
        long met = begin(attempts.get(other));
        if (met >= end) {
          break;
        }
        double together = Math.min(end, end(attempts.get(other))) - met;
        neighbours[one] += busy[other] * together / runMillis(attempts.get(one));
        neighbours[other] += busy[one] * together / runMillis(attempts.get(other));
      }
    }
  }

  private static double busy(TaskRecord attempt) {
    return attempt.effort().cpuMillis() / runMillis(attempt);
  }

  private static double runMillis(TaskRecord attempt) {
    return Math.max(1, attempt.phases().run().toMillis());
  }

  private static long end(TaskRecord attempt) {
    return attempt.ended().minus(attempt.phases().stageOut()).toEpochMilli();
  }

  private static long begin(TaskRecord attempt) {
    return end(attempt) - attempt.phases().run().toMillis();
  }

  private static double rounded(double cores) {
    return Math.round(cores * HUNDREDTHS) / HUNDREDTHS;
  }
}
