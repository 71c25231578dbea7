package dev.weir.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.series.PlannedRun;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.SampleRuns;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.record.TaskRecord.Traffic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MostReadFileTest {
  private static final RecordedRun RUN = SampleRuns.of(new PlannedRun("g", "weir", 1), 1);

  @TempDir private java.nio.file.Path folder;

  /** Reports a replication of nineteen for all files. */
  private static final class Nineteen extends FilterFileSystem {
    Nineteen() throws IOException {
      super(FileSystem.newInstanceLocal(new Configuration()));
    }

    @Override
    public FileStatus getFileStatus(Path file) throws IOException {
      FileStatus status = super.getFileStatus(file);
      return new FileStatus(status.getLen(), false, 19, status.getBlockSize(), 0, status.getPath());
    }
  }

  /** One task writes two files that three tasks read, and each of these writes a file. */
  private static Workflow broadcast() {
    List<Task> tasks = new ArrayList<>();
    Map<String, DataFile> files = new LinkedHashMap<>();
    files.put("index", new DataFile("index", 10));
    files.put("shared", new DataFile("shared", 1000));
    tasks.add(task("p", List.of(), List.of("index", "shared")));
    for (int i = 0; i < 3; i++) {
      files.put("own-" + i, new DataFile("own-" + i, 5000));
      files.put("out-" + i, new DataFile("out-" + i, 1));
      tasks.add(task("o" + i, List.of(), List.of("own-" + i)));
      tasks.add(task("c" + i, List.of("index", "shared", "own-" + i), List.of("out-" + i)));
    }
    return new Workflow("w", tasks, files);
  }

  private static Task task(String id, List<String> inputs, List<String> outputs) {
    return new Task(id, "t", List.of("true"), inputs, outputs, 0);
  }

  @Test
  void selectsTheLargestOfTheMostReadFiles() {
    assertThat(MostReadFile.file(broadcast())).hasValue("shared");
  }

  @Test
  void isEmptyIfEachFileHasOneReader() throws IOException {
    Workflow pipeline =
        new Workflow(
            "w",
            List.of(task("a", List.of(), List.of("f")), task("b", List.of("f"), List.of("g"))),
            Map.of("f", new DataFile("f", 1), "g", new DataFile("g", 1)));

    assertThat(MostReadFile.file(pipeline)).isEmpty();
    try (FileSystem fs = new Nineteen()) {
      assertThat(MostReadFile.replicas(fs, data(), pipeline, RUN.record())).isZero();
    }
  }

  @Test
  void returnsTheReplicationFactorInHdfs() throws IOException {
    java.nio.file.Files.writeString(folder.resolve("shared"), "x");
    try (FileSystem fs = new Nineteen()) {
      assertThat(MostReadFile.replicas(fs, data(), broadcast(), RUN.record())).isEqualTo(19);
    }
  }

  @Test
  void computesReplicasOfADeletedFileFromItsWriter() throws IOException {
    RecordedRun run =
        SampleRuns.of(RUN, List.of(writer("own-0", 40_000), writer("shared", 17_100)), 0);
    try (FileSystem fs = new Nineteen()) {
      assertThat(MostReadFile.replicas(fs, data(), broadcast(), run.record())).isEqualTo(18);
      assertThat(MostReadFile.replicas(fs, data(), broadcast(), RUN.record())).isZero();
    }
  }

  private Path data() {
    return new Path(folder.toUri());
  }

  private static TaskRecord writer(String file, long others) {
    return TaskRecord.builder("p", "t", 1)
        .worker("w", "n1")
        .outcome(Outcome.SUCCEEDED, 0)
        .times(SampleRuns.BEGIN, SampleRuns.BEGIN)
        .traffic(new Traffic(0, 0, 1000, others))
        .files(List.of(), List.of(new FileRecord(file, 1000, 1)))
        .build();
  }
}
