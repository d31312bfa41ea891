import * as z from 'zod/mini'
import { SOURCE_INTERVALS, SOURCE_KINDS, SOURCE_STATES } from '../../kit/db/tables.ts'
import { UploadedFile } from '../../kit/http/form-data.ts'
import { documented, field, flag, idOrNone, integer, line, name, oneOf } from '../../kit/http/params.ts'
import { type ChosenColumns, READ_COLUMNS, type ReadColumn } from '../../kit/lib/csv.ts'
import { httpAddress, toOutgoingUrl } from '../../kit/lib/network.ts'
import { codedReason, MISSING } from '../../kit/lib/reasons.ts'
import { toPlain } from '../../kit/lib/text.ts'
import { asText, FIELD_LIMITS, isObject, refuse, requireLength, toHttpUrl } from '../../kit/lib/values.ts'
import {
  computedField,
  fieldTable,
  paramsOf,
  plainField,
  responsesOf,
  shownField,
} from '../content/fields.ts'
import { termChoices } from '../events/relations/fields.ts'

/** Reads the address of a source. `webcal:` stands for `https:`. @throws InvalidValue for anything else */
const toSourceUrl = (raw: unknown): string => toOutgoingUrl(httpAddress(asText(raw).trim()))

function toRights(raw: unknown): { text: string; url: string } {
  if (raw === '') return { text: '', url: '' }
  if (!isObject(raw)) return refuse('must be an object with `text` and `url`')
  return {
    text: requireLength(toPlain(asText(raw.text ?? '')), FIELD_LIMITS.text),
    url: toHttpUrl(asText(raw.url ?? '')),
  }
}

/** The choices of an editor for reading an uploaded file. */
export type FileReading = { columns?: ChosenColumns; dates?: 'dmy' | 'mdy' | '' }

/** The most columns with a choice. */
const MAX_CHOSEN = 500

const isReadColumn = (name: unknown): name is ReadColumn | '' =>
  name === '' || READ_COLUMNS.some(column => column === name)

function toReading(raw: unknown): FileReading {
  if (!isObject(raw)) return refuse('must be an object with `columns` and `dates`')
  const { columns = {}, dates = '' } = raw
  if (!isObject(columns) || Object.keys(columns).length > MAX_CHOSEN)
    return refuse(`must have \`columns\` by their names, at most ${MAX_CHOSEN}`)
  const entries = Object.entries(columns).map(([name, column]): [string, ReadColumn | ''] =>
    isReadColumn(column)
      ? [name, column]
      : refuse(`must not name the column ${JSON.stringify(column)?.slice(0, 50)}`),
  )
  if (dates !== 'dmy' && dates !== 'mdy' && dates !== '') return refuse('must have `dates` dmy or mdy')
  // Choices that nobody has made are absent, as in a new source: sending the value back changes nothing.
  return {
    ...(entries.length > 0 && { columns: Object.fromEntries(entries) }),
    ...(dates !== '' && { dates }),
  }
}

const urlField = field(toSourceUrl, {
  type: 'string',
  maxLength: FIELD_LIMITS.url,
  description:
    'The http(s) address of an iCalendar feed, of a site with this API, or of a page or sitemap that has events as JSON-LD or leads to pages that do. It must not be in a private network. It is shown with its events, for everybody to see.',
  example: 'https://theatre.example.org/events.ics',
})

/** The fields of sources. A new plain field needs a row here, a column and a migration. */
export const SOURCE_FIELDS = fieldTable({
  name: plainField(name({ description: 'Name of the source.', example: 'The theatre' }), z.string()),
  url: plainField(urlField, z.string()),
  kind: shownField(
    z.optional(
      oneOf(SOURCE_KINDS, { description: 'What the address is; detected if absent.', example: 'ical' }),
    ),
    z.string(),
    ['kind'],
  ),
  every: plainField(
    z.optional(
      oneOf(SOURCE_INTERVALS, {
        description: 'How often it is read; empty to read it by hand only.',
        default: 'day',
        example: '6 hours',
      }),
    ),
    z.enum(SOURCE_INTERVALS),
  ),
  status: plainField(
    z.optional(
      oneOf(['publish', 'pending', 'draft'], {
        description: 'The status of new events.',
        default: 'publish',
        example: 'pending',
      }),
    ),
    z.string(),
  ),
  categories: computedField(
    z.optional(termChoices('Categories that its events get, by id or name; unknown names are created.')),
    ['categories'],
  ),
  tags: computedField(
    z.optional(termChoices('Tags that its events get, by id or name; unknown names are created.')),
    ['tags'],
  ),
  organizer: computedField(
    z.optional(idOrNone({ description: 'The organizer of events that name none; 0 for none.', example: 4 })),
    ['organizer'],
  ),
  venue: computedField(
    z.optional(idOrNone({ description: 'The venue of events that name none; 0 for none.', example: 3 })),
    ['venue'],
  ),
  search: plainField(
    z.optional(
      line({ description: 'Only events with one of these words; empty for all.', example: 'jazz blues' }),
    ),
    z.string(),
  ),
  mirror: plainField(
    z.optional(
      flag({
        description:
          'Keeps an exact copy: edits made here are undone, and what vanishes there goes to the trash.',
        default: false,
      }),
    ),
    z.boolean(),
  ),
  rights: computedField(
    z.optional(
      field(toRights, {
        type: 'object',
        properties: { text: { type: 'string' }, url: { type: 'string' } },
        description: 'The terms under which its events may be shown.',
        example: { text: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
      }),
    ),
    ['rights_text', 'rights_url'],
  ),
  reading: computedField(
    z.optional(
      field(toReading, {
        type: 'object',
        properties: {
          columns: { type: 'object', additionalProperties: { type: 'string', enum: ['', ...READ_COLUMNS] } },
          dates: { type: 'string', enum: ['', 'dmy', 'mdy'] },
        },
        description:
          'How an uploaded CSV file is read: its columns by their names there, where they are not recognised (empty for one that is not read), and whether 05/06/2027 is 5 June (`dmy`) or 6 May (`mdy`).',
        example: { columns: { Kick: 'start_time' }, dates: 'dmy' },
      }),
    ),
    ['reading'],
  ),
  state: shownField(
    z.optional(
      oneOf(['ok', 'paused'], {
        description: '`paused` stops reading; `ok` resumes it, or agrees to what the source asks about.',
        example: 'ok',
      }),
    ),
    documented(
      z.enum(SOURCE_STATES),
      '`asking`: much of it has vanished, and nothing is done before `state` is set to `ok`.',
    ),
    ['state'],
  ),
})

export const sourceFields = documented(z.object(paramsOf(SOURCE_FIELDS)), { id: 'SourceFields' })

export type SourceFields = z.output<typeof sourceFields>

export const previewFields = documented(z.object({ url: urlField }), { id: 'SourcePreviewFields' })

/** The most bytes of an uploaded file. */
export const MAX_SOURCE_FILE_BYTES = 2 * 1024 * 1024
const MAX_SOURCE_FILE_TEXT = `at most ${MAX_SOURCE_FILE_BYTES / 1024 / 1024} MB`

const fileField = field(
  (raw): UploadedFile => {
    if (!(raw instanceof UploadedFile)) return refuse('must be a file, a part of a multipart form')
    const { bytes } = raw
    if (bytes.length === 0) refuse(MISSING)
    if (bytes.length > MAX_SOURCE_FILE_BYTES)
      refuse(codedReason('large_upload', `must be ${MAX_SOURCE_FILE_TEXT}`))
    const [first, second, third, fourth] = bytes
    // A zip archive, which workbooks of today are, and the file of old ones.
    if ((first === 0x50 && second === 0x4b && third === 3) || (first === 0xd0 && second === 0xcf))
      refuse(codedReason('source_workbook', 'must not be a workbook or an archive: save it as CSV'))
    const isUtf16 =
      (first === 0xff && second === 0xfe) ||
      (first === 0xfe && second === 0xff) ||
      (first === 0) !== (second === 0) ||
      (third === 0) !== (fourth === 0)
    if (!isUtf16 && bytes.includes(0)) refuse(codedReason('source_no_text', 'must be text'))
    return raw
  },
  {
    description: `A CSV or iCalendar file, or a saved page with JSON-LD or microdata, of ${MAX_SOURCE_FILE_TEXT}.`,
    type: 'string',
    contentMediaType: 'application/octet-stream',
    isFile: true,
  },
)

export const fileFields = documented(z.object({ file: fileField }), { id: 'SourceFile' })

export const sourceSchema = z.lazy(() =>
  documented(
    z.object({
      id: z.int(),
      rest_url: z.string(),
      ...responsesOf(SOURCE_FIELDS),
      categories: z.array(z.int()),
      tags: z.array(z.int()),
      organizer: z.int(),
      venue: z.int(),
      rights: z.object({ text: z.string(), url: z.string() }),
      file: documented(
        z.string(),
        'The name of an uploaded file, whose `url` is empty; empty for a calendar at an address.',
      ),
      reading: z.object({ columns: z.record(z.string(), z.string()), dates: z.string() }),
      message: documented(z.string(), 'What is wrong, in words.'),
      code: documented(z.string(), 'The message as a code; empty if it has none.'),
      author: documented(z.string(), 'Id of the owner, whose permissions it has.'),
      date_utc: z.string(),
      last_run: documented(z.string(), 'UTC; empty before the first run.'),
      next_run: documented(z.string(), 'UTC; empty if none is due.'),
    }),
    { id: 'Source' },
  ),
)

export type SourceResponse = z.output<typeof sourceSchema>

const skippedSchema = z.object({
  what: z.string(),
  why: z.string(),
  code: z.optional(z.string()),
  values: documented(
    z.optional(z.record(z.string(), z.union([z.string(), z.int()]))),
    'Of a value that was guessed: `field`, `text` in the words of the source, `as` what it was read, `times`, and the first `line`. Of an event that was edited here, and is called off or moved there: `event`, its id, and its `status` and its `start` in UTC there.',
  ),
})

const guessesSchema = documented(
  z.array(skippedSchema),
  'Values that were not understood: taken from the calendar instead, or left out.',
)

export const runSchema = z.lazy(() =>
  documented(
    z.object({
      id: z.int(),
      source_id: z.int(),
      started: z.string(),
      ended: documented(z.string(), 'UTC; empty while it is under way.'),
      state: z.enum(['running', 'done', 'failed']),
      created: z.int(),
      updated: z.int(),
      unchanged: z.int(),
      trashed: z.int(),
      joined: z.int(),
      asked: z.int(),
      skipped: z.array(skippedSchema),
      message: z.string(),
      code: documented(z.string(), 'The message as a code; empty if it has none.'),
    }),
    { id: 'SourceRun' },
  ),
)

export type RunResponse = z.output<typeof runSchema>

const previewedEvent = z.object({
  title: z.string(),
  start_date: z.string(),
  end_date: z.string(),
  timezone: z.string(),
  all_day: z.boolean(),
  status: documented(
    z.enum(['publish', 'pending', 'private']),
    '`private` for what its calendar does not publish, `pending` for what waits for review because that is in doubt; both whatever the status of the source.',
  ),
  venue: z.string(),
  city: z.string(),
  category: z.string(),
  cost: z.string(),
  text: documented(z.string(), 'The beginning of its text, without markup.'),
  image: documented(z.string(), 'The address of its image; empty without one.'),
})

export type PreviewedEvent = z.output<typeof previewedEvent>

export const previewSchema = z.lazy(() =>
  documented(
    z.object({
      kind: z.string(),
      name: z.string(),
      filters: documented(
        z.record(z.string(), z.string()),
        'The filters of the address that are kept: only such events are read. Empty for all events.',
      ),
      events: z.array(previewedEvent),
      guesses: guessesSchema,
      total: documented(z.int(), 'Number of events; for pages, of those on the pages that were read.'),
    }),
    { id: 'SourcePreview' },
  ),
)

export type PreviewResponse = z.output<typeof previewSchema>

export const filePreviewFields = documented(
  z.object({
    page: z.optional(
      integer({
        description: 'Page of the events, ten on each; 0 for none of them.',
        minimum: 0,
        default: 1,
        example: 2,
      }),
    ),
  }),
  { id: 'SourceFilePreviewFields' },
)

export const filePreviewSchema = z.lazy(() =>
  documented(
    z.object({
      columns: documented(
        z.array(z.object({ name: z.string(), example: z.string(), column: z.string() })),
        'The columns of a CSV file: name, first cell, and what it is read as, if anything.',
      ),
      events: z.array(
        z.extend(previewedEvent, {
          new_venue: documented(
            z.boolean(),
            'True if the calendar does not have the venue yet, so that the import creates it.',
          ),
        }),
      ),
      total: z.int(),
      private_count: documented(z.int(), 'Number of events that are imported, and stay private.'),
      coming: documented(
        z.array(previewedEvent),
        'The next events, at most twelve, in the order of time; of series, their dates.',
      ),
      problems: documented(
        z.array(z.object({ line: z.int(), title: z.string(), message: z.string(), code: z.string() })),
        'What is left out, and why; `line` 0 is the file as a whole. At most 100.',
      ),
      problem_count: z.int(),
      guesses: guessesSchema,
      asks_dates: documented(
        z.boolean(),
        'True if days can be read in two ways, and `reading` does not say in which.',
      ),
    }),
    { id: 'SourceFilePreview' },
  ),
)

export type FilePreviewResponse = z.output<typeof filePreviewSchema>

export const deletionParams = z.object({
  events: z.optional(
    oneOf(['keep', 'trash'], {
      description:
        'Whether its events stay or go to the trash, with what was made for them alone: as many as one request can move at once, and the rest within minutes.',
      default: 'keep',
      example: 'trash',
    }),
  ),
})
