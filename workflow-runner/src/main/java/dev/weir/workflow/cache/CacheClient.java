package dev.weir.workflow.cache;

import dev.weir.workflow.protocol.CacheLink;
import dev.weir.workflow.protocol.CacheSecurity;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads contents from the caches of other nodes. Any thread may use it. */
public final class CacheClient {

  private static final Logger LOG = LoggerFactory.getLogger(CacheClient.class);
  private static final int CONNECT_MILLIS = 5_000;

  /** Somebody who has nothing to give says so every second. */
  private static final int SILENCE_MILLIS = 10_000;

  /** Who gives nothing for so long may wait for ever; HDFS has it, too. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Supplier<CacheSecurity> security;
  private final LongSupplier nanoTime;
  private final SecureRandom random = new SecureRandom();

  /**
   * A client.
   *
   * @param security asked for each connection how both sides know each other
   * @param nanoTime the time, as of {@link System#nanoTime}
   */
  public CacheClient(Supplier<CacheSecurity> security, LongSupplier nanoTime) {
    this.security = security;
    this.nanoTime = nanoTime;
  }

  /**
   * Reads a content.
   *
   * @param address host and port of the other node's worker
   * @param out where to; what it takes is worth something only if all of it came
   * @return whether all came, and the other says that it is what it had fetched
   * @throws IOException when the thread is told to stop, or it cannot be written here
   */
  boolean read(String address, CacheLink.Wanted wanted, OutputStream out) throws IOException {
    Received received = new Received(out);
    try {
      if (receive(address, wanted, received)) {
        return true;
      }
      LOG.info("{} gives less of {} than it is long", address, wanted.content());
    } catch (InterruptedIOException | ClosedByInterruptException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      LOG.info("{} says nothing more of {}", address, wanted.content());
    } catch (IOException e) {
      if (received.refused || Thread.currentThread().isInterrupted()) {
        throw e;
      }
      LOG.info("{} gives no more of {}: {}", address, wanted.content(), e.toString());
    }
    return false;
  }

  /** What came so far, and whether it could be written here. */
  private static final class Received {
    final OutputStream out;
    long bytes;
    boolean refused;

    Received(OutputStream out) {
      this.out = out;
    }

    void add(byte[] piece, int length) throws IOException {
      refused = true;
      out.write(piece, 0, length);
      refused = false;
      bytes += length;
    }
  }

  private boolean receive(String address, CacheLink.Wanted wanted, Received received)
      throws IOException {
    int colon = address.lastIndexOf(':');
    try (SocketChannel channel = SocketChannel.open()) {
      // A channel, for it is closed when the thread is told to stop.
      channel
          .socket()
          .connect(
              new InetSocketAddress(
                  address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))),
              CONNECT_MILLIS);
      channel.socket().setSoTimeout(SILENCE_MILLIS);
      CacheSecurity now = security.get();
      Socket secured = now.connected(channel.socket());
      CacheLink link = new CacheLink(secured.getInputStream(), secured.getOutputStream());
      link.ask(now.secret(), random, wanted);
      byte[] piece = new byte[CacheLink.MAX_PIECE];
      int length = take(link, piece);
      while (length >= 0) {
        if (received.bytes + length > wanted.length()) {
          throw new EOFException("more than " + wanted.length() + " bytes");
        }
        received.add(piece, length);
        length = take(link, piece);
      }
      return received.bytes == wanted.length();
    }
  }

  private int take(CacheLink link, byte[] piece) throws IOException {
    long start = nanoTime.getAsLong();
    return link.take(piece, () -> nanoTime.getAsLong() - start < PATIENCE_NANOS);
  }
}
