/** The cache of a node: contents that its workers have read or written, served to other nodes. */
@NullMarked
package dev.weir.workflow.cache;

import org.jspecify.annotations.NullMarked;
