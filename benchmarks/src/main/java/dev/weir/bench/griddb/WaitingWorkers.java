package dev.weir.bench.griddb;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.rpc.MasterConnection;
import dev.weir.workflow.rpc.MasterRpcClient;
import dev.weir.workflow.rpc.RpcConfig;
import dev.weir.workflow.rpc.WorkerTokenSecretManager;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.Credentials;

/**
 * Workers of one core that speak the real protocol over the real channel, and wait in place of
 * their tasks. They stage nothing. Thread-safe.
 */
final class WaitingWorkers implements AutoCloseable {

  /** The application in the workers' tokens. */
  static final String APPLICATION = "application_1_0001";

  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
  private final List<Worker> workers = new ArrayList<>();
  private final List<Utilisation.Command> commands = new ArrayList<>();

  /** Connects workers to the ApplicationMaster of this machine that listens on a port. */
  static WaitingWorkers connect(int port, Secret key, int count) throws IOException {
    WaitingWorkers all = new WaitingWorkers();
    Configuration conf = new Configuration();
    WorkerTokenSecretManager tokens = new WorkerTokenSecretManager(APPLICATION, key);
    for (int number = 0; number < count; number++) {
      Credentials credentials = new Credentials();
      tokens.addToken("w" + number, credentials);
      MasterRpcClient client =
          new MasterRpcClient(conf, RpcConfig.of(conf), credentials, "w" + number, node(number));
      all.workers.add(all.new Worker(number, client.dial("127.0.0.1", port)));
    }
    return all;
  }

  static String node(int number) {
    return "n" + number;
  }

  /** Returns the commands that have ended. */
  List<Utilisation.Command> commands() {
    synchronized (commands) {
      return List.copyOf(commands);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    workers.forEach(worker -> worker.connection.close());
  }

  private final class Worker implements MasterConnection.Listener {
    private final int number;
    private final MasterConnection connection;
    private final Deque<TaskOrder> waiting = new ArrayDeque<>();
    private final Map<String, TaskReport> uncommitted = new HashMap<>();
    private boolean busy;

    Worker(int number, MasterConnection connection) {
      this.number = number;
      this.connection = connection;
      connection.send(new Message.InHand(List.of()));
      connection.start(this);
    }

    @Override
    public synchronized void received(Message message) {
      if (message instanceof Message.Run run) {
        waiting.add(run.order());
        beginNext();
      } else if (message instanceof Message.Recall recall) {
        boolean left = waiting.removeIf(order -> order.task().equals(recall.task()));
        connection.send(
            left
                ? new Message.Ended(TaskReport.recalled(recall.task(), recall.attempt()))
                : new Message.Begun(recall.task(), recall.attempt()));
      } else if (message instanceof Message.Permit permit) {
        TaskReport report = uncommitted.remove(permit.task());
        if (permit.granted() && report != null) {
          connection.send(new Message.Ended(report));
        }
      }
    }

    private void beginNext() {
      TaskOrder next = busy ? null : waiting.poll();
      if (next != null) {
        busy = true;
        long begin = System.nanoTime();
        Future<?> unused =
            timer.schedule(() -> end(next, begin), next.standInMillis(), TimeUnit.MILLISECONDS);
      }
    }

    private synchronized void end(TaskOrder order, long begin) {
      synchronized (commands) {
        commands.add(new Utilisation.Command(number, begin, System.nanoTime()));
      }
      TaskReport report = succeeded(order);
      // As a worker does, it asks before it commits an attempt that another one may have replaced.
      if (order.asks(order.standInMillis())) {
        uncommitted.put(order.task(), report);
        connection.send(new Message.MayCommit(order.task(), order.attempt()));
      } else {
        connection.send(new Message.Ended(report));
      }
      busy = false;
      beginNext();
    }

    private TaskReport succeeded(TaskOrder order) {
      List<StoredFile> outputs =
          order.outputs().stream()
              .map(
                  slot ->
                      new StoredFile(
                          slot.name(), slot.sizeBytes(), Map.of(node(number), slot.sizeBytes())))
              .toList();
      long read = order.inputs().stream().mapToLong(FileSlot::sizeBytes).sum();
      long written = outputs.stream().mapToLong(StoredFile::sizeBytes).sum();
      return new TaskReport(
          order.task(),
          order.attempt(),
          Result.SUCCEEDED,
          0,
          "",
          "",
          List.of(),
          outputs,
          new Usage(0, 0, order.standInMillis(), 0, read, 0, written, 0));
    }

    @Override
    public void ended(String reason) {
      // The ApplicationMaster exits when the run has ended.
    }
  }
}
