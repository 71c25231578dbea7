package dev.weir.hints;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.weir.hints.index.HintIndex;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Any text in a store, an attribute or a request is parsed or rejected with an {@link
 * InvalidHintException}. Memory stays proportional to the length of the text. {@code
 * -Dweir.fuzz.count=100000} sets the number of texts of each kind, {@code -Dweir.fuzz.seed=N} the
 * seed.
 */
@Timeout(600)
class HintFuzzTest {
  private static final int COUNT = Integer.getInteger("weir.fuzz.count", 4_000);
  private static final long SEED = Long.getLong("weir.fuzz.seed", 1);
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The first text of a kind loads classes, which takes 20 MB. */
  private static final long BYTES_PER_TEXT = 32 << 20;

  private static final long BYTES_PER_CHARACTER = 4_000;

  @Test
  void documentsAreParsedOrRejected() {
    each(
        Mutations::document,
        text -> {
          HintSet set = HintCodec.fromJson(text, "fuzz");
          assertThat(HintCodec.fromJson(HintCodec.toJson(set), "again")).isEqualTo(set);
          HintIndex index = HintIndex.of(List.of(set));
          for (Rule rule : set.rules()) {
            String path = rule.pattern().literalPrefix();
            index.lookup(path);
          }
        });
  }

  @Test
  void hintsAreParsedOrRejected() {
    each(
        Mutations::hint,
        text -> {
          Hint hint = HintText.parse(text);
          assertThat(HintText.parse(HintText.format(hint))).isEqualTo(hint);
          assertThat(HintCodec.hintFromJson(HintCodec.hintToJson(hint), "again")).isEqualTo(hint);
        });
  }

  @Test
  void patternsAreParsedOrRejectedAndMatchInBoundedTime() {
    Mutations paths = new Mutations(SEED + 1);
    each(
        Mutations::path,
        text -> {
          String path = paths.path();
          PathPattern pattern = PathPattern.parse(text);
          assertThat(PathPattern.parse(pattern.toString())).isEqualTo(pattern);
          pattern.matches(path);
          if (pattern.isLiteral()) {
            assertThat(pattern.matches(pattern.literalPrefix())).isTrue();
            assertThat(
                    PathPattern.literal(pattern.literalPrefix()).matches(pattern.literalPrefix()))
                .isTrue();
          }
        });
  }

  private static void each(Function<Mutations, String> make, Consumer<String> use) {
    Mutations mutations = new Mutations(SEED);
    int read = 0;
    for (int i = 0; i < COUNT; i++) {
      String text = make.apply(mutations);
      long before = THREADS.getCurrentThreadAllocatedBytes();
      try {
        use.accept(text);
        read++;
      } catch (InvalidHintException e) {
        assertThat(e.getMessage()).isNotBlank();
      } catch (RuntimeException | Error e) {
        throw new AssertionError(
            "seed " + SEED + ", number " + i + ": " + e + "\n" + shortened(text), e);
      }
      long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
      assertThat(bytes)
          .as(() -> "memory for seed " + SEED + ": " + shortened(text))
          .isLessThan(BYTES_PER_TEXT + BYTES_PER_CHARACTER * text.length());
    }
    System.out.printf("seed %d: %d texts, of which %d were read%n", SEED, COUNT, read);
    assertThat(read).as("texts that are read").isBetween(COUNT / 50, COUNT - COUNT / 50);
  }

  private static String shortened(String text) {
    return text.length() > 2_000 ? text.substring(0, 2_000) + "… (" + text.length() + ")" : text;
  }
}
