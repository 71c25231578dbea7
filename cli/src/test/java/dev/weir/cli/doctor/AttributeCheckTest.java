package dev.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.client.FakeService;
import dev.weir.hints.client.HintsClient;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttributeCheckTest {
  private final FakeService service = new FakeService();
  private final List<String> attributes = new ArrayList<>();

  @TempDir private java.nio.file.Path home;

  @AfterEach
  void close() {
    service.close();
  }

  /** Records attributes. */
  private final class Recording extends RawLocalFileSystem {
    @Override
    public void setXAttr(Path path, String name, byte[] value) {
      attributes.add(name + "=" + new String(value, StandardCharsets.UTF_8));
    }
  }

  private Finding examine() throws Exception {
    Configuration configuration = new Configuration(false);
    configuration.set("weir.server.url", service.url().toString());
    try (Recording fs = new Recording();
        HintsClient client = HintsClient.open(configuration)) {
      fs.initialize(URI.create("file:///"), configuration);
      Path directory = new Path(home.resolve("probe").toUri());
      return Findings.of(new AttributeCheck(fs, client, directory, 1)).get(0);
    }
  }

  @Test
  void attributeThatBecomesNoRuleIsNotInForce() throws Exception {
    Finding finding = examine();

    assertThat(finding.level()).isEqualTo(Finding.Level.WRONG);
    assertThat(finding.text()).contains("hints that setfattr writes are not in force");
    assertThat(finding.remedy()).contains("reconciler");
    assertThat(attributes).containsExactly("user.weir.hint=pipeline");
    assertThat(home).isEmptyDirectory();
  }

  @Test
  void attributeThatBecomesARuleIsFine() throws Exception {
    service.on(
        "GET",
        "/v1/hints",
        200,
        "{\"path\":\"/a/x\",\"hint\":\"pipeline\",\"text\":\"pipeline\",\"set\":\"s\","
            + "\"owner\":\"ann\",\"pattern\":\"/a/**\",\"version\":3}");

    assertThat(examine().level()).isEqualTo(Finding.Level.FINE);
    assertThat(home).isEmptyDirectory();
  }
}
