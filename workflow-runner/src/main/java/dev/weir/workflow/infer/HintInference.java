package dev.weir.workflow.infer;

import dev.weir.hints.HintText;
import dev.weir.workflow.infer.Advisor.Advice;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Infers hints from the graph of a workflow:
 *
 * <ul>
 *   <li>a file that nobody reads stays with its writer, other replicas follow;
 *   <li>a file that one task reads stays with its writer, one replica;
 *   <li>files of many producers that few tasks gather are collected on one node;
 *   <li>a file that many tasks read gets as many copies as pay, or stays with its writer when none
 *       do;
 *   <li>an input of the workflow gets more copies than stock makes where many tasks read it.
 * </ul>
 *
 * <p>A hint that the workflow's author wrote for a file wins. The files in between count as
 * temporary: they can be made again. The same arguments give the same rules.
 */
public final class HintInference {

  private HintInference() {}

  /**
   * Infers the rules.
   *
   * @param workflow the workflow
   * @param hdfsDataDir absolute path, without scheme, of the directory that its files lie in
   * @param shape the cluster
   * @return rules with their reasons; no pattern twice; the index over all of them gives each file
   *     of the workflow its advice
   */
  public static List<InferredHint> infer(
      Workflow workflow, String hdfsDataDir, ClusterShape shape) {
    String directory =
        hdfsDataDir.endsWith("/")
            ? hdfsDataDir.substring(0, hdfsDataDir.length() - 1)
            : hdfsDataDir;
    WorkflowGraph graph = workflow.graph();
    Advisor advisor = new Advisor(shape, directory);
    Map<Advice, List<String>> advised = new LinkedHashMap<>();
    List<String> unadvised = new ArrayList<>();
    for (FileClass files : FileClass.of(graph, Gathers.of(graph, shape))) {
      List<String> paths = new ArrayList<>();
      for (DataFile file : files.files()) {
        String path = directory + "/" + file.id();
        if (file.hint().isEmpty()) {
          paths.add(path);
        } else {
          advised.merge(written(file), List.of(path), HintInference::join);
        }
      }
      if (paths.isEmpty()) {
        continue;
      }
      advisor
          .advise(files)
          .ifPresentOrElse(
              advice -> advised.merge(advice, paths, HintInference::join),
              () -> unadvised.addAll(paths));
    }
    return new RulePatterns(advised, unadvised).rules();
  }

  /** What the workflow's author knows counts for more than what follows from the graph. */
  private static Advice written(DataFile file) {
    return new Advice(HintText.parse(file.hint()), "written in the workflow");
  }

  private static <T> List<T> join(List<T> first, List<T> second) {
    List<T> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }
}
