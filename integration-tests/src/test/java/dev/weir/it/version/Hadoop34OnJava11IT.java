package dev.weir.it.version;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Weir on daemons of Hadoop 3.4.3 on Java 11, beside the tests of the shared cluster. */
@Execution(ExecutionMode.CONCURRENT)
class Hadoop34OnJava11IT extends HadoopVersionContract {
  Hadoop34OnJava11IT() {
    super("3.4.3", true);
  }
}
