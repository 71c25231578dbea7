package dev.weir.workflow.jobserver;

import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.model.KeptInputs;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Decides which inputs of jobs the node cache keeps. Later jobs are unknown, so a file is assumed
 * to have one more reader than it had. Thread-safe.
 */
public final class JobFileUses {

  /** The number of files kept, the most recently used ones. */
  private static final int MOST = 100_000;

  private static final float LOAD = 0.75f;
  private static final Use NONE = new Use(0, 0);

  private final int nodes;
  private final Map<String, Use> uses =
      new LinkedHashMap<>(16, LOAD, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Use> eldest) {
          return size() > MOST;
        }
      };

  /** A file's length, 0 if unknown, and how many attempts of jobs have read it. */
  private record Use(long bytes, int readers) {}

  /**
   * Creates uses without files.
   *
   * @param nodes the number of nodes on which jobs may run, at least 1
   */
  public JobFileUses(int nodes) {
    this.nodes = nodes;
  }

  /** A worker has reported the length of a file. */
  synchronized void sized(String path, long bytes) {
    uses.merge(path, new Use(bytes, 0), (known, told) -> new Use(bytes, known.readers()));
  }

  /** Counts one more reader, and returns whether its node keeps the file. */
  synchronized boolean isWorthKeeping(JobFile file) {
    Use known = uses.getOrDefault(file.path(), NONE);
    int readers = known.readers() + 1;
    uses.put(file.path(), new Use(known.bytes(), readers));
    long bytes = known.bytes() > 0 ? known.bytes() : file.sizeBytes();
    return KeptInputs.isWorthKeeping(bytes > 0 ? bytes : Double.MAX_VALUE, readers + 1.0, nodes);
  }
}
