/** Workflows of Pegasus: the YAML of version 5 with its catalogs, and DAX, the XML before it. */
@NullMarked
package dev.weir.workflow.pegasus;

import org.jspecify.annotations.NullMarked;
