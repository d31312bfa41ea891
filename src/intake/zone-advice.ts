import { canonicalZone } from '../lib/zones.ts'

const UTC = /^(?:UTC|GMT|Etc\/(?:UTC|GMT|UCT|Universal|Zulu)|UTC[+-]0)$/i

const nameOf = (zone: string): string => (UTC.test(zone) ? 'UTC' : (canonicalZone(zone) ?? zone))

/** One event tells nothing about a calendar. */
const LEAST = 2

/**
 * A hint that most of the imported events are in another zone than the calendar's; undefined if they aren't.
 *
 * @param counts numbers of imported events by zone
 * @param timezone the calendar's own zone
 * @param table the table of wrangler.toml that holds the calendar's vars: `vars`, `env.production.vars`
 */
export function zoneAdvice(
  counts: ReadonlyMap<string, number>,
  timezone: string,
  table: string,
): string | undefined {
  const byName = new Map<string, number>()
  for (const [zone, count] of counts) byName.set(nameOf(zone), (byName.get(nameOf(zone)) ?? 0) + count)
  const total = [...byName.values()].reduce((sum, count) => sum + count, 0)
  const [commonest] = [...byName].sort(([, a], [, b]) => b - a)
  if (!commonest) return undefined
  const [zone, count] = commonest
  // UTC is what programs write that know no zone; nobody's calendar is there.
  if (total < LEAST || zone === 'UTC' || count * 2 <= total || zone === nameOf(timezone)) return undefined
  return `${count} of ${total} events are in ${zone}, but this calendar's TIMEZONE is ${timezone}: clients that look for them by date will miss some. Set TIMEZONE = "${zone}" in [${table}] of wrangler.toml.`
}
