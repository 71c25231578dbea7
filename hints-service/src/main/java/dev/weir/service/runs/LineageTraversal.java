package dev.weir.service.runs;

import dev.weir.service.runs.FileVisibility.Told;
import dev.weir.service.runs.FileWrite.AttemptKey;
import dev.weir.service.runs.LineageQueries.Attempt;
import dev.weir.service.runs.LineageQueries.Input;
import dev.weir.workflow.provenance.Lineage.FileVersion;
import dev.weir.workflow.provenance.Lineage.Making;
import dev.weir.workflow.provenance.Lineage.RunName;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Follows a file back, step by step: the attempt that wrote it, the files that this attempt read,
 * the attempts that wrote those. A file that a run reads and does not produce is looked for in all
 * other runs. For one request.
 */
final class LineageTraversal {
  /** The greatest difference between the clocks of an ApplicationMaster's attempts. */
  private static final Duration SLACK = Duration.ofSeconds(1);

  /** The most inputs of all attempts in one answer. */
  private static final int USES = 200_000;

  /** The most characters of all commands in one answer. */
  private static final int CHARACTERS = 20_000_000;

  /** Replaces a word of a command that names a file that the caller may not know of. */
  private static final String UNTOLD = "***";

  /** The characters between the names of files in a word of a command. */
  private static final Pattern NO_NAME = Pattern.compile("[^\\p{L}\\p{N}_.+-]+");

  /** The number of names up to which each is searched for anywhere in a word. */
  private static final int FEW = 50;

  private final LineageQueries queries;
  private final FileVisibility sight;
  private final int limit;
  private final Map<String, FileVersion> files = new LinkedHashMap<>();
  private final Map<AttemptKey, Step> steps = new LinkedHashMap<>();
  private final Map<FileWrite, String> written = new HashMap<>();
  private final Map<Input, String> raw = new HashMap<>();
  private final Map<Long, RunName> runs = new LinkedHashMap<>();
  private int uses;
  private int characters;
  private boolean truncated;

  /** An attempt, and its relation to the files of the answer. */
  private static final class Step {
    private final String key;
    private final List<String> used = new ArrayList<>();
    private final List<String> made = new ArrayList<>();
    private final Set<String> untold = new HashSet<>();
    private @Nullable Attempt attempt;

    Step(String key) {
      this.key = key;
    }
  }

  /** A file that an attempt read and that is not followed yet. */
  private record Need(Attempt reader, Step step, Input input) {}

  /**
   * Creates a traversal.
   *
   * @param limit the most attempts in the answer
   */
  LineageTraversal(LineageQueries queries, FileVisibility sight, int limit) {
    this.queries = queries;
    this.sight = sight;
    this.limit = limit;
  }

  /**
   * Follows a file that was written in a known way.
   *
   * @param note a note on the file; null for none
   * @throws IOException if HDFS does not answer
   */
  void follow(FileWrite root, @Nullable String note) throws IOException {
    Set<AttemptKey> fresh = new LinkedHashSet<>();
    String unused = version(root, note, fresh);
    while (!fresh.isEmpty()) {
      List<Need> needs = details(fresh);
      fresh = new LinkedHashSet<>();
      Set<String> paths = new LinkedHashSet<>();
      needs.forEach(need -> paths.add(need.input().path()));
      LineageQueries.Writings writings = queries.writings(paths);
      truncated |= writings.cut();
      for (Need need : needs) {
        List<FileWrite> known = writings.of(need.input().path());
        source(need, known, fresh)
            .ifPresentOrElse(need.step().used::add, () -> hide(need.step(), need.input()));
      }
    }
    truncated |= sight.isExhausted();
  }

  private static void hide(Step step, Input input) {
    step.untold.add(input.path().substring(input.path().lastIndexOf('/') + 1));
  }

  /** Adds a file that no known run has written. */
  void add(Input input) {
    String unused = rawVersion(input, null);
  }

  private List<Need> details(Set<AttemptKey> fresh) {
    LineageQueries.Attempts found = queries.attempts(fresh, USES - uses);
    truncated |= found.cut();
    List<Need> needs = new ArrayList<>();
    Set<Long> unknown = new LinkedHashSet<>();
    for (Attempt attempt : found.list()) {
      Step step = Objects.requireNonNull(steps.get(attempt.key()));
      step.attempt = attempt;
      if (!runs.containsKey(attempt.key().run())) {
        unknown.add(attempt.key().run());
      }
      attempt.inputs().forEach(input -> needs.add(new Need(attempt, step, input)));
    }
    uses += needs.size();
    runs.putAll(queries.runs(unknown));
    return needs;
  }

  /** Returns the version of a file that an attempt read; empty if the caller may not know of it. */
  private Optional<String> source(Need need, List<FileWrite> writings, Set<AttemptKey> fresh)
      throws IOException {
    Instant begun = need.reader().dispatched();
    String reader = need.reader().owner();
    Told told = sight.told(reader, need.input(), begun).orElse(null);
    if (told == null) {
      return Optional.empty();
    }
    FileWrite writing = chosen(need, reader, writings);
    if (writing == null || !sight.maySee(writing)) {
      return Optional.of(rawVersion(told.input(), told.note()));
    }
    if (isOther(need.input(), writing)) {
      return Optional.of(
          rawVersion(
              told.input(),
              "overwritten since run " + writing.runId() + " produced it; by whom is not known"));
    }
    String note =
        writing.run() != need.reader().key().run()
                && (writing.crc32c() == null || need.input().crc32c() == null)
            ? "assumed to be what that run wrote there: there is no checksum to verify it"
            : null;
    return Optional.of(version(writing, note, fresh));
  }

  /**
   * Returns the write that the reader has read. Within its run it is the last one before the reader
   * began, because a run reads what it produces itself. Of other runs it is the last one before
   * that is trusted.
   */
  private @Nullable FileWrite chosen(Need need, String reader, List<FileWrite> writings)
      throws IOException {
    long run = need.reader().key().run();
    Instant before = need.reader().dispatched().plus(SLACK);
    List<FileWrite> own = writings.stream().filter(writing -> writing.run() == run).toList();
    for (FileWrite writing : own) {
      if (!writing.ended().isAfter(before)) {
        return writing;
      }
    }
    if (!own.isEmpty()) {
      return own.get(own.size() - 1);
    }
    for (FileWrite writing : writings) {
      if (!writing.ended().isAfter(before) && sight.trusts(reader, writing)) {
        return writing;
      }
    }
    return null;
  }

  private static boolean isOther(Input input, FileWrite writing) {
    boolean sums = input.crc32c() != null && writing.crc32c() != null;
    boolean lengths = input.bytes() != null && writing.bytes() != null;
    return (sums && !Objects.equals(input.crc32c(), writing.crc32c()))
        || (lengths && !Objects.equals(input.bytes(), writing.bytes()));
  }

  private String version(FileWrite writing, @Nullable String note, Set<AttemptKey> fresh) {
    String known = written.get(writing);
    if (known != null) {
      return known;
    }
    String key = "f" + files.size();
    written.put(writing, key);
    Step step = steps.get(writing.key());
    if (step == null && steps.size() < limit) {
      step = new Step("a" + steps.size());
      steps.put(writing.key(), step);
      fresh.add(writing.key());
    }
    String rest = step == null ? "there is more, which this answer does not hold" : note;
    truncated |= step == null;
    if (step != null) {
      step.made.add(key);
    }
    files.put(
        key,
        new FileVersion(
            key,
            writing.path(),
            writing.bytes(),
            writing.crc32c(),
            step == null ? null : step.key,
            rest));
    return key;
  }

  private String rawVersion(Input input, @Nullable String note) {
    String known = raw.get(input);
    if (known != null) {
      return known;
    }
    String key = "f" + files.size();
    raw.put(input, key);
    files.put(key, new FileVersion(key, input.path(), input.bytes(), input.crc32c(), null, note));
    return key;
  }

  List<FileVersion> files() {
    return List.copyOf(files.values());
  }

  List<Making> attempts() {
    List<Making> makings = new ArrayList<>();
    for (Step step : steps.values()) {
      Attempt attempt = step.attempt;
      if (attempt != null) {
        makings.add(
            new Making(
                step.key,
                attempt.runId(),
                attempt.owner(),
                attempt.task(),
                attempt.type(),
                attempt.key().attempt(),
                attempt.outcome(),
                command(step, attempt),
                attempt.worker(),
                attempt.node(),
                attempt.dispatched(),
                attempt.ended(),
                attempt.runMillis(),
                attempt.effort(),
                step.used,
                step.untold.size(),
                step.made));
      }
    }
    return makings;
  }

  /** Returns the command without words that name files that the caller may not know of. */
  private List<String> command(Step step, Attempt attempt) {
    int length = attempt.command().stream().mapToInt(String::length).sum();
    if (characters + length > CHARACTERS) {
      truncated = true;
      return List.of();
    }
    characters += length;
    return step.untold.isEmpty()
        ? attempt.command()
        : attempt.command().stream().map(word -> names(word, step.untold) ? UNTOLD : word).toList();
  }

  private static boolean names(String word, Set<String> files) {
    return files.contains(word)
        || NO_NAME.splitAsStream(word).anyMatch(files::contains)
        || (files.size() <= FEW && files.stream().anyMatch(file -> named(word, file)));
  }

  /** Names of one or two letters occur in any word. */
  private static boolean named(String word, String file) {
    return file.length() > 2 && word.contains(file);
  }

  List<RunName> runs() {
    return List.copyOf(runs.values());
  }

  boolean truncated() {
    return truncated;
  }
}
