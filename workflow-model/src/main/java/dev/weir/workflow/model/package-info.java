/** What a workflow is: tasks, files, and the graph that the files make of the tasks. */
@NullMarked
package dev.weir.workflow.model;

import org.jspecify.annotations.NullMarked;
