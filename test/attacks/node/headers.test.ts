import { request } from 'node:http'
import { expect, it } from 'vitest'
import { declareService } from '../../service.ts'

// Bytes in headers that are no text. Headers made in the runtime would carry them as UTF-8, with a warning
// for each.

const service = declareService()

const send = (method: string, path: string, headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request(service.api + path, { method, headers }, response => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    sent.on('error', reject).end()
  })

it.each<[status: number, method: string, path: string, headers: Record<string, string>]>([
  [200, 'GET', '/events', { 'accept-language': '\u00ff'.repeat(100) }],
  [200, 'GET', '/events', { 'if-none-match': '"\u00ff"' }],
  [200, 'GET', '/events', { 'x-request-id': '\u00c3\u00a9\u0080' }],
  [401, 'GET', '/events', { authorization: 'Basic \u00ff' }],
  [401, 'DELETE', '/tags/1', { authorization: 'Bearer \u00ff' }],
])('responds with %i to %s %s where a header is no text: %j', async (status, method, path, headers) => {
  expect(await send(method, path, headers)).toBe(status)
})

it('changes nothing for an If-Match that is no text', async () => {
  const headers = { authorization: `Bearer ${service.password.replaceAll(' ', '')}`, 'if-match': '"\u00ff"' }
  expect(await send('DELETE', '/events/1', headers)).toBe(412)
})
