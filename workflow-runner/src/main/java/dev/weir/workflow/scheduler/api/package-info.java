/**
 * What goes into the dispatcher of a session and what comes out: graphs, jobs and requests; records
 * for the journal and effects to carry out; progress and failures.
 */
@NullMarked
package dev.weir.workflow.scheduler.api;

import org.jspecify.annotations.NullMarked;
