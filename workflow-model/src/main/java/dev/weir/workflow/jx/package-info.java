/** Reads workflows in JX, the JSON with expressions of CCTools. */
@NullMarked
package dev.weir.workflow.jx;

import org.jspecify.annotations.NullMarked;
