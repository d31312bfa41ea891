import type { WriteRequest } from '../../context.ts'
import type { Capability } from '../../lib/roles.ts'
import { reasonsOf } from '../forms/errors.ts'
import { ask, isDone, type WriteReply } from '../forms/requests.ts'
import type { Admin } from './admin.ts'
import type { Outcome } from './respond.ts'
import { type ActionInput, type AdminRoute, defineAction } from './route.ts'

type ButtonRequest = Pick<WriteRequest, 'method' | 'body'> & {
  /** The path after that of the resource. */
  path?: (params: ActionInput['params']) => string
}

type ButtonPlace = {
  /** The address of the list, and the prefix of the pages: `/admin/webhooks/`. */
  page: string
  /** The path of the API's routes: `/webhooks`. */
  routes: string
  requires: Capability
}

/**
 * Declares actions with one button about a resource: each is a request of the API. What was refused is said on the resource's
 * page.
 */
export const buttonsOf =
  ({ page, routes, requires }: ButtonPlace) =>
  (
    part: string,
    { path, ...request }: ButtonRequest,
    show: (admin: Admin, reply: WriteReply, id: number) => Outcome,
  ): AdminRoute =>
    defineAction({
      path: `${page}:id{[0-9]+}/${part}/`,
      requires,
      handle: async (admin, { id, params }) => {
        const reply = await ask(admin, { ...request, path: `${routes}/${id}${path?.(params) ?? ''}` })
        if (isDone(reply)) return show(admin, reply, id)
        return { to: `${page}${id}/`, notice: { text: reasonsOf(admin, reply) } }
      },
    })
