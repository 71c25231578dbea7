@NullMarked
package dev.weir.service.locate.rest;

import org.jspecify.annotations.NullMarked;
