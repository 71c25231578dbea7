package dev.weir.workflow.am;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EarlyNotesTest {

  @Test
  void notesAreKeptUntilTheyCanBeDelivered() {
    EarlyNotes notes = new EarlyNotes();
    List<String> delivered = new ArrayList<>();
    notes.accept("a");
    notes.accept("b");
    notes.to(delivered::add);
    assertThat(delivered).containsExactly("a", "b");
    notes.accept("c");
    assertThat(delivered).containsExactly("a", "b", "c");
  }
}
