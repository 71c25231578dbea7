package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.staging.AtomicUpload;
import dev.weir.workflow.staging.RunException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkflowInputsTest {

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  @TempDir private java.nio.file.Path local;
  private Path data = new Path("/");

  @BeforeEach
  void ownDirectory(TestInfo test) {
    data = new Path("/" + test.getTestMethod().orElseThrow().getName());
  }

  private WorkflowInputs inputs() {
    return inputs(Clock.systemUTC());
  }

  private WorkflowInputs inputs(Clock clock) {
    return inputs("a", clock);
  }

  /** Creates the upload of a workflow that reads the given file of 5 bytes. */
  private WorkflowInputs inputs(String name, Clock clock) {
    Task task = new Task("cut", "cut", List.of("true"), List.of(name), List.of(), 1);
    Workflow workflow = new Workflow("reading", List.of(task), Map.of(name, new DataFile(name, 5)));
    return new WorkflowInputs(HDFS.fs(), workflow, data.toString(), clock);
  }

  private Path a() {
    return new Path(data, "a");
  }

  private void write(Path path, String text) throws IOException {
    try (OutputStream out = HDFS.fs().create(path, true)) {
      out.write(bytes(text));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private String read(Path path) throws IOException {
    try (var in = HDFS.fs().open(path)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private List<String> names() throws IOException {
    return Arrays.stream(HDFS.fs().listStatus(data))
        .map(FileStatus::getPath)
        .map(Path::getName)
        .toList();
  }

  @Test
  void inputAppearsWhenItIsComplete() throws Exception {
    Files.writeString(local.resolve("a"), "whole");
    write(a(), "half");

    inputs().upload(local);
    inputs().requireAll();

    assertThat(read(a())).isEqualTo("whole");
    assertThat(names()).containsExactly("a");
  }

  @Test
  void failedUploadLeavesNothing() throws Exception {
    DistributedFileSystem fs = HDFS.fs();
    fs.mkdirs(data);

    assertThatThrownBy(
            () ->
                new AtomicUpload(fs)
                    .put(
                        a(),
                        out -> {
                          out.write(1);
                          assertThat(fs.exists(a())).isFalse();
                          throw new IOException("cut off");
                        }))
        .hasMessage("cut off");

    assertThat(names()).isEmpty();
    assertThatThrownBy(() -> inputs().requireAll())
        .hasMessageContaining("1 input is not in HDFS and no task writes it:");
  }

  @Test
  void openInputIsRefused() throws Exception {
    try (FSDataOutputStream out = HDFS.fs().create(a())) {
      out.write(bytes("whole"));
      out.hflush();
      assertThatThrownBy(() -> inputs().requireAll())
          .isInstanceOf(RunException.class)
          .hasMessageContaining("1 input is still being written, or left open by a writer that")
          .hasMessageContaining(a() + " (read by task 'cut')")
          .hasMessageContaining("recoverLease");
    }
    inputs().requireAll();
  }

  @Test
  void directoriesAreReportedSeparately() throws Exception {
    HDFS.fs().mkdirs(a());

    assertThatThrownBy(() -> inputs().requireAll())
        .isInstanceOf(RunException.class)
        .hasMessageContaining("cannot start: 1 input is a directory:")
        .hasMessageContaining(a() + " (read by task 'cut')")
        .hasMessageContaining("list its files as inputs of the task, or use an archive")
        .hasMessageNotContaining("not in HDFS");
  }

  @Test
  void inputOfADeadWriterIsUploadedAgain() throws Exception {
    FSDataOutputStream dead = HDFS.fs().create(a());
    dead.write(bytes("whole"));
    dead.hflush();
    Files.writeString(local.resolve("a"), "whole");

    inputs().upload(local);
    inputs().requireAll();

    assertThat(read(a())).isEqualTo("whole");
    // The file was replaced, so its former writer fails.
    assertThatThrownBy(dead::close).isInstanceOf(IOException.class);
  }

  @Test
  void firstOfTwoEqualConcurrentUploadsStays() throws Exception {
    AtomicUpload deposits = new AtomicUpload(HDFS.fs());
    deposits.put(
        a(),
        slow -> {
          deposits.put(a(), quick -> quick.write(bytes("first")));
          slow.write(bytes("other"));
        });
    assertThat(read(a())).isEqualTo("first");
    assertThat(names()).containsExactly("a");
  }

  @Test
  void lastOfTwoDifferentConcurrentUploadsStays() throws Exception {
    AtomicUpload deposits = new AtomicUpload(HDFS.fs());
    deposits.put(
        a(),
        slow -> {
          deposits.put(a(), quick -> quick.write(bytes("fir")));
          slow.write(bytes("other"));
        });
    assertThat(read(a())).isEqualTo("other");
    assertThat(names()).containsExactly("a");
  }

  @Test
  void abandonedUploadsAreDeletedAfterADay() throws Exception {
    write(new Path(data, "a.weir-upload-0123abcd"), "ha");
    write(new Path(data, "other.weir-upload-0123abcd"), "is another user's");
    Files.writeString(local.resolve("a"), "whole");

    inputs().upload(local);
    assertThat(names()).hasSize(3);

    inputs(Clock.offset(Clock.systemUTC(), Duration.ofHours(25))).upload(local);
    assertThat(names()).containsExactlyInAnyOrder("a", "other.weir-upload-0123abcd");
  }

  @Test
  void inputWithALongNameIsUploaded() throws Exception {
    String name = "n".repeat(240);
    write(new Path(data, "n".repeat(234) + ".weir-upload-0123abcd"), "ha");
    write(new Path(data, "n".repeat(233) + ".weir-upload-0123abcd"), "is another user's");
    Files.writeString(local.resolve(name), "whole");

    inputs(name, Clock.systemUTC()).upload(local);
    assertThat(read(new Path(data, name))).isEqualTo("whole");
    assertThat(names()).hasSize(3);

    inputs(name, Clock.offset(Clock.systemUTC(), Duration.ofHours(25))).upload(local);
    assertThat(names()).containsExactlyInAnyOrder(name, "n".repeat(233) + ".weir-upload-0123abcd");
  }

  @ParameterizedTest
  @ValueSource(ints = {'n', 0xe9, 0x65e5, 0x1d11e})
  void temporaryNamesAreValidAndNotTooLong(int letter) throws Exception {
    String letters = Character.toString(letter);
    String name = letters.repeat(255 / bytes(letters).length);
    List<String> during = new ArrayList<>();
    new AtomicUpload(HDFS.fs()).put(new Path(data, name), out -> during.addAll(names()));

    assertThat(names()).containsExactly(name);
    assertThat(during)
        .singleElement()
        .asString()
        .matches("(" + letters + ")+\\.weir-upload-[0-9a-f]{8}")
        .satisfies(temporary -> assertThat(bytes(temporary)).hasSizeBetween(252, 255));
    HDFS.fs().delete(data, true);
  }

  @Test
  void refusalsOfHdfsAreReportedWithRemedy() throws Exception {
    HDFS.fs().mkdirs(a());
    Files.writeString(local.resolve("a"), "whole");

    assertThatThrownBy(() -> inputs().upload(local))
        .isInstanceOf(RunException.class)
        .hasMessageStartingWith("Cannot copy the inputs to HDFS: ")
        .hasMessageContaining("move it away")
        .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1));
  }
}
