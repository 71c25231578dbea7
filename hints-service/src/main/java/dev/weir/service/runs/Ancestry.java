package dev.weir.service.runs;

import dev.weir.service.runs.LineageQueries.Attempt;
import dev.weir.service.runs.LineageQueries.Input;
import dev.weir.service.runs.Writing.AttemptKey;
import dev.weir.workflow.provenance.Lineage.FileVersion;
import dev.weir.workflow.provenance.Lineage.Making;
import dev.weir.workflow.provenance.Lineage.RunName;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows a file back, step by step: the attempt that wrote it, the files that this read, the
 * attempts that wrote those. A file that a run reads and does not make is looked for in all other
 * runs. For one request.
 */
final class Ancestry {
  /** The clocks of an ApplicationMaster's attempts may be so far apart. */
  private static final Duration SLACK = Duration.ofSeconds(1);

  private final LineageQueries queries;
  private final Readers readers;
  private final int limit;
  private final Map<String, FileVersion> files = new LinkedHashMap<>();
  private final Map<AttemptKey, Step> steps = new LinkedHashMap<>();
  private final Map<Writing, String> written = new HashMap<>();
  private final Map<Input, String> raw = new HashMap<>();
  private final Map<Long, RunName> runs = new LinkedHashMap<>();
  private boolean truncated;

  /** Who of the files' readers may know how they came to be. */
  interface Readers {
    /** Whether the caller may see how that file was written. */
    boolean maySee(Writing writing) throws IOException;
  }

  /** An attempt, and what it has to do with the files of the answer. */
  private static final class Step {
    private final String key;
    private final List<String> used = new ArrayList<>();
    private final List<String> made = new ArrayList<>();
    private @Nullable Attempt attempt;

    Step(String key) {
      this.key = key;
    }
  }

  /** A file that an attempt read, not followed yet. */
  private record Need(Attempt reader, Step step, Input input) {}

  /**
   * One walk.
   *
   * @param limit the most attempts to tell of
   */
  Ancestry(LineageQueries queries, Readers readers, int limit) {
    this.queries = queries;
    this.readers = readers;
    this.limit = limit;
  }

  /** Follows a file that was written so. */
  void follow(Writing root) throws IOException {
    Set<AttemptKey> fresh = new LinkedHashSet<>();
    String unused = version(root, null, fresh);
    while (!fresh.isEmpty()) {
      List<Need> needs = details(fresh);
      fresh = new LinkedHashSet<>();
      Set<String> paths = new LinkedHashSet<>();
      needs.forEach(need -> paths.add(need.input().path()));
      Map<String, List<Writing>> writings = queries.writings(paths);
      for (Need need : needs) {
        need.step().used.add(source(need, writings, fresh));
      }
    }
  }

  /** Puts a file there that no known run has written. */
  void add(Input input) {
    String unused = rawVersion(input, null);
  }

  private List<Need> details(Set<AttemptKey> fresh) {
    List<Need> needs = new ArrayList<>();
    Set<Long> unknown = new LinkedHashSet<>();
    for (Attempt attempt : queries.attempts(fresh)) {
      Step step = Objects.requireNonNull(steps.get(attempt.key()));
      step.attempt = attempt;
      if (!runs.containsKey(attempt.key().run())) {
        unknown.add(attempt.key().run());
      }
      attempt.inputs().forEach(input -> needs.add(new Need(attempt, step, input)));
    }
    runs.putAll(queries.runs(unknown));
    return needs;
  }

  /** The version of a file that an attempt read. */
  private String source(Need need, Map<String, List<Writing>> writings, Set<AttemptKey> fresh)
      throws IOException {
    Writing writing = chosen(need, writings.getOrDefault(need.input().path(), List.of()));
    if (writing == null) {
      return rawVersion(need.input(), null);
    }
    if (isOther(need.input(), writing)) {
      return rawVersion(
          need.input(), "written over since run " + id(writing) + " made it; by whom is not known");
    }
    if (!readers.maySee(writing)) {
      return rawVersion(need.input(), "made by a run of another; you may not read the file");
    }
    String note =
        writing.run() != need.reader().key().run()
                && (writing.crc32c() == null || need.input().crc32c() == null)
            ? "taken for what the run before wrote there: no checksum tells"
            : null;
    return version(writing, note, fresh);
  }

  /**
   * Within the run it is the last one that was there when the reader began; a run reads what it
   * makes itself. From other runs it is the last before.
   */
  private static @Nullable Writing chosen(Need need, List<Writing> writings) {
    long run = need.reader().key().run();
    Instant before = need.reader().dispatched().plus(SLACK);
    List<Writing> own = writings.stream().filter(writing -> writing.run() == run).toList();
    for (Writing writing : own) {
      if (!writing.ended().isAfter(before)) {
        return writing;
      }
    }
    if (!own.isEmpty()) {
      return own.get(own.size() - 1);
    }
    for (Writing writing : writings) {
      if (!writing.ended().isAfter(before)) {
        return writing;
      }
    }
    return null;
  }

  private static boolean isOther(Input input, Writing writing) {
    boolean sums = input.crc32c() != null && writing.crc32c() != null;
    boolean lengths = input.bytes() != null && writing.bytes() != null;
    return (sums && !Objects.equals(input.crc32c(), writing.crc32c()))
        || (lengths && !Objects.equals(input.bytes(), writing.bytes()));
  }

  private String id(Writing writing) {
    RunName name = runs.get(writing.run());
    if (name == null) {
      runs.putAll(queries.runs(List.of(writing.run())));
      name = runs.get(writing.run());
    }
    return name == null ? "" : name.id();
  }

  private String version(Writing writing, @Nullable String note, Set<AttemptKey> fresh) {
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
                Objects.requireNonNull(runs.get(attempt.key().run())).id(),
                attempt.task(),
                attempt.type(),
                attempt.key().attempt(),
                attempt.outcome(),
                attempt.command(),
                attempt.worker(),
                attempt.node(),
                attempt.dispatched(),
                attempt.ended(),
                attempt.runMillis(),
                step.used,
                step.made));
      }
    }
    return makings;
  }

  List<RunName> runs() {
    return List.copyOf(runs.values());
  }

  boolean truncated() {
    return truncated;
  }
}
