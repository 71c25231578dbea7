package dev.weir.workflow.htmlreport;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The fill of caches and disks over time, as the attempts found it when they ended. */
final class FillSeries {

  private final List<TaskRecord> ends;
  private final RunRecord run;

  FillSeries(RunRecord run) {
    this.run = run;
    this.ends =
        run.tasks().stream()
            .filter(task -> task.fill().diskFreeBytes() > 0)
            .sorted(Comparator.comparing(TaskRecord::ended))
            .toList();
  }

  /**
   * Writes, for each moment, the size of all caches, that of the largest one and the least free
   * space of a disk. Writes nothing if the fill is not known.
   */
  void write(ObjectNode node, int moments) {
    if (ends.isEmpty()) {
      return;
    }
    ArrayNode all = node.putArray("caches");
    ArrayNode largest = node.putArray("largestCache");
    ArrayNode free = node.putArray("leastFree");
    double span = Math.max(1e-9, ReportData.seconds(run.started(), run.ended()));
    Map<String, Long> caches = new HashMap<>();
    Map<String, Long> disks = new HashMap<>();
    int next = 0;
    for (int i = 1; i <= moments; i++) {
      for (; next < ends.size() && isUpTo(ends.get(next), span * i / moments); next++) {
        TaskRecord task = ends.get(next);
        caches.put(task.node(), task.fill().cacheBytes());
        disks.put(task.node(), task.fill().diskFreeBytes());
      }
      if (!disks.isEmpty()) {
        all.add(caches.values().stream().mapToLong(Long::longValue).sum());
        largest.add(Collections.max(caches.values()));
        free.add(Collections.min(disks.values()));
      } else {
        all.add(0);
        largest.add(0);
        free.addNull();
      }
    }
  }

  private boolean isUpTo(TaskRecord task, double seconds) {
    return ReportData.seconds(run.started(), task.ended()) <= seconds;
  }
}
