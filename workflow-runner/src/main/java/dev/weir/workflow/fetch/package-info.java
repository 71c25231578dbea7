/** Fetches inputs of workflows from web servers, object stores and other file systems. */
@NullMarked
package dev.weir.workflow.fetch;

import org.jspecify.annotations.NullMarked;
