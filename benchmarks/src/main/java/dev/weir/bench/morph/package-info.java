/** The comparison with MorphStore: replicas by use and reads from several replicas. */
@NullMarked
package dev.weir.bench.morph;

import org.jspecify.annotations.NullMarked;
