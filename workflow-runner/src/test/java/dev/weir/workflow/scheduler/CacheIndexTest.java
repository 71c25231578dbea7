package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CacheIndexTest {

  private final CacheIndex book = new CacheIndex(3);

  @Test
  void aNodeCountsOnceWithWhatItHasMoreOf() {
    book.keep("n1", "a", 10);
    book.keep("n2", "a", 10);

    assertThat(book.with(Map.of("n1", 4L, "n3", 7L), "a"))
        .isEqualTo(Map.of("n1", 10L, "n2", 10L, "n3", 7L));
    assertThat(book.with(Map.of("n1", 4L), "b")).isEqualTo(Map.of("n1", 4L));
  }

  @Test
  void whatIsDroppedIsKeptNoMore() {
    book.keep("n1", "a", 10);
    book.keep("n2", "a", 10);

    book.drop("n1", "a");
    book.drop("n1", "never kept");

    assertThat(book.nodes("a")).isEqualTo(Map.of("n2", 10L));
  }

  @Test
  void aNodeAndAFileAreForgottenAsAWhole() {
    book.keep("n1", "a", 10);
    book.keep("n1", "b", 20);
    book.keep("n2", "a", 10);

    book.forgetNode("n1");
    assertThat(book.nodes("a")).isEqualTo(Map.of("n2", 10L));
    assertThat(book.nodes("b")).isEmpty();

    book.forgetFile("a");
    assertThat(book.nodes("a")).isEmpty();
  }

  @Test
  void ofVeryManyTheOldestAreForgotten() {
    for (int i = 0; i < 5; i++) {
      book.keep("n1", "f" + i, 10);
    }

    assertThat(book.nodes("f1")).isEmpty();
    assertThat(book.nodes("f2")).isEqualTo(Map.of("n1", 10L));
    book.forgetNode("n1");
    assertThat(book.nodes("f4")).isEmpty();
  }
}
