import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import {
  type CheckStored,
  checkedBy,
  checkedJson,
  checksOfFields,
  storedByFeatures,
} from '../../calendar/content/backup-tables.ts'
import { changeCustomFields } from '../../calendar/content/custom-fields.ts'
import { UPLOADS } from '../../calendar/content/uploads.ts'
import { EVENT_FIELDS } from '../../calendar/events/schema.ts'
import { SOURCE_FIELDS } from '../../calendar/imports/source-schema.ts'
import { mediaTexts } from '../../calendar/media/schema.ts'
import { ORGANIZER_FIELDS } from '../../calendar/organizers/resource.ts'
import { settingsFields, VAR_OF, VAR_SETTINGS } from '../../calendar/settings/schema.ts'
import { tagFields } from '../../calendar/terms/schema.ts'
import { toUserName } from '../../calendar/users/users.ts'
import { VENUE_FIELDS } from '../../calendar/venues/schema.ts'
import { TIME_COLUMN } from '../../kit/db/columns.ts'
import { html } from '../../kit/http/params.ts'
import { toInlineHtml } from '../../kit/lib/html.ts'
import { readRule } from '../../kit/lib/recurrence/rule.ts'
import {
  FIELD_LIMITS,
  InvalidValue,
  isLogin,
  isObject,
  parseHttpUrl,
  parseJson,
  refuse,
} from '../../kit/lib/values.ts'
import type { DumpedName } from './tables.ts'

// A backup may have been edited, or made by another version with other rules. Its values pass the same
// checks as values of requests, so that a backup cannot add content that no request could.

const customFields: CheckStored = stored => {
  const changes = checkedBy(EVENT_FIELDS.custom_fields.param)(stored)
  // The parameter returns changes, or 'none' to remove all.
  return isObject(changes) ? changeCustomFields({}, changes as Parameters<typeof changeCustomFields>[1]) : {}
}

/** The check of a title or name, which imports may leave empty although requests may not. */
const importedName =
  (schema: z.core.$ZodType): CheckStored =>
  stored =>
    stored === '' ? stored : checkedBy(schema)(stored)

const eventChecks = {
  ...checksOfFields(EVENT_FIELDS),
  title: importedName(EVENT_FIELDS.title.param),
  cost: checkedBy(EVENT_FIELDS.cost.param),
  timezone: checkedBy(EVENT_FIELDS.timezone.param),
  custom_fields: checkedJson(customFields),
}

/** An address on another site, or the address of an uploaded file. */
const imageAddress: CheckStored = stored => {
  const text = String(stored)
  const isUpload = text.startsWith(UPLOADS) && /^\w[\w.-]*$/.test(text.slice(UPLOADS.length))
  return isUpload ? text : parseHttpUrl(text) || refuse('must be the address of an image')
}

/**
 * The check of the vars in the editor's settings. Other vars, such as `ALLOW_PRIVATE_HOSTS`, belong to the
 * operator.
 */
const settingsVars: CheckStored = storedVars => {
  const vars = isObject(storedVars) ? storedVars : {}
  return Object.fromEntries(
    VAR_SETTINGS.flatMap(field => {
      const name = VAR_OF[field]
      const { success, data = '' } = z.safeParse(settingsFields.shape[field], vars[name] ?? '')
      return success && data !== '' ? [[name, data]] : []
    }),
  )
}

/** Sentences about the vars that the check removes from a row of settings. */
function varsLeftOut(before: unknown, after: unknown): string[] {
  const valueBefore = parseJson(String(before))
  const valueAfter = parseJson(String(after))
  const names = Object.keys(isObject(valueBefore) ? valueBefore : {})
  return names
    .filter(name => !(isObject(valueAfter) && name in valueAfter))
    .map(name => `${name} is left out of the settings: the editor could not set it to that.`)
}

const address = checkedBy(EVENT_FIELDS.website.param)
const line = checkedBy(EVENT_FIELDS.event_status_reason.param)

const CORE_CHECKS: Partial<Record<DumpedName, Readonly<Record<string, CheckStored>>>> = {
  users: {
    login: stored => (isLogin(String(stored)) ? stored : refuse('must be a login')),
    name: stored => toUserName(String(stored)),
  },
  images: {
    ...Object.fromEntries(
      Object.entries(mediaTexts.shape).map(([name, schema]) => [name, checkedBy(schema)]),
    ),
    url: imageAddress,
    mime_type: stored =>
      /^(?:image\/[\w.+-]+)?$/.test(String(stored)) ? stored : refuse('must be the type of an image'),
  },
  terms: {
    name: importedName(tagFields.shape.name),
    // Imports keep longer descriptions than requests may send.
    description: checkedBy(html({ limit: FIELD_LIMITS.excerpt, clean: toInlineHtml, description: '' })),
  },
  venues: { ...checksOfFields(VENUE_FIELDS), venue: importedName(VENUE_FIELDS.venue.param) },
  organizers: {
    ...checksOfFields(ORGANIZER_FIELDS),
    organizer: importedName(ORGANIZER_FIELDS.organizer.param),
  },
  settings: { vars: checkedJson(settingsVars) },
  series: {
    ...eventChecks,
    rrule: stored => (stored === '' || readRule(String(stored)) ? stored : refuse('must be a rule')),
  },
  events: eventChecks,
  sources: {
    ...checksOfFields(SOURCE_FIELDS),
    // The URL of an uploaded file is empty.
    url: stored => (stored === '' ? stored : checkedBy(SOURCE_FIELDS.url.param)(stored)),
    file: line,
    reading: checkedJson(checkedBy(SOURCE_FIELDS.reading.param)),
    rights_text: line,
    rights_url: address,
  },
}

const INSTANT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/
const FORMS: readonly (readonly [name: RegExp, form: (text: string) => boolean, reason: string])[] = [
  [TIME_COLUMN, text => INSTANT.test(text), 'must be a time'],
  // A segment of an address.
  [/^slug$/, text => /^[^\s"'<>/?#\\\p{Cc}]*$/u.test(text), 'must be a slug'],
  [
    /^(?:rdate|exdate|detached|categories|tags|fields|changed)$/,
    text => parseJson(text) !== undefined,
    'must be JSON',
  ],
]

function checksOf(table: DumpedName): Readonly<Record<string, CheckStored>> | undefined {
  const ofFeature = storedByFeatures().find(([name]) => name === table)?.[1].backup
  return typeof ofFeature === 'object' ? ofFeature.checks : CORE_CHECKS[table]
}

/** The check of the columns with a name, the same in every table. */
const formCheckOf = (field: string): CheckStored => {
  const [, isOfForm, reason = ''] = FORMS.find(([name]) => name.test(field)) ?? []
  return stored => (typeof stored !== 'string' || !isOfForm || isOfForm(stored) ? stored : refuse(reason))
}

/** A checked row, with sentences about values that were left out, or the reason why it can't be restored. */
type CheckedRow = { row: Readonly<Record<string, unknown>>; omittedFields: string[] } | { reason: string }

/**
 * Checks the values of a row. It cleans texts as a write does, and leaves out values that a write would
 * refuse, if the row can do without them.
 *
 * @param columns of the table by their fields
 */
export function checkRow(
  table: DumpedName,
  row: Readonly<Record<string, unknown>>,
  columns: ReadonlyMap<string, SQLiteColumn>,
): CheckedRow {
  const checkedValues: Record<string, unknown> = { ...row }
  const omittedFields: string[] = []
  const checks = checksOf(table)
  for (const [field, storedValue] of Object.entries(row)) {
    const { default: defaultValue, notNull } = columns.get(field) ?? {}
    if (storedValue === null || storedValue === defaultValue) continue
    try {
      checkedValues[field] = (checks?.[field] ?? formCheckOf(field))(storedValue)
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error
      const empty = notNull ? defaultValue : null
      if (empty === undefined) return { reason: `${field}: ${error.message}` }
      checkedValues[field] = empty
      omittedFields.push(`What no request may set as ${field} of ${table} is left out: it ${error.message}.`)
    }
  }
  if (table === 'settings') omittedFields.push(...varsLeftOut(row.vars, checkedValues.vars))
  return { row: checkedValues, omittedFields }
}
