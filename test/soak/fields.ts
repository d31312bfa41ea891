type Answer = Record<string, unknown>

/** A part of an event that one client alone writes, to values by number, and reads back. */
export type Field = {
  write: (n: number) => Record<string, unknown>
  /** What of an event's answer tells the value. */
  read: (event: Answer) => unknown
}

const day = (n: number): string =>
  new Date(Date.UTC(2030, 0, 1) + (n % 2000) * 86_400_000).toISOString().slice(0, 10)

const names = (list: unknown, name: string): unknown[] =>
  Array.isArray(list) ? list.map(item => item[name]) : [Object(list)[name]]

/**
 * One field, or two that must never part, for each of eight clients. All write to the same events: what one
 * of them wrote last must be there whatever the others wrote meanwhile.
 */
export const FIELDS: readonly Field[] = [
  { write: n => ({ title: `title ${n}` }), read: event => event.title },
  { write: n => ({ description: `<p>text ${n}</p>` }), read: event => String(event.description).trim() },
  { write: n => ({ excerpt: `<p>short ${n}</p>` }), read: event => String(event.excerpt).trim() },
  { write: n => ({ cost: `${n}` }), read: event => Object(event.cost_details).values },
  { write: n => ({ website: `https://example.org/${n}` }), read: event => event.website },
  {
    write: n => ({ tags: [`tag ${n % 5}`], categories: [`category ${n % 5}`] }),
    read: event => [names(event.tags, 'name'), names(event.categories, 'name')],
  },
  {
    write: n => ({ venue: { venue: `venue ${n % 7}` }, organizer: { organizer: `organizer ${n % 7}` } }),
    read: event => [names(event.venue, 'venue'), names(event.organizer, 'organizer')],
  },
  {
    write: n => ({ start_date: `${day(n)} 10:00:00`, end_date: `${day(n)} 12:00:00` }),
    read: event => [event.start_date, event.end_date],
  },
]
