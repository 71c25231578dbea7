package dev.weir.workflow.htmlreport;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import java.time.Instant;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Who made and read each file of a run, and which nodes had it and served it. */
final class FileUses {

  private final RunRecord run;
  private final Map<String, Use> uses = new LinkedHashMap<>();

  /** The use of a file. */
  private static final class Use {
    private final String file;
    private long bytes;
    private @Nullable TaskRecord producer;
    private Map<String, Long> holders = Map.of();
    private final Map<String, Long> served = new TreeMap<>();
    private long moved;
    private int reads;
    private @Nullable Instant lastRead;

    private Use(String file) {
      this.file = file;
    }

    /** Bytes that other nodes than the reader's served. */
    private long moved() {
      return moved;
    }

    /** The nodes that had all or a part of it when it was made, and served none of it. */
    private List<String> unread() {
      return holders.keySet().stream().filter(node -> !served.containsKey(node)).sorted().toList();
    }

    private void read(FileRecord input, TaskRecord attempt) {
      bytes = Math.max(bytes, input.bytes());
      reads++;
      long own = input.bytes();
      for (Map<String, Long> sources : List.of(input.nodes(), input.caches())) {
        for (Map.Entry<String, Long> source : sources.entrySet()) {
          served.merge(source.getKey(), source.getValue(), Long::sum);
          own -= source.getValue();
          moved += source.getValue();
        }
      }
      if (own > 0) {
        served.merge(attempt.node(), own, Long::sum);
      }
      if (lastRead == null || lastRead.isBefore(attempt.ended())) {
        lastRead = attempt.ended();
      }
    }
  }

  FileUses(RunRecord run) {
    this.run = run;
    for (TaskRecord attempt : run.tasks()) {
      for (FileRecord output : attempt.files().outputs()) {
        Use use = uses.computeIfAbsent(output.file(), Use::new);
        if (attempt.outcome() == Outcome.SUCCEEDED || use.producer == null) {
          use.producer = attempt;
          use.bytes = output.bytes();
          use.holders = output.nodes();
        }
      }
      for (FileRecord input : attempt.files().inputs()) {
        uses.computeIfAbsent(input.file(), Use::new).read(input, attempt);
      }
    }
  }

  /** Returns the attempt that made a file; null if no attempt of the run did. */
  @Nullable TaskRecord producer(String file) {
    Use use = uses.get(file);
    return use == null ? null : use.producer;
  }

  /**
   * Writes the files of which most bytes were moved, and the totals of all.
   *
   * @param attempts the number of each attempt
   * @param most how many files are written
   */
  void write(
      ObjectNode node,
      Lanes lanes,
      IdentityHashMap<TaskRecord, Integer> attempts,
      RunDetails details,
      int most) {
    long unreadBytes = 0;
    int unread = 0;
    for (Use use : uses.values()) {
      int replicas = use.reads == 0 ? 0 : use.unread().size();
      unread += replicas;
      unreadBytes += replicas * use.bytes;
    }
    node.put("files", uses.size()).put("unread", unread).put("unreadBytes", unreadBytes);
    ArrayNode rows = node.putArray("fileRows");
    uses.values().stream()
        .sorted(Comparator.comparingLong(Use::moved).reversed().thenComparing(use -> -use.bytes))
        .limit(most)
        .forEach(use -> write(rows.addArray(), use, lanes, attempts, details));
  }

  private static void write(
      ArrayNode row,
      Use use,
      Lanes lanes,
      IdentityHashMap<TaskRecord, Integer> attempts,
      RunDetails details) {
    row.add(use.file)
        .add(use.bytes)
        .add(use.producer == null ? -1 : attempts.getOrDefault(use.producer, -1))
        .add(details.hints().getOrDefault(use.file, ""))
        .add(use.reads);
    ArrayNode holders = row.addArray();
    use.holders.keySet().stream().sorted().forEach(name -> holders.add(lanes.node(name)));
    ArrayNode served = row.addArray();
    use.served.forEach((name, bytes) -> served.addArray().add(lanes.node(name)).add(bytes));
  }

  /** Writes how many bytes of made files tasks had still to read, at a number of moments. */
  void writeNeeded(ArrayNode series, int moments) {
    double[] change = new double[moments + 1];
    double span = Math.max(1e-9, ReportData.seconds(run.started(), run.ended()));
    for (Use use : uses.values()) {
      if (use.producer != null && use.lastRead != null) {
        change[moment(use.producer.ended(), span, moments)] += use.bytes;
        change[moment(use.lastRead, span, moments) + 1] -= use.bytes;
      }
    }
    double now = 0;
    for (int i = 0; i < moments; i++) {
      now += change[i];
      series.add(Math.max(0, Math.round(now)));
    }
  }

  private int moment(Instant time, double span, int moments) {
    double share = ReportData.seconds(run.started(), time) / span;
    return (int) Math.max(0, Math.min(moments - 1, Math.floor(share * moments)));
  }
}
