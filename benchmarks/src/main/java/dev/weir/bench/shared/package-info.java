/** Runs workflows in a directory that all nodes mount from one server, without Hadoop. */
@NullMarked
package dev.weir.bench.shared;

import org.jspecify.annotations.NullMarked;
