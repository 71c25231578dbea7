package dev.weir.workflow.cache;

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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies files from the store of this node to HDFS, one after another, and reports each end.
 * Thread-safe.
 */
public final class WriteBackCopier {

  private static final Logger LOG = LoggerFactory.getLogger(WriteBackCopier.class);

  /**
   * How many copies are reported again. An ApplicationMaster orders at most as many at a time, and
   * orders more only when its journal has them.
   */
  private static final int REPEATED = 16;

  /** How often a copy that is not urgent checks whether the worker is busy with transfers. */
  private static final int MOST_CHECKS = 40;

  private static final long CHECK_MILLIS = 50;

  private final NodeStore files;
  private final DataStore hdfs;
  private final Executor thread;
  private final Consumer<Message> master;
  private final Load load;

  /** Grows with each new ApplicationMaster, whose predecessor's orders are void. */
  private final AtomicInteger masters = new AtomicInteger();

  /** The last copies, of which the journal may lack some if the ApplicationMaster dies. */
  private final Deque<Message.WrittenBack> copied = new ArrayDeque<>();

  /** The question for the copy in progress; null when there is none. */
  private @Nullable Question question;

  private record Question(Message.MayWriteBack message, CompletableFuture<Boolean> answer) {}

  /**
   * The transfers for which a copy waits that is not urgent.
   *
   * @param busy whether this worker moves files of its tasks, or serves files to other nodes
   */
  record Load(BooleanSupplier busy, HdfsRetry.Sleeper sleeper) {}

  /**
   * Creates the copier.
   *
   * @param thread runs the copies in their order
   * @param master receives their ends; never blocks
   * @param load the transfers for which a copy waits that is not urgent, two seconds at most
   */
  WriteBackCopier(
      NodeStore files, DataStore hdfs, Executor thread, Consumer<Message> master, Load load) {
    this.load = load;
    this.files = files;
    this.hdfs = hdfs;
    this.thread = thread;
    this.master = master;
  }

  /** Orders a copy. */
  public void copy(Message.WriteBack order) {
    int number = masters.get();
    try {
      thread.execute(
          () -> {
            if (number == masters.get()) {
              report(end(order));
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("Ignored the copy of {} after the shutdown", order.path(), e);
    }
  }

  private synchronized void report(Message.WrittenBack end) {
    if (!end.copies().isEmpty()) {
      copied.add(end);
      if (copied.size() > REPEATED) {
        copied.remove();
      }
    }
    master.accept(end);
  }

  /**
   * Forgets the orders of a lost ApplicationMaster, except for the copy in progress. Reports the
   * last copies again: the journal may lack them, and the next ApplicationMaster would not delete
   * copies that it does not know.
   */
  public synchronized void masterReplaced() {
    masters.incrementAndGet();
    copied.forEach(master);
    if (question != null) {
      master.accept(question.message());
    }
  }

  /** The ApplicationMaster has answered whether a copy gets its name. */
  public synchronized void answered(Message.PermitWriteBack permit) {
    if (question != null
        && question
            .message()
            .equals(new Message.MayWriteBack(permit.file(), permit.nodeMillis()))) {
      question.answer().complete(permit.granted());
    }
  }

  /**
   * Waits for the permission to give a copy its name: the file may have been made again meanwhile,
   * and the copy must not replace the newer version.
   */
  private void awaitPermit(Message.WriteBack order) throws IOException, InterruptedException {
    Question asked =
        new Question(
            new Message.MayWriteBack(order.file(), order.content().millis()),
            new CompletableFuture<>());
    ask(asked);
    try {
      if (!asked.answer().get()) {
        throw new IOException("the ApplicationMaster does not need this copy any more");
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } finally {
      forgetQuestion();
    }
  }

  private synchronized void ask(Question asked) {
    question = asked;
    master.accept(asked.message());
  }

  private synchronized void forgetQuestion() {
    question = null;
  }

  private Message.WrittenBack end(Message.WriteBack order) {
    List<StoredFile> copies = List.of();
    String problem = "";
    boolean gone = false;
    try {
      awaitIdle(order);
      copies = List.of(write(order));
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot copy {} to HDFS", order.path(), e);
      problem = e.toString();
      gone = e instanceof NoSuchFileException;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      problem = "the worker ends";
    }
    return new Message.WrittenBack(order.file(), order.content().millis(), copies, problem, gone);
  }

  private void awaitIdle(Message.WriteBack order) throws InterruptedException {
    for (int i = 0; i < MOST_CHECKS && !order.urgent() && load.busy().getAsBoolean(); i++) {
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
