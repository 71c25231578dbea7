/** Containers: how a session requests them from YARN, starts them and learns how they ended. */
@NullMarked
package dev.weir.workflow.yarn;

import org.jspecify.annotations.NullMarked;
