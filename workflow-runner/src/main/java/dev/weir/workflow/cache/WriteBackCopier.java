package dev.weir.workflow.cache;

import dev.weir.workflow.hdfs.HdfsRefusals;
import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.transfer.DataStore;
import dev.weir.workflow.transfer.DataStore.Stored;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies files from the store of this node to HDFS and reports each end: large files one after
 * another, small ones beside them and a few at a time. Thread-safe.
 */
public final class WriteBackCopier {

  private static final Logger LOG = LoggerFactory.getLogger(WriteBackCopier.class);

  /**
   * How many copies are reported again. An ApplicationMaster orders at most 32 at a time, and
   * orders more only when its journal has them. Copies that its predecessor ordered may end
   * meanwhile.
   */
  private static final int REPEATED = 48;

  /** How often a copy that is not urgent checks whether the worker is busy with transfers. */
  private static final int MOST_CHECKS = 40;

  private static final long CHECK_MILLIS = 50;

  private final NodeStore files;
  private final DataStore hdfs;
  private final Threads threads;
  private final Consumer<Message> master;
  private final Load load;

  /** Grows with each new ApplicationMaster, whose predecessor's orders are void. */
  private final AtomicInteger masters = new AtomicInteger();

  /** The last copies, of which the journal may lack some if the ApplicationMaster dies. */
  private final Deque<Message.WrittenBack> copied = new ArrayDeque<>();

  /** Ids of the files whose copies are in progress. */
  private final Set<String> inProgress = new HashSet<>();

  /** The questions for the copies in progress, with their answers. */
  private final Map<Message.MayWriteBack, CompletableFuture<Boolean>> questions =
      new LinkedHashMap<>();

  /**
   * The transfers for which a copy waits that is not urgent.
   *
   * @param busy whether this worker moves files of its tasks, or serves files to other nodes
   */
  record Load(BooleanSupplier busy, HdfsRetry.Sleeper sleeper) {}

  /**
   * The executors of the copies. The copy of a small file waits for calls, not for links and disks.
   * So several are copied at a time, and none waits for other transfers. Otherwise a run with 2,000
   * files of kilobytes would end a minute after its last task.
   *
   * @param large runs the copies of large files in their order, one at a time
   * @param small runs those of small files
   * @param largeBytes the least size of a large file
   */
  record Threads(Executor large, Executor small, long largeBytes) {}

  /**
   * Creates the copier.
   *
   * @param master receives the ends of copies; never blocks
   * @param load the transfers for which a large file's copy waits if it is not urgent, two seconds
   *     at most
   */
  WriteBackCopier(
      NodeStore files, DataStore hdfs, Threads threads, Consumer<Message> master, Load load) {
    this.load = load;
    this.files = files;
    this.hdfs = hdfs;
    this.threads = threads;
    this.master = master;
  }

  /**
   * Orders a copy. If a copy of the file is in progress, an earlier ApplicationMaster has ordered
   * it: its end is reported, and the order is ignored.
   */
  public void copy(Message.WriteBack order) {
    int number = masters.get();
    try {
      (isLarge(order) ? threads.large() : threads.small())
          .execute(
              () -> {
                if (number == masters.get() && begin(order.file())) {
                  report(end(order));
                }
              });
    } catch (RejectedExecutionException e) {
      LOG.debug("Ignored the copy of {} after the shutdown", order.path(), e);
    }
  }

  private boolean isLarge(Message.WriteBack order) {
    return order.content().bytes() >= threads.largeBytes();
  }

  private synchronized boolean begin(String file) {
    return inProgress.add(file);
  }

  private synchronized void report(Message.WrittenBack end) {
    inProgress.remove(end.file());
    if (!end.copies().isEmpty()) {
      copied.add(end);
      if (copied.size() > REPEATED) {
        copied.remove();
      }
    }
    master.accept(end);
  }

  /**
   * Forgets the orders of a lost ApplicationMaster, except for the copies in progress. Reports the
   * last copies again: the journal may lack them, and the next ApplicationMaster would not delete
   * copies that it does not know.
   */
  public synchronized void masterReplaced() {
    masters.incrementAndGet();
    copied.forEach(master);
    questions.keySet().forEach(master);
  }

  /** The ApplicationMaster has answered whether a copy gets its name. */
  public synchronized void answered(Message.PermitWriteBack permit) {
    CompletableFuture<Boolean> answer =
        questions.get(new Message.MayWriteBack(permit.file(), permit.nodeMillis()));
    if (answer != null) {
      answer.complete(permit.granted());
    }
  }

  /**
   * Waits for the permission to give a copy its name: the file may have been made again meanwhile,
   * and the copy must not replace the newer version.
   */
  private void awaitPermit(Message.WriteBack order) throws IOException, InterruptedException {
    Message.MayWriteBack question =
        new Message.MayWriteBack(order.file(), order.content().millis());
    try {
      if (!ask(question).get()) {
        throw new IOException("the ApplicationMaster does not need this copy any more");
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } finally {
      forget(question);
    }
  }

  private synchronized CompletableFuture<Boolean> ask(Message.MayWriteBack question) {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    questions.put(question, answer);
    master.accept(question);
    return answer;
  }

  private synchronized void forget(Message.MayWriteBack question) {
    questions.remove(question);
  }

  private Message.WrittenBack end(Message.WriteBack order) {
    List<StoredFile> copies = List.of();
    String problem = "";
    boolean gone = false;
    boolean refused = false;
    try {
      awaitIdle(order);
      copies = List.of(write(order));
    } catch (IOException | RuntimeException | Error e) {
      // Without an end of the copy the run would wait for ever.
      LOG.warn("Cannot copy {} to HDFS", order.path(), e);
      problem = HdfsRefusals.explained(e);
      gone = e instanceof NoSuchFileException;
      refused = HdfsRefusals.isPermanent(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      problem = "the worker ends";
    }
    return new Message.WrittenBack(
        order.file(), order.content().millis(), copies, problem, gone, refused);
  }

  private void awaitIdle(Message.WriteBack order) throws InterruptedException {
    boolean mayWait = !order.urgent() && isLarge(order);
    for (int i = 0; mayWait && i < MOST_CHECKS && load.busy().getAsBoolean(); i++) {
      load.sleeper().sleep(CHECK_MILLIS);
    }
  }

  private StoredFile write(Message.WriteBack order) throws IOException, InterruptedException {
    NodeContent content = order.content();
    Path file = files.find(CacheKey.of(order.path(), content));
    boolean committed = false;
    try {
      Stored stored = HdfsRetry.DEFAULT.through(() -> hdfs.put(file, order.temporary()));
      if (stored.crc32c() != Checksum.UNKNOWN && stored.crc32c() != content.crc32c()) {
        throw new IOException("its checksum differs from that of the output");
      }
      HdfsRetry.DEFAULT.through(
          () -> {
            awaitPermit(order);
            hdfs.commit(order.temporary(), order.path());
            return order;
          });
      committed = true;
      return new StoredFile(
          order.file(),
          content.bytes(),
          stored.bytesByHost(),
          content.crc32c(),
          List.of(),
          stored.fileId());
    } finally {
      if (!committed) {
        remove(order.temporary());
      }
    }
  }

  private void remove(String temporary) {
    try {
      hdfs.remove(temporary);
    } catch (IOException e) {
      // The end of the run removes it.
      LOG.debug("Cannot remove {}", temporary, e);
    }
  }
}
