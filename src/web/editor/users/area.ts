import * as z from 'zod/mini'
import { search } from '../../../http/params.ts'
import { usersWords } from '../../../words/words.ts'
import type { Area } from '../area.ts'
import { defineAdminPage } from '../route.ts'
import { userActions } from './actions.ts'
import { USERS, usersPage } from './list.ts'
import { userPage as shownUser } from './page.ts'
import { selectUsers, userQuery } from './queries.ts'

const list = defineAdminPage({
  path: USERS,
  requires: 'manage_users',
  query: z.object({ after: z.optional(search({ description: 'Only those after this login.' })) }),
  load: (_, { query: { after = '' } }) => selectUsers(after),
  respond: (admin, { loaded, query }) => usersPage(admin, loaded, { isLater: query.after !== undefined }),
})

const one = defineAdminPage({
  path: `${USERS}:id{[0-9]+}/`,
  requires: 'manage_users',
  load: ({ context }, { id }) => userQuery(id, context.now),
  respond: (admin, { loaded }) => shownUser(admin, loaded),
})

/** Users and their roles. */
export const usersArea: Area = {
  routes: [list, one, ...userActions],
  menu: [{ path: USERS, label: language => usersWords(language).title, requires: 'manage_users' }],
}
