package dev.weir.workflow.transfer;

import static java.util.Objects.requireNonNull;

import dev.weir.workflow.protocol.CommitAttribute;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.record.BlockExtent;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.sandbox.LocalFiles;
import dev.weir.workflow.worker.InjectedFailures;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** A store in a local directory; tests can place some of its files on another node. */
public final class DirectoryStore implements DataStore {

  public static final String NODE = "here";

  public final InjectedFailures injectedFailures = new InjectedFailures();
  private final Path root;
  private final Set<String> remote = ConcurrentHashMap.newKeySet();
  private final AtomicInteger lookups = new AtomicInteger();
  private final AtomicInteger fetches = new AtomicInteger();
  private volatile Runnable beforeCommit = () -> {};
  private volatile FileHook beforeFetch = target -> {};
  private volatile FileHook beforeJoin = target -> {};
  private volatile FileHook beforePut = source -> {};

  private volatile UnaryOperator<String> batchKey = path -> "";
  private volatile Runnable onBatch = () -> {};
  private final Deque<List<String>> readBatch = new ConcurrentLinkedDeque<>();

  private final Map<String, CommitAttribute> marks = new ConcurrentHashMap<>();

  /** Called before a fetch, a put or a join, which fails if this throws. */
  public interface FileHook {
    void accept(Path target) throws IOException;
  }

  public DirectoryStore(Path root) {
    this.root = root;
  }

  /** Returns the commit marks by the paths that they were written to. */
  public Map<String, CommitAttribute> marks() {
    return Map.copyOf(marks);
  }

  /** Returns the file id of a file. */
  public long fileIdOf(String path) throws IOException {
    return versionOf(file(path)).id();
  }

  /** Places a file on another node. */
  public void moveToAnotherNode(String path) {
    remote.add(path);
  }

  /** Sets a hook that is called before each commit, on the committing thread. */
  public void beforeCommit(Runnable hook) {
    beforeCommit = hook;
  }

  /** Sets a hook that is called before each fetch, on the fetching thread. */
  public void beforeFetch(FileHook hook) {
    beforeFetch = hook;
  }

  /** Sets a hook that is called for each file before it is put, on the thread that puts it. */
  public void beforePut(FileHook hook) {
    beforePut = hook;
  }

  /** Sets a hook that is called before each join, on the joining thread. */
  public void beforeJoin(FileHook hook) {
    beforeJoin = hook;
  }

  /**
   * Enables reading in batches.
   *
   * @param key the batch key of a path
   * @param hook called for each batch
   */
  void batchBy(UnaryOperator<String> key, Runnable hook) {
    batchKey = key;
    onBatch = hook;
  }

  /** Returns the paths of each batch that was read. */
  List<List<String>> readBatch() {
    return List.copyOf(readBatch);
  }

  @Override
  public void readBatch(List<Source> sources) {
    readBatch.add(sources.stream().map(Source::path).toList());
    onBatch.run();
  }

  /** Returns how many lookups were made. */
  public int lookups() {
    return lookups.get();
  }

  /** Returns how many files were read. */
  public int fetches() {
    return fetches.get();
  }

  public Path file(String path) {
    return root.resolve(path.substring(1));
  }

  public void write(String path, String content) throws IOException {
    Files.createDirectories(file(path).getParent());
    Files.writeString(file(path), content);
  }

  public String read(String path) throws IOException {
    return Files.readString(file(path));
  }

  @Override
  public Map<String, Source> find(Collection<FileSlot> wanted) throws IOException {
    lookups.incrementAndGet();
    Map<String, Source> found = new HashMap<>();
    for (FileSlot slot : wanted) {
      if (Files.exists(file(slot.path()))) {
        found.put(slot.path(), new DirectorySource(slot.path(), versionOf(file(slot.path()))));
      }
    }
    return found;
  }

  private static Version versionOf(Path file) throws IOException {
    Map<String, Object> is = Files.readAttributes(file, "unix:ino,size,lastModifiedTime");
    return new Version(
        (Long) requireNonNull(is.get("ino")),
        (Long) requireNonNull(is.get("size")),
        ((FileTime) requireNonNull(is.get("lastModifiedTime"))).toMillis());
  }

  /** A file whose content is read when it is fetched, even if it was replaced since the lookup. */
  private final class DirectorySource implements Source {

    private final String path;
    private final Version version;

    DirectorySource(String path, Version version) {
      this.path = path;
      this.version = version;
    }

    @Override
    public String path() {
      return path;
    }

    @Override
    public Optional<Version> version() {
      return Optional.of(version);
    }

    @Override
    public String batchKey() {
      return batchKey.apply(path);
    }

    @Override
    public Fetched fetch(Path target) throws IOException {
      injectedFailures.check();
      beforeFetch.accept(target);
      fetches.incrementAndGet();
      byte[] content;
      try {
        content = Files.readAllBytes(file(path));
        if (!versionOf(file(path)).equals(version)) {
          throw new ContentChangedException(path, null);
        }
      } catch (NoSuchFileException e) {
        throw new InputLostException(path, e);
      }
      try (OutputStream out = LocalFiles.createReadOnly(target)) {
        out.write(content);
      }
      long sum = sum(target);
      return remote.contains(path)
          ? Fetched.remote(content.length, 1, sum, "far")
          : Fetched.local(content.length, 1, sum);
    }
  }

  @Override
  public Fetched fetchRegion(FileSlot slot, Path target) throws IOException {
    byte[] all;
    try {
      all = Files.readAllBytes(file(slot.path()));
    } catch (NoSuchFileException e) {
      throw new InputLostException(slot.path(), e);
    }
    int end = (int) (slot.offset() + slot.sizeBytes());
    if (end > all.length) {
      throw new InputTooShortException(slot.path() + " ends too early");
    }
    Files.write(target, Arrays.copyOfRange(all, (int) slot.offset(), end));
    return Fetched.local(slot.sizeBytes(), 1, Checksum.UNKNOWN);
  }

  @Override
  public List<BlockExtent> extents(String path) throws IOException {
    try {
      return List.of(new BlockExtent(0, Files.size(file(path)), List.of(NODE)));
    } catch (NoSuchFileException e) {
      throw new FileNotFoundException(path);
    }
  }

  @Override
  public List<String> join(List<String> regions, String target) throws IOException {
    beforeJoin.accept(file(target));
    List<String> missing = regions.stream().filter(path -> !Files.exists(file(path))).toList();
    if (missing.isEmpty()) {
      StringBuilder all = new StringBuilder();
      for (String region : regions) {
        all.append(read(region));
        Files.delete(file(region));
      }
      write(target, all.toString());
    }
    return missing;
  }

  @Override
  public List<String> findByPrefix(String prefix, long bytes) throws IOException {
    Path like = file(prefix);
    if (!Files.exists(like.getParent())) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(like.getParent())) {
      return files
          .filter(file -> file.toString().startsWith(like.toString()))
          .filter(file -> file.toFile().length() == bytes)
          .sorted(Comparator.comparing((Path file) -> file.toFile().lastModified()).reversed())
          .map(file -> "/" + root.relativize(file))
          .toList();
    }
  }

  @Override
  public Stored put(Path source, String path) throws IOException {
    injectedFailures.check();
    beforePut.accept(source);
    Files.createDirectories(file(path).getParent());
    Files.copy(source, file(path), StandardCopyOption.REPLACE_EXISTING);
    long bytes = Files.size(source);
    return new Stored(Map.of(NODE, bytes, "elsewhere", bytes), sum(source), fileIdOf(path));
  }

  private static long sum(Path file) throws IOException {
    CRC32C crc = new CRC32C();
    crc.update(Files.readAllBytes(file));
    return Checksum.of(crc);
  }

  @Override
  public void commit(String from, String to) throws IOException {
    beforeCommit.run();
    injectedFailures.checkConnected();
    injectedFailures.check();
    if (Files.isDirectory(file(to))) {
      // HDFS's message.
      throw new IOException(
          "Source " + from + " and destination " + to + " must both be directories");
    }
    try {
      Files.createDirectories(file(to).getParent());
      Files.move(file(from), file(to), StandardCopyOption.REPLACE_EXISTING);
    } catch (NoSuchFileException e) {
      throw new FileNotFoundException("rename source " + from + " is not found.");
    }
  }

  @Override
  public void mark(String temporary, CommitAttribute mark) throws IOException {
    injectedFailures.checkConnected();
    marks.put(temporary, mark);
  }

  @Override
  public void remove(long fileId) throws IOException {
    injectedFailures.checkConnected();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (versionOf(file).id() == fileId) {
          Files.delete(file);
        }
      }
    }
  }

  @Override
  public void remove(String path) throws IOException {
    injectedFailures.checkConnected();
    Files.deleteIfExists(file(path));
  }

  @Override
  public String node() {
    return NODE;
  }
}
