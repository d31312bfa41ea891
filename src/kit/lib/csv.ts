import { typedKeys } from './values.ts'

// Events as rows of a spreadsheet: the columns, and the format of cells.

/**
 * The columns of events, with the names that the CSV importer of The Events Calendar knows. It ignores
 * columns that only this calendar has.
 * https://theeventscalendar.com/knowledgebase/csv-file-examples-for-importing/
 */
export const CSV_COLUMNS = {
  title: 'Event Name',
  description: 'Event Description',
  excerpt: 'Event Excerpt',
  start_date: 'Event Start Date',
  start_time: 'Event Start Time',
  end_date: 'Event End Date',
  end_time: 'Event End Time',
  all_day: 'All Day Event',
  timezone: 'Timezone',
  venue: 'Event Venue Name',
  address: 'Venue Address',
  city: 'Venue City',
  province: 'Venue State/Province',
  zip: 'Venue Zip',
  country: 'Venue Country',
  room: 'Room',
  latitude: 'Venue Latitude',
  longitude: 'Venue Longitude',
  organizers: 'Event Organizer Name',
  email: 'Organizer Email',
  categories: 'Event Category',
  tags: 'Event Tags',
  cost: 'Event Cost',
  website: 'Event Website',
  image: 'Event Featured Image',
  show_map: 'Event Show Map',
  show_map_link: 'Event Show Map Link',
  hide_from_listings: 'Hide From Event Listings',
  sticky: 'Sticky in Month View',
  featured: 'Feature Event',
  event_status: 'Event Status',
  event_status_reason: 'Event Status Reason',
  virtual_url: 'Virtual URL',
  wheelchair: 'Wheelchair Access',
  accessibility: 'Accessibility',
  uid: 'UID',
} as const

export type CsvColumn = keyof typeof CSV_COLUMNS

export const CSV_COLUMN_KEYS = typedKeys(CSV_COLUMNS)

/** Columns of the currency, which the reader adds to the cost. */
export const CURRENCY_COLUMNS = ['currency_symbol', 'currency_position', 'currency_code'] as const

/**
 * Columns that say who may see an event. Outlook and Google Calendar write `private`, and Outlook
 * `sensitivity`.
 */
export const VISIBILITY_COLUMNS = ['private', 'sensitivity', 'public'] as const

/** The columns that an import reads. `id` tells the rows of one file apart. */
export const READ_COLUMNS = [...CSV_COLUMN_KEYS, ...CURRENCY_COLUMNS, ...VISIBILITY_COLUMNS, 'id'] as const

export type ReadColumn = (typeof READ_COLUMNS)[number]

/** Columns as people have assigned them, by the names in the file; '' for a column that an import skips. */
export type ChosenColumns = Readonly<Record<string, ReadColumn | ''>>

// Spreadsheets in German, French and Spanish split rows at semicolons, others at tabs. They treat a quotation
// mark inside a cell as text, so every semicolon, tab and line end in one of our cells begins a new cell for
// them.

/**
 * The positions in a text at which a spreadsheet may find a formula: at its start, and after a separator.
 * Numbers are not formulas, even negative ones. Quotes before a formula are escaped as well, so that {@link
 * unescapeFormula} restores the cell.
 */
const FORMULA =
  /^(?!-?\d+(?:\.\d+)?$)(?='*[=+\-@\t\r])|(?<=[;\t\r\n])(?!-?\d+(?:\.\d+)?(?:[;\t\r\n]|$))(?=["']*[=+\-@])/g

/** The quotes that {@link csvRow} puts at such positions. */
const ESCAPE = /^'(?='*[=+\-@\t\r])|(?<=[;\t\r\n])'(?=["']*[=+\-@])/g

/** Removes the quotes that {@link csvRow} puts before formulas. */
export const unescapeFormula = (cell: string): string => cell.replace(ESCAPE, '')

const quotedCell = (text: string): string =>
  /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** A row of a CSV file (RFC 4180), with formulas escaped. */
export const csvRow = (cells: readonly string[]): string =>
  `${cells.map(cell => quotedCell(cell.replace(FORMULA, "'"))).join(',')}\r\n`

/** A list of names as one cell: separated by commas, and quoted if a name contains a comma. */
export const csvList = (names: readonly string[]): string => names.map(quotedCell).join(',')
