import { describe, expect, it } from 'vitest'
import { send } from '../factories.ts'
import { everyRole } from './people.ts'
import { create, expectRefused, least, NAMED_BY, PLURALS, sendJsonText } from './requests.ts'

// Input that must not be stored: bytes that are not text, and names that nobody sees.

const people = everyRole()

describe('bytes that are not UTF-8', () => {
  it('in a query or path are 400, 404 or ignored', async () => {
    for (const encoded of ['%ff', '%c3', '%c0%af', '%ed%a0%80', '%', '%zz', '%00', '%e2%82'])
      for (const path of [
        `/events?search=${encoded}`,
        `/events/by-slug/${encoded}`,
        `/events?${encoded}=1`,
        `/tags?slug=a${encoded}`,
      ])
        expect([200, 400, 404], path).toContain((await send('GET', path)).status)
  })

  it('such as half a pair of surrogates in JSON are refused or dropped, never stored', async () => {
    for (const half of ['\\ud83c', '\\udfb8', '\\udfb8\\ud83c']) {
      const text = `{"title":"half${half} a pair","start_date":"2027-01-01","end_date":"2027-01-01"}`
      const { status, text: answer } = await sendJsonText(people.administrator.as, '/events', text)
      expect([201, 400], half).toContain(status)
      expect(answer, half).not.toMatch(/\\ud83c|\\udfb8|\ufffd/i)
    }
  })
})

describe.each(PLURALS)('a name of nothing visible', plural => {
  const name = '\u200b\u200e'
  const field = { venues: 'venue', organizers: 'organizer', categories: 'categories', tags: 'tags' } as const

  it(`is no name of ${plural}, alone or inside an event, new or changed`, async () => {
    const as = people.administrator.as
    expectRefused(await send('POST', `/${plural}`, { as, json: least(plural, name) }), NAMED_BY[plural])
    const { id } = await create(as, plural, least(plural, 'Visible'))
    const json = { [NAMED_BY[plural]]: name }
    expectRefused(await send('PATCH', `/${plural}/${id}`, { as, json }), NAMED_BY[plural])
    if (plural === 'events') return
    const inner = field[plural] === plural ? [name] : json
    const outer = { ...least('events', 'Outer'), [field[plural]]: inner }
    expectRefused(await send('POST', '/events', { as, json: outer }), field[plural])
  })
})

describe('JSON-LD', () => {
  it('contains no text that ends a script', async () => {
    const as = people.administrator.as
    const evil = '</script><script>alert(1)</script><!--'
    const entities = '&lt;/script&gt;&#60;/script>&lt;!--'
    for (const text of [evil, entities, '<</script>/script>', '</SCRIPT >', '\u2028</script\u2029']) {
      const fields = { description: text, website: `https://example.org/?${text}`, phone: `1${text}` }
      const json = {
        ...least('events', `Named ${text}`),
        ...fields,
        excerpt: text,
        cost: `$1 ${text}`,
        venue: { venue: `Hall ${text}`, address: text, city: text, ...fields },
        organizer: { organizer: `Guild ${text}`, ...fields },
        image: `https://example.org/i.png?${text}`,
      }
      const { status, body } = await send('POST', '/events', { as, json })
      expect(status, JSON.stringify(body)).toBe(201)
      for (const path of [
        `/events/${body.id}`,
        `/venues/${body.venue.id}`,
        `/organizers/${body.organizer[0].id}`,
      ]) {
        const { text: raw } = await send('GET', path)
        expect(raw, path).not.toMatch(/<\/script|<!--/i)
        expect(raw.slice(raw.indexOf('"json_ld"')), path).not.toMatch(/<\/?\s*script/i)
      }
    }
  })
})
