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
      { __proto__: '1', constructor: 'x', 'was.__proto__': 'x', 'was.constructor': 'y' },
    ],
    [
      'keys of prototypes',
      { 'was.custom_fields': 'x', custom_fields_key: '__proto__', custom_fields_label: 'a' },
    ],
    [
      'two thousand venues',
      { 'was.venue': 'x', venue: Array.from({ length: 2_000 }, (_, i) => String(i + 1)) },
    ],
    ['numbers beyond all', { 'was.venue': 'x', venue: '9'.repeat(400), image: '1e999', author: '-1' }],
    ['a text of a megabyte', { 'was.description': 'x', description: '<b>'.repeat(300_000) }],
    ['marks on marks', { 'was.title': 'x', title: `a${'\u0301'.repeat(5_000)}` }],
    ['a key of another form', { key: 'x'.repeat(10_000) }],
    ['a search of a megabyte', { venue_search: 'jazz '.repeat(200_000), do: 'find:venue' }],
    [
      'a repetition that is none',
      { 'was.recurrence': 'x', recurrence: '{', recurrence_known: '{"rrule":[]}' },
    ],
    ['nothing', {}],
  ])('are refused, and nothing of them is stored: %s', async (_, fields) => {
    for (const action of ['save', 'preview']) {
      const { status } = await author.browser.post(NEW, { do: action, ...fields })
      expect([303, 400, 403, 409, 413, 422, 200], action).toContain(status)
    }
    const { body } = await send('GET', '/events?status=publish,draft,pending', { as: author.as })
    expect(body.events).toEqual([])
  })

  it('cannot change another event than the one of their address, nor pass its version by', async () => {
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
