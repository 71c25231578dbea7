package dev.weir.workflow.reuse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.workflow.model.FileIds;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.record.FileRecord;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stored list of the tasks that a run has done: one JSON object per line. The head comes first,
 * then the files, then the tasks that wrote them.
 */
public final class DoneRun {

  private static final Logger LOG = LoggerFactory.getLogger(DoneRun.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private DoneRun() {}

  /**
   * A line: the head, a file or a task. Fields of other kinds of lines are null.
   *
   * @param data absolute path of the directory with its files
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Line(
      @Nullable String run,
      @Nullable String data,
      @Nullable String file,
      @Nullable Long bytes,
      @Nullable String crc32c,
      @Nullable FileVersion stamp,
      @Nullable String key,
      @Nullable String task,
      @Nullable Boolean firstTry,
      @Nullable List<String> outputs) {

    static Line head(String run, String data) {
      return new Line(run, data, null, null, null, null, null, null, null, null);
    }

    static Line file(FileRecord file, @Nullable FileVersion stamp) {
      return new Line(
          null,
          null,
          file.file(),
          file.bytes(),
          Checksum.toHex(file.crc32c()),
          stamp,
          null,
          null,
          null,
          null);
    }

    static Line task(DoneTask task) {
      return new Line(
          null,
          null,
          null,
          null,
          null,
          null,
          task.key(),
          task.task(),
          task.firstTry(),
          task.outputs().stream().map(FileRecord::file).toList());
    }
  }

  /** Writes one line. A file must precede the task that wrote it. */
  static void write(OutputStream out, Line line) throws IOException {
    out.write(JSON.writeValueAsBytes(line));
    out.write('\n');
  }

  /**
   * Reads lines up to the first unreadable one. Tasks after it are run again.
   *
   * @param source name of the source in the log
   * @return whether all lines were read
   */
  static boolean read(BufferedReader lines, String source, DoneTaskIndex index) throws IOException {
    Map<String, FileRecord> files = new HashMap<>();
    String run = "";
    String data = "";
    try {
      for (String text = lines.readLine(); text != null; text = lines.readLine()) {
        Line line = JSON.readValue(text, Line.class);
        if (line.run() != null && line.data() != null) {
          run = line.run();
          data = line.data();
        } else if (line.file() != null) {
          file(line, data, files, index);
        } else {
          task(line, run, files, index);
        }
      }
    } catch (JsonProcessingException | IllegalArgumentException e) {
      LOG.warn("Cannot read {} to its end", source, e);
      return false;
    }
    return true;
  }

  private static void file(
      Line line, String data, Map<String, FileRecord> files, DoneTaskIndex index) {
    String id = line.file();
    Long bytes = line.bytes();
    String crc32c = line.crc32c();
    if (id != null && bytes != null && crc32c != null && index.wants(id)) {
      FileRecord file = new FileRecord(id, bytes, Checksum.fromHex(crc32c));
      files.put(id, file);
      index.file(FileIds.pathIn(data, id), file, line.stamp());
    }
  }

  private static void task(
      Line line, String run, Map<String, FileRecord> files, DoneTaskIndex index) {
    String key = line.key();
    String task = line.task();
    List<String> names = line.outputs();
    if (key == null || task == null || names == null) {
      return;
    }
    List<FileRecord> outputs = new ArrayList<>(names.size());
    for (String name : names) {
      FileRecord file = files.get(name);
      if (file == null) {
        return;
      }
      outputs.add(file);
    }
    if (!outputs.isEmpty() || index.wants(task)) {
      index.task(new DoneTask(key, task, run, Boolean.TRUE.equals(line.firstTry()), outputs));
    }
  }
}
