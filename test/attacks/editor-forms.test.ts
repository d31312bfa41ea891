import { beforeAll, describe, expect, it } from 'vitest'
import { signedIn } from '../editor/session.ts'
import { makeEvent, send } from '../factories.ts'

const NEW = '/admin/events/new/'

const author = signedIn('author')

beforeAll(async () => {
  await author.browser.get(NEW)
})

describe('forms of the editor that no page has made', () => {
  it.each([
    [
      'names of prototypes',
      422,
      // In brackets, it is a field; otherwise it would be the prototype.
      { ['__proto__']: '1', constructor: 'x', 'was.__proto__': 'x', 'was.constructor': 'y' },
    ],
    [
      'keys of prototypes',
      422,
      { 'was.custom_fields': 'x', custom_fields_key: '__proto__', custom_fields_label: 'a' },
    ],
    [
      'two thousand venues',
      422,
      { 'was.venue': 'x', venue: Array.from({ length: 2_000 }, (_, i) => String(i + 1)) },
    ],
    ['numbers beyond all', 422, { 'was.venue': 'x', venue: '9'.repeat(400), image: '1e999', author: '-1' }],
    ['a text of a megabyte', 413, { 'was.description': 'x', description: '<b>'.repeat(300_000) }],
    ['marks on marks', 422, { 'was.title': 'x', title: `a${'\u0301'.repeat(5_000)}` }],
    ['a key of another form', 422, { key: 'x'.repeat(10_000) }],
    // Shows the form again, with what was found.
    ['a search of a megabyte', 200, { venue_search: 'jazz '.repeat(200_000), do: 'find:venue' }],
    [
      'a repetition that is none',
      422,
      { 'was.recurrence': 'x', recurrence: '{', recurrence_known: '{"rrule":[]}' },
    ],
    ['nothing', 422, {}],
  ])('store nothing: %s', async (_, status, fields) => {
    for (const action of ['save', 'preview'])
      expect((await author.browser.post(NEW, { do: action, ...fields })).status, action).toBe(status)
    const { body } = await send('GET', '/events?status=publish,draft,pending', { as: author.as })
    expect(body.events).toEqual([])
  })

  it('cannot change an event without its current version', async () => {
    const { id } = await makeEvent(author.as, { title: 'Versioned' })
    const path = `/admin/events/${id}/`
    for (const version of ['', '0', '-1', '*', '9", "-v1', 'x'.repeat(1_000)]) {
      const { status } = await author.browser.post(path, {
        'was.title': 'x',
        title: 'Passed by',
        version,
        do: 'save',
      })
      expect([412, 422], version).toContain(status)
    }
    expect((await send('GET', `/events/${id}`)).body.title).toBe('Versioned')
  })
})
