import { sql } from 'drizzle-orm'
import { columnExpressions, decodeList, type RowOf } from '../../../db/columns.ts'
import type { UnionPart } from '../../../db/query.ts'
import { sources } from '../../../db/schema.ts'
import { type Node, node } from '../../../lib/escape.ts'
import type { EventResponse } from '../schema.ts'
import type { Related } from './rows.ts'

const columns = {
  id: sources.id,
  name: sources.name,
  url: sources.url,
  rights_text: sources.rights_text,
  rights_url: sources.rights_url,
  mirror: sources.mirror,
}

export type EventSource = RowOf<typeof columns>

/** The calendars that an event comes from. */
export type EventOrigin = {
  /** Undefined for own events. */
  source: EventSource | undefined
  /** Those of events that are the same and hidden by it. */
  others: EventSource[]
}

/** The most calendars that an event names beside its own, and characters of those of all events of a page. */
const MOST_OTHERS = 10
const MOST_CHARACTERS = 500_000

/** The calendars that events of a page come from, each once. The place of a use is 0 for the event's own. */
export const sourcePart: UnionPart<Related<EventSource>> = {
  columns: [sql`origin.uses`, ...columnExpressions(columns)],
  // Nothing else is read where there are no sources.
  from: sql`FROM (SELECT source_id, json_group_array(json_array(page.position, is_other)) AS uses
      FROM (SELECT 1 FROM ${sources} LIMIT 1) CROSS JOIN page CROSS JOIN event_sources ON event_id = page.id
      GROUP BY source_id) AS origin
    CROSS JOIN ${sources} ON ${sources.id} = origin.source_id WHERE NOT ${sources.is_ending}`,
  // Made by json_group_array() above.
  read: ([uses, ...row]) => ({ row: decodeList(columns, row), uses: JSON.parse(String(uses)) }),
}

/** Makes a function that gives the calendars of an event by its position on the page, the oldest first. */
export function originsOf(found: readonly Related<EventSource>[]): (position: number) => EventOrigin {
  const known = new Map<number, EventOrigin>()
  let characters = 0
  for (const { row, uses } of found.toSorted((a, b) => a.row.id - b.row.id)) {
    for (const [position, isOther] of uses.toSorted(([, a], [, b]) => a - b)) {
      const origin = known.get(position) ?? { source: undefined, others: [] }
      known.set(position, origin)
      if (isOther === 0) origin.source ??= row
      if (origin.source === row || origin.others.includes(row) || origin.others.length >= MOST_OTHERS)
        continue
      characters += row.name.length + row.url.length + row.rights_text.length + row.rights_url.length
      if (characters <= MOST_CHARACTERS) origin.others.push(row)
    }
  }
  return position => known.get(position) ?? { source: undefined, others: [] }
}

const shown = ({ id, name, url, rights_text: text, rights_url }: EventSource) => ({
  ...{ id, name, url },
  ...((text !== '' || rights_url !== '') && { rights: { text, url: rights_url } }),
})

/** The fields of an event that name the calendars it comes from; nothing for own ones. */
export const serializeOrigin = ({
  source,
  others,
}: EventOrigin): Pick<EventResponse, 'source' | 'other_sources'> => ({
  ...(source && { source: shown(source) }),
  ...(others.length > 0 && { other_sources: others.map(shown) }),
})

/** JSON-LD of what an event was taken from: https://schema.org/subjectOf */
export const originNodes = ({ source, others }: EventOrigin): Node[] =>
  [...(source ? [source] : []), ...others].map(({ name, url, rights_url, rights_text }) =>
    node('CreativeWork', { name, url, license: rights_url, creditText: rights_text }),
  )
