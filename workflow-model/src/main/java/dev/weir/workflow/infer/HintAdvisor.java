package dev.weir.workflow.infer;

import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.Lifetime;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What to advise for a class of files. A pure function of the class, the cluster and, for copies
 * that follow to gathers, of all the other classes.
 */
final class HintAdvisor {

  /** The most copies that are ever advised, on however many nodes. */
  static final int MOST_COPIES = 20;

  private static final double MOST_READERS_OF_A_REGION = 2;

  /** Of a file that follows to a gather. */
  private static final int FED_COPIES = 2;

  /** The most types of readers that a reason names. */
  private static final int MOST_NAMES = 4;

  private final ClusterShape shape;
  private final String groupPrefix;

  /**
   * Whether there is room for copies of all files that could follow to gathers; also of those that
   * are copied or scattered for other reasons, which take room as well.
   */
  private final boolean hasRoomForFed;

  /**
   * @param shape the cluster
   * @param groupPrefix goes before the names of groups, so that runs do not share anchors
   * @param classes all files that there is to be advice for
   */
  HintAdvisor(ClusterShape shape, String groupPrefix, Collection<FileClass> classes) {
    this.shape = shape;
    this.groupPrefix = groupPrefix;
    double fed =
        classes.stream()
            .filter(files -> !files.feeds().isEmpty())
            .mapToDouble(FileClass::bytes)
            .sum();
    this.hasRoomForFed = shape.copiesWithRoom(fed) >= FED_COPIES;
  }

  /** Advice and why it is given. */
  record Advice(Hint hint, String reason) {}

  Optional<Advice> advise(FileClass files) {
    return advise(files, 1);
  }

  /** The same for those of a class that are to stay, and so come to have stock's replicas. */
  Optional<Advice> adviseKept(FileClass files) {
    return advise(files, shape.stockReplicas());
  }

  private Optional<Advice> advise(FileClass files, int replicas) {
    if (files.isInput()) {
      return adviseInput(files);
    }
    if (files.isFinal()) {
      return Optional.of(
          new Advice(
              HintPresets.pipeline(),
              "final output of "
                  + files.producerType()
                  + ": written at the speed of the local disk, the other replicas follow"));
    }
    if (files.isRegions()) {
      return Optional.of(
          local(
              "regions of a file, written by different tasks ("
                  + files.producerType()
                  + "): each stays with its writer, and they are joined where they are"));
    }
    if (scatters(files)) {
      return Optional.of(scatter(files));
    }
    if (!files.group().isEmpty()) {
      return Optional.of(gather(files));
    }
    if (files.isReadOnce()) {
      return Optional.of(
          stays(
              files,
              "read by one task (" + readers(files) + "), which can run where it is written"));
    }
    if (files.inTurn()) {
      return Optional.of(inTurn(files, replicas));
    }
    return Optional.of(broadcastOrLocal(files));
  }

  /**
   * Inputs are somebody's data, which no task can make again: they never get fewer copies than
   * stock makes, and no advice at all where stock does as well.
   */
  private Optional<Advice> adviseInput(FileClass files) {
    if (scatters(files)) {
      Hint hint = Hint.builder().placement(new Placement.Scatter(files.region())).build();
      return Optional.of(new Advice(hint, "input of the workflow, " + whyScattered(files)));
    }
    if (files.inTurn()) {
      return adviseInputInTurn(files);
    }
    int copies = files.cost(shape).best(mostCopies(files));
    if (copies <= shape.stockReplicas()) {
      return Optional.empty();
    }
    return Optional.of(
        new Advice(
            HintPresets.broadcast(copies), "input of the workflow, " + whyCopies(files, copies)));
  }

  private Optional<Advice> adviseInputInTurn(FileClass files) {
    int replicas = shape.stockReplicas();
    RereadFiles reuse = new RereadFiles(shape, files);
    return reuse.pins(replicas)
        ? Optional.of(
            new Advice(
                HintPresets.reuse(),
                "input of the workflow, reuse: "
                    + readersInTurn(files)
                    + ": one of the DataNodes that have it pins it in memory for those that read it"
                    + " from HDFS"))
        : Optional.empty();
  }

  /** One replica will do; a pin, where it pays, is for as long as the file is there. */
  private Advice inTurn(FileClass files, int replicas) {
    RereadFiles reuse = new RereadFiles(shape, files);
    String reason =
        (reuse.happens(1) ? "reuse: " : "")
            + readersInTurn(files)
            + ": all can run where it is written"
            + reuse.whatOfPin(replicas);
    Advice advice = stays(files, reason);
    return reuse.pins(replicas)
        ? new Advice(advice.hint().toBuilder().cache(true).build(), advice.reason())
        : advice;
  }

  private static String readersInTurn(FileClass files) {
    return readersEach(files) + ", one after another";
  }

  /** Regions that many read each are better copied than read from one node. */
  private static boolean scatters(FileClass files) {
    return files.region() > 0 && files.readersEach() <= MOST_READERS_OF_A_REGION;
  }

  /** One replica moves what its readers lack while it is written, not after; more cost more. */
  private Advice scatter(FileClass files) {
    Hint hint =
        Hint.builder()
            .placement(new Placement.Scatter(files.region()))
            .replication(Replication.eager(1))
            .lifetime(Lifetime.scratch())
            .build();
    return new Advice(hint, whyScattered(files));
  }

  private static String whyScattered(FileClass files) {
    return "read in regions of "
        + bytes((double) files.region())
        + " by "
        + readers(files)
        + ": each region whole on one node, the next on another";
  }

  private Advice gather(FileClass files) {
    Hint hint =
        Hint.builder()
            .placement(new Placement.Collocate(groupName(files.group())))
            .replication(Replication.eager(1))
            .lifetime(Lifetime.scratch())
            .build();
    return new Advice(
        hint,
        String.format(
            Locale.ROOT,
            "%d files of %d %s tasks, gathered by %s (group of task %s): collected on one node"
                + " while they are written",
            files.files().size(),
            files.producers(),
            files.producerType(),
            readers(files),
            files.group()));
  }

  private Advice broadcastOrLocal(FileClass files) {
    int copies = files.cost(shape).best(mostCopies(files));
    if (copies == 1) {
      return stays(files, whyOne(files));
    }
    Hint hint = HintPresets.broadcast(copies).toBuilder().lifetime(Lifetime.scratch()).build();
    return new Advice(hint, whyCopies(files, copies));
  }

  /** With its writer alone, or with a copy where the outputs of its reader will be gathered. */
  private Advice stays(FileClass files, String reason) {
    if (files.feeds().isEmpty()) {
      return local(reason);
    }
    if (!hasRoomForFed) {
      return local(reason + "; no room for copies where outputs of its readers are gathered");
    }
    return new Advice(
        HintPresets.reduce(groupName(files.feeds())).toBuilder()
            .lifetime(Lifetime.scratch())
            .build(),
        reason
            + "; a copy follows to where outputs of its readers are gathered (group of task "
            + files.feeds()
            + ")");
  }

  private static Advice local(String reason) {
    return new Advice(
        HintPresets.pipeline().toBuilder().lifetime(Lifetime.scratch()).build(), reason);
  }

  /**
   * More copies than readers serve nobody; stock's own number is always among the choices where
   * there is room for it.
   */
  private int mostCopies(FileClass files) {
    return Math.max(1, Math.min(usefulCopies(files), copiesWithRoom(files)));
  }

  private int usefulCopies(FileClass files) {
    int useful = Math.max((int) Math.ceil(files.readersEach()), shape.stockReplicas());
    return Math.min(Math.min(useful, MOST_COPIES), shape.nodes());
  }

  private int copiesWithRoom(FileClass files) {
    return shape.copiesWithRoom(files.bytes());
  }

  private String whyOne(FileClass files) {
    BroadcastCost cost = files.cost(shape);
    if (shape.nodes() == 1) {
      return readersEach(files) + ", all on the one node";
    }
    if (cost.best(usefulCopies(files)) > 1) {
      return readersEach(files)
          + (copiesWithRoom(files) > 1 ? ", but no room for enough" : ", but no room for")
          + " copies on "
          + shape.nodes()
          + " nodes";
    }
    int more = Math.max(2, shape.stockReplicas());
    return String.format(
        Locale.ROOT,
        "%s: to write and to read them takes %s with one copy on %s, %s with %d%s",
        readersEach(files),
        seconds(cost.at(1)),
        nodes(),
        seconds(cost.at(more)),
        more,
        cost.at(more) < cost.at(1) ? ", which saves next to nothing" : "");
  }

  private String whyCopies(FileClass files, int copies) {
    BroadcastCost cost = files.cost(shape);
    int stock = shape.stockReplicas();
    String comparison =
        copies == stock
            ? ", as with stock"
            : String.format(Locale.ROOT, ", %s with stock's %d", seconds(cost.at(stock)), stock);
    boolean bounded = copies == copiesWithRoom(files) && cost.best(usefulCopies(files)) > copies;
    return String.format(
        Locale.ROOT,
        "%s: to write and to read them takes %s with %d copies on %s%s%s",
        readersEach(files),
        seconds(cost.at(copies)),
        copies,
        nodes(),
        comparison,
        bounded ? "; there is no room for more" : "");
  }

  private static String readersEach(FileClass files) {
    return String.format(
        Locale.ROOT, "%.1f readers each (%s)", files.readersEach(), readers(files));
  }

  private String nodes() {
    return shape.nodes() + " nodes at " + bytes((double) shape.fetching().bytesPerSecond()) + "/s";
  }

  private static String readers(FileClass files) {
    List<String> types = List.copyOf(files.readerTypes());
    return types.size() <= MOST_NAMES
        ? String.join(", ", types)
        : String.join(", ", types.subList(0, MOST_NAMES - 1))
            + " and "
            + (types.size() - MOST_NAMES + 1)
            + " more";
  }

  private String groupName(String task) {
    String name = groupPrefix + "#" + task;
    int most = 256;
    return name.length() <= most
        ? name
        : Integer.toHexString(name.hashCode()) + name.substring(name.length() - most / 2);
  }

  private static String seconds(double seconds) {
    return seconds < 1
        ? String.format(Locale.ROOT, "%.1f ms", seconds * 1e3)
        : String.format(Locale.ROOT, "%.1f s", seconds);
  }

  private static String bytes(double bytes) {
    if (bytes < 1e3) {
      return String.format(Locale.ROOT, "%.0f B", bytes);
    }
    return bytes < 1e6
        ? String.format(Locale.ROOT, "%.1f kB", bytes / 1e3)
        : String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
  }
}
