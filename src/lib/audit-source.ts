// Imports have no user and no request. For their changes, the audit's column for the request's id names the source.

const PREFIX = 'import:'

/** The request id under which the audit records the changes of an import. */
export const requestIdOf = (source: string): string => PREFIX + source

/** The source of the import that a request id in the audit stands for; undefined for real requests. */
export const sourceOfRequest = (requestId: string): string | undefined =>
  requestId.startsWith(PREFIX) ? requestId.slice(PREFIX.length) : undefined
