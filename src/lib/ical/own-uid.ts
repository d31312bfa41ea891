/**
 * Tells if a UID has the form of those that events and series of a calendar have for themselves, such as `event-12@host`,
 * with this host: an external id of this form may be the UID of something else.
 */
export function isOwnUid(uid: string, host: string): boolean {
  const named = uid.match(/^(?:event|series)-\d+(?:\.\d+)?@(.*)$/i)?.[1]
  return named?.toLowerCase() === host.toLowerCase()
}
