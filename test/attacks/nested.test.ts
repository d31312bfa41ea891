import { describe, expect, it } from 'vitest'
import { type Answer, query, send } from '../factories.ts'
import { everyRole } from './people.ts'
import { badNames, create, expectErrorShape, least } from './requests.ts'

// A venue or organizer inside an event obeys the rules and rights of one that is sent alone.

const people = everyRole()

type Writer = 'editor' | 'author' | 'contributor'
type Kind = 'venue' | 'organizer'
const KINDS = ['venue', 'organizer'] as const

/**
 * Sends a venue or organizer inside a new event, alone in its field or in a list, by id of an event or new.
 */
const WAYS = {
  'in a list inside a new event': (kind: Kind, fields: object, writer: Writer) =>
    send('POST', '/events', {
      as: people[writer].as,
      json: { ...least('events', 'Outer'), [kind]: [{ [kind]: 'Harmless' }, fields] },
    }),
  'inside an update': async (kind: Kind, fields: object, writer: Writer) => {
    const as = people[writer].as
    // Inside a draft, the status would be that of the event. A contributor can't change public events.
    const status = writer === 'contributor' ? 'draft' : 'publish'
    const event = await create(as, 'events', { ...least('events', 'Outer'), status })
    return send('PATCH', `/events/${event.id}`, { as, json: { [kind]: fields } })
  },
}

const alone = (kind: Kind, fields: object, writer: Writer) =>
  send('POST', `/${kind}s`, { as: people[writer].as, json: fields })

/** The venue or organizer in an event that was sent one: the last of its field. */
const innerOf = ({ body }: Answer, kind: Kind) => [body[kind]].flat().at(-1) ?? {}

/** All rows of a name, whoever may read them. */
const rowsOf = async (kind: Kind, name: string) =>
  await query(`SELECT id, author_id, status, date_utc FROM ${kind}s WHERE name = ?`, name)

const FIELDS: readonly [what: string, fields: () => object][] = [
  ['the author administrator', () => ({ author: people.administrator.id })],
  ['the author administrator, as text', () => ({ author: String(people.administrator.id) })],
  ['another author', () => ({ author: people.another.id })],
  ['an unknown author', () => ({ author: 999_999 })],
  ['an unknown image', () => ({ image: 999_999 })],
  ['an unknown image in an object', () => ({ image: { id: 999_999 } })],
  ['an image that is none', () => ({ image: 'javascript:alert(1)' })],
  ['the status publish', () => ({ status: 'publish' })],
  ['the status private', () => ({ status: 'private' })],
  ['the status future without a date', () => ({ status: 'future' })],
  ['the status trash', () => ({ status: 'trash' })],
  ['no such status', () => ({ status: 'public' })],
  ['a later date', () => ({ date: '2027-02-01 10:00:00' })],
  ['an earlier date', () => ({ date_utc: '2020-02-01 10:00:00' })],
  ['an impossible date', () => ({ date: '2027-02-30' })],
  ['a taken slug', () => ({ slug: 'harmless' })],
  ['a malformed address', () => ({ website: 'ftp://example.org' })],
]

/**
 * One code treats both kinds: organizers meet each field by one writer. Ways are all of them, or one in turn.
 */
const RULES = [
  { kind: 'venue', writer: 'author', each: Object.keys(WAYS).length },
  { kind: 'venue', writer: 'editor', each: 1 },
  { kind: 'venue', writer: 'contributor', each: 1 },
  { kind: 'organizer', writer: 'author', each: 1 },
] as const

describe.each(RULES)('a new $kind of the $writer', ({ kind, writer, each }) => {
  it.each(FIELDS)('with %s is treated inside an event as it is alone', async (what, fields) => {
    const turn = FIELDS.findIndex(([other]) => other === what) % 2
    const ways = Object.entries(WAYS).filter((_, i) => each > 1 || i === turn)
    const named = (name: string) => ({ [kind]: `${what} ${writer} ${name}`, ...fields() })
    const single = await alone(kind, named('alone'), writer)
    const [expected] = await rowsOf(kind, `${what} ${writer} alone`)
    for (const [way, sendNested] of ways) {
      const nested = await sendNested(kind, named(way), writer)
      expect(nested.status < 300 ? 201 : nested.status, way).toEqual(single.status)
      const made = await rowsOf(kind, `${what} ${writer} ${way}`)
      if (single.status === 201) {
        expect(made, way).toMatchObject([{ ...expected, id: expect.any(Number) }])
        continue
      }
      expectErrorShape(nested, way)
      expect(nested.body.code).toBe(single.body.code)
      expect(badNames(nested)).toEqual(single.status === 400 ? [kind] : [])
      expect(made, way).toEqual([])
    }
  })
})

describe.each(KINDS)('a new %s', kind => {
  it('in the name of another user is forbidden to authors and contributors', async () => {
    for (const writer of ['author', 'contributor'] as const)
      for (const [way, sendNested] of Object.entries(WAYS)) {
        const nested = await sendNested(kind, { [kind]: 'Framed', author: people.administrator.id }, writer)
        expect([nested.status, nested.body.code], way).toEqual([403, 'rest_forbidden'])
      }
    expect(await rowsOf(kind, 'Framed')).toEqual([])
  })
})

const SECRETS = {
  venue: { phone: '555-SECRET', address: '1 Secret Street', description: 'Secret words' },
  organizer: { phone: '555-SECRET', email: 'secret@example.org', description: 'Secret words' },
} as const

describe.each(KINDS)('any %s that is given by name', kind => {
  it.each(['draft', 'pending', 'private', 'future', 'trash'].map((state, turn) => [state, turn] as const))(
    'is not matched with one in the status %s of another',
    async (state, turn) => {
      const status = state === 'future' ? { date: '2027-02-01' } : { status: state }
      const given = [{}, { description: SECRETS[kind].description }, { phone: SECRETS[kind].phone }]
      // One code looks for both kinds: each writer knows another part in each state, and organizers meet one
      // of them.
      const writers = (['another', 'contributor', 'author'] as const).map((writer, i) => ({
        writer,
        known: given[(turn + i) % given.length] ?? {},
      }))
      for (const { writer, known } of writers.filter((_, i) => kind === 'venue' || i === turn % 3)) {
        const name = `Jane ${state} ${writer}`
        const secret = { [kind]: name, ...SECRETS[kind], ...status }
        const hidden = await create(people.administrator.as, `${kind}s`, secret)
        const as = people[writer].as
        const fields = { [kind]: name, ...known }
        for (const response of [
          await send('POST', `/${kind}s`, { as, json: fields }),
          await send('POST', '/events', { as, json: { ...least('events', 'Curious'), [kind]: fields } }),
        ]) {
          expect(response.status).toBe(201)
          const inner = response.body[kind] === name ? response.body : innerOf(response, kind)
          expect([inner[kind], inner.author]).toEqual([name, String(people[writer].id)])
          expect(inner.id, 'the id of the hidden one').not.toBe(hidden.id)
          const unknown = Object.entries(SECRETS[kind]).filter(([field]) => !(field in known))
          for (const [, text] of unknown) expect(JSON.stringify(response.body)).not.toContain(text)
        }
      }
    },
  )

  it('is matched with a published one, and with an own draft', async () => {
    const open = await create(people.administrator.as, `${kind}s`, { [kind]: 'Known to all' })
    const own = await create(people.author.as, `${kind}s`, { [kind]: 'Known to me', status: 'draft' })
    for (const [name, id] of [
      ['Known to all', open.id],
      ['Known to me', own.id],
    ]) {
      const json = { ...least('events', 'Fair'), [kind]: { [kind]: name } }
      const response = await send('POST', '/events', { as: people.author.as, json })
      expect([response.status, innerOf(response, kind).id], name).toEqual([201, id])
    }
  })
})

describe('anything that is nested deeper', () => {
  it('is refused or ignored, and never becomes a resource', async () => {
    for (const value of [
      { venue: { venue: 'Inner' } },
      { venue: 'Outer', venue_id: 1, event: { title: 'x' } },
      { venue: 'Outer', organizer: { organizer: 'Sneaked in' } },
      [[{ venue: 'In a list of lists' }]],
      { 0: { venue: 'Numbered' } },
      { id: { id: 1 } },
      { id: null, venue: null },
      { id: -1 },
      { id: 0 },
      { id: 1.5 },
      { id: '1e3' },
    ]) {
      const json = { ...least('events', 'Deep'), venue: value }
      const response = await send('POST', '/events', { as: people.author.as, json })
      expect([201, 400], JSON.stringify(value)).toContain(response.status)
      if (response.status === 400) expect(badNames(response)).toEqual(['venue'])
    }
    for (const name of ['Sneaked in', 'Inner']) expect(await rowsOf('organizer', name), name).toEqual([])
  })
})
