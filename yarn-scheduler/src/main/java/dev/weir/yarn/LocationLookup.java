package dev.weir.yarn;

import java.util.List;
import java.util.Map;

/** Asks a file system where bytes are. May block: it is called on look-up threads only. */
@FunctionalInterface
interface LocationLookup {

  /**
   * Bytes that each host holds of all the paths together, with the user's own permissions.
   *
   * @throws Exception for whatever reason there is no answer
   */
  Map<String, Long> bytesByHost(String user, List<String> paths) throws Exception;

  /** The same with what a file system may know besides. */
  default Located.Found locate(String user, List<String> paths) throws Exception {
    return new Located.Found(bytesByHost(user, paths));
  }
}
