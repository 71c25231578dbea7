package dev.weir.yarn.lookup;

import java.util.List;

/** Reports which files have changed. Used by one thread at a time. */
public interface ChangeSource extends AutoCloseable {

  /**
   * The paths of files and directories that were created, deleted or changed since the last call.
   * Empty at the first call, and if changes have been missed. May block, for a bounded time.
   *
   * @throws NotFollowedException if changes are not reported at all
   * @throws Exception if there is no answer now
   */
  List<String> next() throws Exception;

  @Override
  void close();

  /** Thrown if changes are not reported, so that asking again is useless. */
  final class NotFollowedException extends Exception {
    private static final long serialVersionUID = 1L;

    NotFollowedException(String message) {
      super(message);
    }
  }
}
