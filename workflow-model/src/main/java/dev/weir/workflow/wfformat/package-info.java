/** Reads and writes workflows in WfFormat, the JSON format of the WfCommons project. */
@NullMarked
package dev.weir.workflow.wfformat;

import org.jspecify.annotations.NullMarked;
