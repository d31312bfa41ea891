import type { Query } from '../../db/query.ts'
import type { Capability } from '../../lib/roles.ts'
import type { Html } from '../html/html.ts'
import type { Admin, MenuEntry } from './admin.ts'
import type { AdminRoute } from './route.ts'

/** A place of an area on the start page, for those who may. */
type StartCard = {
  requires: Capability
  /** Reads for the card, in the one trip of the page, and what is shown of that; '' for nothing. */
  query: (admin: Admin) => Query<Html | ''>
}

/** A part of the editor: its pages and actions, its entries of the menu, and its place on the start page. */
export type Area = {
  routes: readonly AdminRoute[]
  menu?: readonly MenuEntry[]
  start?: readonly StartCard[]
}
