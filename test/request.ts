import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { Bindings } from '../src/env.ts'
import worker from '../src/index.ts'

/**
 * Sends a request to the Worker, as the runtime hands it over. Through a binding, the runner would ask its main process for the
 * Worker's module with each request, a third of all that tests compute: the recorded requests of test/conformance go that way, and
 * what is about bodies and headers as the runtime carries them.
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
