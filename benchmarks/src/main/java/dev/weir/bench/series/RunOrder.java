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
 * The order of the runs of a series. All first repetitions come first, so that an interrupted
 * series has about as many of each. The setups of one repetition of a group are adjacent, so that
 * they meet the same conditions. Their order is drawn anew for each repetition, so that none is
 * always first or always after the same other. The order depends only on names and repetitions, so
 * a resumed series has the same one. Immutable.
 */
public final class RunOrder {
  private final List<PlannedRun> runs;

  private RunOrder(List<PlannedRun> runs) {
    this.runs = List.copyOf(runs);
  }

  /**
   * A group of setups.
   *
   * @param name of the group
   * @param setups their labels
   */
  public record Group(String name, List<String> setups) {
    public Group {
      setups = List.copyOf(setups);
    }
  }

  /**
   * Returns the order of some groups.
   *
   * @param repeat the repetitions of each setup
   */
  public static RunOrder of(List<Group> groups, int repeat) {
    List<PlannedRun> runs = new ArrayList<>();
    for (int i = 1; i <= repeat; i++) {
      for (Group group : groups) {
        for (String setup : shuffled(group, i)) {
          runs.add(new PlannedRun(group.name(), setup, i));
        }
      }
    }
    return new RunOrder(runs);
  }

  /**
   * Returns the order of groups with the same setups.
   *
   * @param groups their names
   * @param setups their labels
   * @param repeat the repetitions of each setup
   */
  public static RunOrder of(List<String> groups, List<String> setups, int repeat) {
    return of(groups.stream().map(name -> new Group(name, setups)).toList(), repeat);
  }

  private static List<String> shuffled(Group group, int repeat) {
    CRC32 sum = new CRC32();
    sum.update((group.name() + " " + repeat).getBytes(StandardCharsets.UTF_8));
    List<String> setups = new ArrayList<>(group.setups());
    // The seed is mixed first, because the first numbers of Random hardly differ between similar
    // seeds.
    Collections.shuffle(setups, new Random(new SplittableRandom(sum.getValue()).nextLong()));
    return setups;
  }

  public List<PlannedRun> runs() {
    return runs;
  }

  /**
   * Returns the next run.
   *
   * @param past whether a run was made or must be skipped
   * @return empty if none is left
   */
  public Optional<PlannedRun> next(Predicate<PlannedRun> past) {
    return runs.stream().filter(past.negate()).findFirst();
  }
}
