import { beforeAll, describe, expect, it } from 'vitest'
import { declareUser, makeEvent, send } from '../../factories.ts'

// Titles and names are stored as HTML, but searched as people read them.

const admin = declareUser('administrator', 'admin')

const total = async (path: string, search: string): Promise<unknown> =>
  (await send('GET', `${path}?${new URLSearchParams({ search, hide_empty: 'false' })}`, { as: admin })).body
    .total

beforeAll(async () => {
  await makeEvent(admin, {
    title: 'Cats <3 Dogs & R&amp;amp;B',
    description: '<p>If 1 &lt; 2, then <b>b</b>old &amp;gt; thin.</p>',
    excerpt: 'Written &amp;eacute;',
    venue: { venue: 'The <3 Club', city: 'A<Z' },
    organizer: { organizer: 'Team <3', description: 'Zebras' },
    categories: ['Books <3'],
    tags: ['<3 tags'],
  })
  await makeEvent(admin, { title: 'Weekly <3', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' } })
  await makeEvent(admin, { title: 'A ball' })
})

describe('a search', () => {
  it.each([
    ['/events', '<3', 3],
    ['/events', 'cats <3 dogs', 1],
    ['/events', 'ts <3 d', 1],
    ['/events', '<', 3],
    ['/events', 'r&amp;b', 1],
    ['/events', '1 < 2', 1],
    ['/events', 'bold &gt; &eacute;', 1],
    ['/venues', '<3 club', 1],
    ['/venues', 'a<z', 1],
    ['/organizers', '<3', 1],
    ['/categories', 'books <3', 1],
    ['/tags', '<3', 1],
  ])('of %s for “%s” finds what has these words', async (path, words, found) => {
    expect(await total(path, words)).toBe(found)
  })

  it.each([
    ['/events', 'lt'],
    ['/events', '&lt;3'],
    ['/events', 'cats amp;amp'],
    ['/events', '1 > 2'],
    ['/venues', 'lt;'],
    ['/organizers', '&lt;'],
    ['/tags', 'lt;3'],
  ])('of %s for “%s” finds nothing, since nobody can read it', async (path, words) => {
    expect(await total(path, words)).toBe(0)
  })

  it('in all texts finds names as people read them, but no descriptions of what they name', async () => {
    for (const [words, found] of [
      ['<3 club', 1],
      ['team <3 cats', 1],
      ['books <3', 1],
      ['zeb', 0],
    ] as const) {
      const { body } = await send(
        'GET',
        `/events?${new URLSearchParams({ search: words, search_in: 'all' })}`,
      )
      expect(body.total, words).toBe(found)
    }
  })

  it.each([
    ['plain', { accessibility: 'Ramp at the back door, loop in the hall.' }],
    ['without any of these', {}],
    ['with all contacts', { phone: '+49 1', website: 'https://a.example.org', accessibility: 'Ramp' }],
    ['with letters that become two', { accessibility: 'Stoß an ½ Türen: Größe, Æ, Œ …' }],
    ['with rare letters №№ ﬁﬁ ㎢㎢', { accessibility: '№№№№ ﬃﬃ', website: 'https://a.example.org/№№' }],
    ['with entities', { accessibility: 'Ramp <3 &amp;amp; loop' }],
  ])('finds a venue in all texts by its name and address, and nothing else: %s', async (name, values) => {
    const number = 700 + name.length
    const address = `${number}xx Preußenstraße`
    await makeEvent(admin, {
      title: 'Plain',
      venue: {
        venue: `Kreuzß ${name}`,
        address,
        city: 'Groß Gießen &lt;B',
        zip: `99${number}`,
        description: 'Bowling zebra',
        ...values,
      },
    })
    for (const [words, found] of [
      [`${number}xx`, 1],
      [`${number}xx preussenstr gross giessen <b 99${number}`, 1],
      [`kreuzss ${number}xx`, 1],
      [`${number}xx zebra`, 0],
      [`${number}xx ${'phone' in values ? '+49' : 'ramp'}`, 0],
    ] as const) {
      const { body } = await send(
        'GET',
        `/events?${new URLSearchParams({ search: words, search_in: 'all' })}`,
      )
      expect(body.total, words).toBe(found)
    }
  })
})
