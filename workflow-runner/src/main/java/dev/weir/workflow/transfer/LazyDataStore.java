package dev.weir.workflow.transfer;

import dev.weir.workflow.protocol.CommitMark;
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
 * A store that is being opened, which takes longer than anything else at the start of a worker:
 * whoever needs it waits for it, and tasks without files need not. Thread-safe.
 */
public final class LazyDataStore implements DataStore {

  private static final Logger LOG = LoggerFactory.getLogger(LazyDataStore.class);

  private final Future<? extends DataStore> store;
  private final String node;

  /**
   * A store.
   *
   * @param store the store, as soon as it is open
   * @param node what it will say of its {@link #node}
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
      throw new InterruptedIOException("told to stop while HDFS was opened");
    }
  }

  @Override
  public Map<String, Source> find(Collection<FileSlot> wanted) throws IOException {
    return store().find(wanted);
  }

  @Override
  public void readTogether(List<Source> sources) {
    try {
      store().readTogether(sources);
    } catch (IOException e) {
      LOG.debug("Reading each of {} files, which is not possible either", sources.size(), e);
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
  public List<String> named(String beginning, long bytes) throws IOException {
    return store().named(beginning, bytes);
  }

  @Override
  public Writing begin(String path) throws IOException {
    return store().begin(path);
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
  public void mark(String temporary, CommitMark mark) throws IOException {
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
  public String node() {
    return node;
  }
}
