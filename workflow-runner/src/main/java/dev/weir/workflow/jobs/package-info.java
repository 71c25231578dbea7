/**
 * Single jobs for engines that schedule their tasks themselves: the job, the status of its session,
 * and the clients.
 */
@NullMarked
package dev.weir.workflow.jobs;

import org.jspecify.annotations.NullMarked;
