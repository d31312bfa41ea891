import * as z from 'zod/mini'
import { settled } from '../../../db/query.ts'
import { oneOf, search } from '../../../http/params.ts'
import { findLinked, LINKED } from '../../forms/load.ts'
import { json } from '../respond.ts'
import { defineAdminPage } from '../route.ts'

const findQuery = z.object({
  field: z.optional(oneOf(LINKED, { description: 'The field of the form.' })),
  search: z.optional(search({ description: 'Words in the name.' })),
})

/** What a field of a form can be linked to, as one types its name: a list of `{id, name, detail}`. */
export const findPage = defineAdminPage({
  path: '/admin/find/',
  requires: 'edit_content',
  query: findQuery,
  load: ({ context }, { query: { field, search = '' } }) =>
    field ? findLinked(context, field, search) : settled([]),
  respond: (_, { loaded }) => json(loaded),
})
