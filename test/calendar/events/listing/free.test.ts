import { beforeAll, describe, expect, it } from 'vitest'
import { isFree } from '../../../../src/kit/lib/cost.ts'
import { type Answer, declareUser, makeAll, makeEvent, send, WHEN } from '../../../factories.ts'

const editor = declareUser('editor')

const FREE = [
  ...[
    '0',
    '0.00',
    '0,00 €',
    '€0',
    '$ 0',
    '0,-',
    'Free',
    'FREE!',
    'free (donations welcome)',
    'Free entry',
    'Entry free',
  ],
  ...[
    'Admission free',
    'gratis',
    'Gratis, Spenden erbeten',
    'Kostenlos',
    'kostenfrei',
    'umsonst',
    'Frei',
    'Eintritt frei',
  ],
  ...[
    'Freier Eintritt',
    'gratuit',
    'Gratuite',
    'Entrée libre',
    'ENTRÉE LIBRE',
    'entrée gratuite',
    'Entrada libre',
  ],
  ...['entrada gratuita', 'Entrada gratis', 'Libre'],
]
const NOT_FREE = [
  ...[
    '',
    '5',
    '10 – 12 €',
    'Free for members, 10 € for others',
    '0 – 5 €',
    'Kinder frei, Erwachsene 8 €',
    'Donation',
  ],
  ...['Freitag', 'Freestyle', 'Librería', 'See website', 'Pay what you can', 'free (over 18s)', '20', '100'],
]

const made = new Map<string, number>()
const idsOf = (costs: readonly string[]) => costs.map(cost => made.get(cost) ?? 0).sort((a, b) => a - b)
const idsIn = ({ body }: Answer) =>
  body.events.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b)

beforeAll(async () => {
  const costs = [...FREE, ...NOT_FREE]
  const events = await makeAll(
    editor,
    'events',
    costs.map(cost => ({ title: `At ${cost}`, cost, ...WHEN })),
  )
  for (const [i, { id }] of events.entries()) made.set(costs[i] ?? '', id)
})

describe('events at no cost', () => {
  it('are those whose cost says so', async () => {
    expect(idsIn(await send('GET', '/events?is_free=1&per_page=100'))).toEqual(idsOf(FREE))
    expect(idsIn(await send('GET', '/events?is_free=false&per_page=100'))).toEqual(idsOf(NOT_FREE))
    // Words are told by the same list here and in the database.
    for (const cost of FREE.filter(cost => !cost.includes('0'))) expect(isFree(cost), cost).toBe(true)
    for (const cost of ['Freitag', 'Freestyle', 'Librería']) expect(isFree(cost), cost).toBe(false)
  })

  it('are in feeds and changes with the same filter', async () => {
    for (const path of [
      '/events.rss',
      '/events.ics',
      '/events.feed.json',
      '/events.csv',
      '/events/digest.txt?days=60',
    ]) {
      const { status, text } = await send('GET', `${path}${path.includes('?') ? '&' : '?'}is_free=1`)
      expect(status, path).toBe(200)
      expect(text, path).toContain('Eintritt frei')
      expect(text, path).not.toContain('Pay what you can')
    }
    expect(idsIn(await send('GET', '/events/changes?is_free=1&limit=500'))).toEqual(idsOf(FREE))
  })

  it('are listed as free, and no longer, as their cost changes', async () => {
    const { id } = await makeEvent(editor, { title: 'Changing', cost: '5', ...WHEN })
    const listed = async () => idsIn(await send('GET', `/events?is_free=1&include=${id}`))
    const change = (cost: string) => send('PATCH', `/events/${id}`, { as: editor, json: { cost } })
    expect(await listed()).toEqual([])
    await change('Free')
    expect(await listed()).toEqual([id])
    await change('0')
    expect(await listed()).toEqual([id])
    await change('6')
    expect(await listed()).toEqual([])
  })
})
