import type { PlainFieldName } from '../../calendar/events/schema.ts'
import { reportGuess } from '../../calendar/imports/guesses.ts'
import {
  type AnyRecord,
  type EventRecord,
  type OrganizerRecord,
  Unreadable,
  type VenueRecord,
  withStatusOf,
} from '../../calendar/imports/records.ts'
import { CURRENCY_COLUMNS, type ReadColumn } from '../../kit/lib/csv.ts'
import type { GuessCode } from '../../kit/lib/reasons.ts'
import { isUnitedStates } from '../../kit/lib/region.ts'
import { type Status, WHEELCHAIR_ACCESS, type WheelchairAccess } from '../../kit/lib/statuses.ts'
import { fold } from '../../kit/lib/text.ts'
import { dayOf } from '../../kit/lib/time.ts'
import { FIELD_LIMITS } from '../../kit/lib/values.ts'
import {
  externalIdsOf,
  type FieldReading,
  onlineType,
  readEmail,
  readHtml,
  readImageRecord,
  readLine,
  readPosition,
  readTitle,
  readUrl,
  reportLeftOut,
} from '../fields.ts'
import { bareRecord, linkableRecords, organizerNamed, termsNamed, textKey } from '../named-records.ts'
import { isOnlineAt, meetingIn, placelessIn, websiteOf } from '../placeless.ts'
import { graverStatuses, type SaidStatuses, statusNamed } from '../status-words.ts'
import { flagIn, hidesIn, hidesUnless } from './flags.ts'
import { csvRows } from './table.ts'
import { csvTimes } from './times.ts'

// The records that a row of a spreadsheet names.

/** A row, and the context in which its cells are read. */
type RowReading = FieldReading & {
  cell: (column: ReadColumn) => string
  headingOf: (column: ReadColumn) => string
  /** The non-empty cells of all columns with one meaning, each with the name of its column. */
  cellsOf: (column: ReadColumn) => readonly { name: string; text: string }[]
}

/** The most characters of a list of names that are read: a cell may have two million, and a name a letter. */
const MAX_LIST_LENGTH = 10_000

/**
 * The names in all cells of categories or tags. Each line of a cell, and each text between bars, is a term of
 * its own.
 */
const termsIn = ({ cellsOf }: RowReading, column: 'categories' | 'tags'): string[] =>
  cellsOf(column).flatMap(({ text }) =>
    text
      .slice(0, MAX_LIST_LENGTH)
      .split(/[\n|]/)
      .flatMap(part => namesIn(part)),
  )

/** The names in a cell, separated by commas or, if there are none, by semicolons. */
function namesIn(wholeCell: string): string[] {
  const cell = wholeCell.slice(0, MAX_LIST_LENGTH)
  const separator = cell.includes(',') ? ',' : ';'
  return csvRows(cell.replace(/\s+/g, ' '), separator, 1)
    .flatMap(({ cells }) => cells)
    .map(name => readTitle(name.trim()))
    .filter(Boolean)
}

function venueIn(row: RowReading): VenueRecord | undefined {
  const { cell, ...reading } = row
  const texts = (['venue', 'address', 'city', 'province', 'zip', 'country'] as const)
    .map(cell)
    .map(text => readLine(text))
  const [venueName = '', address = '', city = '', region = '', zip = '', country = ''] = texts
  const name = readTitle(cell('venue')) || venueName || address
  if (name === '') return undefined
  return {
    ...bareRecord(reading, textKey([name, address, city, region, zip, country].filter(Boolean).join(', '))),
    kind: 'venue',
    name,
    address,
    city,
    zip,
    country,
    ...(isUnitedStates(country) ? { state: region } : { province: region }),
    ...positionIn(row),
  }
}

function organizersIn({ cell, ...reading }: RowReading): OrganizerRecord[] {
  const emails = csvRows(cell('email'), ',', 1)[0]?.cells ?? []
  const organizers = namesIn(cell('organizers')).map((name, i) =>
    organizerNamed(reading, { name, email: readEmail(emails[i] ?? '', reading) }),
  )
  return linkableRecords(organizers, 'organizers', reading)
}

/** The cost with its currency, for which the importer of The Events Calendar has separate columns. */
function costIn({ cell }: RowReading): string {
  const cost = readLine(cell('cost'))
  const [symbol, position, code] = CURRENCY_COLUMNS.map(column => readLine(cell(column)))
  const sign = symbol || code || ''
  // Words, zero, and amounts that already have a sign stay as they are.
  if (sign === '' || !/^\d+(?:[.,]\d+)*$/.test(cost) || !/[1-9]/.test(cost)) return cost
  return /suffix|after|postfix/i.test(position ?? '')
    ? `${cost} ${sign}`
    : `${sign}${symbol ? '' : ' '}${cost}`
}

/** Reports that a cell was left out, unless it is empty. */
function reportLeftOutCell(row: RowReading, column: ReadColumn): void {
  const text = row.cell(column).trim()
  if (text !== '') reportLeftOut(row, row.headingOf(column), text)
}

function flagOf(row: RowReading, column: ReadColumn, fallback: boolean): boolean {
  const flag = flagIn(row.cell(column))
  if (flag === undefined) reportLeftOutCell(row, column)
  return flag ?? fallback
}

/** The address of an image. The importer of The Events Calendar also takes ids of its own library. */
function imageIn(row: RowReading): EventRecord['image'] {
  const text = row.cell('image').trim()
  if (/^https?:/i.test(text)) return readImageRecord(text, row)
  reportLeftOutCell(row, 'image')
  return undefined
}

function wheelchairIn(row: RowReading): WheelchairAccess {
  const word = row.cell('wheelchair').trim().toLowerCase()
  const flag = flagIn(word)
  const access =
    WHEELCHAIR_ACCESS.find(one => one === word) ?? (flag === undefined ? undefined : flag ? 'yes' : 'no')
  if (access === undefined) reportLeftOutCell(row, 'wheelchair')
  return access ?? ''
}

function positionIn(row: RowReading): ReturnType<typeof readPosition> {
  const position = readPosition(row.cell('latitude'), row.cell('longitude'))
  if (position.geo_lat === null)
    for (const column of ['latitude', 'longitude'] as const) reportLeftOutCell(row, column)
  return position
}

/** Columns that hide an event, with functions that return whether a cell hides it. */
const HIDING_COLUMNS = [
  ['private', hidesIn],
  ['sensitivity', hidesIn],
  ['public', hidesUnless],
  ['hide_from_listings', flagIn],
] as const

/**
 * The status of a row's event. If a cell that may hide it has an unknown word, the event waits for review, so
 * that nothing private becomes public.
 */
function statusOf(row: RowReading): Status {
  const cells = HIDING_COLUMNS.flatMap(([column, read]) =>
    row.cellsOf(column).map(cell => ({ ...cell, column, hides: read(cell.text) })),
  )
  const isPrivate = cells.some(({ column, hides }) => hides === true && column !== 'hide_from_listings')
  if (isPrivate) return 'private'
  const unknownCells = cells.filter(({ hides }) => hides === undefined)
  for (const cell of unknownCells) reportDoubt(row, cell, 'guess_hides')
  return unknownCells.length > 0 ? 'pending' : 'publish'
}

/** Reports that the event of a row waits for review, because a cell has an unknown word. */
function reportDoubt(row: RowReading, { name, text }: { name: string; text: string }, code: GuessCode): void {
  const { what, line } = row
  reportGuess(row, { code, what, line, field: name, text })
}

/**
 * The statuses of a row: whether its event takes place, and who sees it. With an unknown status, the event
 * waits for review.
 */
function statusesOf(row: RowReading): SaidStatuses {
  let statuses: SaidStatuses = { status: statusOf(row) }
  for (const cell of row.cellsOf('event_status')) {
    const saidStatuses = statusNamed(cell.text)
    if (!saidStatuses) reportDoubt(row, cell, 'guess_status')
    statuses = graverStatuses(statuses, saidStatuses ?? { status: 'pending' })
  }
  return statuses
}

/** The ids of a row: its UID, by which it is known in any file, and its ID within its own file. */
type RowIds = { external_id: string; id: string }

/** The plain fields that have a column: the compiler demands that a row's event has each. */
type WithColumns = Required<Pick<EventRecord, Extract<ReadColumn, PlainFieldName>>>

/** The records of a row, the event last. @throws Unreadable */
export function recordsIn(row: RowReading, { external_id, id }: RowIds): AnyRecord[] {
  const { cell, headingOf: _, cellsOf: __, ...reading } = row
  const title = readTitle(cell('title'))
  if (title === '') throw new Unreadable('it has no title', 'record_no_name')
  const moments = csvTimes(row, reading)
  const namedVenue = venueIn(row)
  // The name of a venue is cut, the address of a meeting must not be.
  const placeless = namedVenue ? placelessIn({ ...namedVenue, name: cell('venue') || namedVenue.name }) : []
  const venue = placeless.length > 0 ? undefined : namedVenue
  const organizers = organizersIn(row)
  const categories = termsNamed('category', termsIn(row, 'categories'), reading)
  const tags = termsNamed('tag', termsIn(row, 'tags'), reading)
  const virtual_url = readUrl(cell('virtual_url') || meetingIn(placeless), reading)
  const flag = (column: ReadColumn, fallback = false) => flagOf(row, column, fallback)
  const statuses = statusesOf(row)
  const start = moments.all_day ? dayOf(moments.start.wall) : moments.start.wall
  const event: EventRecord & WithColumns = {
    source: reading.source,
    kind: 'event',
    slug: '',
    event_status: 'scheduled',
    ...statuses,
    externalId: external_id || textKey(id) || textKey(`${start} ${fold(title)}`),
    external_id,
    title,
    description: readHtml(cell('description'), FIELD_LIMITS.eventDescription),
    excerpt: readHtml(cell('excerpt'), FIELD_LIMITS.excerpt),
    image: imageIn(row),
    ...moments,
    cost: costIn(row),
    website: websiteOf(readUrl(cell('website'), reading), placeless, {
      ...reading,
      field: row.headingOf('venue'),
      as: row.headingOf('website'),
    }),
    show_map: flag('show_map', venue !== undefined),
    show_map_link: flag('show_map_link', venue !== undefined),
    hide_from_listings: row.cellsOf('hide_from_listings').some(({ text }) => flagIn(text) === true),
    sticky: flag('sticky'),
    featured: flag('featured'),
    event_status_reason: readLine(cell('event_status_reason')),
    virtual_event_type: onlineType(isOnlineAt(placeless) || virtual_url !== '', venue !== undefined),
    virtual_url,
    wheelchair: wheelchairIn(row),
    accessibility: readLine(cell('accessibility')),
    room: readLine(cell('room')),
    venues: venue ? [venue.externalId] : [],
    organizers: externalIdsOf(organizers),
    categories: externalIdsOf(categories),
    tags: externalIdsOf(tags),
  }
  const places = [...(venue ? [venue] : []), ...organizers].map(place => withStatusOf(statuses.status, place))
  return [...categories, ...tags, ...places, event]
}
