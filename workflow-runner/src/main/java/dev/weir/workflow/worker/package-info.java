/** The long-lived container that makes many attempts at tasks, one after the other. */
@NullMarked
package dev.weir.workflow.worker;

import org.jspecify.annotations.NullMarked;
