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
 *   <li>a file that nobody reads stays with its writer, other replicas follow;
 *   <li>a file that one task reads stays with its writer, one replica;
 *   <li>a file that tasks read one after another stays with its writer, one replica; when they are
 *       many, that is reuse, and a DataNode that has memory to pin it in does;
 *   <li>files of many producers that few tasks gather are collected on one node;
 *   <li>a file that many tasks read gets as many copies as pay, or stays with its writer when none
 *       do;
 *   <li>an input of the workflow gets more copies than stock makes where many tasks read it, and is
 *       pinned likewise where many do one after another.
 * </ul>
 *
 * <p>A hint that the workflow's author wrote for a file wins. The files in between count as
 * temporary, unless they are to be kept: they can be made again. The same arguments give the same
 * rules.
 */
public final class HintInference {

  private HintInference() {}

  /**
   * What follows from the graph for a class of files.
   *
   * @param usual for those of which nobody says how long they stay
   * @param kept for those that are to stay
   */
  private record Inferred(Advice usual, Advice kept) {}

  /**
   * Infers the rules of a run that keeps no files in between.
   *
   * @param workflow the workflow
   * @param hdfsDataDir absolute path, without scheme, of the directory that its files lie in
   * @param shape the cluster
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
   * @param workflow the workflow
   * @param hdfsDataDir absolute path, without scheme, of the directory that its files lie in
   * @param shape the cluster
   * @param kept whether the user wants a file of that id, although it is in between: it gets as
   *     many replicas as a result
   * @return rules with their reasons; no pattern twice; the index over all of them gives each file
   *     of the workflow its advice
   */
  public static List<InferredHint> infer(
      Workflow workflow, String hdfsDataDir, ClusterShape shape, Predicate<String> kept) {
    String directory =
        hdfsDataDir.endsWith("/")
            ? hdfsDataDir.substring(0, hdfsDataDir.length() - 1)
            : hdfsDataDir;
    WorkflowGraph graph = workflow.graph();
    List<FileClass> classes = FileClass.of(graph, GatherFinder.of(graph, shape));
    HintAdvisor advisor = new HintAdvisor(shape, directory, classes);
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
        ofItsOwn(file, inferred, stays, shape)
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
   * What the workflow's author knows counts for more than what follows from the graph. Where it is
   * no more than how long a file stays, the rest follows from the graph all the same.
   *
   * @param inferred for the class of the file; null for nothing
   * @param stays whether the user wants to keep it
   * @return advice for this file; nothing when it is that for its class
   */
  private static Optional<Advice> ofItsOwn(
      DataFile file, @Nullable Inferred inferred, boolean stays, ClusterShape shape) {
    if (!file.hint().isEmpty()) {
      Hint written = HintText.parse(file.hint());
      Lifetime lifetime = written.lifetime().orElse(null);
      return Optional.of(
          inferred == null || lifetime == null || !saysNoMore(written, lifetime)
              ? new Advice(written, "written in the workflow")
              : lasting(inferred, lifetime, "; its lifetime is written in the workflow", shape));
    }
    return inferred != null && stays && inferred.usual().hint().isTemporary()
        ? Optional.of(lasting(inferred, Lifetime.keep(), "; it is to be kept", shape))
        : Optional.empty();
  }

  private static boolean saysNoMore(Hint hint, Lifetime lifetime) {
    return hint.equals(Hint.builder().lifetime(lifetime).build());
  }

  /** What is to stay gets as many replicas as stock makes, at least. */
  private static Advice lasting(
      Inferred both, Lifetime lifetime, String reason, ClusterShape shape) {
    Advice inferred = lifetime.temporary() ? both.usual() : both.kept();
    Hint.Builder lasting = inferred.hint().toBuilder().lifetime(lifetime);
    Replication copies = inferred.hint().replication().orElse(Replication.lazy());
    if (!lifetime.temporary() && copies.hasTarget() && copies.target() < shape.stockReplicas()) {
      lasting.replication(Replication.eager(shape.stockReplicas()));
    }
    return new Advice(lasting.build(), inferred.reason() + reason);
  }
}
