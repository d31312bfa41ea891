import { exports } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { API } from '../../factories.ts'
import { request } from '../../request.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

const get = (accept?: string, address = `${API}/doc`, method = 'GET') =>
  exports.default.fetch(address, { method, headers: { ...(accept && { accept }) } })

it.each([undefined, '*/*', 'application/json', 'application/json, text/html;q=0.5'])(
  'the documentation is JSON for Accept: %s',
  async accept => {
    const response = await get(accept)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('vary')).toContain('Accept')
    expect(response.headers.get('content-security-policy')).toBeNull()
    expect(await response.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: API }] })
  },
)

it('the documentation is a page for browsers, which may load from here only', async () => {
  const response = await get(BROWSER)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=UTF-8')
  expect(response.headers.get('vary')).toContain('Accept')
  const policy = response.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
  expect(policy).not.toContain('unsafe')
  const page = await response.text()
  expect(page).not.toMatch(/<script>|<style|style=|https?:/)
})

it('the documentation is kept by no cache that could give the page to a program', async () => {
  for (const accept of [BROWSER, 'application/json']) {
    const { headers } = await get(accept)
    expect(headers.get('cache-control')).toMatch(/^private/)
    expect(headers.has('etag')).toBe(accept !== BROWSER)
  }
})

it('the documentation has the same headers for HEAD as for GET', async () => {
  expect((await get(BROWSER, undefined, 'HEAD')).headers.get('content-type')).toContain('text/html')
  expect((await get(undefined, undefined, 'HEAD')).headers.get('content-type')).toBe('application/json')
})

it('clients that keep the document get it once, and caches keep it where everybody gets the same', async () => {
  const file = `${API}/openapi.json`
  const ask = (address: string, tag: string) => request(address, { headers: { 'if-none-match': tag } })
  for (const address of [file, `${API}/doc`, API]) {
    const etag = (await request(address)).headers.get('etag') ?? ''
    const again = await ask(address, etag)
    expect({ status: again.status, etag: again.headers.get('etag'), text: await again.text() }).toEqual({
      status: 304,
      etag,
      text: '',
    })
    // Fields of it, and the document by another name, are something else.
    for (const other of [`${address}?_fields=info,routes`, `${API}/openapi.json?_fields=info`])
      expect((await ask(other, etag)).status, other).toBe(200)
    expect((await ask(address, '"other"')).status).toBe(200)
  }
  const { headers } = await request(file.replace('http:', 'https:'))
  expect(headers.get('cache-control')).toMatch(/^public/)
  expect(headers.get('vary')).toContain('Host')
  expect(await (await request(`${file}?_fields=openapi`)).json()).toEqual({ openapi: '3.1.0' })
})

it.each([`${new URL(API).origin}/openapi.json`, `${API}/openapi.json`, `${API}/openapi.json/`])(
  'the document is where programs look for it, whatever they accept: %s',
  async address => {
    for (const accept of [undefined, BROWSER]) {
      const response = await get(accept, address)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
      expect(await response.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: API }] })
    }
  },
)
