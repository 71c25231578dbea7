/** Delivers the records of runs to the hints service while the runs go on. */
@NullMarked
package dev.weir.workflow.reporter;

import org.jspecify.annotations.NullMarked;
