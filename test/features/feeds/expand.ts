import ICAL from 'ical.js'

/**
 * An occurrence as a subscriber's program displays it. Times are UTC; all-day events have dates. Events in
 * the trash, which have no page, have no title here.
 */
type DisplayedEvent = { uid: string; start: string; end: string; title: string; status: string }

/** The word before the title of an event that does not take place as announced. */
const STATUS_WORD = /^(?:Cancelled|Postponed|New date): /

const timeOf = (time: ICAL.Time): string =>
  time.isDate ? time.toString() : time.convertToZone(ICAL.Timezone.utcTimezone).toString()

const text = (component: ICAL.Component, name: string): string =>
  String(component.getFirstPropertyValue(name) ?? '')

/** All events that ical.js finds in a calendar, by time. */
export function expanded(calendar: string): DisplayedEvent[] {
  const root = new ICAL.Component(ICAL.parse(calendar))
  const shown: DisplayedEvent[] = []
  const byUid = Map.groupBy(root.getAllSubcomponents('vevent'), event => text(event, 'uid'))
  for (const [uid, events] of byUid) {
    const main = events.find(event => !event.hasProperty('recurrence-id'))
    const overrides = events.filter(event => event !== main)
    if (!main) throw new Error(`${uid} has exceptions only`)
    const event = new ICAL.Event(main, { exceptions: overrides, strictExceptions: true })
    const add = ({
      startDate,
      endDate,
      item,
    }: {
      startDate: ICAL.Time
      endDate: ICAL.Time
      item: ICAL.Event
    }) =>
      shown.push({
        uid,
        start: timeOf(startDate),
        end: timeOf(endDate),
        title: item.component.hasProperty('url') ? (item.summary ?? '').replace(STATUS_WORD, '') : '',
        status: text(item.component, 'status'),
      })
    if (!event.isRecurring()) {
      add({ startDate: event.startDate, endDate: event.endDate, item: event })
      continue
    }
    const iterator = event.iterator()
    for (let next = iterator.next(); next; next = iterator.next()) add(event.getOccurrenceDetails(next))
  }
  return shown.sort((a, b) => order(a).localeCompare(order(b)))
}

const order = ({ start, uid, title }: { start: string; uid: string; title: string }): string =>
  `${start} ${uid} ${title}`

/** The same of a list's event. @param day true if it lasts whole days */
export function asShown(event: Record<string, unknown>): Omit<DisplayedEvent, 'uid' | 'status'> {
  const iso = (value: unknown) => `${String(value).replace(' ', 'T')}Z`
  if (event.all_day) {
    const next = new Date(Date.parse(`${String(event.end_date).slice(0, 10)}T00:00:00Z`) + 86_400_000)
    return {
      start: String(event.start_date).slice(0, 10),
      end: next.toISOString().slice(0, 10),
      title: String(event.title),
    }
  }
  return { start: iso(event.utc_start_date), end: iso(event.utc_end_date), title: String(event.title) }
}
