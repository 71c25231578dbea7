package dev.weir.hdfs;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hdfs.DFSClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the pinning client of one file system when the first file is to be pinned. Thread-safe.
 */
final class LazyPinningClient implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LazyPinningClient.class);

  private final boolean enabled;
  private final Opener opener;
  private @Nullable PinningClient client;
  private boolean disabled;

  private LazyPinningClient(boolean enabled, Opener opener) {
    this.enabled = enabled;
    this.opener = opener;
  }

  /** A client that never pins. */
  static LazyPinningClient none() {
    return new LazyPinningClient(
        false,
        () -> {
          throw new IllegalStateException("pinning is off");
        });
  }

  static LazyPinningClient of(Opener opener) {
    return new LazyPinningClient(true, opener);
  }

  @FunctionalInterface
  interface Opener {
    PinningClient open() throws IOException;
  }

  boolean isEnabled() {
    return enabled;
  }

  /** The client; null if pinning is off or failed, in which case files are created without pins. */
  synchronized @Nullable DFSClient client() {
    if (client == null && enabled && !disabled) {
      try {
        client = opener.open();
      } catch (IOException | RuntimeException | LinkageError e) {
        disabled = true;
        LOG.warn(
            "Cannot pin blocks: the Balancer may move them away from where hints placed them", e);
      }
    }
    return client == null ? null : client.client();
  }

  /** Completes files that are still being written. */
  @Override
  public synchronized void close() throws IOException {
    disabled = true;
    if (client != null) {
      client.close();
    }
  }
}
