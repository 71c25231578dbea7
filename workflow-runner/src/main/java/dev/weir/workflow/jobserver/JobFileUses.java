package dev.weir.workflow.jobserver;

import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.model.KeptInputs;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which inputs of jobs a node keeps. The readers of a file are those that have read it and one job
 * more, for which jobs come later is not known. Thread-safe.
 */
public final class JobFileUses {

  /** Of more files the ones that were used longest ago are forgotten. */
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

  /** How long a file is, 0 when that is not known, and how many jobs were given it. */
  private record Use(long bytes, int readers) {}

  /**
   * No file is known.
   *
   * @param nodes on how many nodes jobs may run, at least 1
   */
  public JobFileUses(int nodes) {
    this.nodes = nodes;
  }

  /** A worker has said how long a file is. */
  synchronized void sized(String path, long bytes) {
    uses.merge(path, new Use(bytes, 0), (known, told) -> new Use(bytes, known.readers()));
  }

  /** Counts one more reader, and says whether its node keeps the file. */
  synchronized boolean isWorthKeeping(JobFile file) {
    Use known = uses.getOrDefault(file.path(), NONE);
    int readers = known.readers() + 1;
    uses.put(file.path(), new Use(known.bytes(), readers));
    long bytes = known.bytes() > 0 ? known.bytes() : file.sizeBytes();
    return KeptInputs.isWorthKeeping(bytes > 0 ? bytes : Double.MAX_VALUE, readers + 1.0, nodes);
  }
}
