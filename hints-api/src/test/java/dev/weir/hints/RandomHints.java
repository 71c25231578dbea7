package dev.weir.hints;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Random hints with all combinations of parts and unusual names. */
final class RandomHints {
  private static final List<String> GROUPS =
      List.of("g", "task#mAdd", "a b", "a,b", "x=y", "\"q\"", "50%", "ünï", "f(x)", " edge ", "{");
  private static final List<String> HOSTS =
      List.of("n1", "n2.example.org", "n+3", "n,4", "10.0.0.1");

  private final Random random;

  RandomHints(Random random) {
    this.random = random;
  }

  Hint next() {
    Hint.Builder hint = Hint.builder();
    long bytes = Hint.MIN_BLOCK_SIZE + Hint.BLOCK_SIZE_UNIT * random.nextInt(5) * 2048L;
    switch (random.nextInt(6)) {
      case 0 -> hint.placement(new Placement.Local());
      case 1 -> hint.placement(new Placement.Spread());
      case 2 -> hint.placement(new Placement.Collocate(one(GROUPS), 1 + random.nextInt(3)));
      case 3 -> hint.placement(new Placement.Scatter(random.nextBoolean() ? bytes : 777));
      case 4 -> hint.placement(new Placement.Nodes(List.of(one(HOSTS), "last")));
      default -> {}
    }
    switch (random.nextInt(5)) {
      case 0 -> hint.replication(Replication.lazy());
      case 1 -> hint.replication(Replication.eager(1 + random.nextInt(512)));
      case 2 ->
          hint.replication(
              new Replication(
                  random.nextInt(3),
                  random.nextBoolean() ? Replication.Mode.EAGER : Replication.Mode.LAZY));
      case 3 -> {
        int min = random.nextInt(4);
        hint.replication(Replication.auto(new AutoRange(min, 4 + random.nextInt(8))));
      }
      default -> {}
    }
    if (random.nextBoolean()) {
      hint.blockSize(bytes);
    }
    switch (random.nextInt(4)) {
      case 0 -> hint.lifetime(Lifetime.keep());
      case 1 -> hint.lifetime(Lifetime.scratch());
      case 2 -> hint.lifetime(new Lifetime(true, Duration.ofMillis(1 + random.nextInt(1 << 30))));
      default -> {}
    }
    return hint.cache(random.nextInt(3) == 0).build();
  }

  private String one(List<String> words) {
    return words.get(random.nextInt(words.size()));
  }
}
