package dev.weir.service.reconcile;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The edits of the NameNode after some transaction. */
interface EditSource {
  /**
   * Some edits.
   *
   * @param transaction their last transaction
   * @param edits in order
   */
  record Batch(long transaction, List<Edit> edits) {
    public Batch {
      edits = List.copyOf(edits);
    }
  }

  /** The NameNode has discarded edits that were requested. */
  final class MissingException extends IOException {
    private static final long serialVersionUID = 1L;

    MissingException(Throwable cause) {
      super(cause);
    }
  }

  /**
   * Returns the next edits.
   *
   * @return null if none arrived within the timeout; some may exist nevertheless
   * @throws MissingException if there is a gap before the next edits
   */
  @Nullable Batch next(Duration timeout) throws IOException, InterruptedException;

  /** Returns the transaction up to which all edits were returned. */
  long position();

  /** Returns the number of transactions that are not returned yet. */
  long behind();

  interface Opener {
    EditSource after(long transaction) throws IOException;

    /** Returns the current last transaction. */
    long last() throws IOException;
  }
}
