/** Runs and the provenance of files, in SQL. */
@NullMarked
package dev.weir.service.runs;

import org.jspecify.annotations.NullMarked;
