package dev.weir.service.runs;

import dev.weir.service.runs.FileVisibility.VisibleInput;
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
 * the attempts that wrote those. A file that a run reads and does not produce is looked up in all
 * other runs. One instance serves one request.
 */
final class LineageTraversal {
  /** The greatest difference between the clocks of an ApplicationMaster's attempts. */
  private static final Duration MAX_CLOCK_SKEW = Duration.ofSeconds(1);

  /** The most inputs of all attempts in one answer. */
  private static final int MAX_INPUTS = 200_000;

  /** The most characters of all commands in one answer. */
  private static final int MAX_COMMAND_CHARACTERS = 20_000_000;

  /** Replaces a word of a command that names a file that the caller may not know of. */
  private static final String HIDDEN_WORD = "***";

  /** The characters between the names of files in a word of a command. */
  private static final Pattern NAME_SEPARATORS = Pattern.compile("[^\\p{L}\\p{N}_.+-]+");

  /** The number of names up to which each is searched for anywhere in a word. */
  private static final int MAX_NAMES_SEARCHED = 50;

  private final LineageQueries queries;
  private final FileVisibility visibility;
  private final int limit;
  private final Map<String, FileVersion> files = new LinkedHashMap<>();
  private final Map<AttemptKey, Step> steps = new LinkedHashMap<>();
  private final Map<FileWrite, String> written = new HashMap<>();
  private final Map<Input, String> unproduced = new HashMap<>();
  private final Map<Long, RunName> runs = new LinkedHashMap<>();
  private int uses;
  private int characters;
  private boolean truncated;

  /** An attempt, and its relation to the files of the answer. */
  private static final class Step {
    private final String key;
    private final List<String> used = new ArrayList<>();
    private final List<String> produced = new ArrayList<>();
    private final Set<String> hiddenNames = new HashSet<>();
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
  LineageTraversal(LineageQueries queries, FileVisibility visibility, int limit) {
    this.queries = queries;
    this.visibility = visibility;
    this.limit = limit;
  }

  /**
   * Follows a file from a known write.
   *
   * @param note a note on the file; null for none
   */
  void follow(FileWrite root, @Nullable String note) throws IOException {
    Set<AttemptKey> pending = new LinkedHashSet<>();
    String unused = version(root, note, pending);
    while (!pending.isEmpty()) {
      List<Need> needs = details(pending);
      pending = new LinkedHashSet<>();
      Set<String> paths = new LinkedHashSet<>();
      needs.forEach(need -> paths.add(need.input().path()));
      LineageQueries.Writes writes = queries.writes(paths);
      truncated |= writes.truncated();
      for (Need need : needs) {
        List<FileWrite> known = writes.of(need.input().path());
        source(need, known, pending)
            .ifPresentOrElse(need.step().used::add, () -> hide(need.step(), need.input()));
      }
    }
    truncated |= visibility.isExhausted();
  }

  private static void hide(Step step, Input input) {
    step.hiddenNames.add(input.path().substring(input.path().lastIndexOf('/') + 1));
  }

  /** Adds a file that no known run has written. */
  void add(Input input) {
    String unused = unproducedVersion(input, null);
  }

  private List<Need> details(Set<AttemptKey> pending) {
    LineageQueries.Attempts found = queries.attempts(pending, MAX_INPUTS - uses);
    truncated |= found.truncated();
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
  private Optional<String> source(Need need, List<FileWrite> writes, Set<AttemptKey> pending)
      throws IOException {
    Instant started = need.reader().dispatched();
    String reader = need.reader().owner();
    VisibleInput visible = visibility.visible(reader, need.input(), started).orElse(null);
    if (visible == null) {
      return Optional.empty();
    }
    FileWrite write = writeRead(need, reader, writes);
    if (write == null || !visibility.maySee(write)) {
      return Optional.of(unproducedVersion(visible.input(), visible.note()));
    }
    if (isDifferent(need.input(), write)) {
      return Optional.of(
          unproducedVersion(
              visible.input(),
              "overwritten since run " + write.runId() + " produced it, by an unknown writer"));
    }
    String note =
        write.run() != need.reader().key().run()
                && (write.crc32c() == null || need.input().crc32c() == null)
            ? "assumed to be what that run wrote there: there is no checksum to verify it"
            : null;
    return Optional.of(version(write, note, pending));
  }

  /**
   * Returns the write that the reader has read. Within its run it is the last one before the reader
   * began, because a run reads what it produces itself. Of other runs it is the last one before
   * that is trusted.
   */
  private @Nullable FileWrite writeRead(Need need, String reader, List<FileWrite> writes)
      throws IOException {
    long run = need.reader().key().run();
    Instant before = need.reader().dispatched().plus(MAX_CLOCK_SKEW);
    List<FileWrite> own = writes.stream().filter(write -> write.run() == run).toList();
    for (FileWrite write : own) {
      if (!write.ended().isAfter(before)) {
        return write;
      }
    }
    if (!own.isEmpty()) {
      return own.get(own.size() - 1);
    }
    for (FileWrite write : writes) {
      if (!write.ended().isAfter(before) && visibility.trusts(reader, write)) {
        return write;
      }
    }
    return null;
  }

  private static boolean isDifferent(Input input, FileWrite write) {
    boolean sums = input.crc32c() != null && write.crc32c() != null;
    boolean lengths = input.bytes() != null && write.bytes() != null;
    return (sums && !Objects.equals(input.crc32c(), write.crc32c()))
        || (lengths && !Objects.equals(input.bytes(), write.bytes()));
  }

  private String version(FileWrite write, @Nullable String note, Set<AttemptKey> pending) {
    String known = written.get(write);
    if (known != null) {
      return known;
    }
    String key = "f" + files.size();
    written.put(write, key);
    Step step = steps.get(write.key());
    if (step == null && steps.size() < limit) {
      step = new Step("a" + steps.size());
      steps.put(write.key(), step);
      pending.add(write.key());
    }
    String fileNote =
        step == null ? "produced by an attempt beyond the limit of this answer" : note;
    truncated |= step == null;
    if (step != null) {
      step.produced.add(key);
    }
    files.put(
        key,
        new FileVersion(
            key,
            write.path(),
            write.bytes(),
            write.crc32c(),
            step == null ? null : step.key,
            fileNote));
    return key;
  }

  private String unproducedVersion(Input input, @Nullable String note) {
    String known = unproduced.get(input);
    if (known != null) {
      return known;
    }
    String key = "f" + files.size();
    unproduced.put(input, key);
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
                step.hiddenNames.size(),
                step.produced));
      }
    }
    return makings;
  }

  /** Returns the command without words that name files that the caller may not know of. */
  private List<String> command(Step step, Attempt attempt) {
    int length = attempt.command().stream().mapToInt(String::length).sum();
    if (characters + length > MAX_COMMAND_CHARACTERS) {
      truncated = true;
      return List.of();
    }
    characters += length;
    return step.hiddenNames.isEmpty()
        ? attempt.command()
        : attempt.command().stream()
            .map(word -> namesHiddenFile(word, step.hiddenNames) ? HIDDEN_WORD : word)
            .toList();
  }

  private static boolean namesHiddenFile(String word, Set<String> files) {
    return files.contains(word)
        || NAME_SEPARATORS.splitAsStream(word).anyMatch(files::contains)
        || (files.size() <= MAX_NAMES_SEARCHED
            && files.stream().anyMatch(file -> containsName(word, file)));
  }

  /** Names of one or two letters are not searched for, because they occur in many words. */
  private static boolean containsName(String word, String file) {
    return file.length() > 2 && word.contains(file);
  }

  List<RunName> runs() {
    return List.copyOf(runs.values());
  }

  boolean truncated() {
    return truncated;
  }
}
