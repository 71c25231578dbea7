package dev.weir.workflow.cache;

import dev.weir.workflow.protocol.CacheSecurity;
import dev.weir.workflow.protocol.CommitMark;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.record.BlockExtent;
import dev.weir.workflow.transfer.DataStore;
import dev.weir.workflow.transfer.FailureClassifier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store of whose files those that several tasks read are fetched once for all workers of a node.
 * A file that one task reads would only be written twice by that. Outputs that others read are kept
 * where they were made, if they are worth it, and are fetched by nobody there.
 */
public final class CachingStore implements DataStore {

  private static final Logger LOG = LoggerFactory.getLogger(CachingStore.class);

  /** A task that comes for what is gone fetches it, and nothing else happens. */
  private static final long LOOK_MILLIS = 1_000;

  private final DataStore store;
  private final NodeCache cache;
  private final CacheReporter teller;
  private volatile @Nullable CacheServer server;

  public CachingStore(DataStore store, NodeCache cache) {
    this(store, cache, new CacheReporter(cache, CacheReporter.MOST));
  }

  /**
   * A store before a cache.
   *
   * @param teller says what the cache keeps
   */
  public CachingStore(DataStore store, NodeCache cache, CacheReporter teller) {
    this.store = store;
    this.cache = cache;
    this.teller = teller;
  }

  /**
   * Says from now on what the cache keeps.
   *
   * @param master who is told; never blocks
   * @param timer looks now and then whether it still does
   */
  public void tell(Consumer<Message> master, ScheduledExecutorService timer) {
    teller.tell(master);
    Future<?> unused =
        timer.scheduleWithFixedDelay(teller::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public Map<String, Source> find(Collection<FileSlot> wanted) throws IOException {
    Map<String, Source> found = new HashMap<>(store.find(wanted));
    for (FileSlot slot : wanted) {
      Source source = found.get(slot.path());
      Optional<Version> version = source == null ? Optional.empty() : source.version();
      if (source == null || version.isEmpty()) {
        continue;
      }
      if (slot.kind() == FileSlot.Kind.SHARED && version.get().length() > 0) {
        found.put(slot.path(), new Cached(source, version.get()));
      } else if (slot.kind() == FileSlot.Kind.HANDED
          && version.get().length() >= CacheReporter.LEAST_BYTES) {
        found.put(slot.path(), new Handed(source, version.get()));
      }
    }
    return found;
  }

  /**
   * Gives to other workers of the run what the cache has; as long as this process lives.
   *
   * @param security asked for each reader how it is known and what protects it
   * @param threads one for each reader
   * @param master hears where it is, and what cannot be given
   * @throws IOException when there is no port
   */
  public void share(
      Supplier<CacheSecurity> security, ThreadFactory threads, Consumer<Message> master)
      throws IOException {
    CacheServer open = new CacheServer(cache, security, threads, master);
    // Whoever says it again must not find none after this has told the master before.
    server = open;
    open.start();
  }

  /** Says again what the cache keeps, and where others read from it: there is another master. */
  public void tellAgain() {
    CacheServer open = server;
    if (open != null) {
      open.tell();
    }
    teller.tellAgain();
  }

  /**
   * Copies files ahead of tasks from now on.
   *
   * @param threads makes the one on which it does
   * @param master hears when copies are over
   */
  public AheadCopies ahead(ThreadFactory threads, Consumer<Message> master) {
    return new AheadCopies(
        new AheadCopies.Places(store, cache, teller),
        Executors.newSingleThreadExecutor(threads),
        master);
  }

  @Override
  public void readBatch(List<Source> sources) {
    // Those that the cache may have say that they are read alone.
    store.readBatch(sources);
  }

  /** A file of which it is known what it holds. */
  private abstract static class Known implements Source {

    final Source source;
    final Version version;

    Known(Source source, Version version) {
      this.source = source;
      this.version = version;
    }

    CacheKey key() {
      return CacheKey.of(source.path(), version);
    }

    @Override
    public String path() {
      return source.path();
    }

    @Override
    public Optional<Version> version() {
      return Optional.of(version);
    }
  }

  private final class Cached extends Known {

    Cached(Source source, Version version) {
      super(source, version);
    }

    @Override
    public Fetched fetch(Path target) throws IOException {
      Fetched fetched = cache.bring(source, version, target);
      if (version.length() >= CacheReporter.LEAST_BYTES) {
        teller.brought(key(), source.path());
      }
      return fetched;
    }

    @Override
    public boolean markAltered() {
      return cache.spoiled(key());
    }
  }

  /** A file that is read by nobody else: who finds it in the cache has it for its own. */
  private final class Handed extends Known {

    private volatile boolean handedOn;

    Handed(Source source, Version version) {
      super(source, version);
    }

    @Override
    public Fetched fetch(Path target) throws IOException {
      Optional<Fetched> had = cache.made().take(key(), target);
      handedOn = had.isPresent();
      return had.isPresent() ? had.get() : source.fetch(target);
    }

    @Override
    public boolean isLocalOutput() {
      return handedOn;
    }
  }

  /** Asks the store for all of them together, to learn by what the contents will be known. */
  @Override
  public Runnable prepareLocalReuse(Collection<StoredOutput> outputs) {
    List<StoredOutput> large =
        outputs.stream().filter(made -> made.facts().bytes() >= CacheReporter.LEAST_BYTES).toList();
    if (large.isEmpty()) {
      return () -> {};
    }
    Map<String, Source> found;
    try {
      found =
          store.find(
              large.stream()
                  .map(StoredOutput::temporary)
                  .map(path -> new FileSlot(path, path, 0))
                  .toList());
    } catch (IOException | RuntimeException e) {
      if (FailureClassifier.isInterrupt(e)) {
        // Whoever tells it to stop must not be forgotten: the commit comes next.
        Thread.currentThread().interrupt();
      }
      LOG.debug("No outputs are kept by this node", e);
      return () -> {};
    }
    return () -> large.forEach(made -> handOn(made, found.get(made.temporary())));
  }

  private void handOn(StoredOutput made, @Nullable Source stored) {
    if (stored != null) {
      stored.version().ifPresent(version -> handOn(CacheKey.of(made.path(), version), made));
    }
  }

  private void handOn(CacheKey key, StoredOutput made) {
    boolean isHere = made.stored().bytesByHost().getOrDefault(node(), 0L) >= key.length();
    // Where HDFS has all of it on this node, too, that is what counts.
    if (cache.made().keep(key, made) && !isHere) {
      teller.made(key, made.path());
    }
  }

  @Override
  public Fetched fetchRegion(FileSlot slot, Path target) throws IOException {
    return store.fetchRegion(slot, target);
  }

  @Override
  public List<BlockExtent> extents(String path) throws IOException {
    return store.extents(path);
  }

  @Override
  public List<String> join(List<String> regions, String target) throws IOException {
    return store.join(regions, target);
  }

  @Override
  public List<String> findByPrefix(String prefix, long bytes) throws IOException {
    return store.findByPrefix(prefix, bytes);
  }

  @Override
  public Writing begin(String path) throws IOException {
    return store.begin(path);
  }

  @Override
  public Stored put(Path source, String path) throws IOException {
    return store.put(source, path);
  }

  @Override
  public void commit(String from, String to) throws IOException {
    store.commit(from, to);
  }

  @Override
  public void mark(String temporary, CommitMark mark) throws IOException {
    store.mark(temporary, mark);
  }

  @Override
  public void remove(long fileId) throws IOException {
    store.remove(fileId);
  }

  @Override
  public void remove(String path) throws IOException {
    store.remove(path);
  }

  @Override
  public String node() {
    return store.node();
  }
}
