import { listsOf, pageOf } from '../http/lists.ts'
import { defineRoute, type FieldsSchema, type Route } from '../http/route.ts'
import { codesOf } from '../posts/kind.ts'
import { postRoutes } from '../posts/routes.ts'
import { demandListable } from '../posts/visibility.ts'
import type { LinkedKind, LinkedRow } from './kind.ts'
import { listLinked } from './queries.ts'
import { linkedList } from './schema.ts'
import { createLinked, type LinkedValues, updateLinked } from './writes.ts'

/**
 * All routes of venues or of organizers.
 *
 * @param listName the name of the list in the documentation
 */
export function linkedRoutes<R extends LinkedRow, A, F extends LinkedValues>(
  kind: LinkedKind<R, A>,
  fields: FieldsSchema<F>,
  listName: string,
): Route[] {
  const { singular, plural } = kind
  const lists = listsOf(listName, plural, kind.answer, codesOf(singular).noPage)
  const list = defineRoute({
    methods: ['GET'],
    path: `/${plural}`,
    summary: `List ${plural}`,
    requires: 'read',
    query: linkedList,
    answers: { 200: lists.schema },
    headers: lists.headers,
    errors: ['rest_invalid_param', lists.noPage],
    handle: async ({ db, view, query: { values, problems }, given }) => {
      demandListable(values.status, view.caller, problems)
      const page = pageOf(values, view)
      const { rows, total } = await listLinked(kind, db, values, problems, page, view)
      const items = rows.map(row => kind.serialize(row, view))
      return lists.reply(view, { items, total, page, given })
    },
  })
  const writes = postRoutes(kind, fields, {
    create: (db, view, body) => createLinked(kind, db, view, body),
    update: (db, view, key, body) => updateLinked(kind, db, view, key, body),
  })
  return [list, ...writes]
}
