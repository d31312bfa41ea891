import { ApiError } from './errors.ts'

/**
 * Refuses a write if its `If-Match` names another version of the resource than the stored one (RFC 9110 §13.1.1). Only
 * the version at the end of a tag is compared: the rest of it changes with everything else in the calendar.
 *
 * @param ifMatch the header, if the request has it
 * @throws ApiError `rest_precondition_failed`
 */
export function assertMatch(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const versions = ifMatch.split(',').map(tag => tag.match(/-v(\d+)"\s*$/)?.[1])
  if (versions.includes(String(version))) return
  throw new ApiError(
    'rest_precondition_failed',
    'This was changed since: read it again, then repeat the change.',
  )
}
