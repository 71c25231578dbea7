package dev.weir.workflow.transfer;

import dev.weir.workflow.protocol.CommitAttribute;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.record.BlockExtent;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store that is being opened, which takes longer than any other part of a worker's start. Only
 * callers that need it wait for it, so tasks without files need not. Thread-safe.
 */
public final class LazyDataStore implements DataStore {

  private static final Logger LOG = LoggerFactory.getLogger(LazyDataStore.class);

  private final Future<? extends DataStore> store;
  private final String node;

  /**
   * Creates a store that waits for another.
   *
   * @param store completes when the store is open
   */
  public LazyDataStore(Future<? extends DataStore> store, String node) {
    this.store = store;
    this.node = node;
  }

  private DataStore store() throws IOException {
    try {
      return store.get();
    } catch (ExecutionException e) {
      throw new IOException("HDFS cannot be opened: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while HDFS was opened");
    }
  }

  @Override
  public Map<String, Source> find(Collection<FileSlot> wanted) throws IOException {
    return store().find(wanted);
  }

  @Override
  public void readBatch(List<Source> sources) {
    try {
      store().readBatch(sources);
    } catch (IOException e) {
      LOG.debug("Cannot read {} files in a batch; each will be fetched", sources.size(), e);
    }
  }

  @Override
  public Fetched fetchRegion(FileSlot slot, Path target) throws IOException {
    return store().fetchRegion(slot, target);
  }

  @Override
  public List<BlockExtent> extents(String path) throws IOException {
    return store().extents(path);
  }

  @Override
  public List<String> join(List<String> regions, String target) throws IOException {
    return store().join(regions, target);
  }

  @Override
  public List<String> findByPrefix(String prefix, long bytes) throws IOException {
    return store().findByPrefix(prefix, bytes);
  }

  @Override
  public Stored put(Path source, String path) throws IOException {
    return store().put(source, path);
  }

  @Override
  public void commit(String from, String to) throws IOException {
    store().commit(from, to);
  }

  @Override
  public void mark(String temporary, CommitAttribute mark) throws IOException {
    store().mark(temporary, mark);
  }

  @Override
  public void remove(long fileId) throws IOException {
    store().remove(fileId);
  }

  @Override
  public void remove(String path) throws IOException {
    store().remove(path);
  }

  @Override
  public long cachedBytes() {
    try {
      return store().cachedBytes();
    } catch (IOException e) {
      return 0;
    }
  }

  @Override
  public String node() {
    return node;
  }
}
