/** Hadoop's configuration files and the environment of a cluster's processes. */
@NullMarked
package dev.weir.cluster.config;

import org.jspecify.annotations.NullMarked;
