package dev.weir.service;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ShutdownHookManager;
import org.jspecify.annotations.Nullable;

/** Runs a {@link HintsServer} as a process of its own. */
public final class ServerMain {
  /** Before Hadoop's own hooks, which close file systems and the log. */
  private static final int PRIORITY = 50;

  private static final Duration STOP = Duration.ofSeconds(20);

  private ServerMain() {}

  /**
   * Runs the service in the foreground until it is told to end by SIGTERM or Ctrl-C; then it is
   * closed in order.
   *
   * @param embeddedZooKeeper where a ZooKeeper inside this process keeps its data; null for that of
   *     the configuration
   * @param started is given the server when it serves
   * @throws IOException when it cannot start
   * @throws IllegalArgumentException when a setting cannot be used
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
   * The same for a launcher script.
   *
   * @param args nothing, or a directory for an embedded ZooKeeper
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    run(WeirConfiguration.load(), args.length == 0 ? null : Path.of(args[0]), server -> {});
  }
}
