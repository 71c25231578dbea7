/** Tests of the hints service on real daemons. */
package dev.weir.it.service;
