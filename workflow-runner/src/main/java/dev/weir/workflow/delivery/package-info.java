/** Delivers records of runs to the hints service, during the runs or later from a spool. */
@NullMarked
package dev.weir.workflow.delivery;

import org.jspecify.annotations.NullMarked;
