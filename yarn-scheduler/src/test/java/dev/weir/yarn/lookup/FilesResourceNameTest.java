package dev.weir.yarn.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilesResourceNameTest {

  @Test
  void separatesPathsAtCommas() {
    assertThat(FilesResourceName.parse("weir:/a,/b/c").paths()).containsExactly("/a", "/b/c");
  }

  @Test
  void aBackslashEscapesTheNextCharacter() {
    assertThat(FilesResourceName.parse("weir:/a\\,b,/c\\\\d").paths())
        .containsExactly("/a,b", "/c\\d");
  }

  @Test
  void keepsABackslashAtTheEnd() {
    assertThat(FilesResourceName.parse("weir:/a\\").paths()).containsExactly("/a\\");
  }

  @Test
  void decodesPathsThatBeginEncoded() {
    assertThat(FilesResourceName.parse("weir:%2Fa%2Fb%2Cc,%2fd+e%20f%C3%A4").paths())
        .containsExactly("/a/b,c", "/d+e fä");
    assertThat(FilesResourceName.parse("weir:/a%2Fb").paths()).containsExactly("/a%2Fb");
  }

  @Test
  void refusesAPathThatCannotBeDecoded() {
    assertThatThrownBy(() -> FilesResourceName.parse("weir:%2Fa%zz"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void removesRepeatedPaths() {
    assertThat(FilesResourceName.parse("weir:/a,/b,/a").paths()).containsExactly("/a", "/b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"weir:", "weir:a", "weir:/a,", "weir:/a,,/b", "weir:hdfs://n/a", "weir: /a"})
  void refusesPathsThatAreNotAbsolute(String name) {
    assertThatThrownBy(() -> FilesResourceName.parse(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("in resource name '" + name + "' is not an absolute path")
        .hasMessageContaining("write weir:/path[,/path...]");
  }

  @Test
  void refusesANameThatIsTooLong() {
    assertThatThrownBy(
            () -> FilesResourceName.parse("weir:/" + "a".repeat(FilesResourceName.MAX_LENGTH)))
        .hasMessageContaining("has 32774 characters, more than 32768: name a directory");
  }

  @Test
  void readsOptions() {
    assertThat(FilesResourceName.parse("weir:/a,/b\\;c;k=2;rate=5000000000"))
        .isEqualTo(new FilesResourceName(List.of("/a", "/b;c"), 2, 5_000_000_000L));
    assertThat(FilesResourceName.parse("weir:%2Fa%3B;k=7"))
        .isEqualTo(new FilesResourceName(List.of("/a;"), 7, 0));
    assertThat(FilesResourceName.parse("weir:/a;k=1000000").maxNodes())
        .isEqualTo(FilesResourceName.MAX_NODES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"weir:/a;", "weir:/a;k", "weir:/a;k=0", "weir:/a;rate=fast", "weir:/a;x=1"})
  void refusesInvalidOptions(String name) {
    assertThatThrownBy(() -> FilesResourceName.parse(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("in resource name '" + name + "'")
        .hasMessageContaining("[;k=NODES]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"weir:/a", "weir:/a\\,b\\;c\\\\d,/e;k=3;rate=12"})
  void roundTrips(String name) {
    assertThat(FilesResourceName.parse(name).resourceName()).isEqualTo(name);
  }

  @Test
  void recognisesOnlyItsPrefix() {
    assertThat(FilesResourceName.is("weir:/a")).isTrue();
    assertThat(FilesResourceName.is("weir")).isFalse();
    assertThat(FilesResourceName.is("*")).isFalse();
    assertThat(FilesResourceName.is(null)).isFalse();
  }
}
