package dev.weir.workflow.run;

import dev.weir.hints.DaemonThreadFactory;
import dev.weir.workflow.controller.RunFiles;
import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.record.DeletedFiles;
import dev.weir.workflow.scheduler.api.Effect.UnneededFile;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the intermediate files of a run that the scheduler has released, in the background.
 * Failures become notes of the run. Each file costs the NameNode one call, and each hundred files
 * one more; at most four calls run at a time. The trash is bypassed. Thread-safe.
 */
final class IntermediateFileDeleter implements RunFiles, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(IntermediateFileDeleter.class);

  /** Files in one lookup: the NameNode's limit for one answer. */
  static final int BATCH = 100;

  private static final int THREADS = 4;

  /** How far the clocks of the NameNode and of this machine may be apart. */
  private static final long CLOCKS_MILLIS = 60_000;

  /** The time between two attempts to write the journal. */
  static final Duration RETRY_INTERVAL = Duration.ofSeconds(5);

  private final RunFiles delegate;
  private final Store store;
  private final Function<String, String> paths;
  private final Consumer<String> notes;
  private final Duration retryInterval;
  private final ExecutorService pool =
      Executors.newFixedThreadPool(THREADS, DaemonThreadFactory.named("tidy"));

  // Guarded by this:
  private int wanted;
  private int gone;
  private int deleted;
  private long bytes;
  private boolean noted;

  /** The files in HDFS. Calls block. */
  interface Store {

    /** Returns the status of the files that exist, by path. */
    Map<String, ? extends FileStatus> find(List<String> paths) throws IOException;

    /** Deletes a file; returns whether it was there. */
    boolean delete(String path) throws IOException;
  }

  /**
   * Creates a deleter.
   *
   * @param delegate handles the other calls
   * @param notes receives messages for the user
   * @param retryInterval after a failure to write the journal
   */
  IntermediateFileDeleter(
      RunFiles delegate,
      Store store,
      Function<String, String> paths,
      Consumer<String> notes,
      Duration retryInterval) {
    this.delegate = delegate;
    this.store = store;
    this.paths = paths;
    this.notes = notes;
    this.retryInterval = retryInterval;
  }

  @Override
  public List<String> lost(List<String> results) {
    return delegate.lost(results);
  }

  @Override
  public void remove(List<String> files) {
    delegate.remove(files);
  }

  @Override
  public void deleteUnneeded(
      List<UnneededFile> files,
      Supplier<CompletableFuture<Void>> journalled,
      Consumer<List<String>> over) {
    synchronized (this) {
      wanted += files.size();
    }
    when(
        journalled,
        () -> {
          for (int from = 0; from < files.size(); from += BATCH) {
            List<UnneededFile> batch = files.subList(from, Math.min(files.size(), from + BATCH));
            begin(() -> delete(batch, over));
          }
        });
  }

  /** Retries while the journal cannot be written, as long as the run lasts. */
  private void when(Supplier<CompletableFuture<Void>> journalled, Runnable then) {
    var unused =
        journalled
            .get()
            .whenComplete(
                (nothing, failure) -> {
                  if (failure == null) {
                    then.run();
                  } else {
                    CompletableFuture.delayedExecutor(
                            retryInterval.toMillis(), TimeUnit.MILLISECONDS)
                        .execute(() -> begin(() -> when(journalled, then)));
                  }
                });
  }

  private void begin(Runnable work) {
    try {
      pool.execute(work);
    } catch (RejectedExecutionException e) {
      LOG.debug("Ignored files to delete after the end of the run", e);
    }
  }

  private void delete(List<UnneededFile> batch, Consumer<List<String>> over) {
    try {
      Map<String, UnneededFile> open = new LinkedHashMap<>();
      batch.forEach(file -> open.put(paths.apply(file.file()), file));
      Map<String, ? extends FileStatus> there = find(List.copyOf(open.keySet()));
      for (Map.Entry<String, UnneededFile> file : open.entrySet()) {
        if (there == null) {
          deleteAlone(file.getKey(), file.getValue());
        } else {
          delete(file.getKey(), file.getValue(), there.get(file.getKey()));
        }
      }
    } catch (InterruptedException e) {
      // The run has ended.
      Thread.currentThread().interrupt();
    } finally {
      over.accept(batch.stream().map(UnneededFile::file).toList());
    }
  }

  /** Returns null when the lookup fails: one file may be in an unreadable directory. */
  private @Nullable Map<String, ? extends FileStatus> find(List<String> asked)
      throws InterruptedException {
    try {
      return HdfsRetry.DEFAULT.through(() -> store.find(asked));
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} files are looked up one by one", asked.size(), e);
      return null;
    }
  }

  /** One try without retries: the lookup before it has waited already. */
  private void deleteAlone(String path, UnneededFile file) throws InterruptedException {
    try {
      delete(path, file, store.find(List.of(path)).get(path));
    } catch (IOException | RuntimeException e) {
      stays(path, String.valueOf(e.getMessage()));
    }
  }

  private void delete(String path, UnneededFile file, @Nullable FileStatus found)
      throws InterruptedException {
    if (found == null) {
      // An earlier application attempt may have deleted the file.
      count(false, 0);
    } else if (isAnother(found, file)) {
      stays(path, "it differs from what its task wrote");
    } else {
      delete(path, found.getLen());
    }
  }

  /** The user may have replaced or changed the file. */
  private static boolean isAnother(FileStatus found, UnneededFile file) {
    return !found.isFile()
        || (file.fileId() != 0
            && found instanceof HdfsFileStatus known
            && known.getFileId() != file.fileId())
        || found.getLen() != file.bytes()
        || found.getModificationTime() > file.madeMillis() + CLOCKS_MILLIS;
  }

  private void delete(String path, long length) throws InterruptedException {
    try {
      boolean was = HdfsRetry.DEFAULT.through(() -> store.delete(path));
      count(was, length);
    } catch (IOException | RuntimeException e) {
      stays(path, String.valueOf(e.getMessage()));
    }
  }

  private synchronized void count(boolean was, long length) {
    if (was) {
      deleted++;
      bytes += length;
    } else {
      gone++;
    }
  }

  private synchronized void stays(String path, String reason) {
    LOG.debug("{} is not deleted: {}", path, reason);
    if (!noted) {
      noted = true;
      LOG.warn("Some intermediate files cannot be deleted, such as {}: {}", path, reason);
      notes.accept(
          "some intermediate files cannot be deleted and stay, such as " + path + ": " + reason);
    }
  }

  /**
   * Waits for started deletions; no more are started.
   *
   * @param mostMillis how long to wait; remaining files stay
   * @return the totals
   */
  DeletedFiles finish(long mostMillis) {
    pool.shutdown();
    try {
      if (!pool.awaitTermination(mostMillis, TimeUnit.MILLISECONDS)) {
        LOG.warn("Some intermediate files are left, because their deletion takes too long");
        List<Runnable> unused = new ArrayList<>(pool.shutdownNow());
      }
    } catch (InterruptedException e) {
      List<Runnable> unused = new ArrayList<>(pool.shutdownNow());
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      return new DeletedFiles(deleted, bytes, wanted - gone - deleted);
    }
  }

  /** Interrupts running deletions; remaining files stay. */
  @Override
  public void close() {
    List<Runnable> unused = new ArrayList<>(pool.shutdownNow());
  }
}
