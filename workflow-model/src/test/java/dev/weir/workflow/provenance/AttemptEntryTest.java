package dev.weir.workflow.provenance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.ResourceUse;
import dev.weir.workflow.record.TaskRecord;
import java.io.IOException;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AttemptEntryTest {

  private static AttemptEntry with(ResourceUse effort) {
    return AttemptEntry.of(
        TaskRecord.builder("t", "copy", 1)
            .worker("w", "n")
            .outcome(Outcome.SUCCEEDED, 0)
            .times(Instant.EPOCH, Instant.EPOCH)
            .effort(effort)
            .build());
  }

  @Test
  void resourceUseIsReported() throws IOException {
    AttemptEntry entry = with(new ResourceUse(1_250, 4096));
    JsonNode json = ProvenanceJson.toTree(entry);
    assertThat(json.path("effort").toString())
        .isEqualTo("{\"cpu-millis\":1250,\"peak-memory-bytes\":4096}");
    assertThat(ProvenanceJson.read(json, AttemptEntry.class)).isEqualTo(entry);
  }

  @Test
  void unmeasuredValuesAreOmitted() throws IOException {
    AttemptEntry entry = with(ResourceUse.NONE);
    JsonNode json = ProvenanceJson.toTree(entry);
    assertThat(json.has("effort")).isFalse();
    assertThat(ProvenanceJson.read(json, AttemptEntry.class)).isEqualTo(entry);
  }
}
