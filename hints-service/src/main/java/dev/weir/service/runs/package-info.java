/** Runs and the provenance of files in the database. */
@NullMarked
package dev.weir.service.runs;

import org.jspecify.annotations.NullMarked;
