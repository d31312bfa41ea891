import type { Bindings } from '../../../src/kit/env.ts'
import { send } from '../../factories.ts'

/** Makes a function like {@link send} for a Worker whose bindings differ from the configured ones. */
export const sendWith =
  (bindings: Partial<Bindings>) =>
  (method: string, path: string, sending?: Parameters<typeof send>[2]): ReturnType<typeof send> =>
    send(method, path, { ...sending, bindings })

/** Sends JSON. */
export const jsonRequest = (
  method: string,
  fields: object,
  headers: Record<string, string> = {},
): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(fields),
})
