// Changes by imports have no user and no request: in the audit, the column of the request's id names their source.

const PREFIX = 'import:'

/** The id under which the audit records changes by an import from a source. */
export const requestIdOf = (source: string): string => PREFIX + source

/** The source of an import that is recorded under an id; undefined for the id of a request. */
export const sourceOfRequest = (requestId: string): string | undefined =>
  requestId.startsWith(PREFIX) ? requestId.slice(PREFIX.length) : undefined
