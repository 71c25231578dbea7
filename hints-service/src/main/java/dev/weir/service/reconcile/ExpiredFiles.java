package dev.weir.service.reconcile;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes temporary files whose time has come: only those on record, and only while every edit up
 * to now has been seen, so that what has the name of one of them is that file.
 */
final class ExpiredFiles {
  private static final Logger LOG = LoggerFactory.getLogger(ExpiredFiles.class);

  private final Namespace namespace;
  private final Counters counters;

  ExpiredFiles(Namespace namespace, Counters counters) {
    this.namespace = namespace;
    this.counters = counters;
  }

  /**
   * @param files forgets those that are no more
   */
  void remove(CreatedFiles files, Instant now) throws IOException {
    for (CreatedFile file : files.all()) {
      Optional<FileFacts> found = namespace.find(file.path());
      // Who may write a directory may hint at what others keep below it, but not remove that.
      if (found.isEmpty() || found.get().directory() || !found.get().owner().equals(file.owner())) {
        files.forget(file);
      } else if (!now.isBefore(file.due(found.get().modified()))) {
        LOG.info(
            "Removing {}: temporary by hint set {}, unchanged for {}",
            file.path(),
            file.set(),
            file.expiry());
        namespace.delete(file.path());
        files.forget(file);
        counters.filesRemoved.incr();
      }
    }
  }
}
