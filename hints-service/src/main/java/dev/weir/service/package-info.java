/** The hints service: its process, its settings and its parts put together. */
@NullMarked
package dev.weir.service;

import org.jspecify.annotations.NullMarked;
