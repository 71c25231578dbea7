/**
 * The main classes of a local cluster's daemons. They are started by name and never called. They
 * are compiled for Java 11, on which the daemons of older Hadoops run.
 */
@NullMarked
package dev.weir.cluster.daemon;

import org.jspecify.annotations.NullMarked;
