package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.scheduler.api.WriteBackEnd;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the next run must compute again after the application was killed and all nodes have lost
 * their files, at any time of runs of random graphs that delete their intermediate files.
 */
class KillCostTest extends DispatcherFixture {

  private static final int TASKS = 150;
  private static final double MOST = 0.1;

  private final List<Task> tasks = new ArrayList<>();
  private final Map<String, Task> makers = new HashMap<>();

  /** Run time of each done task, in seconds. */
  private final Map<String, Double> done = new HashMap<>();

  private final Set<String> inHdfs = new HashSet<>();
  private long millis;

  private Dispatcher randomGraph(Random random) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    Set<String> read = new HashSet<>();
    for (int i = 0; i < TASKS; i++) {
      Set<String> inputs = new HashSet<>();
      for (int input = 0; i > 0 && input < 1 + random.nextInt(3); input++) {
        inputs.add("f" + Math.max(0, i - 1 - random.nextInt(20)));
      }
      read.addAll(inputs);
      Task task =
          new Task("t" + i, "type", List.of("true"), List.copyOf(inputs), List.of("f" + i), 0);
      tasks.add(task);
      makers.put("f" + i, task);
      files.put("f" + i, new DataFile("f" + i, 0));
    }
    Workflow workflow = new Workflow("test", tasks, files);
    Graph graph =
        new Graph(
            "", workflow, LIMITS, 0, false, TaskProfiles.NONE, read, Set.of(), List.of(), read);
    return new Dispatcher(AssignmentPolicy.DATA_AWARE, WorkerSize.ONE_TASK, graph);
  }

  private void follow(Dispatcher dispatcher, List<Effect> effects) {
    for (Effect effect : effects) {
      if (effect instanceof Effect.WriteBack order) {
        inHdfs.add(order.file());
        StoredFile copy = new StoredFile(order.file(), 9, Map.of("n2", 9L), 5, List.of(), 8);
        WriteBackEnd end = new WriteBackEnd(order.content().millis(), copy, "", false, false);
        follow(dispatcher, effects(dispatcher.writtenBack(order.worker(), order.file(), end, now)));
      } else if (effect instanceof Effect.DeleteFiles deletion) {
        deletion.files().forEach(file -> inHdfs.remove(file.file()));
        follow(
            dispatcher,
            effects(
                dispatcher.deleted(
                    deletion.files().stream().map(Effect.UnneededFile::file).toList(), now)));
      }
    }
  }

  private TaskReport report(Effect.Start start, String file, double seconds) {
    StoredFile made =
        start.stores().outputs().contains(file)
            ? new StoredFile(file, 9, Map.of("n1", 9L), 5, List.of(), 0, ++millis)
            : new StoredFile(file, 9, Map.of("n1", 9L), 5, List.of(), 7);
    return Reports.took(Reports.succeeded(start, "n1", 9), (long) (seconds * 1_000))
        .withFiles(List.of(), List.of(made), List.of());
  }

  /** The tasks that would run again, which are done now. */
  private double secondsAgain() {
    Set<String> again = new HashSet<>();
    for (Task task : tasks) {
      if (!done.containsKey(task.id())) {
        task.inputs().forEach(file -> makeAgain(file, again));
      }
    }
    return again.stream().mapToDouble(id -> done.getOrDefault(id, 0.0)).sum();
  }

  private void makeAgain(String file, Set<String> again) {
    Task maker = makers.get(file);
    if (maker != null
        && !inHdfs.contains(file)
        && done.containsKey(maker.id())
        && again.add(maker.id())) {
      maker.inputs().forEach(input -> makeAgain(input, again));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void aKillCostsAtMostATenth(long seed) {
    Random random = new Random(seed);
    Dispatcher dispatcher = randomGraph(random);
    effects(dispatcher.start(now));
    List<Effect> effects = effects(dispatcher.workerJoined(ON_N1, now));
    double compute = 0;
    double most = 0;
    while (done.size() < TASKS - 1) {
      Effect.Start start =
          (Effect.Start)
              effects.stream().filter(Effect.Start.class::isInstance).findFirst().orElseThrow();
      double seconds = random.nextInt(60);
      String file = "f" + start.task().substring(1);
      effects = effects(dispatcher.reported("w1", report(start, file, seconds), now));
      done.put(start.task(), seconds);
      compute += seconds;
      if (!start.stores().outputs().contains(file)) {
        inHdfs.add(file);
      }
      follow(dispatcher, effects);
      follow(dispatcher, effects(dispatcher.tick(now)));

      most = Math.max(most, secondsAgain());
      assertThat(secondsAgain())
          .as("after %s", start.task())
          .isLessThanOrEqualTo(Math.max(WriteBackScheduler.LEAST_AT_RISK, MOST * compute));
    }
    assertThat(most).as("files stay on nodes").isPositive();
  }
}
