/** The event loop of a session: it applies the steps of the dispatcher. */
@NullMarked
package dev.weir.workflow.controller;

import org.jspecify.annotations.NullMarked;
