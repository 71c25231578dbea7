package dev.weir.service;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ShutdownHookManager;
import org.jspecify.annotations.Nullable;

/** Runs a {@link HintsServer} as a separate process. */
public final class ServerMain {
  /** Runs before Hadoop's own hooks, which close file systems and the log. */
  private static final int PRIORITY = 50;

  private static final Duration STOP = Duration.ofSeconds(20);

  private ServerMain() {}

  /**
   * Runs the service in the foreground until SIGTERM or Ctrl-C, and then closes it in order.
   *
   * @param embeddedZooKeeper the data directory of a ZooKeeper inside this process; null to use the
   *     ZooKeeper of the configuration
   * @param started receives the server when it serves requests
   * @throws IllegalArgumentException if a setting is invalid
   */
  public static void run(
      Configuration configuration, @Nullable Path embeddedZooKeeper, Consumer<HintsServer> started)
      throws IOException, InterruptedException {
    try (HintsServer server = HintsServer.start(configuration, embeddedZooKeeper)) {
      ShutdownHookManager.get()
          .addShutdownHook(server::close, PRIORITY, STOP.toSeconds(), TimeUnit.SECONDS);
      started.accept(server);
      server.await();
    }
  }

  /**
   * Runs the service from a launcher script.
   *
   * @param args empty, or the directory of an embedded ZooKeeper
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    run(WeirConfiguration.load(), args.length == 0 ? null : Path.of(args[0]), server -> {});
  }
}
