package dev.weir.hints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathPatternTest {

  @Test
  void rejectsUnpairedSurrogatesAndAcceptsPairs() {
    for (String half : List.of("/a/\ud800", "/a/\ud800x", "/a/\udc00", "/a/\udc00\ud800")) {
      assertThatThrownBy(() -> PathPattern.parse(half))
          .isInstanceOf(InvalidHintException.class)
          .hasMessageContaining("unpaired surrogate");
    }
    assertThat(PathPattern.parse("/a/\ud83d\ude00*").matches("/a/\ud83d\ude00b")).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/a/b          | /a/b            | true",
        "/a/b          | /a/c            | false",
        "/a/b          | /a/b/c          | false",
        "/a/*          | /a/b            | true",
        "/a/*          | /a/b/c          | false",
        "/a/*          | /a              | false",
        "/a/x*z        | /a/xyz          | true",
        "/a/x*z        | /a/xz           | true",
        "/a/x*z        | /a/xy           | false",
        "/a/?.fits     | /a/1.fits       | true",
        "/a/?.fits     | /a/12.fits      | false",
        "/a/?.fits     | /a/.fits        | false",
        "/a/{b,c}/d    | /a/c/d          | true",
        "/a/{b,c}/d    | /a/e/d          | false",
        "/a/t{1,2*}.x  | /a/t27.x        | true",
        "/a/t{1,2*}.x  | /a/t17.x        | false",
        "/a/**         | /a/b/c/d        | true",
        "/a/**         | /a              | true",
        "/a/**         | /ab             | false",
        "/a/**/z       | /a/z            | true",
        "/a/**/z       | /a/b/c/z        | true",
        "/a/**/z       | /a/b/c/zz       | false",
        "/**/b/**/d    | /a/b/b/c/d      | true",
        "/**/b/**/d    | /a/c/d          | false",
        "/**           | /a              | true",
        "/a/\\*        | /a/*            | true",
        "/a/\\*        | /a/b            | false",
        "/a/[b]        | /a/[b]          | true",
        "/a/b          | a/b             | false",
      })
  void matches(String pattern, String path, boolean expected) {
    assertThat(PathPattern.parse(pattern).matches(path)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a/b            | is a relative path at offset 0; begin it with a slash",
        "''             | is a relative path at offset 0; begin it with a slash",
        "file://nn/a    | begins with a scheme at offset 0; write hdfs://NAMESERVICE/path",
        "hdfs:///a      | does not name a file system at offset 7; write hdfs://NAMESERVICE/path",
        "hdfs://a b/c   | does not name a file system at offset 7; write hdfs://NAMESERVICE/path",
        "hdfs://nn      | is a relative path at offset 9; begin it with a slash",
        "hdfs://nn/     | is the root directory itself at offset 9; write /**",
        "/              | is the root directory itself at offset 0; write /**",
        "/a/            | ends with a slash at offset 2; drop it",
        "/a//b          | has an empty component at offset 3; write one slash",
        "/a/../b        | has a component '..' at offset 3; write the path without it",
        "/a/\\.\\./b      | has a component '..' at offset 3; write the path without it",
        "/a/{.}/b       | has a component '.' at offset 3; write the path without it",
        "/a/x**         | has ** inside a component at offset 4; write *",
        "/a/{b,c        | has a brace that is not closed at offset 3; add }",
        "/a/{b/c}       | has a brace that is not closed at offset 3; add }",
        "/a/{b,{c,d}}   | has braces within braces at offset 6; write the alternatives",
        "/a/b}          | has a } without { at offset 4; write \\}",
        "/a/{,}         | has a component that may be empty at offset 3",
        "/a/b\\         | has a backslash with no character after it at offset 4; write \\\\",
      })
  void rejectsWithOffsetAndRemedy(String pattern, String message) {
    assertThatThrownBy(() -> PathPattern.parse(pattern))
        .isInstanceOf(InvalidHintException.class)
        .hasMessageContaining("pattern '" + pattern + "'")
        .hasMessageContaining(message);
  }

  @Test
  void rejectsTooManyAlternatives() {
    assertThatThrownBy(() -> PathPattern.parse("/" + "{a,b}".repeat(30)))
        .hasMessageContaining("more than 256 alternatives in a component at offset 1");
  }

  @Test
  void rejectsAlternativesWithTooManyCharacters() {
    String component = "/" + "{a,b}".repeat(8) + "x".repeat(60);
    assertThatThrownBy(() -> PathPattern.parse(component)).hasMessageContaining("at offset 1");
    assertThat(PathPattern.parse("/" + "{a,b}".repeat(8) + "x".repeat(56)).isLiteral()).isFalse();
    assertThatThrownBy(() -> PathPattern.parse(("/" + "{a,b}".repeat(8)).repeat(9)))
        .hasMessageContaining("alternatives of more than 16384 characters in all")
        .hasMessageContaining("write several rules");
  }

  @Test
  void literalEscapesSpecialCharacters() {
    String path = "/a/*?{},\\b";
    PathPattern pattern = PathPattern.literal(path);
    assertThat(pattern.isLiteral()).isTrue();
    assertThat(pattern.matches(path)).isTrue();
    assertThat(pattern.literalPrefix()).isEqualTo(path);
  }

  @Test
  void literalPrefixEndsBeforeTheFirstWildcard() {
    assertThat(PathPattern.parse("/a/b/c*/d").literalPrefix()).isEqualTo("/a/b");
    assertThat(PathPattern.parse("/**").literalPrefix()).isEqualTo("/");
  }

  @Test
  void ordersBySpecificity() {
    List<String> expected =
        List.of(
            "/a/b/c",
            "/a/b/c*",
            "/a/b/*",
            "/a/b/**/c",
            "/a/b/**",
            "/a/b*/c",
            "/a/*/c",
            "/a/*/*",
            "/a/*",
            "/a/*/**",
            "/a/**/c",
            "/a/**",
            "/**");
    for (int seed = 0; seed < 20; seed++) {
      List<PathPattern> patterns = new ArrayList<>();
      expected.forEach(text -> patterns.add(PathPattern.parse(text)));
      Collections.shuffle(patterns, new Random(seed));
      patterns.sort(PathPattern.mostSpecificFirst());
      assertThat(patterns)
          .as("seed %d", seed)
          .extracting(PathPattern::toString)
          .isEqualTo(expected);
    }
  }

  @Test
  void hostilePatternMatchesInBoundedTime() {
    PathPattern pattern = PathPattern.parse("/" + "*a".repeat(100) + "b/**/**/**/**/c");
    String path = "/" + "a".repeat(255) + "/x".repeat(1000);
    assertThat(pattern.matches(path)).isFalse();
  }
}
