@NullMarked
package dev.weir.service.rest;

import org.jspecify.annotations.NullMarked;
