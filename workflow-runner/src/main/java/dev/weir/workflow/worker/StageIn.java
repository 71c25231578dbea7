package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.ReadFile;
import dev.weir.workflow.worker.DataStore.Fetched;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Brings the inputs of an attempt into its sandbox, several at a time. */
final class StageIn {

  private final DataStore store;
  private final ExecutorService pool;

  StageIn(DataStore store, ExecutorService pool) {
    this.store = store;
    this.pool = pool;
  }

  /**
   * What came of it.
   *
   * @param fetched what was moved
   * @param lost ids of inputs that the store has lost
   * @param read the inputs that came, in the order of the task's inputs
   */
  record Result(Fetched fetched, List<String> lost, List<ReadFile> read) {}

  /**
   * Fetches all inputs.
   *
   * @throws IOException when one cannot be fetched for another reason than being lost
   */
  Result run(List<FileSlot> inputs, Sandbox sandbox) throws IOException, InterruptedException {
    Map<FileSlot, Future<Fetched>> transfers = new LinkedHashMap<>();
    for (FileSlot input : inputs) {
      Path target = sandbox.fileToCreate(input.name());
      transfers.put(
          input,
          pool.submit(
              () ->
                  input.kind() == FileSlot.Kind.REGION
                      ? store.fetchRegion(input, target)
                      : store.fetch(input.path(), target)));
    }
    try {
      return await(transfers);
    } catch (IOException | InterruptedException e) {
      transfers.values().forEach(other -> other.cancel(true));
      throw e;
    }
  }

  private static Result await(Map<FileSlot, Future<Fetched>> transfers)
      throws IOException, InterruptedException {
    Fetched sum = Fetched.NOTHING;
    List<String> lost = new ArrayList<>();
    List<ReadFile> read = new ArrayList<>(transfers.size());
    for (Map.Entry<FileSlot, Future<Fetched>> transfer : transfers.entrySet()) {
      try {
        Fetched file = await(transfer.getValue());
        sum = sum.plus(file);
        read.add(
            new ReadFile(
                transfer.getKey().name(), file.localBytes() + file.remoteBytes(), file.crc32c()));
      } catch (InputLostException e) {
        lost.add(transfer.getKey().file());
      } catch (IOException e) {
        throw new IOException(
            "cannot read the input " + transfer.getKey().path() + ": " + e.getMessage(), e);
      }
    }
    return new Result(sum, lost.stream().distinct().toList(), read);
  }

  static <T> T await(Future<T> future) throws IOException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException problem) {
        throw problem;
      }
      throw new IOException(e.getCause() == null ? e : e.getCause());
    }
  }
}
