/** The report on runs: one HTML file that needs nothing else. */
@NullMarked
package dev.weir.workflow.report;

import org.jspecify.annotations.NullMarked;
