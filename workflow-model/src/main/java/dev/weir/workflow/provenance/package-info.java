/**
 * The provenance of files: the records that runs send to the hints service, and the lineages that
 * it returns.
 */
@NullMarked
package dev.weir.workflow.provenance;

import org.jspecify.annotations.NullMarked;
