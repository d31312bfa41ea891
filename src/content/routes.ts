import type { SQL } from 'drizzle-orm'
import * as z from 'zod'
import type { RequestContext } from '../context.ts'
import { mapped, type Query, together } from '../db/query.ts'
import { flag } from '../http/params.ts'
import { created, one, SHORTENED, type Versioned } from '../http/reply.ts'
import { defineRoute, type FieldsSchema, type Route } from '../http/route.ts'
import type { ValidationErrors } from '../lib/errors.ts'
import type { ContentValues } from './columns.ts'
import { type ContentKind, type ContentRow, codesOf } from './kind.ts'
import { assertMayUpload, withStoredImage } from './pictures.ts'
import { assertAuthor } from './references.ts'
import { editable, hasKey, readable, versioned } from './single.ts'
import { deleteContent } from './trash.ts'

/**
 * The writes of a kind of content. `F` is the type of its fields, `S` of the stored row that an update needs, `L` of the
 * rows that fields refer to, and `Body` of the response.
 */
export type ContentWrites<F, S, L, Body> = {
  selectStored: (context: RequestContext, condition: SQL) => Query<S[]>
  /** A query of the rows that fields refer to. */
  lookUp: (context: RequestContext, values: Partial<F>) => Query<L>
  /** Throws `rest_forbidden` if the caller may not send these fields. */
  permit?: (context: RequestContext, input: { values: Partial<F>; found: L }) => void
  validate: (
    context: RequestContext,
    input: { values: Partial<F>; found: L; stored?: S },
    errors: ValidationErrors,
  ) => void
  create: (context: RequestContext, input: { values: F; found: L }) => Promise<Versioned<Body>>
  update: (
    context: RequestContext,
    input: { values: Partial<F>; found: L; stored: S },
  ) => Promise<Versioned<Body>>
}

const ARTICLE = { event: 'an', venue: 'a', organizer: 'an' } as const

const force = z.object({
  force: flag({ description: 'Delete for good instead of moving to the trash.', default: false }).optional(),
})

const firstOf = <T>(query: Query<T[]>): Query<T | undefined> => mapped(query, ([row]) => row)

/** The routes of single resources of a kind, by id and by slug, and the route that creates them. */
export function contentRoutes<R extends ContentRow, S extends ContentRow, L, Body, F extends ContentValues>(
  kind: ContentKind<R, Body>,
  fields: FieldsSchema<F>,
  writes: ContentWrites<F, S, L, Body>,
): Route[] {
  const { singular, plural, response, table } = kind
  const codes = codesOf(singular)
  const create = defineRoute({
    methods: ['POST'],
    path: `/${plural}`,
    summary: `Create ${ARTICLE[singular]} ${singular}`,
    requires: 'edit_content',
    body: fields,
    complete: true,
    responses: { 201: response },
    ...(kind.isShortened && { headers: SHORTENED }),
    errors: ['rest_missing_callback_param', 'rest_invalid_param', 'rest_invalid_json', 'rest_forbidden'],
    load: (context, { body }) => writes.lookUp(context, body),
    permit: (context, found, { body: values }) => {
      assertAuthor(context, values)
      assertMayUpload(context, values.image)
      writes.permit?.(context, { values, found })
      return found
    },
    validate: (context, found, { body: values }, errors) =>
      writes.validate(context, { values, found }, errors),
    handle: async (context, { body: values, loaded: found }) =>
      created(await writes.create(context, { values: await withStoredImage(context, values), found })),
  })
  return [create, ...['{id}', 'by-slug/{slug}'].flatMap(part => singleRoutes(`/${plural}/${part}`))]

  function singleRoutes(path: string): Route[] {
    return [
      defineRoute({
        methods: ['GET'],
        path,
        summary: `Read one ${singular}`,
        requires: 'read',
        responses: { 200: response },
        ...(kind.isShortened && { headers: SHORTENED }),
        errors: [codes.notFound, codes.notAccessible, codes.trashed],
        load: (context, { key }) => firstOf(kind.select(context, hasKey(table, key))),
        permit: (context, row) => readable(context, { kind, row }),
        handle: (context, { loaded: row }) => one(versioned(kind, row, kind.serializeSingle(row, context))),
      }),
      defineRoute({
        methods: ['POST', 'PUT', 'PATCH'],
        path,
        summary: `Change the named fields of one ${singular}`,
        requires: 'edit_content',
        body: fields,
        responses: { 200: response },
        ...(kind.isShortened && { headers: SHORTENED }),
        errors: ['rest_invalid_param', 'rest_invalid_json', 'rest_forbidden', codes.notFound],
        load: (context, { key, body }) =>
          together({
            stored: firstOf(writes.selectStored(context, hasKey(table, key))),
            found: writes.lookUp(context, body),
          }),
        permit: (context, { stored: row, found }, { body: values }) => {
          const stored = editable(context, { kind, row })
          assertAuthor(context, { author: values.author, owner: stored.author_id })
          assertMayUpload(context, values.image)
          writes.permit?.(context, { values, found })
          return { stored, found }
        },
        validate: (context, loaded, { body: values }, errors) =>
          writes.validate(context, { values, ...loaded }, errors),
        handle: async (context, { body: values, loaded }) =>
          one(await writes.update(context, { values: await withStoredImage(context, values), ...loaded })),
      }),
      defineRoute({
        methods: ['DELETE'],
        path,
        summary: `Move one ${singular} to the trash, or delete it`,
        requires: 'edit_content',
        query: force,
        body: force,
        responses: { 200: response },
        ...(kind.isShortened && { headers: SHORTENED }),
        errors: ['rest_invalid_param', 'rest_forbidden', codes.notFound, codes.inTrash],
        load: (context, { key }) => firstOf(kind.select(context, hasKey(table, key))),
        permit: (context, row) => editable(context, { kind, row }),
        handle: async (context, { loaded: row, query, body }) =>
          one(await deleteContent(context, { kind, row, force: query.force ?? body.force ?? false })),
      }),
    ]
  }
}
