import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { API, type Person, send } from '../factories.ts'
import { TODAY } from '../setup.ts'
import { by, everyRole } from './people.ts'
import { create, least } from './requests.ts'

// An entity tag belongs to one address, one caller and one state. What is no 200 is never a 304.

const people = everyRole()
let path: string
let draft: string
beforeAll(async () => {
  path = `/events/${(await create(people.author.as, 'events', least('events', 'Tagged'))).id}`
  const fields = { ...least('events', 'Tagged draft'), status: 'draft' }
  draft = `/events/${(await create(people.author.as, 'events', fields)).id}`
})
afterEach(() => {
  vi.setSystemTime(TODAY)
})

const tagOf = async (address: string, person?: Person) => {
  const tag = (await send('GET', address, by(person))).headers.get('etag')
  if (tag === null) throw new Error(`${address} has no tag`)
  return tag
}
const ask = (address: string, tag: string, person?: Person, method = 'GET') =>
  send(method, address, { ...by(person), headers: { 'if-none-match': tag } })

/** Every current tag there is; asked for once, as long as nothing is written. */
const currentTags = async (): Promise<string[]> => {
  const addresses = ['/events', '/events?per_page=1', path, '/venues', '/organizers', '/categories', '/tags']
  const callers = [undefined, people.author, people.administrator]
  return Promise.all(callers.flatMap(person => addresses.map(address => tagOf(address, person))))
}

/** All tags in one header, which a single one of them would match. */
let tags: Promise<string> | undefined
const everyTag = (): Promise<string> => {
  tags ??= currentTags().then(all => all.join(', '))
  return tags
}

describe.each([
  ['/events/999999', 404],
  ['/events/by-slug/nothing', 404],
  ['/venues/999999', 404],
  ['/organizers/by-slug/nothing', 404],
  ['/categories/999999', 404],
  ['/tags/999999', 404],
  ['/events?page=500', 404],
  ['/tags?page=500', 404],
  ['/events?page=0', 400],
  ['/events?status=draft', 400],
  ['/events?venue=999999', 400],
  ['/events?start_date=2027-02-30', 400],
  ['/categories?orderby=zzz', 400],
  ['/venues?event=999999', 400],
  ['/no-such-route', 404],
  ['/events/99999999999999999999', 404],
] as const)('an error at %s', (address, status) => {
  it(`is ${status} whatever tag is sent`, async () => {
    const [tag] = (await everyTag()).split(', ')
    for (const [method, sent] of [
      ['GET', await everyTag()],
      ['GET', `W/${tag}`],
      ['GET', '*'],
      ['HEAD', '*'],
    ] as const) {
      const response = await ask(address, sent, undefined, method)
      expect([method, sent, response.status]).toEqual([method, sent, status])
      expect(response.headers.get('cache-control')).not.toContain('public')
      expect(response.headers.get('etag')).toBeNull()
    }
  })
})

describe('what a caller may not read', () => {
  it('is 403 whatever tag is sent', async () => {
    const readers = [people.author, people.administrator]
    const tags = [await everyTag(), ...(await Promise.all(readers.map(person => tagOf(draft, person))))]
    for (const tag of ['*', tags.join(', ')])
      for (const person of [undefined, people.subscriber, people.contributor, people.another]) {
        const { status, headers } = await ask(draft, tag, person)
        expect([status, headers.get('etag')]).toEqual([403, null])
      }
  })

  it('is 401 with wrong credentials, whatever tag is sent', async () => {
    for (const tag of ['*', await everyTag()]) {
      const headers = { 'if-none-match': tag, authorization: 'Basic bm9ib2R5OnBhc3N3b3Jk' }
      expect(await send('GET', path, { headers })).toMatchObject({ status: 401 })
    }
  })

  it('is 403 after it was trashed and 404 after it was deleted, with the tag it had', async () => {
    const { id } = await create(people.author.as, 'events', least('events', 'Short-lived'))
    const tag = await tagOf(`/events/${id}`)
    await send('DELETE', `/events/${id}`, by(people.author))
    for (const each of [tag, await tagOf('/events')])
      expect((await ask(`/events/${id}`, each)).status).toBe(403)
    await send('DELETE', `/events/${id}?force=1`, by(people.author))
    for (const each of [tag, await tagOf('/events')])
      expect((await ask(`/events/${id}`, each)).status).toBe(404)
  })
})

describe('a tag', () => {
  it('is another one at every address, and is no answer at any other', async () => {
    const addresses = [
      '/events',
      '/events?per_page=1',
      '/events?per_page=2',
      '/events?search=tagged',
      path,
      '/events/by-slug/tagged',
      '/venues',
      '/venues?per_page=1',
      '/organizers',
      '/categories',
      '/categories?hide_empty=0',
      '/tags',
      '/tags?hide_empty=0',
    ]
    const tags = await Promise.all(addresses.map(address => tagOf(address)))
    expect(new Set(tags).size).toBe(addresses.length)
    for (const [i, address] of addresses.entries()) {
      const others = tags.filter((_, other) => other !== i).join(', ')
      expect([address, (await ask(address, others)).status]).toEqual([address, 200])
      expect([address, (await ask(address, `${others}, ${tags[i]}`)).status]).toEqual([address, 304])
    }
  })

  it('is one for an address however the host writes it, and none under another namespace or host', async () => {
    const tag = await tagOf('/events?per_page=1')
    expect(
      (await ask(`https://elsewhere.example${new URL(API).pathname}/events?per_page=1`, tag)).status,
    ).toBe(200)
  })

  it('of one caller is no answer for another who sees something else', async () => {
    const callers = [undefined, people.contributor, people.author, people.another, people.administrator]
    const tags = await Promise.all(callers.map(person => tagOf('/events', person)))
    for (const [i, person] of callers.entries()) {
      const others = tags.filter((_, other) => other !== i).join(', ')
      expect([i, (await ask('/events', others, person)).status]).toEqual([i, 200])
      expect([i, (await ask('/events', `${others}, ${tags[i]}`, person)).status]).toEqual([i, 304])
    }
  })

  it.each([
    '',
    '"',
    '""',
    'W/',
    'W/"',
    ',,,',
    '"a"b"',
    '-v1',
    '"-v99"',
    '\\"',
    "'x'",
    `"${'x'.repeat(7_000)}"`,
    '"x",'.repeat(1_500),
    'W/W/"x"',
    '"%22"',
    '[object Object]',
  ])('that is garbage (%j) is passed over', async tag => {
    for (const address of ['/events', path]) expect((await ask(address, tag)).status).toBe(200)
    const json = { cost: '$1' }
    const patched = await send('PATCH', path, { ...by(people.author), json, headers: { 'if-match': tag } })
    expect(patched.status).toBe(412)
  })
})

describe('a tag of what depends on the clock', () => {
  const moving = [
    'start_date[]=2026-01-01&start_date[]=now',
    'start_date=2026-01-01&start_date=now',
    'start_date[0]=2026-01-01&start_date[1]=now',
    'start_date[]=2026-01-01&start_date[]=-1+hour',
    'end_date[]=2030-01-01&end_date[]=now',
    'starts_after[]=2026-01-01&starts_after[]=now',
    'starts_before[5]=2026-01-01&starts_before[9]=tomorrow+9am',
    'ends_after[]=2026-01-01&ends_after[]=now',
    'ends_before=2026-01-01&ends_before[]=%2B1+week',
    'start_date=2026-01-01&start_date=++now',
    'ends_after=NOW',
    '&&ends_after=now&x=1',
  ]

  it.each(moving)('changes as the clock moves: %s', async query => {
    const address = `/events?strict_dates=1&${query}`
    const first = await tagOf(address)
    expect((await ask(address, first)).status).toBe(304)
    vi.setSystemTime(TODAY.getTime() + 90_000)
    const later = await ask(address, first)
    expect([later.status, later.headers.get('etag') !== first]).toEqual([200, true])
  })

  it.each(['/venues', '/organizers'])(
    'changes for only_with_upcoming of %s, however it is written',
    async plural => {
      for (const query of [
        'only_with_upcoming[]=0&only_with_upcoming[]=1',
        'only_with_upcoming=yes',
        'only_with_upcoming[3]=on',
      ]) {
        const first = await tagOf(`${plural}?${query}`)
        vi.setSystemTime(TODAY.getTime() + 90_000)
        expect((await ask(`${plural}?${query}`, first)).status, query).toBe(200)
        vi.setSystemTime(TODAY)
      }
    },
  )

  it('shows what has begun meanwhile, not what was remembered', async () => {
    const soon = {
      ...least('events', 'Beginning'),
      start_date: '2026-11-20 12:00:30',
      end_date: '2026-11-20 12:01:00',
    }
    await create(people.author.as, 'events', soon)
    const address = '/events?strict_dates=1&search=beginning&ends_after[]=2026-01-01&ends_after[]=now'
    expect((await send('GET', address)).body.total).toBe(1)
    vi.setSystemTime(TODAY.getTime() + 120_000)
    expect((await send('GET', address)).body.total).toBe(0)
  })
})
