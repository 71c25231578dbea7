package dev.weir.bench.griddb;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The share of the workers' time in which a command ran.
 *
 * @param commands at least one
 * @param workers their number
 */
record Utilisation(List<Command> commands, int workers) {
  private static final double NANOS_PER_MILLI = 1e6;

  /** Copies the list, and sorts it by the commands' begins. */
  Utilisation {
    commands = commands.stream().sorted(Comparator.comparingLong(Command::begin)).toList();
  }

  /**
   * A command on a worker.
   *
   * @param worker its number
   * @param begin on a monotonic clock, in nanoseconds
   * @param end on the same clock
   */
  record Command(int worker, long begin, long end) {}

  /** Returns the share between two times. */
  double between(long from, long to) {
    double busy = 0;
    for (Command command : commands) {
      busy += Math.max(0, Math.min(command.end, to) - Math.max(command.begin, from));
    }
    return busy / workers / (to - from);
  }

  long begin() {
    return commands.get(0).begin;
  }

  long end() {
    return commands.stream().mapToLong(Command::end).max().orElseThrow();
  }

  /** Returns the time at which the last worker began its first command. */
  long ramp() {
    Map<Integer, Long> first = new HashMap<>();
    commands.forEach(command -> first.putIfAbsent(command.worker, command.begin));
    return first.values().stream().mapToLong(Long::longValue).max().orElseThrow();
  }

  /** Returns the share after the ramp, while commands are left that have not begun. */
  double afterRamp() {
    return between(ramp(), commands.get(commands.size() - 1).begin);
  }

  double whole() {
    return between(begin(), end());
  }

  /** Returns the shares in consecutive intervals of a length, the last one cut off at the end. */
  List<Double> overTime(long nanos) {
    List<Double> shares = new ArrayList<>();
    for (long from = begin(); from < end(); from += nanos) {
      shares.add(between(from, Math.min(end(), from + nanos)));
    }
    return shares;
  }

  /** Returns a quantile of the pauses between two commands of a worker; 0 if none has run two. */
  double pauseMillis(double quantile) {
    Map<Integer, Long> ends = new HashMap<>();
    List<Long> pauses = new ArrayList<>();
    for (Command command : commands) {
      Long before = ends.put(command.worker, command.end);
      if (before != null) {
        pauses.add(command.begin - before);
      }
    }
    pauses.sort(null);
    return pauses.isEmpty()
        ? 0
        : pauses.get((int) (quantile * (pauses.size() - 1))) / NANOS_PER_MILLI;
  }
}
