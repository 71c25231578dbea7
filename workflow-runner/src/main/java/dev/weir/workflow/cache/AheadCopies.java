package dev.weir.workflow.cache;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.transfer.DataStore;
import dev.weir.workflow.transfer.DataStore.Fetched;
import dev.weir.workflow.transfer.DataStore.Source;
import dev.weir.workflow.transfer.DataStore.Version;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies files one by one into the node's cache before the tasks that read them are ready. A copy
 * pauses on request, unless a task waits for it. Failures are reported and fail no task.
 * Thread-safe.
 */
public final class AheadCopies {

  private static final Logger LOG = LoggerFactory.getLogger(AheadCopies.class);

  /** The number of paths whose copied content is remembered. */
  private static final int REMEMBERED = 4_096;

  private final Places places;
  private final ExecutorService thread;
  private final Consumer<Message> master;
  private final Map<Long, Brake> brakes = new ConcurrentHashMap<>();
  private final Map<String, CacheKey> copied = new LinkedHashMap<>();

  /**
   * Creates the copier.
   *
   * @param files finds the files
   * @param cache their target
   * @param reporter notified of copied contents
   */
  record Places(Finder files, NodeCache cache, CacheReporter reporter) {}

  /** Finds a file to copy. */
  interface Finder {

    /** Returns the file; empty when it does not exist, or is being written. */
    Optional<Found> find(FileSlot slot) throws IOException;
  }

  /** A file to copy, and its key in the cache. */
  record Found(Source source, CacheKey key) {}

  /** Finds a file in a store. */
  static Optional<Found> found(DataStore store, FileSlot slot) throws IOException {
    return Optional.ofNullable(store.find(List.of(slot)).get(slot.path()))
        .flatMap(
            source ->
                source
                    .version()
                    .map(version -> new Found(source, CacheKey.of(slot.path(), version))));
  }

  /**
   * Starts the copier.
   *
   * @param thread runs the copies
   * @param master receives their ends; never blocks
   */
  AheadCopies(Places places, ExecutorService thread, Consumer<Message> master) {
    this.places = places;
    this.thread = thread;
    this.master = master;
  }

  /**
   * Handles a message of the ApplicationMaster.
   *
   * @return whether the message was about copies
   */
  public boolean handle(Message message) {
    if (message instanceof Message.CopyAhead order) {
      Brake brake = new Brake();
      brakes.put(order.number(), brake);
      begin(order, brake);
    } else if (message instanceof Message.CopyPace pace) {
      Brake brake = brakes.get(pace.number());
      if (brake != null) {
        brake.set(pace.waits());
      }
    } else if (message instanceof Message.CopyDrop drop) {
      drop(drop.path());
    } else {
      return false;
    }
    return true;
  }

  /**
   * Forgets the orders of a lost ApplicationMaster. Running copies continue, but their ends are not
   * reported, because the next ApplicationMaster reuses their numbers.
   */
  public void forgetOrders() {
    List<Brake> orphans = List.copyOf(brakes.values());
    brakes.clear();
    orphans.forEach(Brake::lift);
  }

  private void begin(Message.CopyAhead order, Brake brake) {
    try {
      thread.execute(() -> copy(order, brake));
    } catch (RejectedExecutionException e) {
      LOG.debug("Ignored the copy of {} after the shutdown", order.path(), e);
    }
  }

  private void copy(Message.CopyAhead order, Brake brake) {
    if (!brake.equals(brakes.get(order.number()))) {
      return;
    }
    long bytes = 0;
    boolean hasRoom = true;
    try {
      OptionalLong moved = find(order, brake);
      bytes = moved.orElse(0);
      hasRoom = moved.isPresent();
    } catch (IOException | RuntimeException e) {
      LOG.info("Did not copy {} ahead: {}", order.path(), e.toString());
    } finally {
      if (brakes.remove(order.number(), brake)) {
        master.accept(new Message.CopyEnded(order.number(), bytes, hasRoom));
      }
    }
  }

  /** Copies the file; returns 0 when it was cached before, empty when there is no room. */
  private OptionalLong find(Message.CopyAhead order, Brake brake) throws IOException {
    String path = order.path();
    FileSlot slot = new FileSlot(path, path, 0, FileSlot.Kind.SHARED, 0).with(order.content());
    Found file =
        places
            .files()
            .find(slot)
            .orElseThrow(() -> new IOException("it does not exist, or is being written"));
    CacheKey key = file.key();
    Braked braked = new Braked(file.source(), order.from(), brake);
    OptionalLong moved = places.cache().bringAhead(braked, key, brake::lift);
    if (moved.orElse(0) > 0) {
      LOG.info("Copied {} ahead, {} bytes", path, key.length());
      remember(path, key);
    }
    if (moved.isPresent()) {
      places.reporter().brought(key, path);
    }
    return moved;
  }

  private synchronized void remember(String path, CacheKey key) {
    copied.put(path, key);
    if (copied.size() > REMEMBERED) {
      copied.remove(copied.keySet().iterator().next());
    }
  }

  private synchronized void drop(String path) {
    CacheKey key = copied.remove(path);
    if (key != null) {
      places.cache().dropUnread(key);
    }
  }

  /** A file that is read at the allowed pace. */
  private record Braked(Source source, String from, Brake brake) implements Source {

    @Override
    public String path() {
      return source.path();
    }

    @Override
    public Optional<Version> version() {
      return source.version();
    }

    @Override
    public Fetched fetch(Path target) throws IOException {
      return source.fetchAhead(target, from, brake::on);
    }
  }

  /** Pauses a stream on request. */
  private static final class Brake {

    private boolean waits;
    private boolean lifted;

    synchronized void set(boolean whether) {
      waits = whether;
      notifyAll();
    }

    /** Permanently: a task waits for the copy, and a pause for that task would deadlock. */
    synchronized void lift() {
      lifted = true;
      notifyAll();
    }

    private synchronized void await() throws IOException {
      try {
        while (waits && !lifted) {
          wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted");
      }
    }

    OutputStream on(OutputStream out) {
      return new FilterOutputStream(out) {
        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          await();
          out.write(bytes, offset, length);
        }
      };
    }
  }
}
