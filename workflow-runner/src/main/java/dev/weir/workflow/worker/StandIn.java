package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.sandbox.Sandbox;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.Random;

/**
 * Replaces a command: reads all inputs, pauses for its recorded time and writes outputs of the
 * declared sizes. The bytes depend on the file's name alone, so two runs write the same.
 */
final class StandIn {

  private static final int BUFFER_BYTES = 64 << 10;

  private StandIn() {}

  static void run(TaskOrder order, Sandbox sandbox) throws IOException, InterruptedException {
    for (FileSlot input : order.inputs()) {
      Files.copy(sandbox.file(input.name()), OutputStream.nullOutputStream());
    }
    Thread.sleep(order.standInMillis());
    for (FileSlot output : order.outputs()) {
      try (OutputStream out = Files.newOutputStream(sandbox.fileToCreate(output.name()))) {
        writeBytes(out, output);
      }
    }
  }

  private static void writeBytes(OutputStream out, FileSlot output) throws IOException {
    Random random = new Random(output.name().hashCode());
    byte[] buffer = new byte[BUFFER_BYTES];
    for (long left = output.sizeBytes(); left > 0; left -= buffer.length) {
      random.nextBytes(buffer);
      out.write(buffer, 0, (int) Math.min(left, buffer.length));
    }
  }
}
