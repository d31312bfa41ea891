import { type SQL, sql } from 'drizzle-orm'
import { recordChange } from '../db/audit.ts'
import { type Database, exec, first, type Query, retryConflicts } from '../db/client.ts'
import { updateSet } from '../db/rows.ts'
import { eventTerms, terms } from '../db/schema.ts'
import type { Checked } from '../http/validate.ts'
import { ApiError } from '../lib/errors.ts'
import { demandMatch } from '../lib/precondition.ts'
import type { View } from '../view.ts'
import { insertTerm, nameColumns, refreshPaths, termSlug } from './inserts.ts'
import type { TermKind } from './kind.ts'
import { nameKey } from './names.ts'
import { byId, demandTerm, selectTerms } from './queries.ts'
import type { TermFields } from './schema.ts'
import type { TermRow } from './serialize.ts'

/** The one of that name below that parent, whose presence forbids another. */
const sameName = ({ taxonomy }: TermKind, name: string, parent: number): SQL =>
  sql`SELECT ${terms.id} FROM ${terms}
    WHERE taxonomy = ${taxonomy} AND parent = ${parent} AND name_key = ${nameKey(name)}`

const idOf = (sql: SQL): Query<number | undefined> => first(sql, row => Number(row.id))

/** `additional_data` is where older clients look for the id. */
const exists = (kind: TermKind, id: number) =>
  new ApiError(
    'term_exists',
    `There is a ${kind.singular} of this name here already.`,
    { term_id: id },
    { additional_data: [id, id] },
  )

/** @throws ApiError `term_exists`; `rest_invalid_param` for what is in `problems`, or an unknown parent */
export const createTerm = (
  kind: TermKind,
  db: Database,
  fields: Checked<TermFields>,
  view: View,
): Promise<TermRow> => retryConflicts(() => tryToCreate(kind, db, fields, view))

async function tryToCreate(
  kind: TermKind,
  db: Database,
  { values, problems }: Checked<TermFields>,
  view: View,
): Promise<TermRow> {
  const { name = '', parent = 0 } = values
  const [[above], taken] = await db.batch([byId(kind, parent), idOf(sameName(kind, name, parent))])
  if (parent > 0 && !above) problems.add('parent', `there is no category ${parent}`)
  problems.throwIfAny()
  if (taken !== undefined) throw exists(kind, taken)
  const same = sameName(kind, name, parent)
  const term = { ...values, taxonomy: kind.taxonomy, name, parent: above }
  const { insert, record, refresh } = insertTerm(term, same, view)
  const [inserted, , , [row]] = await db.write([
    idOf(sql`${insert} RETURNING id`),
    exec(record),
    exec(refresh),
    selectTerms(kind, sql`${terms.id} IN (${same})`),
  ])
  const created = demandTerm(kind, row)
  // Another request may have taken the name since it was looked up.
  if (inserted === undefined) throw exists(kind, created.id)
  return created
}

/** Changes the named fields of a term. @throws ApiError as {@link createTerm}, and if it is not there */
export const updateTerm = (
  kind: TermKind,
  db: Database,
  id: number,
  fields: Checked<TermFields>,
  view: View,
): Promise<TermRow> => retryConflicts(() => tryToUpdate(kind, db, id, fields, view))

async function tryToUpdate(
  kind: TermKind,
  db: Database,
  id: number,
  { values, problems }: Checked<TermFields>,
  view: View,
): Promise<TermRow> {
  const { parent, name } = values
  const [[found], [above], descends] = await db.batch([
    byId(kind, id),
    parent === undefined ? aboveOf(kind, id) : byId(kind, parent),
    idOf(sql`${lineOf(parent ?? 0)} SELECT id FROM line WHERE id = ${id}`),
  ])
  const stored = demandTerm(kind, found)
  demandMatch(view.ifMatch, stored.version)
  if (parent && !above) problems.add('parent', `there is no category ${parent}`)
  if (parent && descends !== undefined) problems.add('parent', 'a category cannot be its own ancestor')
  problems.throwIfAny()
  const next = { parent: parent ?? stored.parent, name: name ?? stored.name }
  if (name !== undefined || parent !== undefined) {
    const taken = await db.get(idOf(sql`${sameName(kind, next.name, next.parent)} AND ${terms.id} <> ${id}`))
    if (taken !== undefined) throw exists(kind, taken)
  }
  const slug =
    values.slug === undefined
      ? undefined
      : termSlug({ taxonomy: kind.taxonomy, name: next.name, slug: values.slug, parent: above }, id)
  const changes = {
    version: sql`version + 1`,
    ...(name !== undefined && nameColumns(name)),
    description: values.description,
    parent,
    slug,
  }
  const [row] = await db.change(
    [
      updateSet(terms, changes, sql`${terms.id} = ${id}`),
      recordChange(view, { action: 'update', kind: kind.singular, fields: Object.keys(values) }, id),
      refreshPaths(sql`${terms.id} = ${id}`),
    ],
    byId(kind, id),
  )
  return demandTerm(kind, row)
}

const aboveOf = (kind: TermKind, id: number): Query<TermRow[]> =>
  selectTerms(kind, sql`${terms.id} = (SELECT parent FROM ${terms} WHERE id = ${id})`)

/** `line`: a category and all above it. */
const lineOf = (id: number): SQL => sql`WITH RECURSIVE line(id, parent) AS (
    SELECT ${terms.id}, ${terms.parent} FROM ${terms} WHERE ${terms.id} = ${id}
    UNION SELECT ${terms.id}, ${terms.parent} FROM ${terms} JOIN line ON ${terms.id} = line.parent
  )`

/** Deletes a term for good. Its children move up to its parent. @returns the term as it was */
export async function deleteTerm(kind: TermKind, db: Database, id: number, view: View): Promise<TermRow> {
  const [found] = await db.get(byId(kind, id))
  const stored = demandTerm(kind, found)
  demandMatch(view.ifMatch, stored.version)
  await db.change([
    sql`DELETE FROM ${eventTerms} WHERE target_id = ${id}`,
    sql`UPDATE ${terms} SET parent = ${stored.parent}, path = '' WHERE parent = ${id}`,
    refreshPaths(sql`${terms.path} = ''`),
    sql`DELETE FROM ${terms} WHERE ${terms.id} = ${id}`,
    recordChange(view, { action: 'delete', kind: kind.singular }, id),
  ])
  return stored
}
