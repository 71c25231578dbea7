package dev.weir.bench.blast;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A workflow with one process per group of queries. Each process reads the whole database. */
final class BlastWorkflow {
  private static final String DATABASE = "nt";

  private BlastWorkflow() {}

  /** Returns the ids of the database's files. */
  static List<String> databaseFiles() {
    return BlastPrograms.ENDINGS.stream().map(ending -> DATABASE + "." + ending).toList();
  }

  /** Returns the id of the queries of a process, counted from 0. */
  static String queries(int process) {
    return String.format("queries-%02d.fasta", process);
  }

  /** Returns the id of the results of a process. */
  static String hits(int process) {
    return String.format("hits-%02d.tsv", process);
  }

  /**
   * Creates all inputs of the workflow.
   *
   * @param processes the number of processes that share the queries
   * @param directory receives the inputs
   * @throws IOException if a file cannot be written or the database formatted
   * @throws InterruptedException if the thread is interrupted
   */
  static void makeInputs(NucleotideSpec spec, int processes, Path directory)
      throws IOException, InterruptedException {
    Nucleotides nucleotides = new Nucleotides(spec);
    Path fasta = directory.resolve(DATABASE + ".fasta");
    nucleotides.writeDatabase(fasta);
    BlastPrograms.format(fasta, directory, DATABASE);
    Files.delete(fasta);
    List<Path> queries = new ArrayList<>();
    for (int i = 0; i < processes; i++) {
      queries.add(directory.resolve(queries(i)));
    }
    nucleotides.writeQueries(queries);
  }

  /**
   * Returns the workflow.
   *
   * @param inputs the directory that {@link #makeInputs} filled
   * @throws IOException if an input is missing
   */
  static Workflow of(Path inputs, int processes) throws IOException {
    Map<String, DataFile> files = new LinkedHashMap<>();
    for (String id : databaseFiles()) {
      files.put(id, new DataFile(id, Files.size(inputs.resolve(id))));
    }
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < processes; i++) {
      String queries = queries(i);
      String hits = hits(i);
      files.put(queries, new DataFile(queries, Files.size(inputs.resolve(queries))));
      files.put(hits, new DataFile(hits, 0));
      List<String> read = new ArrayList<>(databaseFiles());
      read.add(queries);
      tasks.add(
          new Task(
              String.format("blastn-%02d", i),
              "blastn",
              List.of(
                  "blastn",
                  "-db",
                  DATABASE,
                  "-query",
                  queries,
                  "-out",
                  hits,
                  "-outfmt",
                  "6",
                  "-evalue",
                  "1e-10",
                  "-num_threads",
                  "1"),
              read,
              List.of(hits),
              0));
    }
    return new Workflow("blast", tasks, files);
  }
}
