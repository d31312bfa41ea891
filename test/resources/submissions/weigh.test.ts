import { describe, expect, it } from 'vitest'
import { REFUSED_FROM, weigh } from '../../../src/resources/submissions/weigh.ts'
import { EVENTS, SPAM } from './samples.ts'

const PLAIN = {
  title: 'Harvest fair',
  description: 'Pumpkins and cake.',
  venue: 'Market square',
  organizer: '',
  website: '',
  others: '',
  name: 'Ann Example',
  email: 'ann@example.org',
  isAtKnownVenue: false,
  repeats: 0,
}

const links = (n: number) => 'https://a.example/x '.repeat(n)

describe('the weight of what is sent in', () => {
  it('is known for a hundred of each kind', () => {
    expect([EVENTS.length, SPAM.length]).toEqual([100, 100])
  })

  it('refuses none of the true events', () => {
    const refused = EVENTS.filter(sample => weigh(sample) >= REFUSED_FROM).map(sample => [
      sample.title,
      weigh(sample),
    ])
    expect(refused).toEqual([])
  })

  it('refuses the spam', () => {
    const passed = SPAM.filter(sample => weigh(sample) < REFUSED_FROM).map(sample => [
      sample.title,
      weigh(sample),
    ])
    expect(passed).toEqual([])
  })

  // What was sent in, and the same but for one sign of spam.
  it.each([
    ['no place', {}, { venue: '' }],
    ['no place, and a link', { venue: '', website: '' }, { venue: '', website: links(1) }],
    ['a third link', { description: links(2) }, { description: links(3) }],
    ['a link in the name', {}, { name: links(1) }],
    ['nothing but a link as the title', { title: `Fair ${links(1)}` }, { title: links(1) }],
    ['markup', {}, { description: '[url=x]Pumpkins[/url]' }],
    ['a shortened address', { website: links(1) }, { website: 'https://bit.ly/x' }],
    ['a telephone number in the title', {}, { title: 'Fair +1 800 555 0100' }],
    ['a word', {}, { description: 'viagra' }],
    ['a word in the title', { description: 'viagra' }, { title: 'viagra', description: '' }],
    ['a word in other letters', {}, { description: 'ｖｉａｇｒａ' }],
    ['a word with invisible characters', {}, { description: 'via\u20d0gra' }],
    ['words with an invisible character between them', {}, { description: 'make \ufff9 money fast' }],
    ['a word with digits', {}, { description: 'v1agra' }],
    ['a word with blanks', {}, { description: 'v i a g r a' }],
    ['a word in an address', { website: links(1) }, { website: 'https://viagra.example/' }],
    ['a word of the venue', {}, { others: 'viagra' }],
    ['a word after a long text', {}, { description: 'Cake. '.repeat(2_000), others: 'viagra' }],
    ['more links elsewhere', { description: links(2) }, { description: links(2), others: links(1) }],
    ['a word at the end of a long text', {}, { description: `${'Cake. '.repeat(2_000)} viagra` }],
    ['a number beside a word', { description: 'viagra' }, { description: 'viagra +1 800 555 0100' }],
    ['a title in capitals', {}, { title: 'HARVEST FAIR TODAY' }],
    ['signs in the title', {}, { title: 'Harvest!!! fair' }],
    ['keys that were rolled over', {}, { description: 'qwrtpsdfgh' }],
    ['a generated name', {}, { name: 'aKeTiWoPu' }],
    ['a generated title', {}, { title: 'aKeTiWoPu' }],
    [
      'another script, and a link',
      { description: 'Праздник урожая '.repeat(9) },
      { description: `${'Праздник урожая '.repeat(9)} ${links(1)}` },
    ],
    ['an address for a day', {}, { email: 'ann@mailinator.com' }],
    ['a text that comes again', {}, { repeats: 1 }],
    ['a venue that nobody knows', { description: 'viagra', isAtKnownVenue: true }, { description: 'viagra' }],
  ])('is raised by %s', (_, without, more) => {
    expect(weigh({ ...PLAIN, ...more })).toBeGreaterThan(weigh({ ...PLAIN, ...without }))
  })
})
