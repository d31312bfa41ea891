import * as z from 'zod'
import type { Database } from '../db/client.ts'
import { flag } from '../http/params.ts'
import { created, one, type Versioned } from '../http/reply.ts'
import { defineRoute, type FieldsSchema, type Key, type Route } from '../http/route.ts'
import type { Checked } from '../http/validate.ts'
import type { View } from '../view.ts'
import { codesOf, type PostKind, type PostRow } from './kind.ts'
import { readPost } from './queries.ts'
import { deletePost } from './writes.ts'

/** How posts of a kind are created and changed. */
export type PostWrites<F, A> = {
  create: (db: Database, view: View, body: Checked<F>) => Promise<Versioned<A>>
  update: (db: Database, view: View, key: Key, body: Checked<F>) => Promise<Versioned<A>>
}

const ARTICLE = { event: 'an', venue: 'a', organizer: 'an' } as const

const force = z.object({
  force: flag({ description: 'Delete for good instead of moving to the trash.', default: false }).optional(),
})

/** The routes of a kind's single resources, by id and by slug, and the one that creates. */
export function postRoutes<R extends PostRow, A, F>(
  kind: PostKind<R, A>,
  fields: FieldsSchema<F>,
  writes: PostWrites<F, A>,
): Route[] {
  const { singular, plural, answer } = kind
  const codes = codesOf(singular)
  const create = defineRoute({
    methods: ['POST'],
    path: `/${plural}`,
    summary: `Create ${ARTICLE[singular]} ${singular}`,
    requires: 'edit_posts',
    body: fields,
    complete: true,
    answers: { 201: answer },
    errors: ['rest_missing_callback_param', 'rest_invalid_param', 'rest_invalid_json', 'rest_forbidden'],
    handle: async ({ db, view, body }) => created(await writes.create(db, view, body)),
  })
  return [create, ...['{id}', 'by-slug/{slug}'].flatMap(part => singleRoutes(`/${plural}/${part}`))]

  function singleRoutes(path: string): Route[] {
    return [
      defineRoute({
        methods: ['GET'],
        path,
        summary: `Read one ${singular}`,
        requires: 'read',
        answers: { 200: answer },
        errors: [codes.notFound, codes.notAccessible, codes.trashed],
        handle: async ({ db, view, key }) => one(await readPost(db, kind, key, view)),
      }),
      defineRoute({
        methods: ['POST', 'PUT', 'PATCH'],
        path,
        summary: `Change the named fields of one ${singular}`,
        requires: 'edit_posts',
        body: fields,
        answers: { 200: answer },
        errors: ['rest_invalid_param', 'rest_invalid_json', 'rest_forbidden', codes.notFound],
        handle: async ({ db, view, key, body }) => one(await writes.update(db, view, key, body)),
      }),
      defineRoute({
        methods: ['DELETE'],
        path,
        summary: `Move one ${singular} to the trash, or delete it`,
        requires: 'edit_posts',
        query: force,
        body: force,
        answers: { 200: answer },
        errors: ['rest_invalid_param', 'rest_forbidden', codes.notFound, codes.inTrash],
        handle: async ({ db, view, key, query, body }) => {
          query.problems.throwIfAny()
          body.problems.throwIfAny()
          const forced = query.values.force ?? body.values.force ?? false
          return one(await deletePost(db, kind, key, view, forced))
        },
      }),
    ]
  }
}
