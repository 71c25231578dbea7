package dev.weir.cli.gather;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Ran;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that need no cluster; {@code GatherIT} has the others. */
class GatherCommandTest {
  @TempDir private Path folder;

  @Test
  void otherFileSystemIsRefusedInOneLine() {
    Ran begin = Ran.weir("gather", "begin", folder.toUri() + "x", "--region", "1m");
    assertThat(begin.code()).isEqualTo(2);
    assertThat(begin.err()).contains("file:/", "is not HDFS").hasLineCount(1);
    assertThat(begin.out()).isEmpty();
    assertThat(Ran.weir("gather", "sweep", folder.toUri().toString()).code()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "gather begin /x --region 0, region size must be at least 1 byte",
    "gather begin /x --region much, size",
    "gather begin /x --region 1m --regions 10001, 10001 is not a number of regions",
    "gather begin /x, --region",
    "gather begin /x --region 1m --expires never, is no time",
    "gather write /x first, first",
  })
  void wrongUsageIsReportedWithRemedy(String line, String message) {
    Ran ran = Ran.weir(line.split(" ", -1));
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains(message);
  }
}
