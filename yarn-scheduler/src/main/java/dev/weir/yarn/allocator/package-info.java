/**
 * Which placement allocator an application gets, and where the container of its ApplicationMaster
 * goes.
 */
@NullMarked
package dev.weir.yarn.allocator;

import org.jspecify.annotations.NullMarked;
