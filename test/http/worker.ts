import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { Bindings } from '../../src/env.ts'
import { API, send } from '../factories.ts'
import { request } from '../request.ts'

// The Worker makes an app for each set of bindings.
const sets = new WeakMap<Partial<Bindings>, Bindings>()

function allBindings(bindings: Partial<Bindings>): Bindings {
  const all = sets.get(bindings) ?? { ...env, ...bindings }
  sets.set(bindings, all)
  return all
}

/**
 * Sends a request to a Worker whose bindings differ from the configured ones, and waits for its work after the
 * response.
 *
 * @param path below the namespace, or a whole address
 */
export async function sendTo(
  bindings: Partial<Bindings>,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const context = createExecutionContext()
  const address = path.startsWith('http') ? path : API + path
  const response = await request(address, init, allBindings(bindings), context)
  await waitOnExecutionContext(context)
  return response
}

/** Makes a function like {@link send} for a Worker whose bindings differ from the configured ones. */
export const sendWith =
  (bindings: Partial<Bindings>) =>
  (method: string, path: string, sending?: Parameters<typeof send>[2]): ReturnType<typeof send> =>
    send(method, path, sending, (address, init) => sendTo(bindings, address, init))

/** Sends JSON. */
export const json = (method: string, fields: object, headers: Record<string, string> = {}): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(fields),
})
