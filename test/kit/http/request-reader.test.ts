import { describe, expect, it } from 'vitest'
import type { RequestContext } from '../../../src/kit/context.ts'
import { requestReader } from '../../../src/kit/http/dispatch.ts'
import type { Route } from '../../../src/kit/http/route.ts'
import { ApiError } from '../../../src/kit/lib/errors.ts'

// All that reading a request needs of the context.
const context = { api: 'https://town.example/v1' } as RequestContext

/** Reads a request of a route that fails with an error. */
const readFailing = (error: Error, path = '/things') => {
  // Nothing else of the route is read.
  const route = { methods: ['POST'], path: '/things', plan: () => Promise.reject(error) } as unknown as Route
  return requestReader(() => [route])(context, { method: 'POST', path, body: {} })
}

describe('reading a request that would write', () => {
  it('returns why the route refuses it', async () => {
    const error = new ApiError('rest_forbidden', 'No.')
    expect(await readFailing(error)).toBe(error)
  })

  it('returns that there is no such route', async () => {
    expect(await readFailing(new Error('unused'), '/others')).toMatchObject({ code: 'rest_no_route' })
  })

  it('throws what is no refusal but a bug', async () => {
    await expect(readFailing(new TypeError('x is not a function'))).rejects.toThrow('x is not a function')
  })
})
