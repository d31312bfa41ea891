import { imageUrl } from '../../calendar/content/images.ts'
import { type Feed, withinLimit } from '../../calendar/events/ical/feed-body.ts'
import type { FeedEvent, FoundEvents } from '../../calendar/events/ical/queries.ts'
import { type IncludedTexts, ownUid } from '../../calendar/events/ical/vevent.ts'
import type { PlainFieldName } from '../../calendar/events/schema.ts'
import type { SerializeContext } from '../../kit/context.ts'
import { CSV_COLUMNS, CSV_NAMES, type CsvColumn, csvList, csvRow } from '../../kit/lib/csv.ts'
import { htmlToLines, plainTitle } from '../../kit/lib/ical/lines.ts'
import { regionOf } from '../../kit/lib/text.ts'
import { exactTime } from '../../kit/lib/time.ts'

// Events as CSV. Every occurrence is a row. `npm run import` reads these columns (readers/csv/items.ts).

/** The mark of UTF-8. Without it, Excel reads the encoding of Windows. */
const BOM = '\uFEFF'

const flag = (value: boolean): string => (value ? 'TRUE' : 'FALSE')

const degrees = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : String(value)

const names = (rows: readonly { name: string }[]): string => csvList(rows.map(({ name }) => plainTitle(name)))

/** Plain fields that have no column on purpose. */
type WithoutColumn = 'external_id' | 'ticketed' | 'ticket_availability' | 'virtual_video_source'

/** The names of the columns, in which the compiler demands all other plain fields. */
const HEAD: Readonly<Record<Exclude<PlainFieldName, WithoutColumn>, string>> = CSV_COLUMNS

function cellsOf(row: FeedEvent, texts: IncludedTexts, context: SerializeContext): Record<CsvColumn, string> {
  const { start_date, end_date, all_day, organizers, image, event_status } = row
  const [venue] = row.venues
  const termsOf = (taxonomy: string) => names(row.terms.filter(term => term.taxonomy === taxonomy))
  const isTold = event_status !== 'scheduled'
  return {
    title: plainTitle(row.title),
    // If there is no room for HTML, its text.
    description: texts === 'all' ? row.description : texts === 'plain' ? htmlToLines(row.description) : '',
    excerpt: texts === 'all' ? row.excerpt : '',
    start_date: start_date.slice(0, 10),
    start_time: all_day ? '' : exactTime(start_date, row.utc_start_date, row.timezone).slice(11),
    end_date: end_date.slice(0, 10),
    end_time: all_day ? '' : exactTime(end_date, row.utc_end_date, row.timezone).slice(11),
    all_day: flag(all_day),
    timezone: row.timezone,
    venue: plainTitle(venue?.name ?? ''),
    address: plainTitle(venue?.address ?? ''),
    city: plainTitle(venue?.city ?? ''),
    province: plainTitle(venue ? regionOf(venue) : ''),
    zip: plainTitle(venue?.zip ?? ''),
    country: plainTitle(venue?.country ?? ''),
    room: plainTitle(row.room),
    latitude: degrees(venue?.geo_lat),
    longitude: degrees(venue?.geo_lng),
    organizers: names(organizers),
    email: organizers.some(({ email }) => email !== '') ? csvList(organizers.map(({ email }) => email)) : '',
    categories: termsOf('event_category'),
    tags: termsOf('event_tag'),
    cost: plainTitle(row.cost),
    website: row.website ?? '',
    image: image ? imageUrl(image, context) : '',
    show_map: flag(row.show_map),
    show_map_link: flag(row.show_map_link),
    hide_from_listings: flag(row.hide_from_listings),
    sticky: flag(row.sticky),
    featured: flag(row.featured),
    event_status: isTold ? event_status : '',
    event_status_reason: isTold ? plainTitle(row.event_status_reason) : '',
    virtual_url: row.is_virtual ? row.virtual_url : '',
    wheelchair: row.wheelchair,
    accessibility: plainTitle(row.accessibility),
    uid: ownUid(row, context),
  }
}

/** Events as a CSV file, by start, in UTF-8 with a byte order mark. */
export const csvText = ({ events }: FoundEvents, context: SerializeContext): Feed =>
  withinLimit(events, context, (rows, texts, room) => {
    for (const row of rows) {
      const cells = cellsOf(row, texts, context)
      room.add(csvRow(CSV_NAMES.map(name => cells[name])))
    }
    return [BOM + csvRow(Object.values(HEAD)), '']
  })
