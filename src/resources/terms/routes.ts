import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { type Changed, recordChange, recordEach, recordMerge } from '../../db/audit.ts'
import { conflictIf } from '../../db/conflicts.ts'
import { termAncestors } from '../../db/derived.ts'
import { first, inList, many, type Query, type Statement, together } from '../../db/query.ts'
import { eventTerms, seriesTerms, terms } from '../../db/schema.ts'
import { leadOn, selectSurvivor } from '../../db/slugs.ts'
import { asOneChange, build } from '../../db/statements.ts'
import { idOf } from '../../http/input.ts'
import { defineList } from '../../http/lists.ts'
import { created, LOCATION, one } from '../../http/reply.ts'
import { defineRoute, type FieldsSchema, type Route } from '../../http/route.ts'
import { sharing } from '../../http/shared-writes.ts'
import type { ValidationErrors } from '../../lib/errors.ts'
import { mergeFields, moveLinks, moveReferences, survivorIn, unknownSurvivor } from '../content/merge.ts'
import { moved } from '../content/single.ts'
import {
  assertKept,
  type MergeableResource,
  type MergeRecord,
  mergeRecord,
  restoreMerged,
  selectMerge,
  selectMoved,
} from '../content/unmerge.ts'
import { keptValues } from '../content/writes.ts'
import { nameColumns, refreshPaths } from './inserts.ts'
import {
  assertChangeableTerm,
  assertTerm,
  isTermReadable,
  selectTermPage,
  selectTerms,
  termBody,
  termById,
  termReferences,
} from './queries.ts'
import { CATEGORIES, MOST_LEVELS, serializeTerm, TAGS, type TermKind, type TermRow } from './resource.ts'
import {
  categoryFields,
  categoryList,
  type TermFields,
  type TermListParams,
  tagFields,
  tagList,
  termSchema,
} from './schema.ts'
import { deleteTerm, lookUpTerms, prepareTerm, type TermOutcome, termWrites, writeTerms } from './writes.ts'

type Merge = { row: TermRow; into: TermRow }

const mergeableTerms = ({ singular }: TermKind): MergeableResource => ({
  singular,
  table: terms,
  links: eventTerms,
  seriesLinks: seriesTerms,
})

/** Facts about two terms: whether the second is below the first, and the levels of categories through both afterwards. */
const factsOf = (id: number, into: number) => {
  const levels = (condition: SQL): SQL =>
    sql`(SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM ${termAncestors} WHERE ${condition} GROUP BY term_id))`
  const below = sql`term_id IN (SELECT term_id FROM ${termAncestors} WHERE ancestor_id = ${id})`
  return first(
    sql`SELECT EXISTS (SELECT 1 FROM ${termAncestors} WHERE term_id = ${into} AND ancestor_id = ${id}) AS below,
      ${levels(sql`term_id = ${into}`)} + ${levels(below)} - ${levels(sql`term_id = ${id}`)} AS depth,
      (SELECT standalone OR count > 0 FROM ${terms} WHERE id = ${id}) AS public`,
    row => ({ isBelow: row.below === 1, depth: Number(row.depth), isPublic: row.public === 1 }),
  )
}

type Facts = { isBelow: boolean; depth: number; isPublic: boolean }
type Moved = { moved: ReturnType<typeof selectMoved> extends Query<infer M> ? M : never; children: number[] }
type Loaded = { row: TermRow | undefined; into: TermRow | undefined; facts: Facts | undefined } & Moved
type PreparedMerge = Merge & Moved & { isPublic: boolean }

function mergeable(
  context: RequestContext,
  kind: TermKind,
  { row: stored, into, facts, id, moved, children }: Loaded & { id: number | undefined },
  errors: ValidationErrors,
): PreparedMerge {
  const { singular: noun } = kind
  const row = assertChangeableTerm(context, kind, stored)
  const survivor = survivorIn({ id: row.id, into: id, noun }, errors)
  if (!into) throw unknownSurvivor({ into: survivor, noun })
  if (facts?.isBelow) errors.add('into', 'is below this one: move it up first')
  else if (facts && facts.depth > MOST_LEVELS)
    errors.add('into', `is too far down: categories may be at most ${MOST_LEVELS} levels deep`)
  errors.throwIfAny()
  return { row, into, isPublic: facts?.isPublic ?? false, moved, children }
}

/** The values that the survivor gets, and the name of the merged row, for the audit. */
const changedBy = ({ row, into }: Merge): Changed => ({
  ...(into.description === '' && row.description !== '' && { description: ['', row.description] as const }),
  merged: [null, row.name],
})

/** The statements that merge one term into another, which gets its children as well. */
function mergeStatements(
  context: RequestContext,
  kind: TermKind,
  { row, into, isPublic, moved, children }: PreparedMerge,
  changed: Changed,
): Statement[] {
  const { singular } = kind
  const isLacking = 'description' in changed
  const description = isLacking ? row.description : undefined
  const fields = isLacking ? ['description'] : []
  const before = {
    id: into.id,
    version: into.version + 1,
    columns: isLacking ? { description: into.description } : {},
  }
  const move = { from: row.id, to: into.id }
  return [
    // Both updates fail if somebody has changed one of the terms since it was read.
    build
      .update(terms)
      .set({ version: row.version + 1 })
      .where(eq(terms.id, row.id)),
    build
      .update(terms)
      .set({
        description,
        version: into.version + 1,
        standalone: sql`${terms.standalone} OR ${Number(isPublic)}`,
      })
      .where(eq(terms.id, into.id)),
    recordChange(context, { action: 'update', kind: singular, fields, changed }, into.id),
    recordEach(
      context,
      { action: 'update', kind: singular, fields: ['parent'], changed: { parent: [row.id, into.id] } },
      sql`SELECT id FROM ${terms} WHERE ${terms.parent} = ${row.id}`,
    ),
    build
      .update(terms)
      .set({ parent: into.id, path: '', version: sql`${terms.version} + 1` })
      .where(eq(terms.parent, row.id)),
    refreshPaths(eq(terms.path, '')),
    ...moveLinks(eventTerms, eventTerms.event_id, move),
    ...moveLinks(seriesTerms, seriesTerms.series_id, move),
    ...moveReferences(singular, { ...move, slug: row.slug }),
    ...leadOn(singular, { ...row, isPublic }, into.id),
    build.delete(terms).where(eq(terms.id, row.id)),
    recordChange(
      context,
      { action: 'merge', kind: singular, changed: { name: [row.name, null], into: [null, into.id] } },
      row.id,
    ),
    recordMerge(
      context,
      kind,
      row.id,
      mergeRecord({ row: { ...row, standalone: isPublic }, into: before, children }, moved),
    ),
  ]
}

/** The ids of terms below another. */
const childrenOf = (id: number) =>
  many(sql`SELECT id FROM ${terms} WHERE parent = ${id}`, row => Number(row.id))

/** The route that merges one category or tag into another. */
const mergeTermRoute = (kind: TermKind): Route =>
  defineRoute({
    methods: ['POST'],
    path: `/${kind.plural}/{id}/merge`,
    summary: `Merge one ${kind.singular} into another`,
    requires: 'manage_terms',
    body: mergeFields,
    complete: true,
    responses: { 200: termSchema },
    errors: [kind.notFound],
    load: (context, { key, body: { into = 0 } }) =>
      together({
        row: termById(context, kind, idOf(key)),
        into: termById(context, kind, into),
        facts: factsOf(idOf(key), into),
        moved: selectMoved(mergeableTerms(kind), { from: idOf(key), into }),
        children: childrenOf(idOf(key)),
      }),
    prepare: (context, loaded, { body: { into } }, errors) =>
      mergeable(context, kind, { ...loaded, id: into }, errors),
    handle: async (context, { prepared }) => {
      const [row] = await context.db.change(
        asOneChange(mergeStatements(context, kind, prepared, await keptValues(changedBy(prepared)))),
        selectTerms(kind, eq(terms.id, prepared.into.id)),
      )
      return one(termBody(assertTerm(kind, row), context))
    },
  })

/** The statements that give a survivor its values and a category its children back, and insert the merged term again. */
function unmergeStatements(
  context: RequestContext,
  { singular }: TermKind,
  { row, into, children = [] }: MergeRecord,
): Statement[] {
  // The record was made from a row of the table.
  const { id, version, path: _, count: __, ...merged } = row as TermRow & { standalone: boolean }
  // Those that were moved elsewhere since stay there.
  const isChild = and(inArray(terms.id, inList(children)), eq(terms.parent, into.id))
  return [
    // It stays public if the merge has made it so: its address is known.
    build
      .update(terms)
      .set({ ...into.columns, version: into.version + 1 })
      .where(eq(terms.id, into.id)),
    recordChange(context, { action: 'update', kind: singular, fields: Object.keys(into.columns) }, into.id),
    build
      .insert(terms)
      .values({ ...merged, ...nameColumns(merged.name), id, version: version + 2, path: '' }),
    recordEach(context, { action: 'create', kind: singular }, sql`SELECT ${id} AS id`),
    recordEach(
      context,
      { action: 'update', kind: singular, fields: ['parent'], changed: { parent: [into.id, id] } },
      sql`SELECT id FROM ${terms} WHERE ${isChild}`,
    ),
    build
      .update(terms)
      .set({ parent: id, path: '', version: sql`${terms.version} + 1` })
      .where(isChild),
    refreshPaths(eq(terms.path, '')),
    // A parent that was deleted since has no row to refer to.
    conflictIf(sql`${merged.parent} > 0 AND NOT EXISTS (SELECT 1 FROM ${terms} WHERE id = ${merged.parent})`),
  ]
}

/** The route that undoes the merge of one category or tag into another. */
const unmergeTermRoute = (kind: TermKind): Route =>
  defineRoute({
    methods: ['POST'],
    path: `/${kind.plural}/{id}/unmerge`,
    summary: `Undo the merge of one ${kind.singular} into another, for an hour`,
    requires: 'manage_terms',
    responses: { 200: termSchema },
    errors: [kind.notFound],
    load: (context, { key }) => selectMerge(context, kind.singular, idOf(key)),
    prepare: (_, kept) => assertKept(kept, kind.notFound),
    handle: async (context, { prepared: kept }) => {
      const [row] = await restoreMerged(context, mergeableTerms(kind), kept, {
        rows: unmergeStatements(context, kind, kept.merge),
        scope: eq(terms.taxonomy, kind.taxonomy),
        select: selectTerms(kind, eq(terms.id, kept.merge.row.id)),
      })
      return one(termBody(assertTerm(kind, row), context))
    },
  })

/** All routes of categories or of tags. */
function termRoutes(
  kind: TermKind,
  fields: FieldsSchema<TermFields>,
  params: FieldsSchema<TermListParams>,
  listId: string,
): Route[] {
  const { singular, plural, notFound } = kind
  const path = `/${plural}/{id}`
  const written = async (context: RequestContext, prepared: TermOutcome) => {
    const [row] = await writeTerms(context, kind, [prepared])
    return termBody(assertTerm(kind, row), context)
  }
  return [
    defineList({
      id: listId,
      plural,
      item: termSchema,
      params,
      noPage: 'term-archive-page-not-found',
      pageInRestUrl: false,
      select: (context, input) => selectTermPage(context, kind, input),
      references: (context, values) => termReferences(context, kind, values),
      serialize: (context, rows) => rows.map(row => serializeTerm(row, context)),
    }),
    defineRoute({
      methods: ['POST'],
      path: `/${plural}`,
      summary: `Create a ${singular}`,
      requires: kind.creatableBy,
      body: fields,
      complete: true,
      responses: { 201: termSchema },
      headers: LOCATION,
      errors: ['term_exists'],
      ...sharing(termWrites(kind), {
        item: ({ body: values }: { body: Partial<TermFields> }) => values,
        reply: (context, row) => {
          const body = termBody(assertTerm(kind, row), context)
          return created(body, body.body.urls.self)
        },
      }),
      prepare: (_, found, { body: values }, errors) => prepareTerm(kind, { values, found }, errors),
    }),
    defineRoute({
      methods: ['GET'],
      path,
      summary: `Read one ${singular}`,
      requires: 'read',
      responses: { 200: termSchema },
      errors: ['rest_moved', notFound],
      load: (context, { key }) =>
        together({
          row: termById(context, kind, idOf(key)),
          survivor: selectSurvivor(singular, { id: idOf(key) }, terms, isTermReadable(context)),
        }),
      prepare: (context, { row, survivor }, { key, given }) => {
        if (survivor && !row) throw moved(context, { plural, survivor, key, given })
        return assertTerm(kind, row)
      },
      handle: (context, { prepared: row }) => one(termBody(row, context)),
    }),
    mergeTermRoute(kind),
    unmergeTermRoute(kind),
    defineRoute({
      methods: ['POST', 'PUT', 'PATCH'],
      path,
      summary: `Update one ${singular}`,
      requires: 'manage_terms',
      body: fields,
      responses: { 200: termSchema },
      errors: ['term_exists', notFound],
      load: (context, { key, body: values }) => lookUpTerms(context, kind, [{ values, id: idOf(key) }]),
      prepare: (context, found, { key, body: values }, errors) => {
        const stored = assertChangeableTerm(context, kind, found.terms.get(idOf(key)))
        return prepareTerm(kind, { values, found, stored }, errors)
      },
      handle: async (context, { prepared }) => one(await written(context, prepared)),
    }),
    defineRoute({
      methods: ['DELETE'],
      path,
      summary: `Delete one ${singular}`,
      requires: 'manage_terms',
      responses: { 200: termSchema },
      errors: [notFound],
      load: (context, { key }) => termById(context, kind, idOf(key)),
      prepare: (context, row) => assertChangeableTerm(context, kind, row),
      handle: async (context, { prepared: stored }) =>
        one(termBody(await deleteTerm(context, kind, stored), context)),
    }),
  ]
}

export const categoryRoutes = termRoutes(CATEGORIES, categoryFields, categoryList, 'CategoryList')
export const tagRoutes = termRoutes(TAGS, tagFields, tagList, 'TagList')
