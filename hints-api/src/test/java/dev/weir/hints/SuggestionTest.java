package dev.weir.hints;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SuggestionTest {

  private static final List<String> WORDS = List.of("broadcast", "pipeline", "local", "lazy");

  @Test
  void wordWithTypingErrorIsFound() {
    assertThat(Suggestion.closest("brodcast", WORDS)).contains("broadcast");
    assertThat(Suggestion.closest("pipelnie", WORDS)).contains("pipeline");
    assertThat(Suggestion.closest("LOCAL", WORDS)).contains("local");
    assertThat(Suggestion.closest("lzay", WORDS)).contains("lazy");
  }

  @Test
  void otherWordIsNotFound() {
    assertThat(Suggestion.closest("gather", WORDS)).isEmpty();
    assertThat(Suggestion.closest("", WORDS)).isEmpty();
    assertThat(Suggestion.closest("a", List.of())).isEmpty();
  }

  @Test
  void questionNamesTheWord() {
    assertThat(Suggestion.question("pipelin", WORDS)).isEqualTo(" (did you mean 'pipeline'?)");
    assertThat(Suggestion.question("gather", WORDS)).isEmpty();
  }
}
