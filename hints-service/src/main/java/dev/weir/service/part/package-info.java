/** The base of every part of the hints service: parts, settings, leader tasks, problems. */
@NullMarked
package dev.weir.service.part;

import org.jspecify.annotations.NullMarked;
