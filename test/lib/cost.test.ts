import { describe, expect, it } from 'vitest'
import { formatCost } from '../../src/lib/cost.ts'

const DOLLAR = { symbol: '$', code: 'USD' }

// given, cost, symbol, code, position, values
const COSTS: [string, string, string, string, string, string[]][] = [
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
]

describe('formatCost', () => {
  it.each(COSTS)('%j gives %j, %j %j %s %j', (given, cost, symbol, code, position, values) => {
    expect(formatCost(given, DOLLAR)).toEqual({
      cost,
      cost_details: { currency_symbol: symbol, currency_code: code, currency_position: position, values },
    })
  })

  it('writes a symbol that looks like a replacement pattern as it is', () => {
    expect(formatCost('5', { symbol: '$&', code: 'XXX' }).cost).toBe('$&5')
  })
})
