package dev.weir.workflow.worker;

import java.io.IOException;
import java.util.List;

/** When a large file may be read, and from which node. Any thread may use it. */
interface ReadTurns {

  /** For readers that ask nobody. */
  ReadTurns AT_ONCE =
      new ReadTurns() {
        @Override
        public boolean concerns(long bytes) {
          return false;
        }

        @Override
        public Turn take(long bytes, Holders holders) {
          return new Turn("", () -> {});
        }
      };

  /** Which nodes could serve all of a file. */
  interface Holders {

    /**
     * The hosts, nearest first; empty when it takes several to serve it: nobody waits then.
     *
     * @throws IOException when it is no use to wait, as for a file that is gone
     */
    List<String> now() throws IOException;
  }

  /**
   * A turn that has come.
   *
   * @param from host to read from; empty for any
   * @param end says that it is over
   */
  record Turn(String from, Runnable end) implements AutoCloseable {

    @Override
    public void close() {
      end.run();
    }
  }

  /** Whether a file of this size has to wait for its turn. */
  boolean concerns(long bytes);

  /**
   * Waits for a turn.
   *
   * @param bytes size of the file
   * @param holders is asked again while this one waits
   * @throws java.io.InterruptedIOException when the thread is told to stop meanwhile
   * @throws IOException as the holders do
   */
  Turn take(long bytes, Holders holders) throws IOException;
}
