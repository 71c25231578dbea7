package dev.weir.workflow.session;

import dev.weir.workflow.hdfs.TemporaryFiles;
import dev.weir.workflow.journal.AttemptLabels;
import dev.weir.workflow.journal.JournalReader;
import dev.weir.workflow.journal.ReadBudget;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.run.KilledSessionRuns;
import dev.weir.workflow.scheduler.DispatchRecord;
import dev.weir.workflow.scheduler.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.DispatchRecord.FilesLost;
import dev.weir.workflow.scheduler.DispatchRecord.TaskAdded;
import dev.weir.workflow.scheduler.JobAddition;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.Staging;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tidies up behind the user's pools that did not come to an end of their own, for they were killed
 * or their ApplicationMasters died too often. YARN was asked which these are before this one began.
 */
final class KilledSessions {

  private static final Logger LOG = LoggerFactory.getLogger(KilledSessions.class);

  /** The outputs of all jobs in them are kept in memory while they are read. */
  private static final long MOST_JOURNAL_BYTES = 32L << 20;

  private static final int MEBI_BITS = 20;

  private final DistributedFileSystem fs;
  private final Staging own;
  private final long mostJournalBytes;

  /**
   * Pools before another.
   *
   * @param own the directory of the pool that looks
   */
  KilledSessions(DistributedFileSystem fs, Staging own) {
    this(fs, own, MOST_JOURNAL_BYTES);
  }

  /**
   * The same with another bound.
   *
   * @param mostJournalBytes so much is read of the journals of each
   */
  KilledSessions(DistributedFileSystem fs, Staging own, long mostJournalBytes) {
    this.mostJournalBytes = mostJournalBytes;
    this.fs = fs;
    this.own = own;
  }

  /**
   * Removes what jobs have left under temporary names, and of commits that were cut off, ends their
   * runs, and then removes the directories of these pools. What goes wrong is left to the next one.
   * Blocks.
   */
  void tidy() {
    try {
      for (String pool : own.readJson(Staging.ENDED, String[].class)) {
        tidy(ApplicationId.fromString(pool));
      }
    } catch (FileNotFoundException e) {
      LOG.debug("Nobody has said which pools have ended", e);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot find out which pools were killed", e);
    }
  }

  private void tidy(ApplicationId pool) {
    Path directory = new Path(own.directory().getParent(), pool.toString());
    try {
      if (!removeTemporaryFiles(pool, directory)) {
        return;
      }
      if (!new KilledSessionRuns(RunDirectories.besideSessions(fs, own), mostJournalBytes)
          .end(pool, directory)) {
        // What they have done is in the journal here alone, for whoever runs them again.
        LOG.info("{} was killed with runs that cannot be ended now; its journal stays", pool);
        return;
      }
      fs.delete(directory, true);
      LOG.info("{} was killed; what it left is removed", pool);
    } catch (FileNotFoundException e) {
      LOG.debug("{} has left nothing", pool, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot tidy up behind {}, which was killed", pool, e);
    }
  }

  /** Whether none of them is left, or it is not to be found out which they are. */
  private boolean removeTemporaryFiles(ApplicationId pool, Path directory) throws IOException {
    Set<String> unfinished;
    try {
      unfinished =
          unfinished(new JournalReader(fs, directory, ReadBudget.ofBytes(mostJournalBytes)));
    } catch (ReadBudget.SpentException e) {
      LOG.warn(
          "{} had so many jobs that what they have left is not looked for: its journals in {} are"
              + " longer than {} MiB",
          pool,
          directory,
          mostJournalBytes >> MEBI_BITS);
      return true;
    }
    return new TemporaryFiles(unfinished, AttemptLabels.run(pool)).remove(fs);
  }

  /** The paths of all outputs of jobs that were not done. */
  private static Set<String> unfinished(JournalReader journals) throws IOException {
    Map<String, List<String>> outputs = new HashMap<>();
    Set<String> done = new HashSet<>();
    journals.read(
        line -> {
          DispatchRecord record = line.record();
          if (record instanceof TaskAdded added) {
            JobAddition addition = added.addition();
            outputs.put(addition.task().id(), addition.task().outputs());
            done.remove(addition.task().id());
          } else if (record instanceof AttemptEnded ended
              && ended.report().result() == TaskReport.Result.SUCCEEDED) {
            done.add(ended.report().task());
          } else if (record instanceof FilesLost lost) {
            // It was to be made again.
            done.removeIf(
                job -> !Collections.disjoint(outputs.getOrDefault(job, List.of()), lost.files()));
          }
        });
    outputs.keySet().removeAll(done);
    Set<String> paths = new HashSet<>();
    // The dispatcher knows a file by its path without the slash in front.
    outputs.values().forEach(files -> files.forEach(file -> paths.add("/" + file)));
    return paths;
  }
}
