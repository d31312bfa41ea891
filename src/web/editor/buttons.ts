import type { WriteRequest } from '../../context.ts'
import type { Capability } from '../../lib/roles.ts'
import { ask, isDone, type WriteReply } from '../forms/requests.ts'
import type { Admin } from './admin.ts'
import { type Outcome, refusedPage } from './respond.ts'
import { type ActionInput, type AdminRoute, defineAction } from './route.ts'

type Asked = WriteRequest | Outcome

type RequestDeclaration = {
  path: string
  requires: Capability
  /** The request of the API, or another response instead of one, such as a question. */
  request: (admin: Admin, input: ActionInput) => Asked | Promise<Asked>
  /** The response once the API has done it. */
  done: (admin: Admin, reply: WriteReply, input: ActionInput) => Outcome
  /** The page from which the request came. */
  back: (id: number) => string
  /** The response to a refusal; by default a page with the reason and a link back. */
  refused?: (admin: Admin, reply: WriteReply, input: ActionInput) => Outcome
}

/** Declares an action that is one request of the API about a resource. Without the right to it, and without the resource, it is a page. */
export const defineRequest = ({
  path,
  requires,
  request,
  done,
  back,
  refused = (admin, reply, { id }) => refusedPage(admin, reply, back(id)),
}: RequestDeclaration): AdminRoute =>
  defineAction({
    path,
    requires,
    handle: async (admin, input) => {
      const asked = await request(admin, input)
      if (!('method' in asked)) return asked
      const reply = await ask(admin, asked)
      return isDone(reply) ? done(admin, reply, input) : refused(admin, reply, input)
    },
  })
