package dev.weir.hdfs;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hdfs.DFSClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the client of a file system for hinted files with the first of them. Thread-safe. */
final class LazyHintedClient implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LazyHintedClient.class);

  private final Opener opener;
  private @Nullable HintedClient client;
  private boolean disabled;

  private LazyHintedClient(Opener opener, boolean disabled) {
    this.opener = opener;
    this.disabled = disabled;
  }

  /** No client: all files are created as in stock HDFS. */
  static LazyHintedClient none() {
    return new LazyHintedClient(
        () -> {
          throw new IllegalStateException("there is no client");
        },
        true);
  }

  static LazyHintedClient of(Opener opener) {
    return new LazyHintedClient(opener, false);
  }

  @FunctionalInterface
  interface Opener {
    HintedClient open() throws IOException;
  }

  /** The client; null if it could not be created. */
  synchronized @Nullable DFSClient client() {
    if (client == null && !disabled) {
      try {
        client = opener.open();
      } catch (IOException | RuntimeException | LinkageError e) {
        disabled = true;
        LOG.warn(
            "Cannot write hinted files separately: the Balancer may move their blocks, and a quota"
                + " may refuse the replicas that hints add",
            e);
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
