import { sql } from 'drizzle-orm'
import { columnExpressions, decodeList, type RowOf } from '../../db/columns.ts'
import { literal } from '../../db/query.ts'
import { events, series } from '../../db/schema.ts'
import type { UnionPart } from '../../db/union.ts'
import { type Image, imageColumns, imageJoin, readImage } from '../../resources/content/images.ts'
import { seriesJoin, sharedTexts } from '../../resources/events/rows.ts'
import { seriesWith } from './lean-events.ts'
import { READ } from './text.ts'

// A list on a page shows of an event what is here: serialized as the API has it, with texts of any length, venues, organizers
// and terms, a page of 24 took 3.9 ms of CPU instead of 2.9, and 286 rows more (budget «page: list» of the benchmark).

const columns = {
  id: events.id,
  slug: events.slug,
  title: events.title,
  all_day: events.all_day,
  start_date: events.start_date,
  end_date: events.end_date,
  utc_start_date: events.utc_start_date,
  utc_end_date: events.utc_end_date,
  timezone: events.timezone,
  cost: events.cost,
  featured: events.featured,
  event_status: events.event_status,
  is_virtual: events.is_virtual,
  image_id: events.image_id,
}

/** An event in a list of a page. */
export type ListedEvent = RowOf<typeof columns> & {
  /** Null for single events. */
  series: { slug: string } | null
  image: Image | null
  /** The beginning of the excerpt or, without one, of the description; one character more than are read of it. */
  text: string
  /** The first of its venues that anyone may see, and how many there are. */
  venue: { name: string; city: string; count: number }
  /** The name of its first category; empty without one. */
  category: string
}

/** With a single min(), SQLite takes the other columns from the row that has it. */
const VENUE = sql`(SELECT json_array(name, city, count(*), min(event_venues.position)) FROM event_venues
  CROSS JOIN venues ON venues.id = target_id AND (status = 'publish' OR (status = 'future' AND date_utc <= (SELECT now FROM present)))
  WHERE event_id = page.id)`

const CATEGORY = sql`(SELECT name FROM event_terms CROSS JOIN terms ON terms.id = target_id
  WHERE event_id = page.id AND taxonomy = 'event_category' ORDER BY sort_name, terms.id LIMIT 1)`

/** The events of the page, for a statement that has `page` and, as `present`, the time. */
export const listedPart: UnionPart<ListedEvent & { position: number }> = {
  columns: [
    ...columnExpressions(columns),
    sql`page.position`,
    sql`${series.slug}`,
    sql`substr(coalesce(nullif(${sharedTexts.excerpt}, ''), ${sharedTexts.description}), 1, ${literal(READ + 1)})`,
    sql`json(${VENUE})`,
    CATEGORY,
    ...columnExpressions(imageColumns),
  ],
  from: sql`FROM page CROSS JOIN ${events} ON ${events.id} = page.id ${imageJoin(events.image_id)} ${seriesJoin}`,
  read: values => {
    const row = decodeList(columns, values)
    const [position, slug, text, venue, category, ...image] = values.slice(Object.keys(columns).length)
    // Made by json_array() above.
    const [name, city, count] = venue as [name: unknown, city: unknown, count: number]
    return {
      ...row,
      position: Number(position),
      series: seriesWith(slug),
      image: readImage(row.image_id, image),
      text: String(text ?? ''),
      venue: { name: String(name ?? ''), city: String(city ?? ''), count },
      category: String(category ?? ''),
    }
  },
}
