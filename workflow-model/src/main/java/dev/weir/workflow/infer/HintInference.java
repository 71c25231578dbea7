package dev.weir.workflow.infer;

import dev.weir.hints.Hint;
import dev.weir.hints.HintText;
import dev.weir.hints.Lifetime;
import dev.weir.hints.Replication;
import dev.weir.workflow.infer.HintAdvisor.Advice;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Infers hints from the graph of a workflow:
 *
 * <ul>
 *   <li>a file without readers stays with its writer, and HDFS adds the other replicas later;
 *   <li>a file that one task reads stays with its writer, one replica;
 *   <li>a file that tasks read one after another stays with its writer, one replica; if the tasks
 *       are many, a DataNode with enough memory pins the file;
 *   <li>files of many producers that few tasks gather are collected on one node;
 *   <li>a file that many tasks read gets as many copies as pay off, or stays with its writer if
 *       none do;
 *   <li>an input of the workflow gets more copies than stock makes if many tasks read it, and is
 *       pinned if many tasks read it one after another.
 * </ul>
 *
 * <p>A hint that the workflow's author wrote for a file takes precedence. Intermediate files count
 * as temporary unless they are kept, because tasks can write them again. The same arguments give
 * the same rules.
 */
public final class HintInference {

  private HintInference() {}

  /**
   * The advice that follows from the graph for a class of files.
   *
   * @param usual for files without a stated lifetime
   */
  private record Inferred(Advice usual, Advice kept) {}

  /**
   * Infers the rules of a run that keeps no intermediate files.
   *
   * @param hdfsDataDir absolute path, without scheme, of the directory of its files
   * @return rules with their reasons; no pattern twice; the index over all of them gives each file
   *     of the workflow its advice
   */
  public static List<InferredHint> infer(
      Workflow workflow, String hdfsDataDir, ClusterShape shape) {
    return infer(workflow, hdfsDataDir, shape, file -> false);
  }

  /**
   * Infers the rules.
   *
   * @param hdfsDataDir absolute path, without scheme, of the directory of its files
   * @param kept whether the user wants to keep the intermediate file of the given id; it gets as
   *     many replicas as a result
   * @return rules with their reasons; no pattern occurs twice; an index of the rules gives each
   *     file of the workflow its advice
   */
  public static List<InferredHint> infer(
      Workflow workflow, String hdfsDataDir, ClusterShape shape, Predicate<String> kept) {
    String directory =
        hdfsDataDir.endsWith("/")
            ? hdfsDataDir.substring(0, hdfsDataDir.length() - 1)
            : hdfsDataDir;
    WorkflowGraph graph = workflow.graph();
    List<FileClass> classes = FileClass.of(graph, GatherFinder.of(graph, shape));
    HintAdvisor advisor = new HintAdvisor(shape, directory);
    Map<Advice, List<String>> advised = new LinkedHashMap<>();
    List<String> unadvised = new ArrayList<>();
    for (FileClass files : classes) {
      Advice advice = advisor.advise(files).orElse(null);
      Inferred inferred =
          advice == null ? null : new Inferred(advice, advisor.adviseKept(files).orElse(advice));
      List<String> paths = new ArrayList<>();
      for (DataFile file : files.files()) {
        String path = directory + "/" + file.id();
        boolean stays = !files.isRegions() && kept.test(file.id());
        ownAdvice(file, inferred, stays, shape)
            .ifPresentOrElse(
                own -> advised.computeIfAbsent(own, first -> new ArrayList<>()).add(path),
                () -> paths.add(path));
      }
      if (advice == null) {
        unadvised.addAll(paths);
      } else if (!paths.isEmpty()) {
        advised.computeIfAbsent(advice, first -> new ArrayList<>()).addAll(paths);
      }
    }
    return new RulePatterns(advised, unadvised).rules();
  }

  /**
   * Returns the advice for a file that differs from the advice for its class. A hint by the
   * workflow's author takes precedence over the graph. If that hint states only a lifetime, the
   * rest follows from the graph.
   *
   * @param inferred for the class of the file; null for none
   * @param stays whether the user wants to keep the file
   * @return advice for this file; empty if the advice for its class applies
   */
  private static Optional<Advice> ownAdvice(
      DataFile file, @Nullable Inferred inferred, boolean stays, ClusterShape shape) {
    if (!file.hint().isEmpty()) {
      Hint written = HintText.parse(file.hint());
      Lifetime lifetime = written.lifetime().orElse(null);
      return Optional.of(
          inferred == null || lifetime == null || !isOnlyLifetime(written, lifetime)
              ? new Advice(written, "written in the workflow")
              : withLifetime(
                  inferred, lifetime, "; its lifetime is written in the workflow", shape));
    }
    return inferred != null && stays && inferred.usual().hint().isTemporary()
        ? Optional.of(withLifetime(inferred, Lifetime.keep(), "; the user keeps it", shape))
        : Optional.empty();
  }

  private static boolean isOnlyLifetime(Hint hint, Lifetime lifetime) {
    return hint.equals(Hint.builder().lifetime(lifetime).build());
  }

  /**
   * Returns the advice with another lifetime. A file that is kept gets at least stock's replicas.
   */
  private static Advice withLifetime(
      Inferred both, Lifetime lifetime, String reason, ClusterShape shape) {
    Advice inferred = lifetime.temporary() ? both.usual() : both.kept();
    Hint.Builder hint = inferred.hint().toBuilder().lifetime(lifetime);
    Replication copies = inferred.hint().replication().orElse(Replication.lazy());
    if (!lifetime.temporary() && copies.hasTarget() && copies.target() < shape.stockReplicas()) {
      hint.replication(Replication.eager(shape.stockReplicas()));
    }
    return new Advice(hint.build(), inferred.reason() + reason);
  }
}
