import { listsOf, pageOf } from '../http/lists.ts'
import { created, one, type Versioned } from '../http/reply.ts'
import { defineRoute, type FieldsSchema, type Key, type Route } from '../http/route.ts'
import type { View } from '../view.ts'
import { CATEGORIES, TAGS, type TermKind } from './kind.ts'
import { byId, demandTerm, listTerms } from './queries.ts'
import {
  categoryFields,
  categoryList,
  type TermAnswer,
  type TermFields,
  type TermListParams,
  tagFields,
  tagList,
  termSchema,
} from './schema.ts'
import { type TermRow, termAnswer } from './serialize.ts'
import { createTerm, deleteTerm, updateTerm } from './writes.ts'

const WRITE_ERRORS = ['rest_invalid_param', 'rest_invalid_json', 'rest_forbidden', 'term_exists'] as const

/** Terms are addressed by id only. */
const idOf = (key: Key): number => ('id' in key ? key.id : 0)

const answerOf = (row: TermRow, view: View): Versioned<TermAnswer> => ({
  answer: termAnswer(row, view),
  version: row.version,
})

/** All routes of categories or of tags. */
function termRoutes(
  kind: TermKind,
  fields: FieldsSchema<TermFields>,
  params: FieldsSchema<TermListParams>,
  listName: string,
): Route[] {
  const { singular, plural, notFound } = kind
  const path = `/${plural}/{id}`
  const lists = listsOf(listName, plural, termSchema, 'term-archive-page-not-found', {
    pageInRestUrl: false,
  })
  return [
    defineRoute({
      methods: ['GET'],
      path: `/${plural}`,
      summary: `List ${plural}`,
      requires: 'read',
      query: params,
      answers: { 200: lists.schema },
      headers: lists.headers,
      errors: ['rest_invalid_param', lists.noPage],
      handle: async ({ db, view, query: { values, problems }, given }) => {
        const page = pageOf(values, view)
        const { rows, total } = await listTerms(kind, db, values, problems, page)
        const items = rows.map(row => termAnswer(row, view))
        return lists.reply(view, { items, total, page, given })
      },
    }),
    defineRoute({
      methods: ['POST'],
      path: `/${plural}`,
      summary: `Create a ${singular}`,
      requires: kind.creatableBy,
      body: fields,
      complete: true,
      answers: { 201: termSchema },
      errors: ['rest_missing_callback_param', ...WRITE_ERRORS],
      handle: async ({ db, view, body }) => created(answerOf(await createTerm(kind, db, body, view), view)),
    }),
    defineRoute({
      methods: ['GET'],
      path,
      summary: `Read one ${singular}`,
      requires: 'read',
      answers: { 200: termSchema },
      errors: [notFound],
      handle: async ({ db, view, key }) => {
        const [row] = await db.get(byId(kind, idOf(key)))
        return one(answerOf(demandTerm(kind, row), view))
      },
    }),
    defineRoute({
      methods: ['POST', 'PUT', 'PATCH'],
      path,
      summary: `Change the named fields of one ${singular}`,
      requires: 'manage_terms',
      body: fields,
      answers: { 200: termSchema },
      errors: [...WRITE_ERRORS, notFound],
      handle: async ({ db, view, key, body }) =>
        one(answerOf(await updateTerm(kind, db, idOf(key), body, view), view)),
    }),
    defineRoute({
      methods: ['DELETE'],
      path,
      summary: `Delete one ${singular}`,
      requires: 'manage_terms',
      answers: { 200: termSchema },
      errors: ['rest_forbidden', notFound],
      handle: async ({ db, view, key }) => one(answerOf(await deleteTerm(kind, db, idOf(key), view), view)),
    }),
  ]
}

export const categoryRoutes = termRoutes(CATEGORIES, categoryFields, categoryList, 'CategoryList')
export const tagRoutes = termRoutes(TAGS, tagFields, tagList, 'TagList')
