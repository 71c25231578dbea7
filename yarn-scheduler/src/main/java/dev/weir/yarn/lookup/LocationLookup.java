package dev.weir.yarn.lookup;

import java.util.List;
import java.util.Map;

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
   * Prepares for the first lookup, so that it takes no longer than others. May block for long on a
   * busy machine.
   *
   * @throws Exception if it failed; lookups still work
   */
  default void prepare() throws Exception {}

  /** Releases the resources of lookups. May block; idempotent. */
  default void close() {}
}
