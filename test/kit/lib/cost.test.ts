import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Currency, costOfList, costToStore, formatCost } from '../../../src/kit/lib/cost.ts'

const DOLLAR = { symbol: '$', code: 'USD' }

// given, cost, symbol, code, position, values
type Case = [given: string, cost: string, symbol: string, code: string, position: string, values: string[]]

const COSTS: Case[] = [
  ['', '', '', '', '', []],
  ['  ', '', '', '', '', []],
  ['Free', 'Free', '', '', '', ['free']],
  ['Gratuito', 'Gratuito', '', '', '', ['gratuito']],
  ['0', 'Free', '$', 'USD', 'prefix', ['0']],
  ['20', '$20', '$', 'USD', 'prefix', ['20']],
  ['1,200.50', '$1,200.50', '$', 'USD', 'prefix', ['1200.50']],
  ['10 - 25', '$10 - $25', '$', 'USD', 'prefix', ['10', '25']],
  ['0 – 25', 'Free – $25', '$', 'USD', 'prefix', ['0', '25']],
  ['$12.50', '$12.50', '$', '', 'prefix', ['12.50']],
  ['$75 ', '$75', '$', '', 'prefix', ['75']],
  ['$0', '$0', '$', '', 'prefix', ['0']],
  ['15€', '15€', '€', '', 'postfix', ['15']],
  ['£7', '£7', '£', '', 'prefix', ['7']],
  ['$10 - $25', '$10 - $25', '$', '', 'prefix', ['10', '25']],
  ['$25, $9, $25.00', '$25, $9, $25.00', '$', '', 'prefix', ['9', '25']],
  ['$10-25', '$10-25', '$', '', 'prefix', ['10', '25']],
  ['5–8', '$5 – $8', '$', 'USD', 'prefix', ['5', '8']],
  ['10-25', '$10 - $25', '$', 'USD', 'prefix', ['10', '25']],
  ['10 -25', '$10 - $25', '$', 'USD', 'prefix', ['10', '25']],
  ['20.-', '$20.-', '$', 'USD', 'prefix', ['20']],
  ['10 to 25', '$10 to $25', '$', 'USD', 'prefix', ['10', '25']],
  ['10 bis 15', '$10 bis $15', '$', 'USD', 'prefix', ['10', '15']],
  ['10 à 15', '$10 à $15', '$', 'USD', 'prefix', ['10', '15']],
  ['18 / 12', '$18 / $12', '$', 'USD', 'prefix', ['12', '18']],
  ['10-25€', '10-25€', '€', '', 'postfix', ['10', '25']],
  ['12,50 €', '12,50 €', '€', '', 'postfix', ['12.50']],
  ['€1.200,50', '€1.200,50', '€', '', 'prefix', ['1200.50']],
  ['€ 1.200', '€ 1.200', '€', '', 'prefix', ['1200']],
  ['₹1,00,000', '₹1,00,000', '₹', '', 'prefix', ['100000']],
  ['1 200 kr', '1 200 kr', 'kr', '', 'postfix', ['1200']],
  ['kr 100', 'kr 100', 'kr', '', 'prefix', ['100']],
  ['20 zł', '20 zł', 'zł', '', 'postfix', ['20']],
  ["CHF 1'200.-", "CHF 1'200.-", 'CHF', 'CHF', 'prefix', ['1200']],
  ['USD 20', 'USD 20', '', 'USD', 'prefix', ['20']],
  ['20 EUR', '20 EUR', '', 'EUR', 'postfix', ['20']],
  ['USD $20', 'USD $20', '$', 'USD', 'prefix', ['20']],
  ['R$ 50', 'R$ 50', 'R$', '', 'prefix', ['50']],
  ['￥２０００', '￥２０００', '¥', '', 'prefix', ['2000']],
  ['Free – $20', 'Free – $20', '$', '', 'prefix', ['0', '20']],
  ['Free for members, $5 others', 'Free for members, $5 others', '$', '', 'prefix', ['0', '5']],
  ['Adults $12 (13+), kids $5', 'Adults $12 (13+), kids $5', '$', '', 'prefix', ['5', '12']],
  ['at 20:00 €5', 'at 20:00 €5', '€', '', 'prefix', ['5']],
  ['ADV 20', 'ADV 20', '', '', '', ['20']],
  ['from 20', 'from 20', '', '', '', ['20']],
  ['5 – 8 – 12', '$5 – $12', '$', 'USD', 'prefix', ['5', '8', '12']],
  ['Free – €8 – €12', 'Free – €12', '€', '', 'prefix', ['0', '8', '12']],
  // A range of these would say something else.
  ...(
    [
      ['Adults €12 – Children €6 – Seniors €9', ['6', '9', '12']],
      ['Free for members – €8 – €12', ['0', '8', '12']],
      ['€12 – €6 – €9', ['6', '9', '12']],
      ['€5 – £8 – $12', ['5', '8', '12']],
    ] as const
  ).map(([cost, values]): Case => [cost, cost, '€', '', 'prefix', [...values]]),
]

describe('formatCost', () => {
  it.each(COSTS)('%j gives %j, %j %j %s %j', (given, cost, symbol, code, position, values) => {
    expect(formatCost(given, DOLLAR)).toEqual({
      cost,
      cost_details: { currency_symbol: symbol, currency_code: code, currency_position: position, values },
    })
  })

  it('writes a symbol unchanged, even if it looks like a replacement pattern', () => {
    expect(formatCost('5', { symbol: '$&', code: 'XXX' }).cost).toBe('$&5')
  })
})

describe('a list of costs', () => {
  it.each([
    [['€12', '€6', '€9', '€6'], '€6 – €9 – €12'],
    [['€10', '$10'], '€10, $10'],
    [['€10', '$10', '€10'], '€10, $10'],
    [['free for members', '€8'], 'free for members, €8'],
    [['gratis', '€8'], 'Free – €8'],
  ])('is stored as its prices: %j', (costs, stored) => {
    expect(costOfList(costs)).toBe(stored)
  })
})

/** Costs as people write them. */
const WRITTEN = (
  '|0|5|5.50|$13|$10 - $25|10 - 25|Free|free|FREE entry|Free - $20|Gratis|€5|5 €|5,50 €|£10.50|' +
  "CHF 20|20 CHF|USD 13|US$ 13|A$5|1.200,50 €|1,200.50|1'200|kr 1 200|¥500|₹ 300|Donation|" +
  'Pay what you can|$5 (students $3)|From 12|10/8|0 - 5|$0|0.00|５|$1,234,567.89|' +
  'Adults 10, children 5|<b>$5</b>|5 & 6|5$|-5|1e3|$|12,5|Free, 20 seats|$13 USD|13 USD|EUR 5 – 10|' +
  '10 zł|20 Kč|$.50|.5'
).split('|')

const CURRENCIES: Currency[] = [
  DOLLAR,
  { symbol: '€', code: 'EUR', position: 'postfix' },
  { symbol: 'CHF', code: 'CHF', position: 'prefix' },
  { symbol: 'kr', code: 'SEK', position: 'postfix' },
  { symbol: ' Taler', code: 'XTL', position: 'postfix' },
  { symbol: '$&', code: 'XXX' },
  { symbol: 'a-[b](c)^\\', code: 'XXX' },
  { symbol: '', code: 'USD' },
]

describe('the site’s own currency', () => {
  it.each([
    ['20', '20€', 'postfix', ['20']],
    ['10 - 25', '10€ - 25€', 'postfix', ['10', '25']],
    ['0 / 7,50', 'Free / 7,50€', 'postfix', ['0', '7.50']],
  ])('comes after %j where the settings say so: %j', (given, cost, currency_position, values) => {
    expect(formatCost(given, { symbol: '€', code: 'EUR', position: 'postfix' })).toEqual({
      cost,
      cost_details: { currency_symbol: '€', currency_code: 'EUR', currency_position, values },
    })
  })

  it('is recognised by any symbol', () => {
    const { cost_details } = formatCost('adults 20 Taler, kids 12 (11 years)', {
      symbol: 'Taler',
      code: 'XTL',
      position: 'postfix',
    })
    expect(cost_details).toMatchObject({
      currency_symbol: 'Taler',
      currency_position: 'postfix',
      values: ['20'],
    })
  })
})

describe('a cost that is sent back as it was read', () => {
  const number = fc.constantFrom('0', '0.00', '7', '20', '1,200.50', '12,50', '1 200', '.5', '２０', '13.-')
  const word = fc.constantFrom('Free', 'free', 'gratis', 'from', 'adults', '(13+)', '', ' ')
  const sign = fc.constantFrom('$', '€', 'EUR', 'kr', 'USD $', '£', 'Taler')
  const between = fc.constantFrom(' - ', '-', ' – ', ', ', ' / ', ' to ', ' ', '  ', '')
  const bare = fc.tuple(number, between, number).map(parts => parts.join(''))
  const any = fc.array(fc.oneof(number, word, sign, between), { maxLength: 6 }).map(parts => parts.join(''))
  const cost = fc.oneof(number, bare, any, fc.string({ unit: 'grapheme', maxLength: 12 }))
  const settings = { seed: 20_261_120, numRuns: 3_000 }

  it('reads the same after an update, in text and details, in any currency', () => {
    fc.assert(
      fc.property(cost, fc.constantFrom(...CURRENCIES), (stored, currency) => {
        const shown = formatCost(stored, currency)
        expect(formatCost(costToStore(shown.cost, currency, { stored }), currency)).toEqual(shown)
      }),
      settings,
    )
  })

  it.each(WRITTEN)('reads the same after an update: %j', stored => {
    for (const currency of CURRENCIES) {
      const shown = formatCost(stored, currency)
      expect(formatCost(costToStore(shown.cost, currency, { stored }), currency)).toEqual(shown)
    }
  })

  it('reads the same as a new one that comes with its details, and as a text that is formatted again', () => {
    fc.assert(
      fc.property(cost, fc.constantFrom(...CURRENCIES.slice(0, 7)), (given, currency) => {
        const shown = formatCost(given, currency)
        expect(formatCost(shown.cost, currency).cost).toBe(shown.cost)
        const stored = costToStore(shown.cost, currency, { details: shown.cost_details })
        expect(formatCost(stored, currency)).toEqual(shown)
      }),
      settings,
    )
  })

  it.each([
    ['13', '$13', 'USD', ['13']],
    ['0', 'Free', 'USD', ['0']],
    ['25 - 0', '$25 - Free', 'USD', ['0', '25']],
  ])('keeps what %j says more than %j', (stored, cost, currency_code, values) => {
    const shown = formatCost(stored, DOLLAR)
    expect(shown).toMatchObject({ cost, cost_details: { currency_code, values } })
    expect(costToStore(cost, DOLLAR, { stored })).toBe(stored)
    expect(costToStore(cost, DOLLAR, { stored: '99', details: shown.cost_details })).toBe(stored)
  })

  it('is stored as given if it is a different cost, or its details are not those of the text', () => {
    expect(costToStore('$14', DOLLAR, { stored: '13' })).toBe('$14')
    expect(costToStore('Free', DOLLAR, { stored: '13' })).toBe('Free')
    for (const details of [
      null,
      'x',
      [],
      {},
      { values: [{ toString: 1 }] },
      { values: ['13'], currency_code: 'EUR' },
    ])
      expect(costToStore('$13', DOLLAR, { details })).toBe('$13')
  })
})
