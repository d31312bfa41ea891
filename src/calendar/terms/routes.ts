import { eq, sql } from 'drizzle-orm'
import type { BaseContext } from '../../kit/context.ts'
import { auditEntriesStatement } from '../../kit/db/audit.ts'
import { termAncestors } from '../../kit/db/derived.ts'
import { combineQueries, first, readNumber, type Statement } from '../../kit/db/query.ts'
import { asOneChange, build } from '../../kit/db/statements.ts'
import { eventTerms, seriesTerms, terms } from '../../kit/db/tables.ts'
import { defineRead } from '../../kit/http/define-read.ts'
import { defineSharedWrite, defineWrite } from '../../kit/http/define-write.ts'
import { defineList } from '../../kit/http/lists.ts'
import { createdReply, LOCATION, okVersioned } from '../../kit/http/reply.ts'
import type { FieldsSchema, Route } from '../../kit/http/route.ts'
import { type MergeableResource, mergeRoute } from '../content/merge-routes.ts'
import { movedTo } from '../content/routes.ts'
import { selectSurvivor } from '../content/slugs.ts'
import {
  levelsOf,
  requireChangeableTerm,
  requireTerm,
  selectTermById,
  selectTermPage,
  selectTerms,
  termBody,
  termReadableSql,
  termReferences,
} from './queries.ts'
import { CATEGORIES, MAX_LEVELS, serializeTerm, TAGS, type TermKind, type TermRow } from './resource.ts'
import {
  categoryFields,
  categoryList,
  type TermFields,
  type TermListParams,
  type TermResponse,
  tagFields,
  tagList,
  termSchema,
} from './schema.ts'
import { pathsStatement } from './statements.ts'
import {
  prepareTerm,
  selectNeededTerms,
  type TermOutcome,
  termRemovalStatements,
  termWrites,
  writeTerms,
} from './writes.ts'

/**
 * Facts about two terms: whether the second is below the first, and the levels of categories through both
 * afterwards.
 */
const selectMergeFacts = (id: number, into: number) => {
  const descendants = sql`(SELECT term_id FROM ${termAncestors} WHERE ancestor_id = ${id})`
  return first(
    sql`SELECT EXISTS (SELECT 1 FROM ${termAncestors} WHERE term_id = ${into} AND ancestor_id = ${id}) AS below,
      ${levelsOf(sql`(${into})`)} + ${levelsOf(descendants)} - ${levelsOf(sql`(${id})`)} AS depth,
      (SELECT standalone OR count > 0 FROM ${terms} WHERE id = ${id}) AS public`,
    row => ({ isBelow: row.below === 1, depth: readNumber(row.depth), isPublic: row.public === 1 }),
  )
}

/**
 * Categories or tags as a resource whose rows can be merged. A category gets the children of the one that is
 * merged into it.
 */
function mergeableTerm(kind: TermKind): MergeableResource<MergedTerm, TermResponse, LoadedMerge> {
  const { singular, plural, notFound } = kind
  const childrenMoveStatements = (context: BaseContext, from: number, to: number): Statement[] => [
    auditEntriesStatement(
      context,
      { action: 'update', kind: singular, fields: ['parent'], changed: { parent: [from, to] } },
      sql`SELECT id FROM ${terms} WHERE ${eq(terms.parent, from)}`,
    ),
    build
      .update(terms)
      .set({ parent: to, path: '', version: sql`${terms.version} + 1` })
      .where(eq(terms.parent, from)),
    pathsStatement(eq(terms.path, '')),
  ]
  return {
    singular,
    plural,
    notFound,
    table: terms,
    links: eventTerms,
    seriesLinks: seriesTerms,
    requires: 'manage_terms',
    response: termSchema,
    nameField: 'name',
    inherited: { description: { columns: ['description'] } },
    select: (_, condition) => selectTerms(kind, condition),
    body: (context, row) => termBody(requireTerm(kind, row), context),
    load: (context, { id, into }) =>
      combineQueries({
        row: selectTermById(context, kind, id),
        into: selectTermById(context, kind, into),
        facts: selectMergeFacts(id, into),
      }),
    rowOf: (context, { row }) => requireChangeableTerm(context, kind, row),
    survivorOf: (_, { into }) => into,
    prepare: (_, { row, into, loaded: { facts } }, errors) => {
      if (facts?.isBelow) errors.add('into', 'must not be below this one: move it up first')
      else if (facts && facts.depth > MAX_LEVELS)
        errors.add('into', `must not be so far down: categories may be at most ${MAX_LEVELS} levels deep`)
      const isPublic = facts?.isPublic ?? false
      return { row: { ...row, standalone: isPublic }, into, isPublic }
    },
    survivorColumns: (_, { isPublic }) => ({ standalone: sql`${terms.standalone} OR ${Number(isPublic)}` }),
    furtherStatements: (context, { row, into }) => childrenMoveStatements(context, row.id, into.id),
  }
}

type MergedTerm = TermRow & { standalone?: boolean }
type LoadedMerge = {
  row: TermRow | undefined
  into: TermRow | undefined
  facts: { isBelow: boolean; depth: number; isPublic: boolean } | undefined
}

function termRoutes(
  kind: TermKind,
  fields: FieldsSchema<TermFields>,
  params: FieldsSchema<TermListParams>,
  listId: string,
): Route[] {
  const { singular, plural, notFound } = kind
  const path = `/${plural}/{id}`
  const writeTerm = async (context: BaseContext, prepared: TermOutcome) => {
    const [row] = await writeTerms(context, kind, [prepared])
    return termBody(requireTerm(kind, row), context)
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
    defineSharedWrite({
      methods: ['POST'],
      path: `/${plural}`,
      summary: `Create a ${singular}`,
      requires: kind.creatableBy,
      body: fields,
      complete: true,
      responses: { 201: termSchema },
      headers: LOCATION,
      errors: ['term_exists'],
      shared: termWrites(kind),
      prepare: (context, neededTerms, { body: values }, errors) =>
        prepareTerm(context, kind, { values, neededTerms }, errors),
      reply: (context, row) => {
        const body = termBody(requireTerm(kind, row), context)
        return createdReply(body, body.body.urls.self)
      },
    }),
    defineRead({
      path,
      summary: `Read one ${singular}`,
      requires: 'read',
      responses: { 200: termSchema },
      errors: ['rest_moved', notFound],
      load: (context, { id }) =>
        combineQueries({
          row: selectTermById(context, kind, id),
          survivor: selectSurvivor(singular, { id }, terms, termReadableSql(context)),
        }),
      prepare: (context, { row, survivor }, { key, sent }) => {
        if (survivor && !row) throw movedTo(context, { plural, survivor, key, sent })
        return requireTerm(kind, row)
      },
      handle: (context, { prepared: row }) => okVersioned(termBody(row, context)),
    }),
    mergeRoute(mergeableTerm(kind)),
    defineWrite({
      methods: ['POST', 'PUT', 'PATCH'],
      path,
      summary: `Update one ${singular}`,
      requires: 'manage_terms',
      body: fields,
      responses: { 200: termSchema },
      errors: ['term_exists', notFound],
      load: (context, { id, body: values }) => selectNeededTerms(context, kind, [{ values, id }]),
      prepare: (context, loaded, { id, body: values }, errors) => {
        const stored = requireChangeableTerm(context, kind, loaded.terms.get(id))
        return prepareTerm(context, kind, { values, neededTerms: loaded, stored }, errors)
      },
      handle: async (context, { prepared }) => okVersioned(await writeTerm(context, prepared)),
    }),
    defineWrite({
      methods: ['DELETE'],
      path,
      summary: `Delete one ${singular}`,
      requires: 'manage_terms',
      responses: { 200: termSchema },
      errors: [notFound],
      load: (context, { id }) => selectTermById(context, kind, id),
      prepare: (context, row) => requireChangeableTerm(context, kind, row),
      handle: async (context, { prepared: stored }) => {
        await context.db.write(asOneChange(termRemovalStatements(context, kind, [stored])))
        return okVersioned(termBody(stored, context))
      },
    }),
  ]
}

export const categoryRoutes = termRoutes(CATEGORIES, categoryFields, categoryList, 'CategoryList')
export const tagRoutes = termRoutes(TAGS, tagFields, tagList, 'TagList')
