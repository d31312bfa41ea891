import { describe, expect, it } from 'vitest'
import { send } from '../factories.ts'
import { by, everyRole, type People } from './people.ts'
import { badNames, create, expectErrorShape, least, NAMED_BY, PLURALS, type Plural } from './requests.ts'

// The order of checks on a single route: credentials (401), role (403), exists (404), this one (403), fields
// (400). So callers learn nothing from sending bad fields with a request that they may not make.

const people = everyRole()

type Who = 'wrong password' | 'anonymous' | keyof People
const CALLERS: readonly Who[] = [
  'wrong password',
  'anonymous',
  'subscriber',
  'contributor',
  'author',
  'another',
  'editor',
  'administrator',
]

const isTerm = (plural: Plural) => plural === 'categories' || plural === 'tags'
const isEditor = (who: Who) => who === 'editor' || who === 'administrator'

/** The status of a write with bad fields, sent by `who`, to a published one of `author`. */
function due(plural: Plural, who: Who, exists: boolean): number {
  if (who === 'wrong password' || who === 'anonymous') return 401
  if (who === 'subscriber') return 403
  if (isTerm(plural) && !isEditor(who)) return 403
  if (!exists) return 404
  if (!isEditor(who) && who !== 'author') return 403
  return 400
}

/** Makes one of `author`, who may not make every kind of term. */
const makeOwned = (plural: Plural, name: string) =>
  create(isTerm(plural) ? people.administrator.as : people.author.as, plural, least(plural, name))

const authorization = (who: Who) => {
  if (who === 'wrong password') return { authorization: 'Basic YXV0aG9yOndyb25n' }
  const { as } = by(who === 'anonymous' ? undefined : people[who])
  return { ...(as && { authorization: as }) }
}

/** What is tried in its turn. */
function inTurn<T>(items: readonly T[], turn: number): T {
  const item = items[turn % items.length]
  if (item === undefined) throw new Error('nothing to try')
  return item
}

/** Bad bodies by content type: a bad value, several, no JSON at all, a field of the wrong kind. */
const bodies = (plural: Plural): readonly [type: string, body: string][] => [
  ['application/json', JSON.stringify({ [NAMED_BY[plural]]: '' })],
  ['application/json', JSON.stringify({ [NAMED_BY[plural]]: { toString: 1 }, slug: [{}] })],
  ['application/json', '{"broken'],
  ['application/x-www-form-urlencoded', `${NAMED_BY[plural]}=`],
]

describe.each(PLURALS)('an update of one of %s with bad fields', plural => {
  it('is refused in the order of checks, for every role', async () => {
    const owned = await makeOwned(plural, 'Owned')
    const paths: (readonly [string, boolean])[] = [
      [`/${plural}/${owned.id}`, true],
      [`/${plural}/999999`, false],
    ]
    // Venues, organizers and tags have the routes of events and categories.
    if (plural === 'events' || plural === 'categories')
      paths.push([`/${plural}/0`, false], [`/${plural}/99999999999999999999`, false])
    if (plural === 'events')
      paths.push([`/${plural}/by-slug/${owned.slug}`, true], [`/${plural}/by-slug/nothing`, false])
    // Each pair of a caller and a path meets one of the bodies and one of the methods, each in its turn.
    let turn = 0
    for (const who of CALLERS)
      for (const [path, exists] of paths) {
        const [type, body] = inTurn(bodies(plural), turn)
        const method = inTurn(['POST', 'PUT', 'PATCH'], turn++)
        const headers = { 'content-type': type, ...authorization(who) }
        const response = await send(method, path, { headers, body })
        const told = `${who}: ${method} ${path} ${body}`
        expect(response.status, told).toEqual(due(plural, who, exists))
        expectErrorShape(response, told)
      }
    const { body } = await send('GET', `/${plural}/${owned.id}`)
    expect(body[NAMED_BY[plural]]).toBe('Owned')
  })
})

describe.each(PLURALS)('deleting one of %s with a bad parameter', plural => {
  it('is refused in the order of checks, for every role', async () => {
    const owned = await makeOwned(plural, 'Kept')
    const bad = [
      { query: '?force=zzz' },
      { query: '', json: { force: 'zzz' } },
      { query: '?force[a]=1' },
      { query: '', json: { force: { toString: 1 } } },
      { query: '', json: { force: [[]] } },
    ]
    // Each kind of content begins with another, so that each is refused to whoever may delete.
    let turn = PLURALS.indexOf(plural)
    for (const who of CALLERS)
      for (const [id, exists] of [
        [owned.id, true],
        [999_999, false],
      ] as const) {
        const { query, ...body } = inTurn(bad, turn++)
        // Deleting a term takes no parameter, and passes over what it does not know.
        const expected = due(plural, who, exists)
        if (isTerm(plural) && expected === 400) continue
        const response = await send('DELETE', `/${plural}/${id}${query}`, {
          headers: authorization(who),
          ...body,
        })
        const told = `${who}: DELETE /${plural}/${id}${query} ${JSON.stringify(body)}`
        expect(response.status, told).toEqual(expected)
        if (expected === 400) expect(badNames(response)).toEqual(['force'])
      }
    expect(await send('GET', `/${plural}/${owned.id}`)).toMatchObject({ status: 200 })
  })
})

describe.each(PLURALS)('creating one of %s with bad fields', plural => {
  it('is 401 and 403 before it is 400', async () => {
    for (const [turn, who] of CALLERS.entries()) {
      const [type, body] = inTurn(bodies(plural), turn)
      const headers = { 'content-type': type, ...authorization(who) }
      const response = await send('POST', `/${plural}`, { headers, body })
      const creates = isTerm(plural)
        ? plural === 'tags'
          ? isEditor(who)
          : isEditor(who) || ['author', 'another'].includes(who)
        : who !== 'subscriber'
      const expected = ['wrong password', 'anonymous'].includes(who) ? 401 : creates ? 400 : 403
      expect(response.status, `${who} ${body}`).toEqual(expected)
    }
  })
})

describe.each(['events', 'venues', 'organizers'] as const)(
  'one of %s that a caller may not change',
  plural => {
    it('is 403, whatever its state and whatever the fields', async () => {
      const fields = [
        {},
        { status: 'nonsense' },
        { [NAMED_BY[plural]]: '' },
        { author: 999_999 },
        { image: 999_999 },
      ]
      let turn = PLURALS.indexOf(plural)
      for (const status of ['publish', 'draft', 'pending', 'private']) {
        const { id } = await create(people.author.as, plural, { ...least(plural, `In ${status}`), status })
        for (const who of ['another', 'contributor'] as const) {
          const json = inTurn(fields, turn++)
          const response = await send('PATCH', `/${plural}/${id}`, { ...by(people[who]), json })
          expect(response.status, `${status} ${who}`).toBe(403)
        }
      }
    })

    it('is 410 in the trash only for who may delete it', async () => {
      const { id } = await create(people.author.as, plural, least(plural, 'Trashed'))
      await send('DELETE', `/${plural}/${id}`, by(people.author))
      for (const [who, status] of [
        [undefined, 401],
        ['subscriber', 403],
        ['another', 403],
        ['author', 410],
        ['editor', 410],
      ] as const)
        expect((await send('DELETE', `/${plural}/${id}`, by(who && people[who]))).status, who).toBe(status)
    })

    it('is 412 only where it could be changed, and 400 after that', async () => {
      const { id } = await create(people.author.as, plural, least(plural, 'Matched'))
      const headers = { 'if-match': '"nothing"' }
      for (const [who, status] of [
        [undefined, 401],
        ['subscriber', 403],
        ['another', 403],
        ['author', 412],
      ] as const) {
        const json = { [NAMED_BY[plural]]: 'Renamed' }
        expect(
          (await send('PATCH', `/${plural}/${id}`, { ...by(who && people[who]), json, headers })).status,
          who,
        ).toBe(status)
        expect(
          (await send('PATCH', `/${plural}/999999`, { ...by(who && people[who]), json, headers })).status,
          who,
        ).toBe(status === 412 || who === 'another' ? 404 : status)
      }
    })
  },
)
