import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { addressItems } from '../../../src/readers/addresses.ts'
import { locations } from '../../../src/readers/sitemap.ts'
import { beginAtNoon } from '../../clock.ts'
import { listen } from '../../listen.ts'
import { CONTEXT, countsOf, emptyDatabase, importInto, WINDOW } from '../database.ts'
import { event, linksTo, script } from '../json-ld.ts'
import { CLIENT } from '../site-server.ts'
import { adminSenderOver } from '../worker.ts'

const db = emptyDatabase()
beginAtNoon()

let stop = async () => {}
afterEach(() => stop())

type Page = string | ((request: IncomingMessage, response: ServerResponse, origin: string) => void)
type Pages = Record<string, Page>

/** A site of pages by their paths; `ORIGIN` in them is its address. */
async function serve(pages: Pages) {
  const requests: string[] = []
  const { address, close } = await listen(origin => (request, response) => {
    const path = request.url ?? '/'
    requests.push(path)
    const page = pages[path]
    if (typeof page === 'function') return page(request, response, origin)
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(page?.replaceAll('ORIGIN', origin))
  })
  stop = close
  return { address, requests, pages: () => requests.filter(path => path in pages && path !== '/robots.txt') }
}

const page = (path: string, more: object = {}): string =>
  script(event(path, { url: `ORIGIN${path}`, ...more }))

/** A list at `/events/` that links to some pages, and these, by default of an event each. */
const siteOf = (paths: readonly string[], of: (path: string) => Page = path => page(path)): Pages => ({
  '/events/': linksTo(paths),
  ...Object.fromEntries(paths.map(path => [path, of(path)])),
})

type Options = { path?: string; mirror?: boolean }

async function importFrom(server: { address: string }, { path = '/events/', mirror = false }: Options = {}) {
  const sleeps: number[] = []
  const client = { ...CLIENT, attempts: 2, sleep: async (ms: number) => void sleeps.push(ms) }
  const notes: string[] = []
  const context = { ...CONTEXT, note: (text: string) => notes.push(text) }
  const items = addressItems(server.address + path, { window: WINDOW, client }, context)
  const report = await importInto(db, items, { mirror })
  return { report, notes: [...notes, ...report.notes], sleeps, counts: countsOf(report) }
}

const titlesWithStatus = async () =>
  (await db.query(`SELECT title, status FROM events ORDER BY title`)).map(row => `${row.title} ${row.status}`)

describe('a page with events', () => {
  it('may have letters that are longer in lower case, as Turkish ones', async () => {
    const server = await serve({ '/events/': page('/a', { name: 'İzmir Şöleni', location: 'İİİ' }) })
    expect((await importFrom(server)).report.reasons).toEqual([])
    expect(await titlesWithStatus()).toEqual(['İzmir Şöleni publish'])
  })

  it('is imported, again and again, and what was edited here stays', async () => {
    let name = 'Two'
    const server = await serve({
      '/events/': (_, response, origin) =>
        void response.end(
          script([
            event('One', { url: `${origin}/1`, location: 'Hall' }),
            event(name, { url: `${origin}/2`, startDate: '2027-04-01', description: name }),
          ]),
        ),
    })
    expect((await importFrom(server)).counts).toEqual(['venue created 1', 'event created 2'])
    expect((await importFrom(server)).counts).toEqual(['venue unchanged 1', 'event unchanged 2'])
    name = 'Zwei'
    expect((await importFrom(server)).counts).toEqual([
      'venue unchanged 1',
      'event updated 1',
      'event unchanged 1',
    ])
    const request = await adminSenderOver(db)
    const [edited] = await db.query(`SELECT id FROM events WHERE title = 'Zwei'`)
    expect((await request('PATCH', `events/${edited?.id}`, { title: 'Mine' })).status).toBe(200)
    name = 'Deux'
    await importFrom(server)
    expect(await titlesWithStatus()).toEqual(['Mine publish', 'One publish'])
  })

  it('of which one vanishes trashes it only with --mirror', async () => {
    let shown = ['One', 'Two', 'Three']
    const start = { One: '2027-01-01', Two: '2027-02-01', Three: '2027-03-01' }
    const server = await serve({
      '/events/': (_, response, origin) =>
        void response.end(
          script(
            shown.map(name => event(name, { url: `${origin}/${name}`, startDate: Object(start)[name] })),
          ),
        ),
    })
    await importFrom(server)
    shown = ['One', 'Three']
    await importFrom(server)
    expect(await titlesWithStatus()).toEqual(['One publish', 'Three publish', 'Two publish'])
    await importFrom(server, { mirror: true })
    expect(await titlesWithStatus()).toEqual(['One publish', 'Three publish', 'Two trash'])
    // The end of a list may be where it is cut off.
    shown = ['One']
    await importFrom(server, { mirror: true })
    expect(await titlesWithStatus()).toEqual(['One publish', 'Three publish', 'Two trash'])
  })

  it('trashes no event whose page shows an error, or that a list which breaks off lacks', async () => {
    const paths = ['/events/1', '/events/2', '/events/3', '/events/4', '/events/5']
    const links = linksTo(paths)
    const pages = siteOf(paths)
    const server = await serve(pages)
    const read = async (change: Pages) => {
      Object.assign(pages, siteOf(paths), change)
      await importFrom(server, { mirror: true })
      return (await titlesWithStatus()).filter(title => title.endsWith('trash'))
    }
    expect(await read({})).toEqual([])
    expect(await read({ '/events/2': '<h1>Sorry</h1>' })).toEqual([])
    const next = `${links.replace('<a href="/events/3">x</a>', '')}<link rel="next" href="/events/?page=2">`
    expect(await read({ '/events/': next })).toEqual([])
    expect(await read({ '/events/': links.replace('<a href="/events/3">x</a>', '') })).toEqual([
      '/events/3 trash',
    ])
  })

  it('that links to others, which were read before it had any, trashes none of those', async () => {
    const paths = ['/events/1', '/events/2', '/events/3']
    const links = linksTo(paths)
    const pages = siteOf(paths)
    const server = await serve(pages)
    await importFrom(server, { mirror: true })
    const own = page('/events/4', { startDate: '2027-04-01' })
    pages['/events/'] = links + own
    await importFrom(server, { mirror: true })
    expect(await titlesWithStatus()).toEqual(
      ['/events/1', '/events/2', '/events/3', '/events/4'].map(path => `${path} publish`),
    )
    pages['/events/'] = links.replace('<a href="/events/2">x</a>', '') + own
    await importFrom(server, { mirror: true })
    expect((await titlesWithStatus()).filter(title => title.endsWith('trash'))).toEqual(['/events/2 trash'])
  })

  it('continues on further pages of the list until these have no new events', async () => {
    const listed = (name: string, next: string) =>
      `<link rel="next" href="${next}">${script(event(name, { url: `/${name}` }))}`
    const server = await serve({
      '/events/': listed('one', '/events/?page=2'),
      '/events/?page=2': listed('two', '?page=3'),
      '/events/?page=3': listed('two', '?page=4'),
      '/events/?page=4': listed('four', '?page=5'),
    })
    expect((await importFrom(server)).counts).toEqual(['event created 2'])
  })
})

it('a page that names an API which is out of order is not read itself, so that no event comes in twice', async () => {
  const server = await serve({
    '/events/': (_, response, origin) => {
      response.writeHead(200, { 'x-tec-api-root': `${origin}/api` })
      response.end(page('/1').replace('ORIGIN', origin))
    },
  })
  await expect(importFrom(server)).rejects.toThrow('has no calendar with this API')
  expect(await titlesWithStatus()).toEqual([])
})

describe('a list of links', () => {
  const pages: Pages = {
    '/events/': `<a href="/about">us</a> <a href="one#top">1</a> <a href="/events/two">2</a> <a href="poster.pdf">p</a>
      <a href="https://elsewhere.example/events/three">3</a> <a href="mailto:x@y.example">x</a> <a href="/events/">all</a>
      <a href="//localhost/events/4">4</a> <a href="file:///etc/passwd">5</a>`,
    '/events/one': page('/events/one') + script(event('Sidebar', { url: 'ORIGIN/events/two' })),
    '/events/two': page('/events/two'),
    '/about': page('/about'),
  }

  it('is followed on its host, once each and one a second', async () => {
    const server = await serve(pages)
    const { counts, sleeps } = await importFrom(server)
    expect(counts).toEqual(['event created 2'])
    expect(await titlesWithStatus()).toEqual(['/events/one publish', '/events/two publish'])
    expect(server.pages()).toEqual(['/events/', '/events/one', '/events/two'])
    expect(sleeps.slice(-3)).toEqual([1000, 1000, 1000])
  })

  it('may be one of JSON-LD', async () => {
    const server = await serve({
      ...pages,
      '/events/': script({
        '@type': 'ItemList',
        itemListElement: [
          { '@type': 'ListItem', url: 'ORIGIN/about' },
          { '@type': 'ListItem', item: { '@type': 'Event', name: 'Two', url: '/events/two' } },
        ],
      }),
    })
    expect((await importFrom(server)).counts).toEqual(['event created 2'])
    expect(await titlesWithStatus()).toEqual(['/about publish', '/events/two publish'])
  })

  it('leads to pages whose JSON-LD has a mistyped type, or is not within a page', async () => {
    const types = [
      ...['application/ld-json', 'application/ldjson', 'application/l+json', 'Application/DL+JSON'],
      ...['application/ld+jsno', 'application/l+djson', 'applicationld+json', 'application/ld+json'],
    ]
    const slips = types.map((type, i) => [`/${i}`, page(`/${i}`).replace('application/ld+json', type)])
    const server = await serve({
      '/events/': linksTo([...slips.map(([path = '']) => path), '/bare', '/two', '/none']),
      ...Object.fromEntries(slips),
      '/bare': JSON.stringify(event('/bare', { url: 'ORIGIN/bare' })),
      '/two': page('/two') + page('/three').replace('ld+json', 'ld-json'),
      '/none': page('/none').replace('ld+json', 'json'),
    })
    expect((await importFrom(server)).counts).toEqual([`event created ${types.length + 2}`])
    expect(await titlesWithStatus()).toEqual([
      ...slips.map(([path]) => `${path} publish`),
      '/bare publish',
      '/two publish',
    ])
  })

  it('of pages without events ends after twenty, and is no calendar', async () => {
    const paths = Array.from({ length: 50 }, (_, i) => `/${i}`)
    const server = await serve(siteOf(paths, () => 'nothing'))
    await expect(importFrom(server)).rejects.toThrow('has no calendar that can be read')
    expect(server.pages()).toHaveLength(21)
  })

  it('ends when three pages in a row give no response', async () => {
    const broken: Page = (_, response) => void response.writeHead(503).end()
    const paths = Array.from({ length: 9 }, (_, i) => `/events/${i}`)
    const server = await serve(siteOf(paths, () => broken))
    expect((await importFrom(server)).counts).toEqual(['page failed 3'])
  })
})

describe('a sitemap', () => {
  const urls = (...paths: string[]) =>
    `<?xml version="1.0"?>\n<urlset xmlns="x">${paths.map(path => `<url><loc> ${path} </loc></url>`).join('')}</urlset>`
  const maps = (...paths: string[]) =>
    `<sitemapindex>${paths.map(path => `<sitemap><loc><![CDATA[${path}]]></loc></sitemap>`).join('')}</sitemapindex>`

  it('names the pages to read: those whose addresses look like events, if there are any', async () => {
    const server = await serve({
      '/sitemap.xml': urls(
        'ORIGIN/blog/1',
        'ORIGIN/event/a?x=1&amp;y=2',
        'https://elsewhere.example/event/b',
      ),
      '/event/a?x=1&y=2': page('/event/a'),
      '/blog/1': page('/blog/1'),
    })
    expect((await importFrom(server, { path: '/sitemap.xml' })).counts).toEqual(['event created 1'])
    expect(server.requests).toEqual(['/sitemap.xml', '/robots.txt', '/event/a?x=1&y=2'])
  })

  it.each([
    ['<loc>https://a.example/1</loc>', 'https://a.example/1'],
    ['<loc>\n  https://a.example/1\n</loc>', 'https://a.example/1'],
    ['<loc><![CDATA[https://a.example/1]]></loc>', 'https://a.example/1'],
    ['<loc>\n    <![CDATA[https://a.example/1]]>\n  </loc>', 'https://a.example/1'],
    ['<loc>\t<![CDATA[ https://a.example/1 ]]></loc>', 'https://a.example/1'],
    ['<loc><![CDATA[https://a.example/?tags[]=1&b=2]]></loc>', 'https://a.example/?tags[]=1&b=2'],
  ])('has an address in %j', (written, address) => {
    const other = '<url><loc>https://a.example/other</loc></url>'
    const found = locations(`<urlset><url>${written}</url>${other}</urlset>`, 'https://a.example/sitemap.xml')
    expect(found.map(String)).toEqual([address, 'https://a.example/other'])
  })

  it('is searched in linear time', () => {
    const text = `<loc>${' '.repeat(1_000_000)}<![CDATA[${' '.repeat(1_000_000)}<`
    expect(locations(text, 'https://a.example/')).toEqual([])
  })

  it('may be one of sitemaps, also of itself, of nothing and of pages', async () => {
    const server = await serve({
      '/sitemap.xml': maps('ORIGIN/sitemap.xml', 'ORIGIN/more.xml', 'ORIGIN/page', 'ORIGIN/gone.xml'),
      '/more.xml': maps('ORIGIN/sitemap.xml', 'ORIGIN/pages.xml'),
      '/pages.xml': urls('ORIGIN/a'),
      '/page': page('/page'),
      '/a': page('/a'),
    })
    const { counts, notes } = await importFrom(server, { path: '/sitemap.xml' })
    expect([counts, notes[0]]).toEqual([['event created 1'], `${server.address}/page is not a sitemap.`])
  })

  it('that leads to ever more sitemaps is given up after twenty', async () => {
    const many = Array.from({ length: 60 }, (_, i) => `/${i}.xml`)
    const server = await serve({
      '/sitemap.xml': maps(...many.map(path => `ORIGIN${path}`)),
      ...Object.fromEntries(many.map(path => [path, maps(...many.map(other => `ORIGIN${other}`))])),
    })
    await expect(importFrom(server, { path: '/sitemap.xml' })).rejects.toThrow('leads to no events')
    expect(server.pages()).toHaveLength(20)
  })

  it('that is complete shows which events have vanished', async () => {
    let paths = ['ORIGIN/a', 'ORIGIN/b']
    const server = await serve({
      '/sitemap.xml': (_, response, origin) => void response.end(urls(...paths).replaceAll('ORIGIN', origin)),
      '/a': page('/a'),
      '/b': page('/b'),
    })
    await importFrom(server, { path: '/sitemap.xml' })
    paths = ['ORIGIN/a']
    await importFrom(server, { path: '/sitemap.xml', mirror: true })
    expect(await titlesWithStatus()).toEqual(['/a publish', '/b trash'])
  })
})

describe('robots.txt', () => {
  const pages: Pages = {
    '/events/': '<a href="open">o</a><a href="closed">c</a><a href="round">r</a>',
    '/events/open': page('/events/open'),
    '/events/closed': page('/events/closed'),
    '/events/round': (_, response) => void response.writeHead(302, { location: '/events/closed' }).end(),
  }

  it('that forbids pages is heeded, also where redirects lead', async () => {
    const server = await serve({ ...pages, '/robots.txt': 'User-agent: *\nDisallow: /events/closed' })
    const { report, counts, notes } = await importFrom(server)
    expect(counts).toEqual(['event created 1', 'page failed 1'])
    expect(report.reasons[0]).toContain('/events/closed, which is not read')
    expect(notes).toContain('The robots.txt of the site does not allow some of its pages to be read.')
    expect(server.pages()).not.toContain('/events/closed')
  })
})

describe('a hostile site', () => {
  const list = '<a href="/events/1">1</a><a href="/events/2">2</a>'
  const redirect =
    (location: string): Page =>
    (_, response) =>
      void response.writeHead(302, { location }).end()

  it.each<[string, Page, string]>([
    [
      'sends 10 MB and more',
      (_, response) => void response.end('x'.repeat(10_000_001)),
      'longer than 10000000 bytes',
    ],
    ['redirects for ever', redirect('/events/1'), 'more than 3 redirects'],
    ['leads to a file', redirect('file:///etc/passwd'), 'leads to file:///etc/passwd, which is not read'],
    [
      'leads to another host',
      redirect('http://127.0.0.2:1/'),
      'leads to http://127.0.0.2:1/, which is not read',
    ],
    ['hangs up', request => void request.socket.destroy(), '2 times'],
    ['answers with nonsense', (_, response) => void response.writeHead(418).end(), 'HTTP 418'],
  ])('%s: the other pages are read', async (_, first, reason) => {
    const server = await serve({ '/events/': list, '/events/1': first, '/events/2': page('/events/2') })
    const { report, counts } = await importFrom(server)
    expect(counts).toEqual(['event created 1', 'page failed 1'])
    expect(report.reasons[0]).toContain(reason)
  })

  const ofJson = (json: string) => `\n<script type="application/ld+json">${json}</script>`
  const deep = `${'{"@graph":['.repeat(10_000)}${']}'.repeat(10_000)}`
  const incompleteNote = 'ORIGIN/events/ has more, or nests deeper, than is read.'

  it.each([
    [
      'JSON that is invalid',
      ofJson('{"@type":"Event",\n"name":oops}'),
      'failed: page ORIGIN/events/ (line 3): its JSON-LD is not JSON',
    ],
    ['JSON that is deep', ofJson(deep), incompleteNote],
    [
      'too many different links',
      Array.from({ length: 20_001 }, (_, i) => `<a href="${i}">`).join(''),
      incompleteNote,
    ],
  ])('has %s: it is reported, and no event counts as vanished', async (_, wrong, reason) => {
    let broken = false
    const server = await serve({
      '/events/': (_, response, origin) =>
        void response.end(
          (broken ? wrong : page('/b', { startDate: '2027-01-01' }))
            .concat(page('/a'))
            .replaceAll('ORIGIN', origin),
        ),
    })
    await importFrom(server)
    broken = true
    const { report, notes } = await importFrom(server, { mirror: true })
    expect([...report.reasons, ...notes].join('\n')).toContain(reason.replace('ORIGIN', server.address))
    expect(await titlesWithStatus()).toEqual(['/a publish', '/b publish'])
  })

  it('repeats a link very often, and is still read', async () => {
    const server = await serve({
      '/events/': (_, response) =>
        void response.end(`<base href="/events/">${'<a href=x>'.repeat(200_000)}<a href="a">`),
      '/events/a': page('/events/a'),
    })
    expect((await importFrom(server)).counts).toEqual(['event created 1'])
  })
})
