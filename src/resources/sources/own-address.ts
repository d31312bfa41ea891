import type { RequestContext } from '../../context.ts'

export type CalendarPlace = Pick<RequestContext, 'settings' | 'site' | 'api'>

/** Tells if an address is one of this calendar, by whichever scheme. The cron doesn't know where it is if no setting says so. */
export function isOwnAddress({ settings, site, api }: CalendarPlace, address: string | null): boolean {
  if (address === null || !URL.canParse(address)) return false
  const { host, pathname } = new URL(address)
  return (
    [site, api].some(own => new URL(own).host === host) &&
    (settings.website.isOn || settings.namespaces.some(path => `${pathname}/`.startsWith(`/${path}/`)))
  )
}
