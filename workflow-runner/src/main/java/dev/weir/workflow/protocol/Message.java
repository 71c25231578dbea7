package dev.weir.workflow.protocol;

import dev.weir.workflow.record.StoredFile;
import java.util.List;
import java.util.Map;

/** The messages between a worker and its ApplicationMaster. */
public sealed interface Message {

  /**
   * The protocol version. It increases whenever a message changes, and both sides must use the
   * same.
   */
  int VERSION = 17;

  /**
   * The first message of a worker: the attempts that an earlier ApplicationMaster of the run
   * assigned to it. The reports of ended attempts follow.
   *
   * @param attempts its attempts, in the order of their assignment; empty if there was no earlier
   *     ApplicationMaster
   */
  record InHand(List<HeldAttempt> attempts) implements Message {

    public InHand {
      attempts = List.copyOf(attempts);
    }
  }

  /** To the worker: start this attempt. */
  record Run(TaskOrder order) implements Message {}

  /**
   * To the worker: return this attempt if its command has not started. The worker answers {@link
   * Begun} if it has. An attempt that has ended is reported as usual.
   */
  record Recall(String task, int attempt) implements Message {}

  /**
   * From the worker: this attempt is not returned, because its command has started or it is ending.
   */
  record Begun(String task, int attempt) implements Message {}

  /**
   * To the worker: end this attempt, even if its command has started. An attempt that has ended by
   * itself is reported as usual.
   */
  record Stop(String task, int attempt) implements Message {}

  /**
   * From the worker: a request to commit an attempt, whose outputs are stored under temporary
   * names.
   */
  record MayCommit(String task, int attempt) implements Message {}

  /**
   * To the worker: the answer to a {@link MayCommit}.
   *
   * @param granted whether the attempt may commit; if not, it deletes its outputs
   */
  record Permit(String task, int attempt, boolean granted) implements Message {}

  /**
   * To the worker: upload the output of attempts of this task to the run's directory.
   *
   * @param task id of the task, which the worker may not know
   */
  record ShowLog(String task) implements Message {}

  /** From the worker: an attempt has ended. */
  record Ended(TaskReport report) implements Message {}

  /**
   * To the worker: the journal holds its reports of ended attempts, so it need not repeat them to
   * another ApplicationMaster.
   *
   * @param reports number of {@link Ended} messages on this connection that are in the journal
   */
  record Noted(long reports) implements Message {}

  /**
   * From the worker: a request for a transfer slot, to read a large file. It is repeated when the
   * holders change.
   *
   * @param number number of the request, unique in the worker
   * @param content content that its node will cache and serve to others while it arrives; empty if
   *     it will not
   * @param holders hosts that can serve it, nearest first
   * @param waits whether it waits while all of them serve others; otherwise it only takes the one
   *     with the fewest readers
   * @param fromCache whether only caches can serve it, because the file is not in HDFS; without a
   *     content the request is for the address of such a cache
   */
  record TransferWish(
      long number, String content, List<String> holders, boolean waits, boolean fromCache)
      implements Message {

    /** Creates a request for a file in HDFS. */
    public TransferWish(long number, String content, List<String> holders, boolean waits) {
      this(number, content, holders, waits, false);
    }

    public TransferWish {
      holders = List.copyOf(holders);
    }
  }

  /**
   * To the worker: the transfer may start.
   *
   * @param number number of the request
   * @param from host to read from; empty for any
   * @param cache host and port of that host's cache, which serves the content; empty for a read
   *     from HDFS, or if no cache has a file that is not in HDFS
   */
  record TransferTurn(long number, String from, String cache) implements Message {

    /** Creates a grant for a read from HDFS. */
    public TransferTurn(long number, String from) {
      this(number, from, "");
    }
  }

  /**
   * From the worker: the transfer has ended, or the request is withdrawn.
   *
   * @param whole whether all bytes were moved, so that after a read its node has the content
   * @param bytesFromCache bytes that came from another node's cache
   */
  record TransferOver(long number, boolean whole, long bytesFromCache) implements Message {

    /** Creates the message for a transfer that did not complete. */
    public TransferOver(long number) {
      this(number, false, 0);
    }
  }

  /** From the worker: other workers of the run may read from its cache. */
  record Serving(int port) implements Message {}

  /** From the worker: it was asked for a content that its cache does not have. */
  record NotKept(String content) implements Message {}

  /** To the worker: remove a file from the store of its node. */
  record StoreDrop(String path, NodeContent content) implements Message {}

  /**
   * To the worker: copy a file from the store of its node to HDFS.
   *
   * @param file id of the file, for the answer
   * @param temporary path under which it is written first
   * @param urgent whether it must not wait while tasks move files
   */
  record WriteBack(String file, String path, String temporary, NodeContent content, boolean urgent)
      implements Message {}

  /**
   * From the worker: a request to give the copy of a file its name in HDFS, which may replace
   * another file.
   *
   * @param nodeMillis when the store got the file, in milliseconds since the epoch
   */
  record MayWriteBack(String file, long nodeMillis) implements Message {}

  /**
   * To the worker: the answer to a {@link MayWriteBack}.
   *
   * @param nodeMillis when the store got the file, in milliseconds since the epoch
   * @param granted whether the copy gets its name; if not, the worker deletes it
   */
  record PermitWriteBack(String file, long nodeMillis, boolean granted) implements Message {}

  /**
   * From the worker: a file of its node's store was copied to HDFS, or not.
   *
   * @param nodeMillis when the store got the file, in milliseconds since the epoch
   * @param copies the copy; empty if there is none
   * @param problem why there is none; empty if there is one
   * @param gone whether there is none because the store does not have the file unaltered
   * @param refused whether there is none because HDFS refuses it permanently
   */
  record WrittenBack(
      String file,
      long nodeMillis,
      List<StoredFile> copies,
      String problem,
      boolean gone,
      boolean refused)
      implements Message {

    public WrittenBack {
      copies = List.copyOf(copies);
    }
  }

  /**
   * From the worker: the contents of its node's cache have changed. Only files that are large
   * enough to affect scheduling are reported.
   *
   * @param kept paths of files cached since the last message, each with its size in bytes
   * @param gone paths of reported files that are not cached any more
   */
  record CacheNews(Map<String, Long> kept, List<String> gone) implements Message {

    public CacheNews {
      kept = Map.copyOf(kept);
      gone = List.copyOf(gone);
    }
  }

  /**
   * From the worker: the disk is so full that the cache has less room than it needs.
   *
   * @param node host name of its node
   * @param limitBytes what the cache may have now
   * @param excessBytes what it has beyond, and cannot evict
   */
  record DiskShortage(String node, long limitBytes, long excessBytes) implements Message {}

  /**
   * To the worker: use these delegation tokens in place of older ones.
   *
   * @param tokens the encoded tokens, which are as secret as passwords
   */
  record NewTokens(String tokens) implements Message {

    @Override
    public String toString() {
      return "NewTokens[]";
    }
  }

  /** To the worker: stop all attempts and exit. */
  record Shutdown() implements Message {}
}
