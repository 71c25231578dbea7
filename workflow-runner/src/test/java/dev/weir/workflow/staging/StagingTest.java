package dev.weir.workflow.staging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.run.OneNodeHdfs;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StagingTest {

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  /** The record that is read. */
  record Named(String name, List<String> names) {}

  @Test
  void equalTextsAreShared() throws IOException {
    Staging staging = new Staging(HDFS.fs(), new Path("/staging"));
    staging.create();
    staging.writeJson("named.json", new Named("a", List.of("b", "a")));

    Named named = staging.readJson("named.json", Named.class);

    assertThat(named).isEqualTo(new Named("a", List.of("b", "a")));
    assertThat(named.names().get(1)).isSameAs(named.name());
  }
}
