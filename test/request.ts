import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import worker from '../src/index.ts'
import type { Bindings } from '../src/kit/env.ts'

export const SITE = 'https://calendar.example'
export const API = `${SITE}/calendar/events/v1`

/**
 * Sends a request to the Worker, as the runtime hands it over. Through a binding, the runner would ask its
 * main process for the Worker's module with each request, which would take a third of the CPU time of all
 * tests. Only the recorded requests of test/conformance, and tests of bodies and headers as the runtime
 * transmits them, use a binding.
 *
 * @param bindings others than the configured ones
 */
export async function request(
  address: string,
  init: RequestInit = {},
  bindings: Bindings = env,
  context = createExecutionContext(),
): Promise<Response> {
  // Incoming requests carry Cloudflare's properties, which nothing here looks at.
  const incoming = new Request(address, init) as Parameters<typeof worker.fetch>[0]
  return worker.fetch(incoming, bindings, context)
}

// The Worker makes an app for each set of bindings.
const sets = new WeakMap<Partial<Bindings>, Bindings>()

function allBindings(bindings: Partial<Bindings>): Bindings {
  const all = sets.get(bindings) ?? { ...env, ...bindings }
  sets.set(bindings, all)
  return all
}

/**
 * Sends a request to a Worker whose bindings differ from the configured ones, and waits for its work after
 * the response.
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
