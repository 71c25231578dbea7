package dev.weir.workflow.run;

import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.scheduler.Quantiles;
import dev.weir.workflow.scheduler.TaskProfiles.Profile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many cores tasks of each type keep busy: the processor time of a command, by the time that it
 * took. What a command had beside others on its worker may be less than it would have taken, so
 * those count that had room, where there are enough. Of these the upper quartile counts and not the
 * most: with a core too many set aside for each task cores lie idle all the time, with one too few
 * they are only shared, and a single task that took more is no reason for that.
 */
final class CoreUse {

  /** The times of shorter commands are those of starting them. */
  private static final long LEAST_MILLIS = 1_000;

  /** Fewer attempts say less than more did. */
  private static final int ENOUGH = 3;

  /** A worker with so much of a core idle keeps no command from what it would take. */
  private static final double ROOM = 0.5;

  /** A command whose neighbours keep no more than so much of a core busy is as good as alone. */
  private static final double ALONE = 0.25;

  /** What is left of what was known after a run whose tasks took less, at least. */
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
   * What a run has shown of a type.
   *
   * @param cores how many were kept busy
   * @param samples by how many attempts
   * @param free whether these had room for more
   */
  record Seen(double cores, int samples, boolean free) {

    /**
     * What is known with this, which grows with what is seen and goes slowly.
     *
     * @param known of the type before
     * @param workerCores how many cores each worker of the run had
     */
    Profile addTo(Profile known, int workerCores) {
      if (samples < ENOUGH && known.coreSamples() >= ENOUGH) {
        return known;
      }
      if (cores >= known.cores()) {
        return known.withCores(cores, samples);
      }
      // Crowded tasks, and those on smaller workers, do not show all that they would take.
      return free && known.wholeCores() <= workerCores
          ? known.withCores(rounded(Math.max(cores, REMEMBERED * known.cores())), samples)
          : known;
    }
  }

  /**
   * What a run has shown.
   *
   * @param attempts all of the run
   * @param workerCores how many cores each of its workers had
   * @return by type; types without a command that ran for long enough are not there
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

  /** Adds up what the commands of one worker kept busy beside each other. */
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
