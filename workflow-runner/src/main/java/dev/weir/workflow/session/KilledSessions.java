package dev.weir.workflow.session;

import dev.weir.workflow.hdfs.TemporaryFiles;
import dev.weir.workflow.jobs.InvalidJobException;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobCodec;
import dev.weir.workflow.journal.AttemptLabels;
import dev.weir.workflow.journal.JournalReader;
import dev.weir.workflow.journal.ReadBudget;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.run.KilledSessionRuns;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.api.DispatchRecord.FilesLost;
import dev.weir.workflow.scheduler.api.DispatchRecord.TaskAdded;
import dev.weir.workflow.scheduler.api.DispatchRecord.WrittenBack;
import dev.weir.workflow.scheduler.api.JobAddition;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.Staging;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
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
 * Cleans up after the user's sessions that were killed or whose ApplicationMasters failed too
 * often. The client asked YARN for these sessions before this session started.
 */
final class KilledSessions {

  private static final Logger LOG = LoggerFactory.getLogger(KilledSessions.class);

  /** Limits memory: the output paths of all jobs are kept while the journals are read. */
  private static final long MAX_JOURNAL_BYTES = 32L << 20;

  /**
   * Limits time: the journals of a session that is up grow to four times the size at which they are
   * compacted.
   */
  private static final long MAX_RUN_JOURNAL_BYTES = 8 * MAX_JOURNAL_BYTES;

  private static final int MEBI_BITS = 20;

  private final DistributedFileSystem fs;
  private final Staging staging;
  private final long maxJournalBytes;
  private final long maxRunJournalBytes;

  /**
   * Creates the cleanup that a new session does.
   *
   * @param staging the directory of the new session
   */
  KilledSessions(DistributedFileSystem fs, Staging staging) {
    this(fs, staging, MAX_JOURNAL_BYTES, MAX_RUN_JOURNAL_BYTES);
  }

  /**
   * Creates the cleanup with other limits.
   *
   * @param maxJournalBytes limit on the journal bytes that are read to find temporary files of jobs
   * @param maxRunJournalBytes limit on the journal bytes that are read to end runs
   */
  KilledSessions(
      DistributedFileSystem fs, Staging staging, long maxJournalBytes, long maxRunJournalBytes) {
    this.maxJournalBytes = maxJournalBytes;
    this.maxRunJournalBytes = maxRunJournalBytes;
    this.fs = fs;
    this.staging = staging;
  }

  /**
   * Removes the sessions' temporary files and interrupted commits, ends their runs, and removes
   * their directories. Failures are logged, and the next session retries. Blocks.
   */
  void cleanUp() {
    try {
      for (String session : staging.readJson(Staging.ENDED, String[].class)) {
        cleanUp(ApplicationId.fromString(session));
      }
    } catch (FileNotFoundException e) {
      LOG.debug("The list of ended sessions is missing", e);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot determine which sessions were killed", e);
    }
  }

  private void cleanUp(ApplicationId session) {
    Path directory = new Path(staging.directory().getParent(), session.toString());
    try {
      if (!removeTemporaryFiles(session, directory)) {
        return;
      }
      if (!new KilledSessionRuns(RunDirectories.besideSessions(fs, staging), maxRunJournalBytes)
          .end(session, directory)) {
        // Only this journal lists the finished tasks, which later runs reuse.
        LOG.info(
            "The killed session {} has runs that cannot be ended now; its journal stays", session);
        return;
      }
      fs.delete(directory, true);
      LOG.info("Removed the files of the killed session {}", session);
    } catch (FileNotFoundException e) {
      LOG.debug("{} has left nothing", session, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot clean up after the killed session {}", session, e);
    }
  }

  /** Removes temporary files; false when some are left that can be removed later. */
  private boolean removeTemporaryFiles(ApplicationId session, Path directory) throws IOException {
    Set<String> unfinished;
    try {
      unfinished =
          unfinished(new JournalReader(fs, directory, ReadBudget.ofBytes(maxJournalBytes)));
    } catch (ReadBudget.SpentException e) {
      LOG.warn(
          "Temporary files of the jobs of {} are not searched for: its journals in {} are longer"
              + " than {} MiB",
          session,
          directory,
          maxJournalBytes >> MEBI_BITS);
      return true;
    }
    return new TemporaryFiles(unfinished, AttemptLabels.run(session)).remove(fs);
  }

  /**
   * Returns the output paths of all unfinished jobs, as {@link TemporaryFiles} takes them, and of
   * files that only nodes had: a worker may have begun to copy them.
   */
  private static Set<String> unfinished(JournalReader journals) throws IOException {
    Map<String, List<String>> outputs = new HashMap<>();
    Set<String> done = new HashSet<>();
    Set<String> onNodes = new HashSet<>();
    journals.read(
        line -> {
          DispatchRecord record = line.record();
          if (record instanceof TaskAdded added) {
            JobAddition addition = added.addition();
            outputs.put(addition.task().id(), outputs(addition));
            done.remove(addition.task().id());
          } else if (record instanceof AttemptEnded ended
              && ended.report().result() == TaskReport.Result.SUCCEEDED) {
            if (outputs.containsKey(ended.report().task())) {
              ended.report().outputs().stream()
                  .filter(StoredFile::onNode)
                  .forEach(file -> onNodes.add(file.name()));
            }
            done.add(ended.report().task());
          } else if (record instanceof WrittenBack copied) {
            onNodes.remove(copied.copy().name());
          } else if (record instanceof FilesLost lost) {
            // The job had to run again.
            done.removeIf(
                job -> !Collections.disjoint(outputs.getOrDefault(job, List.of()), lost.files()));
          }
        });
    outputs.keySet().removeAll(done);
    outputs.put("", List.copyOf(onNodes));
    Set<String> paths = new HashSet<>();
    // The dispatcher knows a file by its path without the slash in front.
    outputs.values().forEach(files -> files.forEach(file -> paths.add("/" + file)));
    return paths;
  }

  private static List<String> outputs(JobAddition addition) {
    List<String> outputs = new ArrayList<>(addition.task().outputs());
    try {
      Job job = JobCodec.read(addition.source(), addition.task().id());
      job.globs().forEach(glob -> outputs.add(glob.id() + "/"));
    } catch (InvalidJobException e) {
      LOG.warn("Cannot read a job of a killed session", e);
    }
    return outputs;
  }
}
