package dev.weir.workflow.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.Message;
import org.junit.jupiter.api.Test;

class DiskNotesTest {

  private final DiskNotes notes = new DiskNotes();

  private String note(String node) {
    return notes.note(new Message.DiskShortage(node, 12 << 20, 0)).orElse("");
  }

  @Test
  void namesNodeLimitAndRemedy() {
    assertThat(note("n1"))
        .contains("disk of n1 has too little room", "12 MiB", "free space there")
        .endsWith("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage");
  }

  @Test
  void hasAFewNotesForManyNodes() {
    assertThat(note("n1")).contains("n1");
    assertThat(note("n1")).isEmpty();
    assertThat(note("n2")).contains("n2");
    assertThat(note("n3")).contains("n3");
    assertThat(note("n4")).contains("further nodes");
    assertThat(note("n5")).isEmpty();
  }
}
