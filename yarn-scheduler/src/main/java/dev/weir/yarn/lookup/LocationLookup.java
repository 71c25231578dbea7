package dev.weir.yarn.lookup;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Asks a file system where bytes are. May block, so it is called on lookup threads only. */
@FunctionalInterface
public interface LocationLookup {

  /**
   * The bytes of all paths together that each host holds, with the user's own permissions.
   *
   * @throws Exception if there is no answer
   */
  Map<String, Long> bytesByHost(String user, List<String> paths) throws Exception;

  /** Locates the paths with all details that the file system knows. */
  default LocationResult.Found locate(String user, List<String> paths) throws Exception {
    return new LocationResult.Found(bytesByHost(user, paths));
  }

  /**
   * Locates several files of one directory, each by itself, if that costs less than single
   * requests. Files that are left out must be requested singly.
   *
   * @param paths files in the directory; not empty
   * @throws Exception if there is no answer
   */
  default Map<String, LocationResult.Found> inDirectory(
      String user, String directory, Set<String> paths) throws Exception {
    return Map.of();
  }

  /**
   * Prepares for the first lookup, so that it takes no longer than others. May block for long on a
   * busy machine.
   *
   * @throws Exception if it failed; lookups still work
   */
  default void prepare() throws Exception {}

  /** Releases the resources of lookups. May block; idempotent. */
  default void close() {}
}
