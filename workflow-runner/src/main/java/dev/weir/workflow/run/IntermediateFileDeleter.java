package dev.weir.workflow.run;

import dev.weir.workflow.concurrent.DaemonThreadFactory;
import dev.weir.workflow.controller.RunFiles;
import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.record.DeletedFiles;
import dev.weir.workflow.scheduler.Effect.UnneededFile;
import java.io.IOException;
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
 * Deletes the files that a run needs no more, beside everything else: nobody waits for it, and
 * nothing that goes wrong here is told to the run but as a note. It costs the NameNode one call for
 * each file, one more for a hundred, and four calls at a time at most. Files do not go to the
 * trash. Thread-safe.
 */
final class IntermediateFileDeleter implements RunFiles, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(IntermediateFileDeleter.class);

  /** So many files are looked up with one call, as many as the NameNode answers for at a time. */
  static final int BATCH = 100;

  private static final int THREADS = 4;

  /** How far the clocks of the NameNode and of this machine may be apart. */
  private static final long CLOCKS_MILLIS = 60_000;

  private static final long AGAIN_SECONDS = 5;

  private final RunFiles keeper;
  private final Store store;
  private final Function<String, String> paths;
  private final Consumer<String> notes;
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

    /** What is there of these files, by path. */
    Map<String, ? extends FileStatus> find(List<String> paths) throws IOException;

    /** Deletes a file; returns whether it was there. */
    boolean delete(String path) throws IOException;
  }

  /**
   * A tidier.
   *
   * @param keeper does all else
   * @param paths where a file is, by its id
   * @param notes hears what the user should know
   */
  IntermediateFileDeleter(
      RunFiles keeper, Store store, Function<String, String> paths, Consumer<String> notes) {
    this.keeper = keeper;
    this.store = store;
    this.paths = paths;
    this.notes = notes;
  }

  @Override
  public List<String> lost(List<String> results) {
    return keeper.lost(results);
  }

  @Override
  public void remove(List<String> files) {
    keeper.remove(files);
  }

  @Override
  public void letGo(
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

  /** A journal that cannot be written now is asked again, as long as the run lasts. */
  private void when(Supplier<CompletableFuture<Void>> journalled, Runnable then) {
    var unused =
        journalled
            .get()
            .whenComplete(
                (nothing, failure) -> {
                  if (failure == null) {
                    then.run();
                  } else {
                    CompletableFuture.delayedExecutor(AGAIN_SECONDS, TimeUnit.SECONDS)
                        .execute(() -> begin(() -> when(journalled, then)));
                  }
                });
  }

  private void begin(Runnable work) {
    try {
      pool.execute(work);
    } catch (RejectedExecutionException e) {
      LOG.debug("Files are to be deleted after the end", e);
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

  /** Null when they cannot all be looked at: one among them may be in a closed directory. */
  private @Nullable Map<String, ? extends FileStatus> find(List<String> asked)
      throws InterruptedException {
    try {
      return HdfsRetry.DEFAULT.through(() -> store.find(asked));
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} files are looked up one by one", asked.size(), e);
      return null;
    }
  }

  /** Asked once, for the question before this one has waited. */
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
      // An ApplicationMaster before this one may have come so far.
      count(false, 0);
    } else if (isAnother(found, file)) {
      stays(path, "it is not as its task had made it");
    } else {
      delete(path, found.getLen());
    }
  }

  /** Somebody may have put another file in its place, or have written to it. */
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
      LOG.warn("Not all files can be deleted, such as {}: {}", path, reason);
      notes.accept(
          "not all files in between can be deleted; they stay, such as " + path + ": " + reason);
    }
  }

  /**
   * Ends what is under way. Nothing is begun afterwards.
   *
   * @param mostMillis how long to wait for it; what is not deleted by then stays
   * @return what was done in all
   */
  DeletedFiles finish(long mostMillis) {
    pool.shutdown();
    try {
      if (!pool.awaitTermination(mostMillis, TimeUnit.MILLISECONDS)) {
        LOG.warn("Files are left that were to be deleted, for that takes too long");
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

  /** Interrupts what is under way; the files that are left stay. */
  @Override
  public void close() {
    List<Runnable> unused = new ArrayList<>(pool.shutdownNow());
  }
}
