package dev.weir.bench.morph;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cluster.LocalCluster;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.ServiceCalls;
import dev.weir.hints.client.WriteOptions;
import dev.weir.service.auto.AutoSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** Gives files under {@code auto} their replicas by the cluster's hints service. */
final class CountedReplicas {
  /** The name of the daemon. */
  private static final String SERVICE = "hints";

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final long POLL_MILLIS = 250;
  private static final Duration INTERVAL = Duration.ofSeconds(2);

  /** The rate does not matter, because nothing is measured meanwhile. */
  private static final int RATE = 10_000;

  private final LocalCluster cluster;

  CountedReplicas(LocalCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Sets the hint, and waits until the service has set all replicas. The service is restarted with
   * the budget.
   *
   * @param directory of the files
   * @param budget the most bytes of copies
   * @param max the most replicas of a file
   * @throws IOException if the service plans nothing for two minutes, or its plan is not done then
   */
  void set(String directory, long budget, int max) throws IOException, InterruptedException {
    configure(budget);
    cluster.stopDaemon(SERVICE);
    cluster.startDaemon(SERVICE);
    try (HintsClient client = HintsClient.open(cluster.configuration())) {
      client.putHint(directory + "/", "auto=1.." + max, WriteOptions.NONE);
      long end = System.nanoTime() + LIMIT.toNanos();
      String problem = "no plan";
      while (problem != null) {
        if (System.nanoTime() - end > 0) {
          throw new IOException("The replicas of " + directory + " are not set: " + problem);
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        problem = unfinished(client);
      }
    }
  }

  /** Returns why the replicas are not yet set; null if they are. */
  private static @Nullable String unfinished(HintsClient client) {
    try {
      JsonNode plan = client.send(ServiceCalls.autoPlan()).json();
      // A round with changes makes them; the next one has none left.
      return plan.path("files").asInt() > 0 && plan.path("changes").asInt() == 0
          ? null
          : "the plan has "
              + plan.path("files").asInt()
              + " files and "
              + plan.path("changes").asInt()
              + " changes";
    } catch (IOException e) {
      // It does not lead yet.
      return e.getMessage();
    }
  }

  /** Removes the hint. */
  void unset(String directory) throws IOException {
    try (HintsClient client = HintsClient.open(cluster.configuration())) {
      boolean unused = client.removeHint(directory + "/");
    }
  }

  private void configure(long budget) throws IOException {
    Path file = cluster.confDir(cluster.master().name()).resolve("weir-site.xml");
    Configuration settings = new Configuration(false);
    settings.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    settings.setLong(AutoSettings.BUDGET.key(), budget);
    settings.set(AutoSettings.INTERVAL.key(), INTERVAL.toSeconds() + "s");
    settings.setInt(AutoSettings.RATE.key(), RATE);
    // All properties must have been read before the file is replaced.
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try (OutputStream out = Files.newOutputStream(part)) {
      settings.writeXml(out);
    }
    Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
  }
}
