package dev.weir.workflow.cache;

import dev.weir.workflow.infer.FetchModel;
import dev.weir.workflow.protocol.CacheSecurity;
import dev.weir.workflow.protocol.CommitAttribute;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.PortRange;
import dev.weir.workflow.record.BlockExtent;
import dev.weir.workflow.transfer.DataStore;
import dev.weir.workflow.transfer.FailureClassifier;
import dev.weir.workflow.transfer.InputLostException;
import dev.weir.workflow.transfer.ReadAhead;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store with a node cache. Files that several tasks read are fetched once for all workers of a
 * node. A file with one reader bypasses the cache, which would only write it twice. Outputs that
 * later tasks read stay in the cache of the node that wrote them.
 */
public final class CachingStore implements DataStore {

  private static final Logger LOG = LoggerFactory.getLogger(CachingStore.class);

  /** Copies of small files to HDFS at a time. */
  private static final int SMALL_COPIES = 8;

  /** Files of this size in bytes are copied to HDFS one after another. */
  private static final long LARGE_BYTES = 1 << 20;

  /** A report may be late: a task whose input was evicted only fetches it again. */
  private static final long LOOK_MILLIS = 1_000;

  /** Interval of the look at the disk; a NodeManager looks every two minutes by default. */
  private static final long SHRINK_MILLIS = 5_000;

  private final DataStore store;
  private final NodeCache cache;
  private final CacheReporter reporter;

  /** Null when there are no files in stores of nodes. */
  private final @Nullable NodeReader nodes;

  private volatile @Nullable CacheServer server;

  /** The last report of a disk that is too full; null before the first one. */
  private volatile Message.@Nullable DiskShortage shortage;

  public CachingStore(DataStore store, NodeCache cache) {
    this(store, cache, new CacheReporter(cache, CacheReporter.MOST));
  }

  /**
   * Creates the store of a worker.
   *
   * @param nodes reads files from the stores of other nodes
   */
  public CachingStore(DataStore store, NodeCache cache, NodeReader nodes) {
    this(store, cache, new CacheReporter(cache, CacheReporter.MOST), nodes);
  }

  public CachingStore(DataStore store, NodeCache cache, CacheReporter reporter) {
    this(store, cache, reporter, null);
  }

  private CachingStore(
      DataStore store, NodeCache cache, CacheReporter reporter, @Nullable NodeReader nodes) {
    this.store = store;
    this.cache = cache;
    this.reporter = reporter;
    this.nodes = nodes;
  }

  /**
   * Starts the reports of cached contents.
   *
   * @param master receives the reports; never blocks
   * @param timer runs the periodic checks
   */
  public void connect(Consumer<Message> master, ScheduledExecutorService timer) {
    reporter.connect(master);
    Future<?> unused =
        timer.scheduleWithFixedDelay(
            reporter::report, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    Future<?> unusedToo =
        timer.scheduleWithFixedDelay(
            () -> shrink(master), SHRINK_MILLIS, SHRINK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Keeps the cache within its limit, and reports when the disk is too full for that. */
  void shrink(Consumer<Message> master) {
    try {
      Message.DiskShortage before = shortage;
      Message.DiskShortage now =
          cache
              .shrink()
              .map(
                  found ->
                      new Message.DiskShortage(node(), found.limitBytes(), found.excessBytes()))
              .orElse(null);
      shortage = now;
      if (now != null && (before == null || now.excessBytes() > 0)) {
        master.accept(now);
      }
    } catch (IOException | RuntimeException e) {
      // An exception would cancel the periodic task.
      LOG.debug("Cannot shrink the cache of this node", e);
    }
  }

  @Override
  public Map<String, Source> find(Collection<FileSlot> wanted) throws IOException {
    List<FileSlot> inHdfs = wanted.stream().filter(slot -> !slot.content().exists()).toList();
    Map<String, Source> found = new HashMap<>();
    if (!inHdfs.isEmpty()) {
      found.putAll(store.find(inHdfs));
    }
    for (FileSlot slot : wanted) {
      if (slot.content().exists()) {
        found.put(slot.path(), new OnNode(slot));
        continue;
      }
      Source source = found.get(slot.path());
      Optional<Version> version = source == null ? Optional.empty() : source.version();
      if (source == null || version.isEmpty()) {
        continue;
      }
      if (slot.kind() == FileSlot.Kind.SHARED && version.get().length() > 0) {
        found.put(slot.path(), new Known(source, version.get(), false));
      } else if (slot.kind() == FileSlot.Kind.HANDED
          && version.get().length() >= CacheReporter.LEAST_BYTES) {
        found.put(slot.path(), new Known(source, version.get(), true));
      }
    }
    return found;
  }

  /**
   * Serves the cache to other workers of the session, as long as this process lives.
   *
   * @param security gives the authentication and encryption of each connection
   * @param threads one for each reader
   * @param master receives the server's port, and contents that cannot be served
   * @param ports those that the server may use
   * @throws IOException when there is no port
   */
  public void share(
      Supplier<CacheSecurity> security,
      ThreadFactory threads,
      Consumer<Message> master,
      PortRange ports)
      throws IOException {
    CacheServer open = new CacheServer(cache, security, threads, master, ports);
    // Set before the announcement, so that a repeated announcement finds the server.
    server = open;
    open.start();
  }

  /** Repeats all reports and the server's port for a new ApplicationMaster. */
  public void reportAll() {
    shortage = null;
    CacheServer open = server;
    if (open != null) {
      open.tell();
    }
    reporter.reportAll();
  }

  @Override
  public void readBatch(List<Source> sources) {
    NodeReader reader = nodes;
    if (reader == null || !(sources.get(0) instanceof OnNode)) {
      // Inputs that the cache may have are marked as having one reader.
      store.readBatch(sources);
      return;
    }
    List<OnNode> files = sources.stream().map(OnNode.class::cast).toList();
    List<ReadAhead> contents = reader.readAll(files.stream().map(OnNode::wanted).toList());
    for (int i = 0; i < contents.size(); i++) {
      files.get(i).readAhead = contents.get(i);
    }
  }

  /** A file whose version is known. */
  private final class Known implements Source {
    private final Source source;
    private final Version version;

    /** Whether it has one reader, to which a cached content is moved. */
    private final boolean isHanded;

    private volatile boolean handedOn;

    Known(Source source, Version version, boolean isHanded) {
      this.source = source;
      this.version = version;
      this.isHanded = isHanded;
    }

    private CacheKey key() {
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

    @Override
    public Fetched fetch(Path target) throws IOException {
      if (isHanded) {
        Optional<Fetched> had = cache.made().take(key(), target);
        handedOn = had.isPresent();
        return had.isPresent() ? had.get() : source.fetch(target);
      }
      Fetched fetched = cache.bring(source, version, target);
      if (version.length() >= CacheReporter.LEAST_BYTES) {
        reporter.brought(key(), source.path());
      }
      return fetched;
    }

    @Override
    public boolean markAltered() {
      return !isHanded && cache.spoiled(key());
    }

    @Override
    public boolean isLocalOutput() {
      return handedOn;
    }
  }

  /** A file in the store of this node or another one. */
  final class OnNode implements Source {

    private final FileSlot slot;
    private final CacheKey key;
    private @Nullable ReadAhead readAhead;

    OnNode(FileSlot slot) {
      this.slot = slot;
      this.key = CacheKey.of(slot.path(), slot.content());
    }

    private boolean isLarge() {
      return key.length() >= CacheReporter.LEAST_BYTES;
    }

    /** Whether its readers form a chain, for which the ApplicationMaster gives permits. */
    private boolean isChained() {
      return key.length() >= FetchModel.CHAINED_BYTES;
    }

    @Override
    public String path() {
      return slot.path();
    }

    @Override
    public Optional<Version> version() {
      return Optional.of(CacheKey.version(slot.content()));
    }

    private NodeReader.Wanted wanted() {
      return new NodeReader.Wanted(path(), slot.content(), false);
    }

    /** A shared file comes by way of the cache, which may have it. */
    @Override
    public String batchKey() {
      List<String> holders = slot.content().nodes();
      boolean isTiny = key.length() > 0 && !isLarge();
      return nodes != null
              && isTiny
              && slot.kind() != FileSlot.Kind.SHARED
              && !holders.contains(node())
          ? String.join(" ", holders)
          : "";
    }

    @Override
    public Fetched fetch(Path target) throws IOException {
      ReadAhead batched = readAhead;
      if (batched != null) {
        // Used once: a second fetch reads the file again.
        readAhead = null;
        Fetched fetched = batched.write(target);
        if (fetched.crc32c() == slot.content().crc32c()) {
          return fetched;
        }
        Files.delete(target);
      }
      Optional<Fetched> had = cache.linkIfKept(key, target);
      if (had.isPresent()) {
        return had.get();
      }
      Files.deleteIfExists(target);
      Fetched fetched =
          slot.kind() == FileSlot.Kind.SHARED && key.length() > 0
              ? cache.bring(new Elsewhere(), key, target)
              : read(target, isLarge(), () -> {});
      if (slot.kind() == FileSlot.Kind.SHARED && isLarge()) {
        reporter.brought(key, slot.path());
      }
      return fetched;
    }

    private Fetched read(Path target, boolean granted, Runnable onRestart) throws IOException {
      Optional<Fetched> here =
          cache.store().copyFromOtherDisk(key, slot.content().crc32c(), target);
      if (here.isPresent()) {
        return here.get();
      }
      NodeReader reader = nodes;
      if (reader == null) {
        throw new InputLostException(path(), new FileNotFoundException("it is on another node"));
      }
      return reader.read(new NodeReader.Wanted(path(), slot.content(), granted), target, onRestart);
    }

    @Override
    public boolean markAltered() {
      return cache.spoiled(key);
    }

    /** The file as other nodes have it. */
    private final class Elsewhere implements Source {

      @Override
      public String path() {
        return slot.path();
      }

      @Override
      public Optional<Version> version() {
        return OnNode.this.version();
      }

      @Override
      public Fetched fetch(Path target) throws IOException {
        return fetchToShare(target, () -> {});
      }

      @Override
      public Fetched fetchToShare(Path target, Runnable onRestart) throws IOException {
        return read(target, isChained(), onRestart);
      }
    }
  }

  @Override
  public Optional<Kept> keep(Path file, String path) throws IOException {
    // Other nodes can read it only through the server.
    return nodes != null && server != null ? cache.store().prepare(file, path) : Optional.empty();
  }

  /** Removes a file from the store of this node. */
  public void drop(Message.StoreDrop file) {
    cache.store().drop(CacheKey.of(file.path(), file.content()));
  }

  /**
   * Starts the copies of files of this node to HDFS.
   *
   * @param master receives the ends of copies
   * @param tasksMoveFiles whether files of this worker's tasks are being moved
   */
  public WriteBackCopier writeBack(
      ThreadFactory threads, Consumer<Message> master, BooleanSupplier tasksMoveFiles) {
    return new WriteBackCopier(
        cache.store(),
        store,
        new WriteBackCopier.Threads(
            Executors.newSingleThreadExecutor(threads),
            Executors.newFixedThreadPool(SMALL_COPIES, threads),
            LARGE_BYTES),
        master,
        new WriteBackCopier.Load(
            () -> tasksMoveFiles.getAsBoolean() || isServing(), TimeUnit.MILLISECONDS::sleep));
  }

  private boolean isServing() {
    CacheServer open = server;
    return open != null && open.isBusy();
  }

  /** Looks up all versions together, to build their cache keys. */
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
        // Restores the interrupt, because the commit comes next.
        Thread.currentThread().interrupt();
      }
      LOG.debug("Cannot keep outputs in the cache of this node", e);
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
    // If HDFS has a full replica on this node too, that location counts.
    if (cache.made().keep(key, made) && !isHere) {
      reporter.made(key, made.path());
    }
  }

  @Override
  public Fetched fetchRegion(FileSlot slot, Path target) throws IOException {
    if (slot.content().exists()) {
      // Only a task that was added later reads regions of such a file.
      throw new InputLostException(slot.path(), new FileNotFoundException("it is not in HDFS"));
    }
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
  public Stored put(Path source, String path) throws IOException {
    return store.put(source, path);
  }

  @Override
  public void commit(String from, String to) throws IOException {
    store.commit(from, to);
  }

  @Override
  public void mark(String temporary, CommitAttribute mark) throws IOException {
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
  public long cachedBytes() {
    return cache.bytes();
  }

  @Override
  public String node() {
    return store.node();
  }
}
