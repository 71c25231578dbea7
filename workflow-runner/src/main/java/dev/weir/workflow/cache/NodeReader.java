package dev.weir.workflow.cache;

import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.protocol.CacheLink;
import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.sandbox.LocalFiles;
import dev.weir.workflow.transfer.DataStore.Fetched;
import dev.weir.workflow.transfer.InputLostException;
import dev.weir.workflow.transfer.ReadAhead;
import dev.weir.workflow.transfer.TransferScheduler;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads files from the stores of other nodes, and compares each with its recorded checksum. A file
 * is lost when no worker can serve it for ten seconds: a restarted ApplicationMaster does not know
 * all workers at once. Thread-safe.
 */
public final class NodeReader {

  private static final Logger LOG = LoggerFactory.getLogger(NodeReader.class);
  private static final int TRIES = 10;
  private static final long PAUSE_MILLIS = 1_000;

  private final CoordinatedTransfers turns;
  private final CacheClient client;
  private final HdfsRetry.Sleeper sleeper;
  private final LongSupplier nanoTime;

  public NodeReader(
      CoordinatedTransfers turns,
      CacheClient client,
      HdfsRetry.Sleeper sleeper,
      LongSupplier nanoTime) {
    this.turns = turns;
    this.client = client;
    this.sleeper = sleeper;
    this.nanoTime = nanoTime;
  }

  /**
   * A file to read.
   *
   * @param path absolute path that it would have in HDFS
   * @param granted whether to wait for a permit of the ApplicationMaster
   */
  record Wanted(String path, NodeContent content, boolean granted) {

    private CacheLink.Wanted onLink() {
      return new CacheLink.Wanted(CacheKey.of(path, content).digest(), content.bytes());
    }
  }

  /**
   * Reads a file.
   *
   * @param target a new file, which becomes read-only; it does not exist when this method throws
   * @param onRestart called before the copy restarts from its beginning
   * @throws InputLostException when no worker has it
   * @throws IOException when the target cannot be written, or the thread is interrupted
   */
  Fetched read(Wanted wanted, Path target, Runnable onRestart) throws IOException {
    NodeContent content = wanted.content();
    if (content.bytes() == 0) {
      LocalFiles.createReadOnly(target).close();
      return Fetched.local(0, 0, content.crc32c());
    }
    for (int tries = 0; tries < TRIES; tries++) {
      if (tries > 0) {
        onRestart.run();
        pause();
      }
      long start = nanoTime.getAsLong();
      Optional<String> from = readFrom(wanted, target);
      if (from.isPresent()) {
        return Fetched.otherCache(
            content.bytes(), nanoTime.getAsLong() - start, content.crc32c(), from.get());
      }
    }
    throw new InputLostException(
        wanted.path(), new FileNotFoundException("no worker of " + content.nodes() + " has it"));
  }

  /**
   * Reads small files of the same nodes over one connection.
   *
   * @param wanted the files, at least one
   * @return the contents that came, in this order; fewer if some did not
   */
  List<ReadAhead> readAll(List<Wanted> wanted) {
    List<String> nodes = wanted.get(0).content().nodes();
    try {
      Optional<String> address = turns.cacheOn(nodes);
      if (address.isEmpty()) {
        return List.of();
      }
      long start = nanoTime.getAsLong();
      List<byte[]> contents =
          client.readAll(address.get(), wanted.stream().map(Wanted::onLink).toList());
      if (contents.size() < wanted.size()) {
        turns.forget(address.get());
      }
      long nanos = (nanoTime.getAsLong() - start) / Math.max(1, contents.size());
      String from = nodes.size() == 1 ? nodes.get(0) : "";
      return contents.stream()
          .map(content -> new ReadAhead(content, ReadAhead.Origin.CACHE, nanos, from))
          .toList();
    } catch (IOException e) {
      LOG.debug("The batch was interrupted; so will be the fetches that follow", e);
      return List.of();
    }
  }

  private void pause() throws InterruptedIOException {
    try {
      sleeper.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while another node is awaited");
    }
  }

  /** Returns the host that the file was read from; empty if it was not read. */
  private Optional<String> readFrom(Wanted wanted, Path target) throws IOException {
    CacheLink.Wanted onLink = wanted.onLink();
    if (!wanted.granted()) {
      Optional<String> address = turns.cacheOn(wanted.content().nodes());
      if (address.isEmpty()) {
        return Optional.empty();
      }
      boolean read = isRead(wanted, target, out -> client.read(address.get(), onLink, out));
      if (!read) {
        turns.forget(address.get());
      }
      List<String> nodes = wanted.content().nodes();
      return read ? Optional.of(nodes.size() == 1 ? nodes.get(0) : "") : Optional.empty();
    }
    try (TransferScheduler.Grant grant =
        turns.acquireFromCache(
            new TransferScheduler.Request(onLink.length(), onLink.content()),
            wanted.content().nodes())) {
      TransferScheduler.Cache cache = grant.cache();
      if (cache == null || !isRead(wanted, target, cache)) {
        return Optional.empty();
      }
      grant.fromCache(onLink.length());
      grant.complete();
      return Optional.of(grant.from());
    }
  }

  private static boolean isRead(Wanted wanted, Path target, TransferScheduler.Cache cache)
      throws IOException {
    CRC32C crc = new CRC32C();
    boolean complete = false;
    try (OutputStream out = new CheckedOutputStream(LocalFiles.createReadOnly(target), crc)) {
      complete = cache.read(out) && Checksum.of(crc) == wanted.content().crc32c();
      if (!complete) {
        LOG.info("{} did not come whole from another node", wanted.path());
      }
      return complete;
    } finally {
      if (!complete) {
        Files.deleteIfExists(target);
      }
    }
  }
}
