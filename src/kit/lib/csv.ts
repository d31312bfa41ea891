import { memoize } from './memo.ts'
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

// Spreadsheets split rows at the separator that the language of their user suggests, or at tabs. Where that is
// not the file's own, they treat a quotation mark inside a cell as text, so every separator and line end in one
// of our cells begins a new cell for them.

type CsvSeparator = ',' | ';'

/** The separator of files in a language: where decimals have a comma, spreadsheets split rows at semicolons. */
export const csvSeparatorOf = (language: string): CsvSeparator =>
  new Intl.NumberFormat(language)
    .formatToParts(0.5)
    .some(({ type, value }) => type === 'decimal' && value === ',')
    ? ';'
    : ','

/** What a formula begins with, in full width as well, which some spreadsheets take for the same. */
const SIGNS = '=+\\-@＝＋－＠'
const NUMBER = '-?\\d+(?:\\.\\d+)?'

/** The characters at which a program may split a cell of a file, by the file's separator, for a class. */
const splitsOf = (separator: string): string => (separator === ';' ? ',;\\t\\r\\n' : ';\\t\\r\\n')

/** The patterns for the cells of a file. */
const patternsOf = memoize((separator: string) => ({
  /**
   * The positions in a text at which a spreadsheet may find a formula: at its start, and after a separator.
   * Numbers are not formulas, even negative ones. Quotes before a formula are escaped as well, so that {@link
   * unescapeFormula} restores the cell.
   */
  formula: new RegExp(
    `^(?!${NUMBER}$)(?='*[${SIGNS}\\t\\r])|(?<=[${splitsOf(separator)}])(?!${NUMBER}(?:[${splitsOf(separator)}]|$))(?=["']*[${SIGNS}])`,
    'g',
  ),
  /** The quotes that {@link csvRow} puts at such positions. */
  escape: new RegExp(`^'(?='*[${SIGNS}\\t\\r])|(?<=[${splitsOf(separator)}])'(?=["']*[${SIGNS}])`, 'g'),
}))

/** Removes the quotes that {@link csvRow} puts before formulas. @param separator of the file with the cell */
export const unescapeFormula = (cell: string, separator: string): string =>
  cell.replace(patternsOf(separator).escape, '')

const quotedCell = (text: string): string =>
  /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** A row of a CSV file (RFC 4180, apart from the separator), with formulas escaped. */
export const csvRow = (cells: readonly string[], separator: CsvSeparator): string =>
  `${cells.map(cell => quotedCell(cell.replace(patternsOf(separator).formula, "'"))).join(separator)}\r\n`

/** A list of names as one cell: separated by commas, and quoted if a name contains a comma. */
export const csvList = (names: readonly string[]): string => names.map(quotedCell).join(',')
