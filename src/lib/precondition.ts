import { ApiError } from './errors.ts'

type Preconditions = {
  ifMatch: string | undefined
  ifNoneMatch: string | undefined
  /** The secret of the database, where it is known. */
  epoch?: string | undefined
}

/** The start of a secret, by which tags of one database are told from those of another; the rest of it is long enough. */
export const eraOf = (epoch: string): string => epoch.slice(0, 4)

/** The versions in tags, but for those of another database. Tags that programs make themselves may leave out which it is. */
const versionsIn = (tags: string, epoch = ''): (string | undefined)[] =>
  tags.split(',').map(tag => {
    const [, era = '', version] = /-([0-9a-f]{4})?v(\d+)"\s*$/.exec(tag) ?? []
    return era === '' || epoch === '' || era === eraOf(epoch) ? version : undefined
  })

/**
 * Refuses a write if its `If-Match` names another version of the resource than the stored one (RFC 9110 §13.1.1). Only
 * the version at the end of a tag is compared: the rest of it changes with everything else in the calendar.
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
 * Refuses a write of what is there if its `If-None-Match` excludes that (RFC 9110 §13.1.2): by `*`, which means that the
 * request is to create it, or by naming its version.
 *
 * @throws ApiError `rest_precondition_failed`
 */
function assertNoneMatch({ ifNoneMatch, epoch }: Omit<Preconditions, 'ifMatch'>, version: number): void {
  if (ifNoneMatch === undefined) return
  if (ifNoneMatch.trim() !== '*' && !versionsIn(ifNoneMatch, epoch).includes(String(version))) return
  throw new ApiError('rest_precondition_failed', 'This already exists, which If-None-Match excludes.')
}

/**
 * Returns what is there, unless one of these headers excludes its version.
 *
 * @throws ApiError `rest_precondition_failed`
 */
export function assertConditions<R extends { version: number }>(preconditions: Preconditions, stored: R): R {
  assertMatch(preconditions, stored.version)
  assertNoneMatch(preconditions, stored.version)
  return stored
}

/**
 * Refuses to create what `If-Match` wants to be there.
 *
 * @throws ApiError `rest_precondition_failed`
 */
export function assertMayBeNew({ ifMatch }: Pick<Preconditions, 'ifMatch'>): void {
  if (ifMatch === undefined) return
  throw new ApiError('rest_precondition_failed', 'This does not exist, but If-Match requires it to.')
}
