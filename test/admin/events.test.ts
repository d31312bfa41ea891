import { beforeAll, describe, expect, it } from 'vitest'
import { send } from '../factories.ts'
import { fieldsIn } from './forms.ts'
import { type SignedIn, signIn } from './session.ts'

let editor: SignedIn

beforeAll(async () => {
  editor = await signIn('editor')
})

describe('the form of an event', () => {
  it('makes one, and shows it again as it is stored', async () => {
    const { browser } = editor
    const empty = await browser.get('/admin/events/new/')
    expect(empty.status).toBe(200)
    const filled = {
      ...fieldsIn(empty.html),
      title: 'Jazz & <tea>',
      start_date: '2027-03-01',
      start_date_time: '20:00',
      end_date_time: '01:00',
      description: 'One.\n\nTwo & three.',
      venue_new_venue: 'The Barn',
      venue_new_city: 'Kent',
      tags_new_name: 'late, 2027',
    }
    const saved = await browser.submit('/admin/events/new/', filled)
    expect([saved.status, saved.text]).toEqual([200, expect.stringContaining('Saved: Jazz &')])
    const { body } = await send('GET', '/events?search=jazz', { as: editor.as })
    expect(body.events[0]).toMatchObject({
      status: 'publish',
      start_date: '2027-03-01 20:00:00',
      end_date: '2027-03-02 01:00:00',
      description: '<p>One.</p>\n<p>Two & three.</p>',
      venue: { venue: 'The Barn', city: 'Kent' },
      tags: [{ name: '2027' }, { name: 'late' }],
    })
  })
})
