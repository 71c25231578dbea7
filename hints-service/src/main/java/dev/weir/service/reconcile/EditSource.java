package dev.weir.service.reconcile;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The edits of the NameNode from some transaction on. */
interface EditSource {
  /**
   * Some edits.
   *
   * @param transaction the last that they belong to
   * @param edits in order
   */
  record Batch(long transaction, List<Edit> edits) {
    public Batch {
      edits = List.copyOf(edits);
    }
  }

  /** Edits that were wanted have been thrown away by the NameNode. */
  final class MissingException extends IOException {
    private static final long serialVersionUID = 1L;

    MissingException(Throwable cause) {
      super(cause);
    }
  }

  /**
   * The next edits.
   *
   * @return null when none came within the time; there may be some nevertheless
   * @throws MissingException when there is a gap before the next
   */
  @Nullable Batch next(Duration timeout) throws IOException, InterruptedException;

  /** The transaction up to which all edits were returned. */
  long position();

  /** By how many transactions it is behind. */
  long behind();

  /** Opens it. */
  interface Opener {
    /** From after a transaction on. */
    EditSource after(long transaction) throws IOException;

    /** The last transaction now. */
    long last() throws IOException;
  }
}
