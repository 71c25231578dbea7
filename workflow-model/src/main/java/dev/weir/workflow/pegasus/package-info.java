/**
 * Reads workflows of Pegasus: the YAML format of version 5 with its catalogs, and the older XML
 * format DAX.
 */
@NullMarked
package dev.weir.workflow.pegasus;

import org.jspecify.annotations.NullMarked;
