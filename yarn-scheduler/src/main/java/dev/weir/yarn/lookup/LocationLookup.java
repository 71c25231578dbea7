package dev.weir.yarn.lookup;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Asks a file system where bytes are. May block: it is called on look-up threads only. */
@FunctionalInterface
public interface LocationLookup {

  /**
   * Bytes that each host holds of all the paths together, with the user's own permissions.
   *
   * @throws Exception for whatever reason there is no answer
   */
  Map<String, Long> bytesByHost(String user, List<String> paths) throws Exception;

  /** The same with what a file system may know besides. */
  default LocationResult.Found locate(String user, List<String> paths) throws Exception {
    return new LocationResult.Found(bytesByHost(user, paths));
  }

  /**
   * Files of one directory, each by itself, where that is had for less than asking for each. Those
   * that are left out, for whatever reason, are to be asked for.
   *
   * @param paths files in the directory; not empty
   * @throws Exception for whatever reason there is no answer
   */
  default Map<String, LocationResult.Found> inDirectory(
      String user, String directory, Set<String> paths) throws Exception {
    return Map.of();
  }

  /**
   * Gets ready, so that the first look-up takes no longer than others. May block, and for long on a
   * machine that has much to do.
   *
   * @throws Exception for whatever reason it is not ready; it can be used all the same
   */
  default void prepare() throws Exception {}

  /** Who tells which files have changed; null if nobody does. The caller closes it. */
  default @Nullable ChangeSource changes() {
    return null;
  }

  /** Lets go of what look-ups have kept open. May block; more than once does nothing more. */
  default void close() {}
}
