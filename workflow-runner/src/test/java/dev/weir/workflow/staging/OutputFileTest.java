package dev.weir.workflow.staging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.staging.KeptLog.Stream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutputFileTest {

  private static final KeptLog ONE = new KeptLog("a:\"b\n", 1, Stream.STDOUT);
  private static final KeptLog TWO = new KeptLog("c", 2, Stream.STDERR);

  private static byte[] file() {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(OutputFile.entry(ONE, "first\nline".getBytes(UTF_8)));
    file.writeBytes(OutputFile.entry(TWO, "[\"c\",2]\n".getBytes(UTF_8)));
    file.writeBytes(OutputFile.entry(ONE, "again".getBytes(UTF_8)));
    return file.toByteArray();
  }

  private static List<String> read(byte[] file, KeptLog wanted) throws IOException {
    List<String> found = new ArrayList<>();
    OutputFile.read(new ByteArrayInputStream(file), wanted::equals, (log, text) -> found.add(text));
    return found;
  }

  @Test
  void entriesOfAnAttemptAreFoundInTheirOrder() throws IOException {
    assertThat(read(file(), ONE)).containsExactly("first\nline", "again");
    assertThat(read(file(), TWO)).containsExactly("[\"c\",2]\n");
    assertThat(read(new byte[0], ONE)).isEmpty();
  }

  @Test
  void incompleteLastEntryIsIgnored() throws IOException {
    byte[] file = file();

    for (int length = 0; length < file.length; length++) {
      assertThat(read(Arrays.copyOf(file, length), ONE))
          .isSubsetOf("first\nline", "again")
          .doesNotContain("agai");
      assertThat(read(Arrays.copyOf(file, length), TWO)).isSubsetOf("[\"c\",2]\n");
    }
  }

  @Test
  void fileNamesTheWorker() {
    assertThat(OutputFile.isOf(OutputFile.name("container_1", 2), "container_1")).isTrue();
    assertThat(OutputFile.isOf(OutputFile.name("container_12", 1), "container_1")).isFalse();
  }
}
