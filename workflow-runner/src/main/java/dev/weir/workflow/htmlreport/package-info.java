/** Writes the report on runs as one self-contained HTML file. */
@NullMarked
package dev.weir.workflow.htmlreport;

import org.jspecify.annotations.NullMarked;
