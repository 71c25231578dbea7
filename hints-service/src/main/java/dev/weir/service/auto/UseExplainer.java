package dev.weir.service.auto;

import dev.weir.hints.AutoRange;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Explains the number of replicas of a file under {@code auto}. */
@FunctionalInterface
public interface UseExplainer {
  UseExplainer NONE = (path, range, size, replicas) -> Optional.empty();

  /**
   * The use of a file.
   *
   * @param reads the decayed number of opens
   * @param writes the decayed number of writes
   * @param utility of one more replica
   * @param why the file has its number of replicas
   */
  record Use(double reads, double writes, double utility, String why) {}

  record Size(long bytes, long blockSize) {}

  /**
   * Explains a file.
   *
   * @param range the bounds of its hint
   */
  Optional<Use> explain(String path, AutoRange range, Size size, int replicas);

  /**
   * Explains by the last round of this instance.
   *
   * @param status null while this instance does not lead
   */
  static UseExplainer of(Supplier<@Nullable AutoStatus> status, MergedCounts counts) {
    return (path, range, size, replicas) -> {
      AutoStatus last = status.get();
      if (last == null) {
        return Optional.of(
            new Use(0, 0, 0, "only the leader of the hints service knows its use; ask that one"));
      }
      AccessCounts.Count count = counts.current().of(path);
      int held = Math.max(1, replicas);
      AutoFile file =
          new AutoFile(
              path,
              0,
              Math.max(1, size.bytes()),
              AutoFile.wholeReads(count.reads(), size.bytes(), size.blockSize()),
              count.writes(),
              1,
              Math.max(held, range.max()),
              held,
              held);
      return Optional.of(
          new Use(count.reads(), count.writes(), file.utility(held), why(last, file, range)));
    };
  }

  private static String why(AutoStatus last, AutoFile file, AutoRange range) {
    Optional<ReplicaChange> change =
        last.changes().stream().filter(one -> one.path().equals(file.path())).findFirst();
    if (change.isPresent() && change.get().to() != file.present()) {
      return "the last round plans " + change.get().to() + " replicas";
    }
    if (file.present() >= range.max()) {
      return "it has the most that its hint allows";
    }
    if (last.counting() == 0) {
      return "no NameNode counts accesses; see dfs.namenode.audit.loggers in docs/administration.md";
    }
    double preference = file.preference(file.present());
    if (preference <= 0) {
      return "one more copy would save fewer reads than it costs to make and to write";
    }
    return preference <= last.price()
        ? "the budget is used by copies that save more, " + last.price() + " or more"
        : "one more copy pays; the next round may make it";
  }
}
