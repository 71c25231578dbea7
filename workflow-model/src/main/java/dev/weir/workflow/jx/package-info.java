/** Workflows in JX, the JSON with expressions of CCTools: its language and its workflows. */
@NullMarked
package dev.weir.workflow.jx;

import org.jspecify.annotations.NullMarked;
