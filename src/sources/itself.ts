import type { RequestContext } from '../context.ts'
import { isOwnUid } from '../lib/ical/own-uid.ts'
import type { AnyRecord } from './records.ts'

// A calendar that reads itself doubles all events with each run.

type Here = Pick<RequestContext, 'settings' | 'site' | 'api' | 'host'>

/** Tells if an address is one of this calendar, by whichever scheme. The cron doesn't know where it is if no setting says so. */
export function isOwnAddress({ settings, site, api }: Here, address: string | null): boolean {
  if (address === null || !URL.canParse(address)) return false
  const { host, pathname } = new URL(address)
  return (
    [site, api].some(own => new URL(own).host === host) &&
    (settings.website.isOn || settings.namespaces.some(path => `${pathname}/`.startsWith(`/${path}/`)))
  )
}

const withoutScheme = (address: string | null): string => (address ?? '').replace(/^https?:/, '')

/**
 * Tells if all events of a feed are of this calendar, which then has another name as well: by their UIDs, or by the addresses of
 * their pages. That they name the home page says nothing: a club may have this calendar there.
 */
export function isOwnFeed({ site, host }: Here, records: readonly AnyRecord[]): boolean {
  const pages = withoutScheme(`${site}/event/`)
  const events = records.filter(record => 'website' in record && 'venues' in record)
  return (
    events.length > 0 &&
    events.every(
      ({ externalId, website }) =>
        isOwnUid(externalId.replace(/#.*/, ''), host) || withoutScheme(website).startsWith(pages),
    )
  )
}
