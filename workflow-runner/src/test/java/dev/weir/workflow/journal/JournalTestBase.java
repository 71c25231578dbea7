package dev.weir.workflow.journal;

import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Journals of an ApplicationMaster in a directory of local files. */
public abstract class JournalTestBase {

  @TempDir Path temp;
  FileSystem fs;

  @BeforeEach
  void openFileSystem() throws IOException {
    fs = opened(new RawLocalFileSystem());
  }

  public static FileSystem opened(FileSystem files) throws IOException {
    files.initialize(URI.create("file:///"), new Configuration(false));
    return files;
  }

  /** Reads all records of earlier attempts of the ApplicationMaster. */
  public static List<DispatchRecord> read(FileSystem fs, org.apache.hadoop.fs.Path directory)
      throws IOException {
    List<DispatchRecord> records = new ArrayList<>();
    new JournalReader(fs, directory).read(line -> records.add(line.record()));
    return records;
  }

  public org.apache.hadoop.fs.Path directory() {
    return new org.apache.hadoop.fs.Path(temp.toUri());
  }

  /** Returns the end of a successful attempt, with a message that JSON has to quote. */
  static DispatchRecord ended(String task, int attempt) {
    return new DispatchRecord.AttemptEnded(
        new WorkerInfo("w1", "n1", "/rack"),
        1,
        2,
        3,
        new TaskReport(
            task,
            attempt,
            Result.SUCCEEDED,
            0,
            "",
            "a \"quoted\"\nend of \u00e9t\u00e9",
            List.of(),
            List.of(new StoredFile("f", 7, Map.of("n1", 7L))),
            new Usage(1, 2, 3, 4, 5, 6, 7, 8)),
        false,
        false,
        null);
  }

  public static DispatchRecord lost(String... files) {
    return new DispatchRecord.FilesLost(List.of(files));
  }

  /** Writes records one after another, like an ApplicationMaster with this attempt number. */
  void write(FileSystem files, int attempt, DispatchRecord... records) {
    try (Journal journal =
        new Journal(files, directory(), attempt, Journal.PAUSE_MILLIS, () -> {})) {
      journal.start();
      for (DispatchRecord record : records) {
        journal.append(List.of(record));
      }
    }
  }

  /** Returns all files of the directory in the order in which they were created. */
  List<Path> journals() throws IOException {
    try (Stream<Path> files = Files.list(temp)) {
      return files.sorted().toList();
    }
  }
}
