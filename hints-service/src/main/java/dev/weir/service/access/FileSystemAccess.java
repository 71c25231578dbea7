package dev.weir.service.access;

/**
 * How parts of the service ask file systems, and who may what.
 *
 * @param callers file systems as the users see them
 * @param authorizer says who may write which rule
 */
public record FileSystemAccess(CallerFileSystems callers, Authorizer authorizer) {}
