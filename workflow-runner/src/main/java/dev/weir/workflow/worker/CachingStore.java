package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.Extent;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.Secret;
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

/**
 * A store of whose files those that several tasks read are fetched once for all workers of a node.
 * A file that one task reads would only be written twice by that.
 */
final class CachingStore implements DataStore {

  /** A task that comes for what is gone fetches it, and nothing else happens. */
  private static final long LOOK_MILLIS = 1_000;

  private final DataStore store;
  private final NodeCache cache;
  private final CacheTeller teller;

  CachingStore(DataStore store, NodeCache cache) {
    this.store = store;
    this.cache = cache;
    this.teller = new CacheTeller(cache, CacheTeller.MOST);
  }

  /**
   * Says from now on what the cache keeps.
   *
   * @param master who is told; never blocks
   * @param timer looks now and then whether it still does
   */
  void tell(Consumer<Message> master, ScheduledExecutorService timer) {
    teller.tell(master);
    Future<?> unused =
        timer.scheduleWithFixedDelay(teller::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public Map<String, Source> find(Collection<FileSlot> wanted) throws IOException {
    Map<String, Source> found = new HashMap<>(store.find(wanted));
    for (FileSlot slot : wanted) {
      Source source = found.get(slot.path());
      if (source != null && slot.kind() == FileSlot.Kind.SHARED) {
        source
            .version()
            .filter(version -> version.length() > 0)
            .ifPresent(version -> found.put(slot.path(), new Cached(source, version)));
      }
    }
    return found;
  }

  /**
   * Gives to other workers of the run what the cache has; as long as this process lives.
   *
   * @param secret the run's
   * @param threads one for each reader
   * @param master hears where it is, and what cannot be given
   * @throws IOException when there is no port
   */
  void share(Secret secret, ThreadFactory threads, Consumer<Message> master) throws IOException {
    new CacheServer(cache, secret, threads, master).start();
  }

  /**
   * Copies files ahead of tasks from now on.
   *
   * @param threads makes the one on which it does
   * @param master hears when copies are over
   */
  AheadCopies ahead(ThreadFactory threads, Consumer<Message> master) {
    return new AheadCopies(
        new AheadCopies.Places(store, cache, teller),
        Executors.newSingleThreadExecutor(threads),
        master);
  }

  private final class Cached implements Source {

    private final Source source;
    private final Version version;

    Cached(Source source, Version version) {
      this.source = source;
      this.version = version;
    }

    @Override
    public String path() {
      return source.path();
    }

    @Override
    public Optional<Version> version() {
      return Optional.of(version);
    }

    @Override
    public Fetched fetch(Path target) throws IOException {
      Fetched fetched = cache.bring(source, version, target);
      if (version.length() >= CacheTeller.LEAST_BYTES) {
        teller.brought(CacheKey.of(source.path(), version), source.path());
      }
      return fetched;
    }

    @Override
    public boolean spoiled() {
      return cache.spoiled(CacheKey.of(source.path(), version));
    }
  }

  @Override
  public Fetched fetchRegion(FileSlot slot, Path target) throws IOException {
    return store.fetchRegion(slot, target);
  }

  @Override
  public List<Extent> extents(String path) throws IOException {
    return store.extents(path);
  }

  @Override
  public List<String> join(List<String> regions, String target) throws IOException {
    return store.join(regions, target);
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
  public void remove(String path) throws IOException {
    store.remove(path);
  }

  @Override
  public String node() {
    return store.node();
  }
}
