package dev.weir.workflow.hints;

import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * Publishes rules for one nameservice. A rule without a nameservice is for the same path in every
 * one, and the hints service checks its permission in the default file system.
 */
final class NameserviceHintPublisher implements HintPublisher {
  private static final String NAMESERVICES_KEY = "dfs.nameservices";

  private final HintPublisher publisher;
  private final String nameservice;

  NameserviceHintPublisher(HintPublisher publisher, String nameservice) {
    this.publisher = publisher;
    this.nameservice = nameservice;
  }

  /**
   * Whether rules for files of a file system need the name of its nameservice: if the file system
   * is not the default one. A router is a nameservice without a NameNode of that name, but clients
   * of a router have it as the default file system.
   */
  static boolean isNeeded(Configuration conf, URI fileSystem) {
    String authority = fileSystem.getAuthority();
    return authority != null
        && !authority.equals(FileSystem.getDefaultUri(conf).getAuthority())
        && conf.getTrimmedStringCollection(NAMESERVICES_KEY).contains(authority);
  }

  @Override
  public Duration life() {
    return publisher.life();
  }

  @Override
  public Optional<String> put(HintSet set) throws InterruptedException {
    return publisher.put(
        new HintSet(
            set.id(),
            set.owner(),
            set.expires(),
            set.rules().stream()
                .map(rule -> new Rule(within(rule.pattern()), rule.hint()))
                .toList()));
  }

  private PathPattern within(PathPattern pattern) {
    return pattern.authority().isPresent()
        ? pattern
        : PathPattern.parse("hdfs://" + nameservice + pattern);
  }

  @Override
  public void keep(String id, Instant end) {
    publisher.keep(id, end);
  }

  @Override
  public void remove(String id) {
    publisher.remove(id);
  }

  @Override
  public void close() {
    publisher.close();
  }
}
