/** What a run did: who ran which task where, how long each phase took and how many bytes moved. */
@NullMarked
package dev.weir.workflow.record;

import org.jspecify.annotations.NullMarked;
