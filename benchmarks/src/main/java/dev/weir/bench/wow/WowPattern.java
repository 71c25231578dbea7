package dev.weir.bench.wow;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of WOW's evaluation (CCGrid 2025), with its number of tasks and its sizes of files. The
 * tasks only read and write.
 */
enum WowPattern {
  /** 100 tasks write one file each, and one task reads all and writes as much. */
  ALL_IN_ONE(1.97) {
    @Override
    void build(Builder workflow) {
      workflow.combine("combine", workflow.sources(SOURCES));
    }
  },
  /** 100 chains of two tasks. The second task writes as much as it reads. */
  CHAIN(7.3) {
    @Override
    void build(Builder workflow) {
      List<String> sources = workflow.sources(SOURCES);
      for (int i = 0; i < SOURCES; i++) {
        workflow.combine("revert-" + (i + 1), List.of(sources.get(i)));
      }
    }
  },
  /** One task writes a file. 100 tasks read it, and each writes as much. */
  FORK(4.3) {
    @Override
    void build(Builder workflow) {
      List<String> source = workflow.sources(1);
      for (int i = 1; i <= SOURCES; i++) {
        workflow.combine("revert-" + i, source);
      }
    }
  },
  /** 100 tasks write one file each, and one task for every three joins their files. */
  GROUP(4.6) {
    @Override
    void build(Builder workflow) {
      workflow.combineGroups("combine", workflow.sources(SOURCES), THREE);
    }
  },
  /** As {@link #GROUP}, and further tasks join the same files by fours. */
  GROUP_MULTIPLE(null) {
    @Override
    void build(Builder workflow) {
      List<String> sources = workflow.sources(SOURCES);
      workflow.combineGroups("combine-three", sources, THREE);
      workflow.combineGroups("combine-four", sources, FOUR);
    }
  };

  private static final int SOURCES = 100;
  private static final int THREE = 3;
  private static final int FOUR = 4;

  private final @Nullable Double publishedOverCeph;

  WowPattern(@Nullable Double publishedOverCeph) {
    this.publishedOverCeph = publishedOverCeph;
  }

  /** Returns the name in tables. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the published time over Ceph divided by WOW's; null if it is not known. */
  @Nullable Double publishedOverCeph() {
    return publishedOverCeph;
  }

  /** Returns the workflow with its published sizes. */
  Workflow workflow() {
    Builder workflow = new Builder();
    build(workflow);
    return new Workflow(label(), workflow.tasks, workflow.files);
  }

  abstract void build(Builder workflow);

  /**
   * Returns the size of a source's file, drawn as in the published workflows: a whole number of MiB
   * from 0.8 to 1 GiB.
   *
   * @param index of the task, from 1
   */
  static long sourceBytes(int index) {
    int seed = index * (index + 10) + 151_232;
    return (new Random(seed).nextInt(204) + 819L) << 20;
  }

  /** Collects tasks and files. */
  static final class Builder {
    private final List<Task> tasks = new ArrayList<>();
    private final Map<String, DataFile> files = new LinkedHashMap<>();

    private Builder() {}

    /** Adds tasks that write a file each, and returns the files. */
    List<String> sources(int number) {
      List<String> sources = new ArrayList<>();
      for (int i = 1; i <= number; i++) {
        sources.add(task("write-" + i, List.of(), sourceBytes(i)));
      }
      return sources;
    }

    /** Adds a task that writes as much as it reads. */
    void combine(String id, List<String> inputs) {
      long bytes = 0;
      for (String input : inputs) {
        bytes += size(input);
      }
      task(id, inputs, bytes);
    }

    /** Adds a task for the files of each group. The group of file i, from 1, is i / size. */
    void combineGroups(String prefix, List<String> inputs, int size) {
      SortedMap<Integer, List<String>> groups = new TreeMap<>();
      for (int i = 0; i < inputs.size(); i++) {
        groups.computeIfAbsent((i + 1) / size, group -> new ArrayList<>()).add(inputs.get(i));
      }
      groups.forEach((group, members) -> combine(prefix + "-" + group, members));
    }

    private long size(String file) {
      DataFile known = files.get(file);
      if (known == null) {
        throw new IllegalArgumentException("No task writes " + file);
      }
      return known.sizeBytes();
    }

    private String task(String id, List<String> inputs, long bytes) {
      String output = id + ".txt";
      files.put(output, new DataFile(output, bytes));
      String type = id.replaceFirst("-\\d+$", "");
      tasks.add(new Task(id, type, List.of(), inputs, List.of(output), 0));
      return output;
    }
  }
}
