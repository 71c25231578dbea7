/** Containers: how a session asks YARN for them, starts them and learns how they ended. */
@NullMarked
package dev.weir.workflow.yarn;

import org.jspecify.annotations.NullMarked;
