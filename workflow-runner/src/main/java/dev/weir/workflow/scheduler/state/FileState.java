package dev.weir.workflow.scheduler.state;

import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.record.BlockExtent;
import dev.weir.workflow.record.StoredFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A file of a graph: whether it is in HDFS, and on which hosts. */
public final class FileState {

  /** Unique in the session. */
  private final String id;

  /** Its name in the workflow. */
  private final String name;

  private final long sizeBytes;

  /** The task that makes it; null for an input of the workflow. */
  private @Nullable TaskState producer;

  private List<TaskState> readers = List.of();

  private boolean available;
  private long length;

  private Map<String, Long> bytesByHost = Map.of();

  /** Its blocks, if tasks read regions of it and the blocks are known. */
  private List<BlockExtent> extents = List.of();

  private int generation;
  private int losses;

  /** Whether it is deleted when no task needs it any more. */
  private boolean temporary;

  /** Whether it is a result of the run although tasks read it. */
  private boolean wanted;

  private long madeMillis;

  /** The id that HDFS gave to the file that an attempt of this run made; 0 when not known. */
  private long fileId;

  /** Whether no task needs it, so that it is deleted or about to be. */
  private boolean released;

  /** Whether its deletion is in progress. It must not be made again before the deletion ends. */
  private boolean deleting;

  /** Whether its producer waits for the end of the deletion. */
  private boolean producerAwaitsDeletion;

  /** Whether an attempt may leave it in the store of its node. */
  private boolean mayStayOnNode;

  /** Whether only later tasks of the session read it, so that HDFS need not have it. */
  private boolean intermediate;

  /** Whether its author calls it temporary. The run may keep it all the same. */
  private boolean scratch;

  /** When the store of a node got it, in milliseconds since the epoch; 0 if it is in HDFS. */
  private long nodeMillis;

  /** CRC-32C of a file in the store of a node. */
  private long crc32c;

  private @Nullable StoredFile copy;

  /** When HDFS got this copy, in milliseconds since the epoch. */
  private long copyMillis;

  private boolean beingWritten;

  /** Whether HDFS has had the last version of it that an attempt made. */
  private boolean wasInHdfs;

  private double remakeSeconds;

  /** Index of a reader that was not finished when {@link #hasBusyReader} last looked. */
  private int busyIndex;

  /** A file of the graph without a prefix. */
  public FileState(String id, long sizeBytes) {
    this(id, id, sizeBytes);
  }

  public FileState(String id, String name, long sizeBytes) {
    this.id = id;
    this.name = name;
    this.sizeBytes = sizeBytes;
    this.length = sizeBytes;
  }

  public String id() {
    return id;
  }

  public String name() {
    return name;
  }

  public long sizeBytes() {
    return sizeBytes;
  }

  public @Nullable TaskState producer() {
    return producer;
  }

  public List<TaskState> readers() {
    return readers;
  }

  public boolean isTemporary() {
    return temporary;
  }

  public long fileId() {
    return fileId;
  }

  public boolean isDeleting() {
    return deleting;
  }

  void readBy(TaskState reader) {
    if (readers.isEmpty()) {
      readers = new ArrayList<>(1);
    }
    readers.add(reader);
  }

  void madeBy(TaskState task) {
    producer = task;
  }

  /** Removes tasks from its readers; if its producer is one of them, it is an input from now on. */
  void forgetTasks(Set<TaskState> tasks) {
    if (!readers.isEmpty()) {
      readers.removeIf(tasks::contains);
      busyIndex = 0;
    }
    if (producer != null && tasks.contains(producer)) {
      producer = null;
    }
  }

  void markTemporary() {
    temporary = true;
  }

  /** Undoes {@link #markTemporary}: it existed before the run. */
  public void keep() {
    temporary = false;
  }

  /** Marks it as a result although tasks read it. */
  public void markWanted() {
    wanted = true;
  }

  public boolean available() {
    return available;
  }

  /** Lets attempts leave it in the stores of their nodes. */
  public void allowOnNode(boolean whether) {
    mayStayOnNode = whether;
  }

  /** Marks it as a file that its author calls temporary. */
  void markScratch() {
    scratch = true;
  }

  /** Marks it as a file that only later tasks read, so that it may stay on its node. */
  void markIntermediate() {
    intermediate = true;
    mayStayOnNode = true;
  }

  /** Whether the next attempt leaves it in the store of its node: HDFS need not have it. */
  boolean staysOnNode() {
    return mayStayOnNode && !isResult();
  }

  /** Whether HDFS must have it at the end of the run, and has not had it. */
  public boolean mustBeInHdfs() {
    return mayStayOnNode && !temporary && !intermediate && !isResult() && !wasInHdfs;
  }

  /** Whether the loss of a node would lose it. */
  public boolean isOnlyOnNode() {
    return isOnNode() && !released && copy == null;
  }

  /** The copy in HDFS of a file in the store of a node; null if there is none. */
  public @Nullable StoredFile copy() {
    return copy;
  }

  public boolean isBeingWritten() {
    return beingWritten;
  }

  public void markBeingWritten(boolean whether) {
    beingWritten = whether;
  }

  /** Estimated seconds of the tasks that would run again if it were lost. */
  public double remakeSeconds() {
    return remakeSeconds;
  }

  public void setRemakeSeconds(double seconds) {
    remakeSeconds = seconds;
  }

  /** HDFS has a copy of it now. */
  public void copied(StoredFile inHdfs, long millis) {
    copy = inHdfs;
    copyMillis = millis;
    beingWritten = false;
    wasInHdfs = true;
  }

  /**
   * Uses its copy in HDFS instead of the node's file, which is lost or not needed any more.
   *
   * @return false if there is no copy
   */
  public boolean fallBackToCopy() {
    StoredFile inHdfs = copy;
    if (!isOnNode() || inHdfs == null) {
      return false;
    }
    stored(inHdfs, copyMillis);
    return true;
  }

  /** Whether HDFS has it, with the content of a copy that has just been written. */
  public boolean isInHdfsAs(StoredFile written) {
    return isInHdfs() && length == written.sizeBytes() && crc32c == written.crc32c();
  }

  /** Whether HDFS has it, and not only as a copy. */
  public boolean isInHdfs() {
    return available && !released && nodeMillis == 0;
  }

  /** Whether only the store of a node has it. */
  public boolean isOnNode() {
    return available && nodeMillis != 0;
  }

  /** What the store of a node has of it; {@link NodeContent#NONE} if it is in HDFS. */
  public NodeContent content() {
    return isOnNode()
        ? new NodeContent(length, crc32c, nodeMillis, List.copyOf(bytesByHost.keySet()))
        : NodeContent.NONE;
  }

  /**
   * Counts how often the file was made, so that a late report about a lost older version is
   * ignored.
   */
  int generation() {
    return generation;
  }

  /** Its length in bytes; the declared size while it is not in HDFS. */
  public long length() {
    return length;
  }

  public int losses() {
    return losses;
  }

  public Map<String, Long> bytesByHost() {
    return bytesByHost;
  }

  /** For each host that has bytes of these regions, how many. */
  public Map<String, Long> bytesByHost(List<FileRegion> regions) {
    if (regions.isEmpty() || extents.isEmpty()) {
      return bytesByHost;
    }
    Map<String, Long> sum = new HashMap<>();
    for (FileRegion region : regions) {
      for (BlockExtent extent : extents) {
        long bytes = extent.within(region.offset(), region.length());
        if (bytes > 0) {
          extent.hosts().forEach(host -> sum.merge(host, bytes, Long::sum));
        }
      }
    }
    return sum;
  }

  /**
   * How many bytes of these regions a host has in HDFS; of the whole file if there are no regions.
   */
  long bytesOn(String host, List<FileRegion> regions) {
    return regions.isEmpty() || extents.isEmpty()
        ? bytesByHost.getOrDefault(host, 0L)
        : bytesByHost(regions).getOrDefault(host, 0L);
  }

  public Set<String> hosts() {
    return bytesByHost.keySet();
  }

  /** Whether, as far as is known, only these hosts have it. */
  public boolean onlyOn(Set<String> hosts) {
    return available && !bytesByHost.isEmpty() && hosts.containsAll(bytesByHost.keySet());
  }

  /**
   * Whether it is a result: no task reads it, now or later, and its author does not call it
   * temporary; or the user listed it as one.
   */
  public boolean isResult() {
    return (readers.isEmpty() && !intermediate && !scratch) || wanted;
  }

  /**
   * Whether it is a result of the workflow, HDFS must still get it, or a task that reads it is not
   * done.
   */
  public boolean needed() {
    if (isResult() || mustBeInHdfs()) {
      return true;
    }
    for (TaskState reader : readers) {
      if (!reader.settled()) {
        return true;
      }
    }
    return false;
  }

  /** When an attempt of this run made it, in milliseconds since the epoch; 0 when none has. */
  public long madeMillis() {
    return madeMillis;
  }

  /**
   * Whether a reader is not finished. Resumes at the reader that was unfinished last time, so that
   * a file with many readers costs one look at each of them in all.
   */
  public boolean hasBusyReader() {
    for (int looked = 0; looked < readers.size(); looked++) {
      if (!readers.get(busyIndex).isFinished()) {
        return true;
      }
      busyIndex = (busyIndex + 1) % readers.size();
    }
    return false;
  }

  /** Whether a task that may still run reads it; unlike one that failed and may be retried. */
  public boolean hasOpenReader() {
    return readers.stream()
        .anyMatch(task -> !task.settled() || task.worker() != null || task.secondCopy() != null);
  }

  /** Whether it was released. It counts as available until a task needs it again. */
  public boolean isReleased() {
    return released;
  }

  /** Releases it. Its locations are not needed any more. */
  public void release() {
    released = true;
    bytesByHost = Map.of();
    extents = List.of();
  }

  /** Releases it and marks its deletion as in progress. */
  public void startDeletion() {
    release();
    deleting = true;
  }

  /**
   * Makes its producer wait for the end of a deletion in progress.
   *
   * @return whether the producer did not wait for it before
   */
  boolean awaitDeletion() {
    boolean isNew = deleting && !producerAwaitsDeletion;
    producerAwaitsDeletion |= deleting;
    return isNew;
  }

  /**
   * Marks its deletion as ended.
   *
   * @return whether its producer waited for the end
   */
  boolean endDeletion() {
    boolean awaited = producerAwaitsDeletion;
    deleting = false;
    producerAwaitsDeletion = false;
    return awaited;
  }

  /**
   * Marks it as stored.
   *
   * @param millis when an attempt of this run made it; 0 when none has
   */
  public void stored(StoredFile found, long millis) {
    available = true;
    released = false;
    copy = null;
    beingWritten = false;
    madeMillis = millis;
    generation++;
    length = found.sizeBytes();
    bytesByHost = shareValues(found.bytesByHost());
    extents = found.extents();
    fileId = found.fileId();
    nodeMillis = found.nodeMillis();
    crc32c = found.crc32c();
    wasInHdfs = nodeMillis == 0;
  }

  /**
   * Shares one number between hosts with equal bytes, as most have, to save memory with many files.
   */
  private static Map<String, Long> shareValues(Map<String, Long> places) {
    Long all = places.isEmpty() ? null : places.values().iterator().next();
    if (all == null || !places.values().stream().allMatch(all::equals)) {
      return Map.copyOf(places);
    }
    Map<String, Long> shared = new HashMap<>();
    places.keySet().forEach(host -> shared.put(host, all));
    return Map.copyOf(shared);
  }

  void lost() {
    losses++;
    markMissing();
  }

  /** Marks a released or lost file as missing. */
  void markMissing() {
    available = false;
    released = false;
    madeMillis = 0;
    fileId = 0;
    nodeMillis = 0;
    copy = null;
    beingWritten = false;
    length = sizeBytes;
    bytesByHost = Map.of();
    extents = List.of();
  }
}
