package dev.weir.workflow.cache;

import static java.util.Objects.requireNonNull;

import dev.weir.workflow.protocol.CacheLink;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.transfer.TransferScheduler;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns that the ApplicationMaster gives, which knows what all workers move. Who has waited for as
 * long as a transfer takes over a slow link goes without one: somebody who hangs must not keep all
 * others.
 */
public final class CoordinatedTransfers implements TransferScheduler {

  private static final Logger LOG = LoggerFactory.getLogger(CoordinatedTransfers.class);
  private static final long SLOW_BYTES_PER_MILLI = 10_000;
  private static final long LEAST_PATIENCE_MILLIS = 30_000;

  private final String node;
  private final long leastBytes;
  private final long renewMillis;
  private final LongSupplier nanoTime;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, CompletableFuture<Message.TransferTurn>> waiting =
      new ConcurrentHashMap<>();
  private volatile Consumer<Message> master = message -> {};
  private volatile @Nullable CacheClient caches;

  /**
   * Turns for the readers of a worker.
   *
   * @param node host name of the own node: nobody waits for what it holds
   * @param leastBytes smaller files are read at once
   * @param renewMillis after how many milliseconds it is asked anew where a file is
   * @param nanoTime the time, as of {@link System#nanoTime}
   */
  public CoordinatedTransfers(
      String node, long leastBytes, long renewMillis, LongSupplier nanoTime) {
    this.node = node;
    this.leastBytes = leastBytes;
    this.renewMillis = renewMillis;
    this.nanoTime = nanoTime;
  }

  /** Says who is asked; comes before any reader. */
  public void ask(Consumer<Message> connection) {
    master = connection;
  }

  /**
   * Reads from the caches of other nodes where the ApplicationMaster says so, and gives to others
   * what it reads; comes before any reader.
   */
  public void share(CacheClient client) {
    caches = client;
  }

  /** The ApplicationMaster has answered. */
  public void come(Message.TransferTurn turn) {
    CompletableFuture<Message.TransferTurn> waiter = waiting.get(turn.number());
    if (waiter == null) {
      // It went without, or was told to stop.
      master.accept(new Message.TransferOver(turn.number()));
    } else {
      waiter.complete(turn);
    }
  }

  @Override
  public boolean appliesTo(long bytes) {
    return bytes >= leastBytes;
  }

  @Override
  public Grant acquire(Request request, Holders holders) throws IOException {
    List<String> now = holders.now();
    if (now.isEmpty() || now.contains(node)) {
      return new Grant(now.isEmpty() ? "" : node, null, (whole, fromCache) -> {});
    }
    long number = numbers.incrementAndGet();
    waiting.put(number, new CompletableFuture<>());
    boolean came = false;
    try {
      Message.TransferTurn turn = await(number, request, now, holders);
      came = true;
      return new Grant(
          turn.from(),
          cache(turn, request),
          (whole, fromCache) -> master.accept(new Message.TransferOver(number, whole, fromCache)));
    } finally {
      waiting.remove(number);
      if (!came) {
        master.accept(new Message.TransferOver(number));
      }
    }
  }

  private @Nullable Cache cache(Message.TransferTurn turn, Request request) {
    CacheClient client = caches;
    return client == null || turn.cache().isEmpty()
        ? null
        : out ->
            client.read(
                turn.cache(), new CacheLink.Wanted(request.content(), request.bytes()), out);
  }

  private long deadline(long bytes) {
    long millis = Math.max(LEAST_PATIENCE_MILLIS, bytes / SLOW_BYTES_PER_MILLI);
    return nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private Message.TransferTurn await(
      long number, Request request, List<String> first, Holders holders) throws IOException {
    CompletableFuture<Message.TransferTurn> turn = requireNonNull(waiting.get(number));
    long deadline = deadline(request.bytes());
    List<String> now = first;
    while (!now.isEmpty() && !now.contains(node)) {
      if (nanoTime.getAsLong() - deadline > 0) {
        LOG.warn("Going without a turn: none has come in time");
        return new Message.TransferTurn(number, "");
      }
      String content = caches == null ? "" : request.content();
      master.accept(new Message.TransferWish(number, content, now));
      try {
        return turn.get(renewMillis, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        now = holders.now();
      } catch (ExecutionException e) {
        throw new IOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("told to stop while others had their turns");
      }
    }
    return new Message.TransferTurn(number, now.isEmpty() ? "" : node);
  }
}
