package dev.weir.bench;

import dev.weir.hints.HintSet;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.Match;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of a lookup, for paths of six components. The paths are either few, as when some tasks
 * write their files, or so many that with a million rules few rules are in the processor's caches.
 * One rule in a hundred is a pattern.
 *
 * <p>A string caches its hash, and a NameNode gets a new string with each call. So {@link
 * #newPathMiss} creates one first; {@link #newPath} is the cost of creating it.
 *
 * <pre>benchmarks/run HintIndexBenchmark -prof gc</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class HintIndexBenchmark {
  /** The total number of rules. */
  @Param({"0", "1000", "1000000"})
  public int rules;

  /** The number of paths that are looked up in turn; a power of two. */
  @Param({"64", "16384"})
  public int paths;

  private String[] named = {};
  private String[] matched = {};
  private String[] others = {};
  private char[][] otherCharacters = {};
  private HintIndex index = HintIndex.empty();
  private HintSet changed = RunHintSets.run(0);
  private int next;

  /** Fills the index and chooses the paths. */
  @Setup
  public void prepare() {
    int sets = rules / RunHintSets.RULES;
    for (int i = 0; i < sets; i++) {
      index = index.with(RunHintSets.run(i), i);
    }
    named = new String[paths];
    matched = new String[paths];
    others = new String[paths];
    otherCharacters = new char[paths][];
    Random random = new Random(17);
    for (int i = 0; i < paths; i++) {
      int run = random.nextInt(Math.max(1, sets));
      int file = 1 + random.nextInt(RunHintSets.RULES - 1);
      named[i] = RunHintSets.named(run, file);
      matched[i] = RunHintSets.matched(run, file);
      others[i] = RunHintSets.other(run, file);
      otherCharacters[i] = others[i].toCharArray();
    }
    changed = RunHintSets.run(sets / 2);
    requireRules(sets > 0);
  }

  private void requireRules(boolean nonEmpty) {
    if (index.size() != rules
        || index.lookup(named[1]).isPresent() != nonEmpty
        || index.lookup(matched[1]).isPresent() != nonEmpty
        || index.lookup(others[1]).isPresent()) {
      throw new IllegalStateException("the index of " + rules + " rules is not as expected");
    }
  }

  /** A rule names the path. */
  @Benchmark
  public Optional<Match> hit() {
    return index.lookup(named[step()]);
  }

  /** A pattern matches the path. */
  @Benchmark
  public Optional<Match> wildcard() {
    return index.lookup(matched[step()]);
  }

  /** No rule applies to the path, but a pattern applies to other paths of its directory. */
  @Benchmark
  public Optional<Match> miss() {
    return index.lookup(others[step()]);
  }

  /** As above, for a string whose hash is not known yet. */
  @Benchmark
  public Optional<Match> newPathMiss() {
    return index.lookup(new String(otherCharacters[step()]));
  }

  /** The part of {@link #newPathMiss} that is not the lookup. */
  @Benchmark
  public String newPath() {
    return new String(otherCharacters[step()]);
  }

  /** One set of a hundred rules is replaced. */
  @Benchmark
  public HintIndex update() {
    return index.with(changed, 1);
  }

  private int step() {
    next = (next + 1) & (paths - 1);
    return next;
  }
}
