package dev.weir.workflow.worker;

import dev.weir.hints.HintCodec;
import dev.weir.hints.HintSet;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.TaskOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hints of the outputs of a session's current attempts, in a file that the HDFS client reads
 * again when it changes. The session takes runs and jobs at any time, so the hints are not known
 * when its workers start. Thread-safe.
 */
final class OutputHints {
  /** For workers that know all hints from their start. */
  static final OutputHints NONE = new OutputHints(null);

  private static final Logger LOG = LoggerFactory.getLogger(OutputHints.class);

  private final @Nullable Path file;
  private final Map<String, Rule> rules = new LinkedHashMap<>();

  /**
   * Creates hints without a file, which is written with the first hint.
   *
   * @param file of this worker only; null to write none
   */
  OutputHints(@Nullable Path file) {
    this.file = file;
  }

  /** Adds the hints of an order's outputs. */
  void begin(TaskOrder order) {
    change(order, true);
  }

  /** Removes the hints of an order's outputs. */
  void end(TaskOrder order) {
    change(order, false);
  }

  private void change(TaskOrder order, boolean isAdded) {
    List<FileSlot> hinted =
        file == null
            ? List.of()
            : order.outputs().stream().filter(slot -> !slot.hint().isEmpty()).toList();
    if (hinted.isEmpty()) {
      return;
    }
    synchronized (this) {
      for (FileSlot slot : hinted) {
        if (isAdded) {
          add(slot);
        } else {
          rules.remove(slot.path());
        }
      }
      write();
    }
  }

  private void add(FileSlot slot) {
    try {
      rules.put(
          slot.path(),
          new Rule(
              PathPattern.literal(slot.path()), HintCodec.hintFromJson(slot.hint(), slot.path())));
    } catch (InvalidHintException e) {
      LOG.warn("The hint of {} is not followed: {}", slot.path(), e.getMessage());
    }
  }

  private void write() {
    if (file == null) {
      return;
    }
    HintSet set = new HintSet("outputs", "worker", null, new ArrayList<>(rules.values()));
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.writeString(fresh, HintCodec.toJson(set));
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      LOG.warn("Cannot write {}; outputs get stock values", file, e);
    }
  }
}
