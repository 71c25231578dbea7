package dev.weir.bench.series;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.zip.CRC32;

/**
 * In which order the runs of a series are made: all first repetitions first, so that a series that
 * is broken off has about as many of each. The setups of one repetition of a group follow each
 * other, so that they meet the same machine, and in an order of their own, drawn anew for each
 * repetition, so that none is always first nor always after the same other one. The order hangs on
 * names and repetitions alone: a series that is gone on with has it too, whatever of it was made
 * before. Immutable.
 */
public final class RunOrder {
  private final List<PlannedRun> turns;

  private RunOrder(List<PlannedRun> turns) {
    this.turns = List.copyOf(turns);
  }

  /**
   * What is run in several setups.
   *
   * @param name of the group
   * @param setups their labels
   */
  public record Group(String name, List<String> setups) {
    /** Copies. */
    public Group {
      setups = List.copyOf(setups);
    }
  }

  /**
   * The order of some groups.
   *
   * @param repeat how often each setup of each is run
   */
  public static RunOrder of(List<Group> groups, int repeat) {
    List<PlannedRun> turns = new ArrayList<>();
    for (int i = 1; i <= repeat; i++) {
      for (Group group : groups) {
        for (String setup : shuffled(group, i)) {
          turns.add(new PlannedRun(group.name(), setup, i));
        }
      }
    }
    return new RunOrder(turns);
  }

  private static List<String> shuffled(Group group, int repeat) {
    CRC32 sum = new CRC32();
    sum.update((group.name() + " " + repeat).getBytes(StandardCharsets.UTF_8));
    List<String> setups = new ArrayList<>(group.setups());
    // Mixed first, for what a Random draws first hardly differs between seeds that hardly differ.
    Collections.shuffle(setups, new Random(new SplittableRandom(sum.getValue()).nextLong()));
    return setups;
  }

  /** All of them. */
  public List<PlannedRun> turns() {
    return turns;
  }

  /**
   * Which is to be made next.
   *
   * @param past whether one was made, or is not to be made now
   * @return empty when there is none left
   */
  public Optional<PlannedRun> next(Predicate<PlannedRun> past) {
    return turns.stream().filter(past.negate()).findFirst();
  }
}
