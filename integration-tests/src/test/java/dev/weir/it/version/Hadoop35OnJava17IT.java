package dev.weir.it.version;

import org.junit.jupiter.api.Tag;

/** Weir on daemons of Hadoop 3.5.0 on Java 17. */
@Tag("nightly")
class Hadoop35OnJava17IT extends HadoopVersionContract {
  Hadoop35OnJava17IT() {
    super("3.5.0", false);
  }
}
