package dev.weir.workflow.infer;

import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.Lifetime;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Chooses the hint for a class of files. A pure function of the class and the cluster. */
final class HintAdvisor {

  /** The most copies that are ever advised, on any number of nodes. */
  static final int MAX_COPIES = 20;

  private static final double MAX_READERS_OF_A_REGION = 2;

  /** The most types of readers that a reason names. */
  private static final int MAX_NAMES = 4;

  private final ClusterShape shape;
  private final String groupPrefix;

  /**
   * @param groupPrefix prefix of the names of groups, so that runs do not share anchors
   */
  HintAdvisor(ClusterShape shape, String groupPrefix) {
    this.shape = shape;
    this.groupPrefix = groupPrefix;
  }

  /** A hint and the reason for it. */
  record Advice(Hint hint, String reason) {}

  /** Returns the advice for files of a class that are not kept. */
  Optional<Advice> advise(FileClass files) {
    if (files.isUnused()) {
      return Optional.of(local("temporary, and read by no task"));
    }
    return !files.isInput() && !files.isFinal() && files.staysOnNode(shape.fetching())
        ? Optional.of(local(readersEach(files) + ": read from the node that made it"))
        : advise(files, 1);
  }

  /**
   * Returns the advice for files of a class that are kept, and so get stock's number of replicas.
   */
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
                  + "): each stays with its writer, and the regions are joined in place"));
    }
    if (scatters(files)) {
      return Optional.of(scatter(files));
    }
    if (!files.group().isEmpty()) {
      return Optional.of(gather(files));
    }
    if (files.isReadOnce()) {
      return Optional.of(
          local("read by one task (" + readers(files) + "), which can run where it is written"));
    }
    if (files.serial()) {
      return Optional.of(adviseSerial(files, replicas));
    }
    return Optional.of(broadcastOrLocal(files));
  }

  /**
   * Returns the advice for inputs of the workflow. No task can write them again, so they never get
   * fewer copies than stock makes. They get no advice where stock's replicas suffice.
   */
  private Optional<Advice> adviseInput(FileClass files) {
    if (scatters(files)) {
      Hint hint = Hint.builder().placement(new Placement.Scatter(files.region())).build();
      return Optional.of(new Advice(hint, "input of the workflow, " + whyScattered(files)));
    }
    if (files.serial()) {
      return adviseSerialInput(files);
    }
    int copies = files.cost(shape).best(mostCopies(files));
    if (copies <= shape.stockReplicas()) {
      return Optional.empty();
    }
    return Optional.of(
        new Advice(
            HintPresets.broadcast(copies), "input of the workflow, " + whyCopies(files, copies)));
  }

  private Optional<Advice> adviseSerialInput(FileClass files) {
    int replicas = shape.stockReplicas();
    RereadFiles reuse = new RereadFiles(shape, files);
    return reuse.pins(replicas)
        ? Optional.of(
            new Advice(
                HintPresets.reuse(),
                "input of the workflow, reuse: "
                    + serialReaders(files)
                    + ": one of the DataNodes that hold it pins it in memory for tasks that read"
                    + " it from HDFS"))
        : Optional.empty();
  }

  /** One replica is enough. A pin, where it pays, lasts as long as the file. */
  private Advice adviseSerial(FileClass files, int replicas) {
    RereadFiles reuse = new RereadFiles(shape, files);
    String reason =
        (reuse.isReused(1) ? "reuse: " : "")
            + serialReaders(files)
            + ": all can run where it is written"
            + reuse.pinReason(replicas);
    Advice advice = local(reason);
    return reuse.pins(replicas)
        ? new Advice(advice.hint().toBuilder().cache(true).build(), advice.reason())
        : advice;
  }

  private static String serialReaders(FileClass files) {
    return readersEach(files) + ", one after another";
  }

  /** Returns whether the files are scattered. Regions with many readers each are copied instead. */
  private static boolean scatters(FileClass files) {
    return files.region() > 0 && files.readersEach() <= MAX_READERS_OF_A_REGION;
  }

  /**
   * With one replica, the bytes that readers lack move while the file is written, not afterwards.
   * More replicas cost more.
   */
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

  /** A chain of caches is as fast as a pipeline of replicas, whatever the size turns out to be. */
  private Advice broadcastOrLocal(FileClass files) {
    if (files.isChained(shape.fetching())) {
      return local(readersEach(files) + ": their nodes' caches pass it on while it arrives");
    }
    int copies = files.cost(shape).best(mostCopies(files));
    if (copies == 1) {
      return local(whyOne(files));
    }
    Hint hint = HintPresets.broadcast(copies).toBuilder().lifetime(Lifetime.scratch()).build();
    return new Advice(hint, whyCopies(files, copies));
  }

  private static Advice local(String reason) {
    return new Advice(
        HintPresets.pipeline().toBuilder().lifetime(Lifetime.scratch()).build(), reason);
  }

  /**
   * More copies than readers are useless. Stock's number is always among the choices if there is
   * room for it.
   */
  private int mostCopies(FileClass files) {
    return Math.max(1, Math.min(usefulCopies(files), copiesWithRoom(files)));
  }

  private int usefulCopies(FileClass files) {
    int useful = Math.max((int) Math.ceil(files.readersEach()), shape.stockReplicas());
    return Math.min(Math.min(useful, MAX_COPIES), shape.nodes());
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
        "%s: writing and reading them takes %s with one copy on %s, %s with %d%s",
        readersEach(files),
        seconds(cost.seconds(1)),
        nodes(),
        seconds(cost.seconds(more)),
        more,
        cost.seconds(more) < cost.seconds(1) ? ", which saves too little" : "");
  }

  private String whyCopies(FileClass files, int copies) {
    BroadcastCost cost = files.cost(shape);
    int stock = shape.stockReplicas();
    String comparison =
        copies == stock
            ? ", as with stock"
            : String.format(
                Locale.ROOT, ", %s with stock's %d", seconds(cost.seconds(stock)), stock);
    boolean bounded = copies == copiesWithRoom(files) && cost.best(usefulCopies(files)) > copies;
    return String.format(
        Locale.ROOT,
        "%s: writing and reading them takes %s with %d copies on %s%s%s",
        readersEach(files),
        seconds(cost.seconds(copies)),
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
    return types.size() <= MAX_NAMES
        ? String.join(", ", types)
        : String.join(", ", types.subList(0, MAX_NAMES - 1))
            + " and "
            + (types.size() - MAX_NAMES + 1)
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
