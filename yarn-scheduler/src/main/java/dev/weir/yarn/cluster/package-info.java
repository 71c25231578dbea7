/**
 * The cluster's nodes: which hold the bytes, which an application may get, and when they will have
 * room.
 */
@NullMarked
package dev.weir.yarn.cluster;

import org.jspecify.annotations.NullMarked;
