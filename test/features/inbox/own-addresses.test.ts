import { describe, expect, it } from 'vitest'
import { countRows, send, user } from '../../factories.ts'
import { EVENT } from '../../resources/submissions/submit.ts'
import { openInbox } from './mail.ts'

// Who has the events that others submit.
user('administrator')

const OWN = ['inbox@town.example', 'Inbox@TOWN.example', 'inbox+x@town.example', 'events@town.example']
const TEXT = 'Barn dance in the town hall, Friday 19 March 2027, 8 pm. Callers and fiddles.'

describe('the addresses of the calendar', () => {
  it('send it no e-mails', async () => {
    const inbox = openInbox()
    for (const from of OWN)
      expect(await inbox.send({ from, text: TEXT })).toBe('This e-mail is from the calendar itself.')
    // Where nobody has set the address of the inbox, the e-mail names it.
    const unset = openInbox({ INBOX_ADDRESS: '' })
    expect(await unset.send({ from: 'inbox@town.example', text: TEXT })).toBe(
      'This e-mail is from the calendar itself.',
    )
    expect(inbox.mails).toEqual([])
  })

  it('send no submissions', async () => {
    const { bindings } = openInbox()
    for (const email of OWN) {
      const event = await send('POST', '/submissions', { json: { ...EVENT, email }, bindings })
      expect([event.status, event.text]).toEqual([400, expect.stringContaining('own_address')])
    }
    expect(await countRows('submissions')).toBe(0)
  })
})
