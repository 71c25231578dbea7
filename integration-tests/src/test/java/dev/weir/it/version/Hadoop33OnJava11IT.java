package dev.weir.it.version;

import org.junit.jupiter.api.Tag;

/** Weir on daemons of Hadoop 3.3.6 on Java 11. */
@Tag("nightly")
class Hadoop33OnJava11IT extends HadoopVersionContract {
  Hadoop33OnJava11IT() {
    super("3.3.6", true);
  }
}
