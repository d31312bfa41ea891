import type { RequestContext } from '../../../context.ts'
import type { Query } from '../../../db/query.ts'
import { ApiError } from '../../../lib/errors.ts'
import type { Capability } from '../../../lib/roles.ts'
import type { Status } from '../../../lib/statuses.ts'
import type { Body } from '../../forms/control.ts'
import type { Form } from '../../forms/form.ts'
import type { AllFieldWords } from '../../forms/words.ts'

/** A row of a list: something that events refer to. */
export type Item = {
  id: number
  name: string
  /** Where it is, or what is to be known of it at a glance. */
  detail: string
  /** Published events that lists show. */
  events: number
  status: Status
  /** The level of a category in the tree, from 0. */
  depth: number
  isEditable: boolean
}

/** Something with its form. */
export type Found = {
  id: number
  name: string
  version: number
  status: Status
  events: number
  /** As the API shows it. */
  body: Body
  /** The address of its page on the site. */
  url: string
}

export type ListQuery = { search: string; status: Status | undefined; page: number }

/** A kind of thing that events refer to, as the editor has it: venues, organizers, categories, tags. */
export type Resource = {
  /** The name in paths of the API and of the editor: `venues`. */
  name: 'venues' | 'organizers' | 'categories' | 'tags'
  singular: 'venue' | 'organizer' | 'category' | 'tag'
  form: Form<keyof AllFieldWords>
  /** The capabilities that its list and form need, and that making one needs. */
  requires: Capability
  createdBy: Capability
  /** True if it goes to the trash, from which it can come back. */
  hasTrash: boolean
  /** A query of the items of a page, one more than the page shows if there are more. */
  list: (context: RequestContext, query: ListQuery) => Query<Item[]>
  /** A query of one of them, if the caller may know of it. */
  find: (context: RequestContext, id: number) => Query<Found | undefined>
  /** Tells if the caller may change it. @param body as the API shows it */
  isEditable: (context: RequestContext, found: Found) => boolean
}

/** Items of a page of a list. */
export const PER_PAGE = 50

/** The path of a list, or of something in it. */
export const pathOf = ({ name }: Pick<Resource, 'name'>, id?: number | string): string =>
  id === undefined ? `/admin/${name}/` : `/admin/${name}/${id}/`

/** The field with the name: terms have one of that name. */
export const nameFieldOf = ({ form, singular }: Resource): string =>
  form.fields.some(({ name }) => name === singular) ? singular : 'name'

/**
 * What was found, if the caller may change it.
 *
 * @throws ApiError of 403 and 404
 */
export function assertEditable(context: RequestContext, resource: Resource, found: Found | undefined): Found {
  if (!found) throw new ApiError('rest_no_route', `There is no ${resource.singular} of this id.`)
  if (!resource.isEditable(context, found))
    throw new ApiError('rest_forbidden', 'The role may not change this one.')
  return found
}
