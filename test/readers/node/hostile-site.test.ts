import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { addressItems } from '../../../src/readers/addresses.ts'
import { documentOf } from '../../../src/readers/documents.ts'
import { Client, fetchTransport } from '../../../src/readers/http.ts'
import { leadToPrivate, nodeTransport } from '../../../src/readers/node-transport.ts'
import { CONTEXT, emptyDatabase, importInto, WINDOW } from '../database.ts'
import { CLIENT, emptySite, event, type Mischief, type Site, serveSite } from '../site-server.ts'

const db = emptyDatabase()

let stop = async () => {}
afterEach(() => stop())

const clientOptions = { ...CLIENT, attempts: 2 }

async function serve(mischief: Mischief, site: Site = emptySite()) {
  const server = await serveSite(site, mischief)
  stop = server.close
  return server
}

async function importSite(mischief: Mischief, site: Site = emptySite(), mirror = false) {
  const server = await serve(mischief, site)
  const items = addressItems(server.address, { window: WINDOW, client: clientOptions }, CONTEXT)
  return { report: await importInto(db, items, { mirror }), server }
}

/** Answers requests for a list. */
const onList =
  (name: string, body: (url: URL) => object): Mischief =>
  (url, response) => {
    if (!url.pathname.endsWith(`/${name}`)) return false
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body(url)))
    return true
  }

const nextOf = (url: URL): string => {
  const next = new URL(url)
  next.searchParams.set('page', String(Number(url.searchParams.get('page') ?? 1) + 1))
  return next.href
}

it.each([
  ['the same event on each page', (_: number) => [event(1)]],
  ['no event on any page', (_: number) => []],
  ['what is no event on each page', (_: number) => ['x', {}, null]],
  ['two pages in turn', (page: number) => [event(page % 2 === 0 ? 1 : 2)]],
])('a list without end is left after three pages without anything new: %s', async (_, items) => {
  const endless = onList('events', url => ({
    events: items(Number(url.searchParams.get('page') ?? 1)),
    next_rest_url: nextOf(url),
  }))
  const { report, server } = await importSite(endless)
  expect(server.requests.filter(({ url }) => url.includes('/events?')).length).toBeLessThan(8)
  expect(report.reasons).toContainEqual(
    'failed: page events: the list does not end: the last 3 pages have nothing new',
  )
})

describe('a compressed response', () => {
  const bomb = gzipSync(Buffer.alloc(60_000_000, ' '))

  it.each(['/', '/events', '/series/7'])('is not read beyond its unpacked limit: %s', async path => {
    const site = { ...emptySite(), events: [event(1, { series: { id: 7, recurrence: {} } })] }
    const answer: Mischief = (url, response) => {
      if (!(path === url.pathname || (path.length > 1 && url.pathname.endsWith(path)))) return false
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb)
      return true
    }
    const done = importSite(answer, site).then(
      ({ report }) => [...report.reasons, ...report.notes].join('\n'),
      error => String(error),
    )
    expect(await done).toMatch(/longer than 50000000 bytes|Series 7 could not be read/)
  })

  it('is read whether or not its last bytes are there', async () => {
    const server = await serve((url, response) => {
      const bytes = gzipSync('{"a":1}')
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(url.pathname === '/cut' ? bytes.subarray(0, -4) : bytes)
      return true
    })
    const client = new Client(clientOptions)
    for (const path of ['/', '/cut']) {
      const { bytes } = await client.get(server.address + path)
      expect(new TextDecoder().decode(bytes), path).toBe('{"a":1}')
    }
  })
})

describe.each([
  ['Node', nodeTransport],
  ['the Worker', fetchTransport],
])('requests of %s', (_, transport) => {
  const options = { ...clientOptions, transport }

  it('reject a response by its Content-Length', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '50000001' }).flushHeaders()
      return true
    })
    await expect(new Client(options).get(server.address)).rejects.toThrow('longer than')
  })

  it('fail if a response without a Content-Length is longer than allowed', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200)
      response.end('x'.repeat(2_000))
      return true
    })
    const client = new Client(options)
    await expect(client.get(server.address, { maxBytes: 1_999 })).rejects.toThrow('longer than 1999 bytes')
    expect((await client.get(server.address, { maxBytes: 2_000 })).bytes).toHaveLength(2_000)
  })

  it('time out if a server sends no end', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200).flushHeaders()
      return true
    })
    const client = new Client({ ...options, attempts: 1, timeoutMs: 200 })
    await expect(client.get(server.address)).rejects.toThrow('no end after 0.2 seconds')
  })

  it.each([
    ['while the server takes its time', 200],
    ['while they wait to try again', 503],
  ])('end at once when nothing more is to be requested, %s', async (_, status) => {
    const over = new AbortController()
    const reason = new Error('time is up')
    const abort = () => over.abort(reason)
    const server = await serve((_, response) => {
      response.writeHead(status).flushHeaders()
      if (status === 200) setTimeout(abort, 50)
      else response.end()
      return true
    })
    const sleep = () => {
      setTimeout(abort, 50)
      return new Promise<void>(() => {})
    }
    const client = new Client({ ...options, sleep }).until(over.signal)
    await expect(client.get(server.address)).rejects.toBe(reason)
    expect(server.requests).toHaveLength(1)
  })

  it('ask whether the known version is still current', async () => {
    const server = await serve((_, response) => {
      const isKnown = server.requests.length > 1
      response.writeHead(isKnown ? 304 : 200, { etag: '"a"' }).end(isKnown ? undefined : 'x')
      return true
    })
    const client = new Client(options)
    const { headers } = await client.get(server.address)
    const etag = headers.get('etag') ?? ''
    const lastModified = 'Fri, 20 Nov 2026 12:00:00 GMT'
    expect((await client.get(server.address, { known: { etag, lastModified } })).status).toBe(304)
    expect(server.requests.at(-1)?.conditions).toEqual(['"a"', lastModified])
  })

  describe('a private network', () => {
    it.each(['127.0.0.1', '127.1', '2130706433', 'localhost', '[::ffff:7f00:1]'])(
      'is not reached by what a public site names: %s',
      async host => {
        const server = await serve(() => false)
        const address = server.address.replace('127.0.0.1', host)
        await expect(new Client({ ...options, allowsPrivate: false }).get(address)).rejects.toThrow(
          'is in a private network',
        )
        expect(server.requests).toEqual([])
      },
    )

    it('is reached by a redirect of a site that is in it', async () => {
      const server = await serve((url, response) => {
        if (url.pathname !== '/from') return false
        response.writeHead(302, { location: '/wp-json/' }).end()
        return true
      })
      const { url, status } = await new Client(options).get(`${server.address}/from`)
      expect([url, status]).toEqual([`${server.address}/wp-json/`, 200])
    })
  })

  describe('a redirect', () => {
    it('is followed ten times, and no further', async () => {
      const server = await serve((url, response) => {
        const left = Number(url.pathname.slice(1))
        response.writeHead(left ? 302 : 200, { location: `/${left - 1}` }).end()
        return true
      })
      const get = (path: string) => new Client(options).get(server.address + path)
      expect(await get('/10')).toMatchObject({ status: 200, url: `${server.address}/0` })
      await expect(get('/11')).rejects.toThrow('more than 10 redirects')
    })

    it.each([
      ['/loop', 'more than 10 redirects'],
      ['file:///etc/passwd', 'file: is neither http nor https'],
      ['http://[', 'a redirect to no address'],
    ])('to %s is not followed', async (location, reason) => {
      const server = await serve((_, response) => {
        response.writeHead(302, { location }).end()
        return true
      })
      await expect(new Client(options).get(server.address)).rejects.toThrow(reason)
    })
  })
})

it.each([
  [['http://127.0.0.1/'], true],
  [['https://8.8.8.8/', 'http://[::1]/'], true],
  [['https://8.8.8.8/', 'https://[2001:4860:4860::8888]/'], false],
  [[], false],
])('sites may lead a command to a private network if one of them is in one: %j', async (given, expected) => {
  expect(await leadToPrivate(given)).toBe(expected)
})

it('a page of 2 MB that names no API is searched in linear time', async () => {
  const page = '<link rel=x '.repeat(170_000)
  const served: Mischief = (url, response) => {
    response.writeHead(url.pathname === '/' ? 200 : 404).end(url.pathname === '/' ? page : '{}')
    return true
  }
  await expect(importSite(served)).rejects.toThrow('has no calendar that can be read')
})

it.each([
  ['a namespace', { namespace: `a${'/'.repeat(500_000)}b` }, '/x'],
  ['a route', {}, `/x${'/'.repeat(500_000)}y`],
  ['a name', { name: '<'.repeat(2_000_000) }, '/x'],
])('an index with %s of any length is searched in linear time', async (_, index, base) => {
  const routes = Object.fromEntries(['/events', '/venues', '/organizers'].map(name => [base + name, {}]))
  const served: Mischief = (url, response) => {
    response.writeHead(url.pathname === '/' ? 200 : 404, { 'content-type': 'application/json' })
    response.end(url.pathname === '/' ? JSON.stringify({ routes, ...index }) : '{}')
    return true
  }
  const { report } = await importSite(served)
  expect(report.countOf('event', 'created')).toBe(0)
})

it('a page of a list with thousands of items is read up to a limit, and the list counts as incomplete', async () => {
  const many = onList('events', () => ({ events: Array.from({ length: 20_000 }, () => ({})) }))
  const { report } = await importSite(many, emptySite(), true)
  expect(report.countOf('event', 'failed')).toBe(10_000)
  expect(report.reasons).toContainEqual(
    expect.stringContaining('more than 10000 items: the rest is not read'),
  )
})

it('series that give no response are not all waited for', async () => {
  const events = Array.from({ length: 9 }, (_, i) => event(i + 1, { series: { id: i + 70, recurrence: {} } }))
  const { report, server } = await importSite(
    (url, response) => {
      if (!url.pathname.includes('/series/')) return false
      response.writeHead(503).end()
      return true
    },
    { ...emptySite(), events },
  )
  expect(server.requests.filter(({ url }) => url.includes('/series/'))).toHaveLength(
    3 * clientOptions.attempts,
  )
  expect(report.countOf('event', 'created')).toBe(9)
})

it('a saved page cannot claim the events that were imported from its site', () => {
  const rest_url = 'https://source:1/wp-json/tribe/events/v1/events/'
  for (const page of [
    { events: [event(1)], rest_url },
    { ...event(1), rest_url: `${rest_url}1` },
  ])
    expect(documentOf(page, 'file:page.json').source).toMatch(/^source\.:1\/wp-json/)
})
