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
 * Returns the stored resource, unless a header excludes its version: `If-Match` (RFC 9110 §13.1.1) if it does not name the
 * version, `If-None-Match` (§13.1.2) if it does. `*` names every version. Only the version at the end of a tag is compared,
 * because the rest changes with everything else in the calendar.
 *
 * @throws ApiError `rest_precondition_failed`
 */
export function assertConditions<R extends { version: number }>(
  { ifMatch, ifNoneMatch, epoch }: Preconditions,
  stored: R,
): R {
  const names = (tags: string): boolean =>
    tags.trim() === '*' || versionsIn(tags, epoch).includes(String(stored.version))
  if (ifMatch !== undefined && !names(ifMatch))
    throw failed('This has changed since you read it: read it again, then repeat the change.')
  if (ifNoneMatch !== undefined && names(ifNoneMatch))
    throw failed('This already exists, which If-None-Match excludes.')
  return stored
}

const failed = (message: string): ApiError => new ApiError('rest_precondition_failed', message)

/**
 * Refuses to create a resource that `If-Match` requires to exist.
 *
 * @throws ApiError `rest_precondition_failed`
 */
export function assertMayBeNew({ ifMatch }: Pick<Preconditions, 'ifMatch'>): void {
  if (ifMatch === undefined) return
  throw failed('This does not exist, but If-Match requires it to.')
}
