/** What the client, the ApplicationMaster and the workers say to each other. */
@NullMarked
package dev.weir.workflow.protocol;

import org.jspecify.annotations.NullMarked;
