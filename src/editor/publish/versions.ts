import { type SQL, sql } from 'drizzle-orm'
import { ILLUSTRATED_TABLES, type Singular } from '../../calendar/content/resource.ts'
import type { Prelude } from '../../kit/db/database.ts'
import { conflictIf, isConflict } from '../../kit/db/failures.ts'
import { eachOf, literal, many, type Query, readNumber, readOneOf } from '../../kit/db/query.ts'
import { events, eventTerms, images, terms } from '../../kit/db/tables.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { typedKeys } from '../../kit/lib/values.ts'
import { formText } from '../../site/forms/field-html.ts'
import { type Html, html } from '../../site/html/html.ts'

const shownId = sql.raw('shown.value ->> 1')

const TABLES = { ...ILLUSTRATED_TABLES, image: images, term: terms } as const

/**
 * What has a version. All dates of a series share one: their number, and the sum of their versions, which
 * only rises.
 */
const VERSIONED_KINDS = [...typedKeys(TABLES), 'dates'] as const

/** An expression for the current version of what {@link unchangedStatement} compares. */
const currentVersion = (kind: (typeof VERSIONED_KINDS)[number]): SQL =>
  kind === 'dates'
    ? sql`(SELECT count(*) || '.' || sum(version) FROM ${events} WHERE series_id = ${shownId})`
    : sql`(SELECT version || '' FROM ${TABLES[kind]} WHERE id = ${shownId})`

/**
 * Turns a conflict of {@link unchangedStatement} into the error to throw, since another attempt would fail as
 * well.
 */
const changedError = (error: unknown): unknown =>
  isConflict(error) ? new ApiError('rest_precondition_failed', 'Part of this has changed.') : error

/** The version in which something was shown: `['venue', 7, '2']`. */
export type ShownVersion = readonly [kind: (typeof VERSIONED_KINDS)[number], id: number, version: string]

/** A version in the form of a hidden input. */
export const versionText = (shown: ShownVersion): string => shown.join('.')

/** A statement that fails as a conflict unless everything still has the version that was shown. */
const unchangedStatement = (shownVersions: readonly ShownVersion[]): SQL => {
  const current = VERSIONED_KINDS.map(kind => sql`WHEN ${literal(kind)} THEN ${currentVersion(kind)}`)
  return conflictIf(sql`EXISTS (SELECT 1 FROM ${eachOf(shownVersions)} AS shown
    WHERE shown.value ->> 2 IS NOT CASE shown.value ->> 0 ${sql.join(current, sql` `)} END)`)
}

/** A query for the versions of something, of its image, and of the terms of an event. */
export function selectVersions(kind: Singular | 'term', id: number): Query<ShownVersion[]> {
  const table = TABLES[kind]
  const parts = [sql`SELECT ${kind} AS kind, id, version FROM ${table} WHERE id = ${id}`]
  if (kind !== 'term')
    parts.push(
      sql`SELECT 'image', id, version FROM ${images} WHERE id = (SELECT image_id FROM ${table} WHERE id = ${id})`,
    )
  if (kind === 'event')
    parts.push(
      sql`SELECT 'term', id, version FROM ${terms} WHERE id IN (SELECT target_id FROM ${eventTerms} WHERE event_id = ${id})`,
    )
  return many(sql.join(parts, sql` UNION ALL `), row => [
    readOneOf(VERSIONED_KINDS)(row.kind),
    readNumber(row.id),
    String(readNumber(row.version)),
  ])
}

/** The name of the hidden input with the versions that a page has shown. */
export const SHOWN_INPUT = 'shown'

export const versionsValue = (shown: readonly ShownVersion[]): string =>
  shown.map(versionText).sort().join(' ')

export const shownInput = (shown: readonly ShownVersion[]): Html =>
  html`<input type="hidden" name="${SHOWN_INPUT}" value="${versionsValue(shown)}">`

const MAX_SHOWN = 100

const carriedVersions = (form: FormData): ShownVersion[] =>
  formText(form, SHOWN_INPUT)
    .split(' ')
    .slice(0, MAX_SHOWN)
    .flatMap((text): ShownVersion[] => {
      const [, name, id, version = ''] = /^([a-z]+)\.(\d{1,15})\.(\d{1,15})$/.exec(text) ?? []
      const kind = VERSIONED_KINDS.find(each => each === name)
      return kind ? [[kind, Number(id), version]] : []
    })

/** Makes a write fail with 412 unless everything still has the version that was shown. */
export const ifUnchanged = (shownVersions: readonly ShownVersion[]): Prelude | undefined =>
  shownVersions.length === 0
    ? undefined
    : { statements: [unchangedStatement(shownVersions)], explain: changedError }

/** {@link ifUnchanged} with the versions in a form. */
export const ifFormUnchanged = (form: FormData): Prelude | undefined => ifUnchanged(carriedVersions(form))
