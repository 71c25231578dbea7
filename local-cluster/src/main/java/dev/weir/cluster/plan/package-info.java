/** What a cluster consists of: its specification, hosts, files and requirements. */
@NullMarked
package dev.weir.cluster.plan;

import org.jspecify.annotations.NullMarked;
