package dev.weir.yarn.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.GlobExpander;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BraceExpanderTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a/b",
        "/{a,b}/c",
        "/{a/x,b/y}",
        "/{a/x,b}/{c,d}/{e/,f}g",
        "/{a{b,c/d},e}/f",
        "/{{a/b,c},d}",
        "/\\{a/b,c}",
        "/{a/b}",
        "/{,a/b}c"
      })
  void expandsAsHadoopDoes(String pattern) throws Exception {
    assertThat(BraceExpander.expand(pattern))
        .containsExactlyInAnyOrderElementsOf(GlobExpander.expand(pattern));
  }

  /** Hadoop's expander removes the backslash; here the component's filter does. */
  @Test
  void anEscapedCommaDoesNotSeparate() throws Exception {
    assertThat(BraceExpander.expand("/{a\\,/b,c}")).containsExactly("/a\\,/b", "/c");
  }

  @Test
  void isBounded() throws Exception {
    String doubling = "/" + "{a/,b/}".repeat(BraceExpander.MAX_PAIRS);
    assertThat(BraceExpander.expand(doubling))
        .hasSize(BraceExpander.MAX_PATTERNS)
        .doesNotHaveDuplicates();
    assertThatThrownBy(() -> BraceExpander.expand(doubling + "{a/,b/}"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("16 pairs");
    assertThatThrownBy(
            () -> BraceExpander.expand("/{a/" + ",b".repeat(BraceExpander.MAX_LENGTH) + "}"))
        .isInstanceOf(IOException.class);
  }

  @Test
  void anUnclosedBraceIsRefused() {
    for (String pattern : List.of("/{a/b", "/a/{b,{c/d}")) {
      assertThatThrownBy(() -> BraceExpander.expand(pattern))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("not closed");
    }
  }
}
