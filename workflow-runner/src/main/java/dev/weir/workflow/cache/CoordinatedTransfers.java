package dev.weir.workflow.cache;

import static java.util.Objects.requireNonNull;

import dev.weir.workflow.infer.FetchModel;
import dev.weir.workflow.protocol.CacheLink;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.transfer.TransferScheduler;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests grants for large transfers from the ApplicationMaster, which knows the transfers of all
 * workers. A reader that has waited for the time of a slow transfer starts without a grant, so that
 * one stuck reader does not block the others.
 */
public final class CoordinatedTransfers implements TransferScheduler {

  private static final Logger LOG = LoggerFactory.getLogger(CoordinatedTransfers.class);
  private static final long SLOW_BYTES_PER_MILLI = 10_000;
  private static final long LEAST_PATIENCE_MILLIS = 30_000;

  private final String node;
  private final long chainedBytes;
  private final long waitingBytes;
  private final long renewMillis;
  private final LongSupplier nanoTime;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, CompletableFuture<Message.TransferTurn>> waiting =
      new ConcurrentHashMap<>();

  /** Addresses of caches, by host name. */
  private final Map<String, String> addresses = new ConcurrentHashMap<>();

  private volatile Consumer<Message> master = message -> {};
  private volatile @Nullable CacheClient caches;

  /**
   * Creates the grants of a worker's readers.
   *
   * @param node host name of this node, whose own files need no grant
   * @param waitingBytes size from which a file waits for a permit; {@link Long#MAX_VALUE} if none
   *     does, and none is read from another node's cache
   * @param renewMillis milliseconds after which the locations of a file are read again
   */
  public CoordinatedTransfers(
      String node, long waitingBytes, long renewMillis, LongSupplier nanoTime) {
    this.node = node;
    this.waitingBytes = waitingBytes;
    this.chainedBytes =
        waitingBytes == Long.MAX_VALUE
            ? waitingBytes
            : Math.min(waitingBytes, FetchModel.CHAINED_BYTES);
    this.renewMillis = renewMillis;
    this.nanoTime = nanoTime;
  }

  /** Sets the ApplicationMaster; called before the first reader. */
  public void ask(Consumer<Message> connection) {
    master = connection;
  }

  /**
   * Enables reads from other nodes' caches, as granted, and the serving of own reads; called before
   * the first reader.
   */
  public void share(CacheClient client) {
    caches = client;
  }

  /** The ApplicationMaster has answered. */
  public void come(Message.TransferTurn grant) {
    CompletableFuture<Message.TransferTurn> waiter = waiting.get(grant.number());
    if (waiter == null) {
      // The reader started without a grant, or was cancelled.
      master.accept(new Message.TransferOver(grant.number()));
    } else {
      waiter.complete(grant);
    }
  }

  @Override
  public boolean appliesTo(long bytes, boolean shared) {
    return bytes >= (shared ? chainedBytes : waitingBytes);
  }

  @Override
  public Grant acquire(Request request, CallableRaisingIOE<List<String>> holders)
      throws IOException {
    List<String> now = holders.apply();
    if (now.isEmpty() || now.contains(node)) {
      return new Grant(now.isEmpty() ? "" : node, null, (whole, fromCache) -> {});
    }
    long number = numbers.incrementAndGet();
    waiting.put(number, new CompletableFuture<>());
    boolean came = false;
    try {
      Message.TransferTurn grant = await(number, request, now, holders);
      came = true;
      return new Grant(
          grant.from(),
          cache(grant, request),
          (whole, fromCache) -> master.accept(new Message.TransferOver(number, whole, fromCache)));
    } finally {
      waiting.remove(number);
      if (!came) {
        master.accept(new Message.TransferOver(number));
      }
    }
  }

  /**
   * Returns the address of a cache on one of some nodes.
   *
   * @return empty when the ApplicationMaster knows none now
   * @throws IOException when the thread is interrupted
   */
  Optional<String> cacheOn(List<String> nodes) throws IOException {
    for (String other : nodes) {
      String known = addresses.get(other);
      if (known != null) {
        return Optional.of(known);
      }
    }
    Message.TransferTurn answer = ask(new Request(0, ""), nodes);
    if (answer.cache().isEmpty()) {
      return Optional.empty();
    }
    addresses.put(answer.from(), answer.cache());
    return Optional.of(answer.cache());
  }

  /** Forgets the address of a cache that does not answer. */
  void forget(String address) {
    addresses.values().remove(address);
  }

  /**
   * Waits for a permit to read a file that is not in HDFS.
   *
   * @param nodes the nodes whose stores have it
   * @return a permit without a cache when no cache has the file now
   * @throws IOException when the thread is interrupted
   */
  Grant acquireFromCache(Request request, List<String> nodes) throws IOException {
    Message.TransferTurn answer = ask(request, nodes);
    long number = answer.number();
    return new Grant(
        answer.from(),
        cache(answer, request),
        (whole, fromCache) -> master.accept(new Message.TransferOver(number, whole, fromCache)));
  }

  private Message.TransferTurn ask(Request request, List<String> nodes) throws IOException {
    long number = numbers.incrementAndGet();
    CompletableFuture<Message.TransferTurn> answer = new CompletableFuture<>();
    waiting.put(number, answer);
    boolean came = false;
    try {
      Message.@Nullable TransferTurn turn = null;
      while (turn == null) {
        // Repeated, because the ApplicationMaster may have been replaced.
        master.accept(new Message.TransferWish(number, request.content(), nodes, true, true));
        turn = awaited(answer);
      }
      came = true;
      return turn;
    } finally {
      waiting.remove(number);
      if (!came) {
        master.accept(new Message.TransferOver(number));
      }
    }
  }

  private Message.@Nullable TransferTurn awaited(CompletableFuture<Message.TransferTurn> answer)
      throws IOException {
    try {
      return answer.get(renewMillis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return null;
    } catch (ExecutionException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for a transfer grant");
    }
  }

  private @Nullable Cache cache(Message.TransferTurn grant, Request request) {
    CacheClient client = caches;
    return client == null || grant.cache().isEmpty()
        ? null
        : out ->
            client.read(
                grant.cache(), new CacheLink.Wanted(request.content(), request.bytes()), out);
  }

  private long deadline(long bytes) {
    long millis = Math.max(LEAST_PATIENCE_MILLIS, bytes / SLOW_BYTES_PER_MILLI);
    return nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private Message.TransferTurn await(
      long number, Request request, List<String> first, CallableRaisingIOE<List<String>> holders)
      throws IOException {
    CompletableFuture<Message.TransferTurn> grant = requireNonNull(waiting.get(number));
    long deadline = deadline(request.bytes());
    List<String> now = first;
    while (!now.isEmpty() && !now.contains(node)) {
      if (nanoTime.getAsLong() - deadline > 0) {
        LOG.warn("Reading without a transfer grant: none arrived in time");
        return new Message.TransferTurn(number, "");
      }
      String content = caches == null ? "" : request.content();
      boolean waits = request.content().isEmpty() || request.bytes() >= waitingBytes;
      master.accept(new Message.TransferWish(number, content, now, waits));
      Message.TransferTurn turn = awaited(grant);
      if (turn != null) {
        return turn;
      }
      now = holders.apply();
    }
    return new Message.TransferTurn(number, now.isEmpty() ? "" : node);
  }
}
