package dev.weir.workflow.reuse;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.text.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Computes the key of a task. Tasks with the same key write the same files, independent of their
 * ids and directories. The key is the SHA-256 of the command, the run's declared environment, the
 * installed programs that the command names or the container image, the names of the outputs, and
 * name, length and checksum of each input in order. A program or an image that is an input counts
 * as one. Immutable.
 */
final class TaskKey {

  private static final int VERSION = 1;

  private final Map<String, String> environment;
  private final Map<String, String> tools;
  private final boolean standIn;
  private final Map<String, DataFile> files;

  /**
   * Creates the keys of a run.
   *
   * @param files the declared files by id; for stand-ins they must contain the files that tasks
   *     write
   * @param context what commands read besides their files
   */
  TaskKey(Map<String, DataFile> files, CommandContext context) {
    this.files = files;
    this.environment = new TreeMap<>(context.environment());
    this.tools = context.tools();
    this.standIn = context.standIn();
  }

  /**
   * Returns the key of a task.
   *
   * @param inputs its inputs in order, all with checksums
   * @return 43 characters
   */
  String of(Task task, List<FileRecord> inputs) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(VERSION);
      out.writeBoolean(standIn);
      out.writeInt(task.command().size());
      for (String word : task.command()) {
        write(out, word);
      }
      out.writeInt(environment.size());
      for (Map.Entry<String, String> variable : environment.entrySet()) {
        write(out, variable.getKey());
        write(out, variable.getValue());
      }
      writeTools(task, out);
      out.writeInt(task.outputs().size());
      for (String output : task.outputs()) {
        write(out, output);
        out.writeLong(standIn ? size(output) : 0);
      }
      out.writeInt(inputs.size());
      for (FileRecord input : inputs) {
        write(out, input.file());
        out.writeLong(input.bytes());
        out.writeLong(input.crc32c());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to memory", e);
    }
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(Sha256.digest().digest(bytes.toByteArray()));
  }

  /** Stand-ins run no programs. Without a known program the key is that of older versions. */
  private void writeTools(Task task, DataOutputStream out) throws IOException {
    if (standIn) {
      return;
    }
    if (!task.needs().container().isEmpty()) {
      // The programs are those of the image.
      write(out, "container");
      write(out, task.needs().container());
      return;
    }
    for (String word : new TreeSet<>(InstalledTools.words(task.command()))) {
      String version = tools.get(word);
      if (version != null) {
        write(out, word);
        write(out, version);
      }
    }
  }

  private long size(String file) {
    DataFile declared = files.get(file);
    if (declared == null) {
      throw new IllegalArgumentException("No file '" + file + "' in this workflow");
    }
    return declared.sizeBytes();
  }

  /** Writes a text with its length, so that different lists never have the same bytes. */
  private static void write(DataOutputStream out, String text) throws IOException {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(encoded.length);
    out.write(encoded);
  }
}
