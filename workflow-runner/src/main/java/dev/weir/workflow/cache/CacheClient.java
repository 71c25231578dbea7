package dev.weir.workflow.cache;

import dev.weir.workflow.protocol.CacheLink;
import dev.weir.workflow.protocol.CacheSecurity;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads contents from the caches of other nodes. Thread-safe. */
public final class CacheClient {

  private static final Logger LOG = LoggerFactory.getLogger(CacheClient.class);
  private static final int CONNECT_MILLIS = 5_000;

  /** A peer without new data sends a keep-alive every second. */
  private static final int SILENCE_MILLIS = 10_000;

  /** A peer without data for this long may be stuck; the reader turns to HDFS. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Supplier<CacheSecurity> security;
  private final LongSupplier nanoTime;
  private final SecureRandom random = new SecureRandom();

  public CacheClient(Supplier<CacheSecurity> security, LongSupplier nanoTime) {
    this.security = security;
    this.nanoTime = nanoTime;
  }

  /**
   * Reads a content.
   *
   * @param address host and port of the other node's worker
   * @param out the target; its content is valid only if this returns true
   * @return whether the content is complete, and the peer confirms that it equals what it had
   *     fetched
   * @throws IOException when the thread is interrupted, or the target cannot be written
   */
  boolean read(String address, CacheLink.Wanted wanted, OutputStream out) throws IOException {
    Received received = new Received(out);
    try {
      if (receive(address, wanted, received)) {
        return true;
      }
      LOG.info("{} did not send all of {}", address, wanted.content());
    } catch (InterruptedIOException | ClosedByInterruptException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      LOG.info("{} sent nothing more of {} in time", address, wanted.content());
    } catch (IOException e) {
      if (received.refused || Thread.currentThread().isInterrupted()) {
        throw e;
      }
      LOG.info("Cannot read from {} the rest of {}: {}", address, wanted.content(), e.toString());
    }
    return false;
  }

  /**
   * Reads small contents over one connection, into memory.
   *
   * @param wanted the contents, at least one
   * @return those that came whole, in this order; fewer if the peer lacks one
   * @throws IOException when the thread is interrupted
   */
  List<byte[]> readAll(String address, List<CacheLink.Wanted> wanted) throws IOException {
    List<byte[]> contents = new ArrayList<>(wanted.size());
    try (SocketChannel channel = connect(address)) {
      CacheSecurity now = security.get();
      CacheLink link = link(now, channel);
      link.ask(now.secret(), random, wanted.get(0));
      link.askNext(now.secret(), wanted.subList(1, wanted.size()));
      for (CacheLink.Wanted next : wanted) {
        ByteArrayOutputStream content = new ByteArrayOutputStream((int) next.length());
        if (!receive(link, next, new Received(content))) {
          break;
        }
        contents.add(content.toByteArray());
      }
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      LOG.info(
          "{} sent {} of {} contents: {}", address, contents.size(), wanted.size(), e.toString());
    }
    return contents;
  }

  /** The bytes received so far, and whether the target could be written. */
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
    try (SocketChannel channel = connect(address)) {
      CacheSecurity now = security.get();
      CacheLink link = link(now, channel);
      link.ask(now.secret(), random, wanted);
      return receive(link, wanted, received);
    }
  }

  /** Connects by a channel, because an interrupt closes it. */
  private static SocketChannel connect(String address) throws IOException {
    int colon = address.lastIndexOf(':');
    SocketChannel channel = SocketChannel.open();
    boolean connected = false;
    try {
      channel
          .socket()
          .connect(
              new InetSocketAddress(
                  address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))),
              CONNECT_MILLIS);
      channel.socket().setSoTimeout(SILENCE_MILLIS);
      connected = true;
      return channel;
    } finally {
      if (!connected) {
        channel.close();
      }
    }
  }

  private static CacheLink link(CacheSecurity now, SocketChannel channel) throws IOException {
    Socket secured = now.connected(channel.socket());
    return new CacheLink(secured.getInputStream(), secured.getOutputStream());
  }

  private boolean receive(CacheLink link, CacheLink.Wanted wanted, Received received)
      throws IOException {
    byte[] piece = new byte[(int) Math.min(CacheLink.MAX_PIECE, Math.max(1, wanted.length()))];
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

  private int take(CacheLink link, byte[] piece) throws IOException {
    long start = nanoTime.getAsLong();
    return link.take(piece, () -> nanoTime.getAsLong() - start < PATIENCE_NANOS);
  }
}
