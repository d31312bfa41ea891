import { beforeAll, describe, expect, it } from 'vitest'
import { formatCost } from '../../../src/lib/cost.ts'
import { costWords } from '../../../src/words/cost.ts'
import { wordsOf } from '../../../src/words/words.ts'
import { makeEvent, makeOrganizer, makeUser } from '../../factories.ts'
import { page } from './page.ts'

beforeAll(async () => {
  const admin = await makeUser('admin', 'administrator')
  await makeOrganizer(admin, 'Bare', { phone: '+353 1 234', email: 'hall@example.org' })
  await makeEvent(admin, {
    title: 'Late',
    start_date: '2026-12-10 23:59',
    end_date: '2026-12-10 23:59',
    categories: ['Night'],
  })
})

describe('a cost', () => {
  const said = (cost: string, language: string, currency = { symbol: '€', code: 'EUR' }): string =>
    costWords({ language, currency }, formatCost(cost, currency))
  const NBSP = '\u00a0'

  it.each([
    ['25', 'de', `25${NBSP}€`],
    ['€25', 'de', `25${NBSP}€`],
    ['25 EUR', 'de', `25${NBSP}€`],
    ['12,50', 'de', `12,50${NBSP}€`],
    ['8 - 12', 'de', `8–12${NBSP}€`],
    ['€8 – €12', 'fr', `8–12${NBSP}€`],
    ['8-12', 'es', `8–12${NBSP}€`],
    ['8-12 €', 'en', '€8 – €12'],
    ['5 / 8 / 12', 'de', `5${NBSP}€ / 8${NBSP}€ / 12${NBSP}€`],
    ['0', 'de', 'Eintritt frei'],
    ['0 - 5', 'de', `0–5${NBSP}€`],
    ['Erwachsene 10 €, Kinder 5 €', 'de', `Erwachsene 10${NBSP}€, Kinder 5${NBSP}€`],
    ['auf Spendenbasis', 'de', 'auf Spendenbasis'],
  ])('%s is in %s: %s', (cost, language, expected) => {
    expect(said(cost, language).replace(/[\u2009\u202f]/g, ' ')).toBe(expected)
  })

  it('has the currency of its sign, also where the code of the site is another', () => {
    expect(said('25', 'de', { symbol: '€', code: 'USD' })).toBe(`25${NBSP}€`)
    expect(said('25', 'en', { symbol: '$', code: 'CAD' })).toBe('$25')
    expect(said('25', 'en', { symbol: 'Taler', code: '' })).toBe('Taler25')
  })
})

it.each([
  ['en', '“a b”'],
  ['de', '„a b“'],
  ['fr', '« a b »'],
  ['es', '«a b»'],
])('quotation marks are those of the language: %s', async (LANGUAGE, quoted) => {
  const { text } = await page('/events/?search=a+b', { vars: { LANGUAGE } })
  expect(text.replaceAll('\u00a0', ' ')).toContain(` ${quoted}`)
})

it('a time alone has its unit, too', async () => {
  for (const path of ['/events/', '/event/late/'])
    expect((await page(path, { vars: { LANGUAGE: 'de' } })).text).toContain('23:59 Uhr')
})

it('French has no-break spaces before its signs', () => {
  for (const [name, text] of Object.entries(wordsOf('fr')))
    expect([name, text.match(/ [:;!?»]|« /)]).toEqual([name, null])
})

describe('small things', () => {
  it('the embed and its preview have the accent of the site, unless they ask for another', async () => {
    const vars = { ACCENT_COLOR: '#a00' }
    const own = (await page('/embed/fragment', { vars })).html.match(/data-accent="([^"]*)"/)?.[1]
    expect(own).toContain('light-dark(#aa0000')
    const other = (await page('/embed/fragment?accent=%23004400', { vars })).html
    expect(other).toContain('data-accent="light-dark(#004400')
    expect((await page('/embed/fragment')).html).not.toContain('data-accent')
  })

  it('telephone and e-mail have icons', async () => {
    const { html } = await page('/organizer/bare/')
    expect(html).toMatch(/icon-phone[\s\S]*icon-email/)
  })
})
