package dev.weir.hints;

import java.util.List;
import java.util.Random;

/**
 * Valid documents, hints and paths with random edits, among them typical attacks. Equal seeds give
 * equal results.
 */
public final class Mutations {
  private static final List<String> DOCUMENTS =
      List.of(
          """
          {"id":"run-1","owner":"alice","expires":"2030-01-31T12:00:00Z","rules":[
           {"pattern":"/a/b/*.fits","hint":{"placement":{"kind":"local"},
            "replication":{"mode":"lazy"},"block-size":1048576,
            "lifetime":{"temporary":true,"expiry":"PT12H"},"cache":true}},
           {"pattern":"hdfs://ns1/a/**/x{1,2}.dat","hint":"broadcast=8"}]}\
          """,
          """
          {"id":"_","owner":"bob","rules":[{"pattern":"/\\\\*/?","hint":{"placement":
           {"kind":"collocate","group":"g 1","spread":3},"replication":{"target":4,"mode":"eager"}}},
           {"pattern":"/r/**","hint":{"placement":{"kind":"scatter","region-bytes":67108864}}},
           {"pattern":"/n","hint":{"placement":{"kind":"nodes","hosts":["n1","n2"]}}},
           {"pattern":"/s","hint":{"placement":{"kind":"spread"}}}]}\
          """,
          "{\"id\":\"a.b-c\",\"owner\":\"\\u00e9\",\"rules\":[]}",
          "{\"owner\":\"carol\",\"rules\":[{\"pattern\":\"/\\ud83d\\ude00/\u65e5\",\"hint\":\"reuse\"}]}",
          "{\"rules\":[{\"pattern\":\"/p\",\"hint\":\"pipeline\"}],\"remove\":[\"/q\"],\"expires\":null}",
          "{\"paths\":[\"/a\",\"/b/c\"],\"limit\":3}",
          "{\"for\":\"12h\"}");
  private static final List<String> HINTS =
      List.of(
          "pipeline",
          "broadcast=8",
          "broadcast(8)",
          "reduce=group1",
          "reduce=g,spread=3,temporary",
          "scatter=64m",
          "gather=1g",
          "reuse",
          "local,replicas=3,block=64m,temporary=12h,cache",
          "collocate=g,lazy=2,keep",
          "nodes=n1+n2,eager",
          "spread,lazy",
          "DP=local",
          "DP=collocation g",
          "DP=scatter 4",
          "Replication=3",
          "stock",
          "{\"placement\":{\"kind\":\"local\"},\"block-size\":1048576}",
          "{\"replication\":{\"target\":4,\"mode\":\"eager\"},\"lifetime\":{\"temporary\":false}}");
  private static final List<String> PATHS =
      List.of(
          "/",
          "/a",
          "/user/alice/montage/run-17/projected/tile_0001.fits",
          "/user/*/scratch/**",
          "/data/{raw,cooked}/x?.{dat,idx}",
          "/a/**/b/**/c/*d*e*f",
          "/odd/\\*\\?\\{\\}\\,\\\\",
          "hdfs://ns1/a/b",
          "hdfs://host:8020/a/**",
          "/\u00fcber/\ud83d\ude00/\u65e5\u672c");
  private static final List<String> TOKENS =
      List.of(
          "",
          "\"",
          "'",
          "{",
          "}",
          "[",
          "]",
          ":",
          ",",
          "/",
          "//",
          "/..",
          "/./",
          "\\",
          "\\\\",
          "*",
          "**",
          "?",
          "{a,b}",
          "{a*,b*}",
          "*a",
          "{,}",
          "=",
          "+",
          "(",
          ")",
          "%",
          "%2F",
          "%00",
          "%zz",
          "&",
          "#",
          ";",
          "\u0000",
          "\u0007",
          "\n",
          "\r\n",
          "\t",
          " ",
          "\u00a0",
          "\u202e",
          "\uffff",
          "\ud800",
          "\udc00",
          "\ud83d\ude00",
          "e\u0301",
          "0",
          "-0",
          "-1",
          "1",
          "32767",
          "65536",
          "2147483648",
          "-2147483649",
          "9223372036854775807",
          "9223372036854775808",
          "1e400",
          "1e999999999",
          "-1e-999999999",
          "0x10",
          "NaN",
          "Infinity",
          "null",
          "true",
          "false",
          "999999999999999999d",
          "9e9g",
          "PT9223372036854775807S",
          "P999999999D",
          "-PT1S",
          "+1000000000-12-31T23:59:59Z",
          "hdfs://",
          "hdfs://[::1]:1/",
          "file:///",
          "weir:",
          "\"rules\":",
          "\"hint\":",
          "\"pattern\":\"/x\"",
          "\"kind\":\"nodes\"",
          "\"id\":\"\"",
          "temporary",
          "cache",
          "DP=",
          "Replication=",
          "spread=0",
          "lazy=-1",
          "$(id)",
          "<!--",
          "../../etc/passwd");

  private final Random random;

  /**
   * Starts a sequence of mutations.
   *
   * @param seed determines all of them
   */
  public Mutations(long seed) {
    random = new Random(seed);
  }

  /** A mutated request body: a hint set, a change of one, or a query. */
  public String document() {
    return mutated(DOCUMENTS);
  }

  /** A mutated hint, as text or JSON. */
  public String hint() {
    return mutated(HINTS);
  }

  /** A mutated path or pattern. */
  public String path() {
    return mutated(PATHS);
  }

  /** A random element. */
  public <T> T oneOf(List<T> several) {
    return several.get(random.nextInt(several.size()));
  }

  /** Returns true with probability 1/n. */
  public boolean onceIn(int times) {
    return random.nextInt(times) == 0;
  }

  private String mutated(List<String> seeds) {
    StringBuilder text = new StringBuilder(oneOf(seeds));
    int changes = random.nextInt(6);
    for (int i = 0; i < changes; i++) {
      change(text, seeds);
    }
    return text.toString();
  }

  private void change(StringBuilder text, List<String> seeds) {
    int from = random.nextInt(text.length() + 1);
    int to = Math.min(text.length(), from + random.nextInt(12));
    switch (random.nextInt(8)) {
      case 0 -> text.delete(from, to);
      case 1 -> text.insert(to, text.substring(from, to));
      case 2, 3 -> text.insert(from, oneOf(TOKENS));
      case 4 -> text.replace(from, to, oneOf(TOKENS));
      case 5 -> text.replace(from, to, String.valueOf((char) random.nextInt(Character.MAX_VALUE)));
      case 6 -> text.replace(from, text.length(), oneOf(seeds));
      default -> {
        // A long repetition. Rare, because it is slow.
        if (onceIn(8)) {
          text.insert(from, oneOf(TOKENS).repeat(1 + random.nextInt(3_000)));
        }
      }
    }
  }
}
