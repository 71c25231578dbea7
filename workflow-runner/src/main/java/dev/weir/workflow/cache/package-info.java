/**
 * The cache of a node: contents that its workers have read or made, which they hand to other nodes.
 */
@NullMarked
package dev.weir.workflow.cache;

import org.jspecify.annotations.NullMarked;
