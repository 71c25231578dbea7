/**
 * The common parts of the readers of workflow files: their contract, the draft and the places in a
 * file.
 */
@NullMarked
package dev.weir.workflow.format;

import org.jspecify.annotations.NullMarked;
