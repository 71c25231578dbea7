/** Statistics, tables and pages of the runs of a series. */
@NullMarked
package dev.weir.bench.report;

import org.jspecify.annotations.NullMarked;
