package dev.weir.workflow.protocol;

import java.util.List;
import java.util.Map;

/** What a worker and its ApplicationMaster tell each other. */
public sealed interface Message {

  /** Raised whenever a message changes; both sides must speak the same. */
  int VERSION = 13;

  /**
   * First message of a worker, before the reports of those attempts that have ended: what an
   * earlier ApplicationMaster of the run has given it, which is nothing when there was none.
   *
   * @param attempts what it has in hand, in the order in which it was given
   */
  record InHand(List<HeldAttempt> attempts) implements Message {

    /** Copies. */
    public InHand {
      attempts = List.copyOf(attempts);
    }
  }

  /**
   * To the worker: make this attempt.
   *
   * @param order the attempt
   */
  record Run(TaskOrder order) implements Message {}

  /**
   * To the worker: give this attempt back if its command has not begun; {@link Begun} if it has.
   * One that has ended is reported as if nothing had been asked.
   *
   * @param task id of the task
   * @param attempt number of the attempt
   */
  record Recall(String task, int attempt) implements Message {}

  /**
   * From the worker: this attempt is not given back, for its command has begun, or it is ending.
   *
   * @param task id of the task
   * @param attempt number of the attempt
   */
  record Begun(String task, int attempt) implements Message {}

  /**
   * To the worker: end this attempt, whether its command has begun or not. One that has ended by
   * itself is reported as if nothing had been asked.
   *
   * @param task id of the task
   * @param attempt number of the attempt
   */
  record Stop(String task, int attempt) implements Message {}

  /**
   * From the worker: may this attempt commit? It has stored its outputs under temporary names.
   *
   * @param task id of the task
   * @param attempt number of the attempt
   */
  record MayCommit(String task, int attempt) implements Message {}

  /**
   * To the worker: the answer to that.
   *
   * @param task id of the task
   * @param attempt number of the attempt
   * @param granted whether it may; if not it drops what it has made
   */
  record Permit(String task, int attempt, boolean granted) implements Message {}

  /**
   * To the worker: put what attempts at this task have printed where the owner of the run sees it.
   *
   * @param task id of the task, which the worker may know nothing of
   */
  record ShowLog(String task) implements Message {}

  /**
   * From the worker: an attempt has ended.
   *
   * @param report how
   */
  record Ended(TaskReport report) implements Message {}

  /**
   * To the worker: the journal holds what it has said of the ends of attempts, so that no
   * ApplicationMaster need be told again.
   *
   * @param reports of how many {@link Ended} this is so, of those over this connection
   */
  record Noted(long reports) implements Message {}

  /**
   * From the worker: it wants to read a large file, or to send an output to where others go, when
   * it is its turn. Said again when the holders are others.
   *
   * @param number of the wish among those of the worker
   * @param content that its node will keep and give to others as it comes; empty when it will not
   * @param holders hosts that could serve it, nearest first; of an output its lane
   */
  record TransferWish(long number, String content, List<String> holders) implements Message {

    /**
     * Of a file that the node does not keep.
     *
     * @param number of the wish among those of the worker
     * @param holders hosts that could serve it, nearest first
     */
    public TransferWish(long number, List<String> holders) {
      this(number, "", holders);
    }

    /** Copies. */
    public TransferWish {
      holders = List.copyOf(holders);
    }
  }

  /**
   * To the worker: it may read, or send, now.
   *
   * @param number of the wish
   * @param from host to read from; empty for any
   * @param cache host and port where that host's cache gives the content; empty when it is to be
   *     read from HDFS
   */
  record TransferTurn(long number, String from, String cache) implements Message {

    /**
     * To be read from HDFS.
     *
     * @param number of the wish
     * @param from host to read from; empty for any
     */
    public TransferTurn(long number, String from) {
      this(number, from, "");
    }
  }

  /**
   * From the worker: it has read or sent, or does not want to any more.
   *
   * @param number of the wish
   * @param whole whether all of it was moved, so that after a read its node has the content
   * @param bytesFromCache how many bytes came from another node's cache
   */
  record TransferOver(long number, boolean whole, long bytesFromCache) implements Message {

    /**
     * It was not moved.
     *
     * @param number of the wish
     */
    public TransferOver(long number) {
      this(number, false, 0);
    }
  }

  /**
   * From the worker: others of the run may read from its cache.
   *
   * @param port where it listens
   */
  record Serving(int port) implements Message {}

  /**
   * From the worker: it was asked for a content that it cannot give.
   *
   * @param content name of the content
   */
  record NotKept(String content) implements Message {}

  /**
   * To the worker: copy a file into the cache of its node, where a task will read it.
   *
   * @param number of the copy
   * @param path of the file
   * @param from host to read it from
   */
  record CopyAhead(long number, String path, String from) implements Message {}

  /**
   * To the worker: wait with a copy, or go on with it.
   *
   * @param number of the copy; one that is over is no error
   * @param waits whether it is to wait
   */
  record CopyPace(long number, boolean waits) implements Message {}

  /**
   * To the worker: nobody will read what was copied of a file.
   *
   * @param path of the file
   */
  record CopyDrop(String path) implements Message {}

  /**
   * From the worker: a copy is over.
   *
   * @param number of the copy
   * @param bytes how many bytes it moved; 0 when nothing came of it, or the node had them before
   * @param hasRoom whether that was for another reason than want of room
   */
  record CopyEnded(long number, long bytes, boolean hasRoom) implements Message {}

  /**
   * From the worker: what its node keeps for the next task that reads it is another. Only what is
   * worth going there for is told.
   *
   * @param kept paths of files that it has kept since the last news, each with its size in bytes
   * @param gone paths of files that were told of and are not kept any more
   */
  record CacheNews(Map<String, Long> kept, List<String> gone) implements Message {

    /** Copies. */
    public CacheNews {
      kept = Map.copyOf(kept);
      gone = List.copyOf(gone);
    }
  }

  /** To the worker: stop what runs and go. */
  record Shutdown() implements Message {}
}
