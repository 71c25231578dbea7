package dev.weir.it.version;

/** Weir on daemons of Hadoop 3.4.3 on Java 11. */
class Hadoop34OnJava11IT extends HadoopVersionContract {
  Hadoop34OnJava11IT() {
    super("3.4.3", true);
  }
}
