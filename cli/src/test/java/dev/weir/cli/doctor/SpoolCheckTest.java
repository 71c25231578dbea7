package dev.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.delivery.RunRecordSpool;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolCheckTest {
  @TempDir private Path home;
  private boolean forbidden;
  private SpoolCheck check;

  /** A home directory of local files. */
  private final class Home extends RawLocalFileSystem {
    @Override
    public org.apache.hadoop.fs.Path getHomeDirectory() {
      return makeQualified(new org.apache.hadoop.fs.Path(home.toUri()));
    }

    @Override
    public FileStatus[] listStatus(org.apache.hadoop.fs.Path directory) throws IOException {
      if (forbidden) {
        throw new AccessControlException("Permission denied: user=ann, access=READ_EXECUTE");
      }
      return super.listStatus(directory);
    }
  }

  @BeforeEach
  void open() throws IOException {
    Home fs = new Home();
    fs.initialize(URI.create("file:///"), new Configuration(false));
    check = new SpoolCheck(RunRecordSpool.ofHome(fs));
  }

  @Test
  void emptySpoolIsNotMentioned() throws Exception {
    assertThat(Findings.of(check)).isEmpty();
  }

  @Test
  void waitingAndRefusedRecordsAreDistinguished() throws Exception {
    Path spool = Files.createDirectories(home.resolve(".weir/spool"));
    for (String name :
        new String[] {"r1.jsonl", "r2.jsonl", "r3.jsonl.refused", ".r4.tmp", "notes"}) {
      Files.createFile(spool.resolve(name));
    }

    assertThat(Findings.of(check))
        .extracting(Finding::text)
        .containsExactly(
            "records of runs that wait for the hints service: 2",
            "records of runs that the hints service has refused: 1");
    assertThat(Findings.of(check))
        .extracting(Finding::remedy)
        .allMatch(remedy -> remedy.contains("weir provenance --deliver"));
  }

  @Test
  void spoolOfAnotherUserIsReported() throws Exception {
    forbidden = true;

    assertThat(Findings.of(check))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.text()).contains("/.weir/spool is not yours to read");
              assertThat(finding.remedy()).contains("-chown");
            });
  }
}
