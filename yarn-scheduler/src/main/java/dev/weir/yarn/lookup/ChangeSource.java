package dev.weir.yarn.lookup;

import java.util.List;

/** Tells which files have changed. For one thread at a time. */
public interface ChangeSource extends AutoCloseable {

  /**
   * The paths of files and directories that have come, gone or changed since the last call; none at
   * the first, nor where some have been missed. May block, for a bounded time.
   *
   * @throws NobodyFollowsException if there is nobody to ask
   * @throws Exception for whatever reason there is no answer now
   */
  List<String> next() throws Exception;

  @Override
  void close();

  /** There are no such answers, and to ask again is of no use. */
  final class NotFollowedException extends Exception {
    private static final long serialVersionUID = 1L;

    NotFollowedException(String message) {
      super(message);
    }
  }
}
