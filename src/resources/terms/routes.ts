import type { RequestContext } from '../../context.ts'
import { together } from '../../db/query.ts'
import { terms } from '../../db/schema.ts'
import { selectSurvivor } from '../../db/slugs.ts'
import { idOf } from '../../http/input.ts'
import { defineList } from '../../http/lists.ts'
import { created, one } from '../../http/reply.ts'
import { defineRoute, type FieldsSchema, type Route } from '../../http/route.ts'
import { sharing } from '../../http/shared-writes.ts'
import { moved } from '../content/single.ts'
import { CATEGORIES, TAGS, type TermKind } from './kind.ts'
import { mergeTermRoute } from './merge.ts'
import {
  assertChangeableTerm,
  assertTerm,
  isTermReadable,
  selectTermPage,
  termBody,
  termById,
  termReferences,
} from './queries.ts'
import {
  categoryFields,
  categoryList,
  type TermFields,
  type TermListParams,
  tagFields,
  tagList,
  termSchema,
} from './schema.ts'
import { serializeTerm } from './serialize.ts'
import { deleteTerm, lookUpTerms, prepareTerm, type TermOutcome, termWrites, writeTerms } from './writes.ts'

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
      errors: ['term_exists'],
      ...sharing(termWrites(kind), {
        item: ({ body: values }: { body: Partial<TermFields> }) => values,
        reply: (context, row) => created(termBody(assertTerm(kind, row), context)),
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
    defineRoute({
      methods: ['POST', 'PUT', 'PATCH'],
      path,
      summary: `Change the named fields of one ${singular}`,
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
