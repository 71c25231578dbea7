/** The capacity of the hints service, measured on a local cluster. */
@NullMarked
package dev.weir.bench.service;

import org.jspecify.annotations.NullMarked;
