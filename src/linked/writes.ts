import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { recordChange, recordInsert } from '../db/audit.ts'
import { type Database, retryConflicts } from '../db/client.ts'
import { insertInto, updateSet } from '../db/rows.ts'
import type { Versioned } from '../http/reply.ts'
import type { Key } from '../http/route.ts'
import type { Checked } from '../http/validate.ts'
import { MAX_SLUG, trashedSlug } from '../lib/slug.ts'
import { fold, htmlToText } from '../lib/text.ts'
import type { postFields } from '../posts/fields.ts'
import { publicationOf } from '../posts/publication.ts'
import { answerOf, demandFound, hasKey } from '../posts/queries.ts'
import {
  demandAuthor,
  imageIdOf,
  postReferences,
  recordImage,
  reportUnknown,
  unknownValues,
} from '../posts/references.ts'
import { indexNewText, indexText } from '../posts/search.ts'
import { changedSlug, newSlug } from '../posts/slugs.ts'
import { demandEditable } from '../posts/writes.ts'
import type { View } from '../view.ts'
import type { AnyKind, LinkedKind, LinkedRow } from './kind.ts'

/** Field values of a venue or organizer, checked: the common ones, the name, and the kind's own. */
export type LinkedValues = Partial<z.output<z.ZodObject<typeof postFields>>> &
  Readonly<Record<string, unknown>>

const nameOf = (kind: Pick<AnyKind, 'singular'>, values: LinkedValues): string | undefined => {
  const name = values[kind.singular]
  return typeof name === 'string' ? name : undefined
}

/** The columns that fields name one to one: the kind's own texts, numbers and flags, and the description. */
function ownColumns(kind: Pick<AnyKind, 'table'>, values: LinkedValues): Record<string, unknown> {
  const { author, date, date_utc, status, slug, image, ...own } = values
  const columns = getTableColumns(kind.table)
  return Object.fromEntries(Object.entries(own).filter(([name]) => Object.hasOwn(columns, name)))
}

/** Folded name, description and text fields, as `search` sees them. */
function searchText(kind: Pick<AnyKind, 'searched'>, row: Readonly<Record<string, unknown>>): string {
  const texts = kind.searched.map(column => String(row[column] ?? ''))
  return fold([row.name, htmlToText(String(row.description ?? '')), ...texts].filter(Boolean).join('\n'))
}

/**
 * The statements that make a venue or organizer, unless there is one of the same name that differs in no
 * given field, and the id of the one or the other. Both are decided inside the batch, so that of
 * two requests at once only one makes it.
 */
export function findOrInsert(kind: AnyKind, values: LinkedValues, view: View): { insert: SQL[]; id: SQL } {
  const { table } = kind
  const name = nameOf(kind, values) ?? ''
  const own = ownColumns(kind, values)
  const publication = publicationOf(values, undefined, view)
  const image_id = imageIdOf(values.image)
  const given = {
    ...own,
    name,
    image_id,
    author_id: values.author,
    status: values.status && publication.status,
    date_utc: (values.date ?? values.date_utc) ? publication.date_utc : undefined,
  }
  const same = sql.join(
    [...outsideTrash(kind, values), ...equalities(kind, given), ...slugMatches(kind, values)],
    sql` AND `,
  )
  const row = {
    ...own,
    ...publication,
    name,
    author_id: values.author ?? view.caller.id,
    image_id,
    slug: newSlug(table, { slug: values.slug, name, status: publication.status, fallback: kind.singular }),
  }
  const id = sql`(SELECT min(${table.id}) FROM ${table} WHERE ${same})`
  return {
    insert: [
      ...recordImage(values.image),
      insertInto(table, row, sql`NOT EXISTS (SELECT 1 FROM ${table} WHERE ${same})`),
      recordInsert(view, kind.singular, Object.keys(values)),
      indexNewText(kind.searchTable, id, searchText(kind, { ...own, name })),
    ],
    id,
  }
}

function equalities({ table }: AnyKind, given: Readonly<Record<string, unknown>>): SQL[] {
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => given[name] !== undefined)
  return columns.map(([name, column]) => {
    const value = given[name]
    return sql`${column} IS ${typeof value === 'object' && value !== null ? value : sql.param(value, column)}`
  })
}

/** What lies in the trash is not taken for the same, unless the new one is made right there. */
const outsideTrash = ({ table }: AnyKind, { status }: LinkedValues): SQL[] =>
  status === 'trash' ? [] : [sql`${table.status} <> 'trash'`]

/** Of a slug of this many characters, no number cuts anything off. */
const UNCUT = MAX_SLUG - 10

/** A slug matches itself and its numbered variants: the row that is inserted may have to take one. */
function slugMatches({ table }: AnyKind, { slug, status }: LinkedValues): SQL[] {
  if (!slug) return []
  const base = status === 'trash' ? trashedSlug(slug) : slug
  const stem = sql`substr(${base}, 1, ${UNCUT})`
  return [
    sql`(${table.slug} = ${base} OR (substr(${table.slug}, 1, length(${stem})) = ${stem}
      AND (length(${base}) > ${UNCUT} OR substr(${table.slug}, length(${base}) + 1, 1) = '-')))`,
  ]
}

/** Creates a venue or organizer, or answers the one that is the same already. */
export const createLinked = <R extends LinkedRow, A>(
  kind: LinkedKind<R, A>,
  db: Database,
  view: View,
  { values, problems }: Checked<LinkedValues>,
): Promise<Versioned<A>> =>
  retryConflicts(async () => {
    demandAuthor(values.author, view.caller)
    const references = postReferences(values, view.caller)
    if (references.length > 0)
      reportUnknown(problems, references, await db.batch(references.map(unknownValues)))
    problems.throwIfAny()
    const { insert, id } = findOrInsert(kind, values, view)
    const [row] = await db.change(insert, kind.select(sql`${kind.table.id} = ${id}`))
    return answerOf(kind, row, view)
  })

/** Changes the named fields of a venue or organizer, and no others. */
export const updateLinked = <R extends LinkedRow, A>(
  kind: LinkedKind<R, A>,
  db: Database,
  view: View,
  key: Key,
  { values, problems }: Checked<LinkedValues>,
): Promise<Versioned<A>> =>
  retryConflicts(async () => {
    const references = postReferences(values, view.caller)
    const [[found], ...unknown] = await db.batch([
      kind.select(hasKey(kind.table, key)),
      ...references.map(unknownValues),
    ])
    const stored = demandFound(kind, found)
    demandEditable(stored, view)
    demandAuthor(values.author, view.caller, stored.author_id)
    reportUnknown(problems, references, unknown)
    problems.throwIfAny()
    const [row] = await db.change(
      changeStatements(kind, values, stored, view),
      kind.select(sql`${kind.table.id} = ${stored.id}`),
    )
    return answerOf(kind, row, view)
  })

function changeStatements(kind: AnyKind, values: LinkedValues, stored: LinkedRow, view: View): SQL[] {
  const own = ownColumns(kind, values)
  const name = nameOf(kind, values)
  const publication = publicationOf(values, stored, view)
  const naming = {
    slug: values.slug,
    name: name ?? stored.name,
    status: publication.status,
    fallback: kind.singular,
  }
  const changes = {
    ...kind.implied?.(own, stored),
    ...own,
    ...publication,
    version: stored.version + 1,
    author_id: values.author,
    image_id: imageIdOf(values.image),
    slug: changedSlug(kind.table, naming, stored),
    name,
  }
  return [
    ...recordImage(values.image),
    updateSet(kind.table, changes, sql`${kind.table.id} = ${stored.id}`),
    recordChange(view, { action: 'update', kind: kind.singular, fields: Object.keys(values) }, stored.id),
    indexText(
      kind.searchTable,
      stored.id,
      searchText(kind, { ...stored, ...own, name: name ?? stored.name }),
    ),
  ]
}
