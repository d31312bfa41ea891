import { ApiError } from './errors.ts'

type Preconditions = {
  ifMatch: string | undefined
  ifNoneMatch: string | undefined
  /** The secret of the database, if it is known. */
  epoch?: string | undefined
}

/**
 * The first characters of a database's secret, which tell its tags from those of other databases. The rest of the
 * secret is long enough.
 */
export const eraOf = (epoch: string): string => epoch.slice(0, 4)

/**
 * The versions in a list of tags; undefined for tags of another database. Tags that programs build themselves may leave
 * the database out.
 */
const versionsIn = (tags: string, epoch = ''): (string | undefined)[] =>
  tags.split(',').map(tag => {
    const [, era = '', version] = /-([0-9a-f]{4})?v(\d+)"\s*$/.exec(tag) ?? []
    return era === '' || epoch === '' || era === eraOf(epoch) ? version : undefined
  })

/**
 * Refuses a write whose `If-Match` does not name the stored version of the resource (RFC 9110 §13.1.1). It compares
 * only the version at the end of a tag, because the rest changes with everything else in the calendar.
 *
 * @throws ApiError `rest_precondition_failed`
 */
function assertMatch({ ifMatch, epoch }: Omit<Preconditions, 'ifNoneMatch'>, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  if (versionsIn(ifMatch, epoch).includes(String(version))) return
  throw new ApiError(
    'rest_precondition_failed',
    'This has changed since you read it: read it again, then repeat the change.',
  )
}

/**
 * Refuses a write to an existing resource that `If-None-Match` excludes (RFC 9110 §13.1.2): by `*`, which means that
 * the request must create it, or by its version.
 *
 * @throws ApiError `rest_precondition_failed`
 */
function assertNoneMatch({ ifNoneMatch, epoch }: Omit<Preconditions, 'ifMatch'>, version: number): void {
  if (ifNoneMatch === undefined) return
  if (ifNoneMatch.trim() !== '*' && !versionsIn(ifNoneMatch, epoch).includes(String(version))) return
  throw new ApiError('rest_precondition_failed', 'This already exists, which If-None-Match excludes.')
}

/**
 * Returns the stored resource, unless one of these headers excludes its version.
 *
 * @throws ApiError `rest_precondition_failed`
 */
export function assertConditions<R extends { version: number }>(preconditions: Preconditions, stored: R): R {
  assertMatch(preconditions, stored.version)
  assertNoneMatch(preconditions, stored.version)
  return stored
}

/**
 * Refuses to create a resource that `If-Match` requires to exist.
 *
 * @throws ApiError `rest_precondition_failed`
 */
export function assertMayBeNew({ ifMatch }: Pick<Preconditions, 'ifMatch'>): void {
  if (ifMatch === undefined) return
  throw new ApiError('rest_precondition_failed', 'This does not exist, but If-Match requires it to.')
}
