import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { JPEG } from '../../calendar/media/samples.ts'
import { countRows, makeUser, makeVenue, query, send } from '../../factories.ts'
import { answeredEvent, answering, answerOf } from '../../model.ts'
import { FAILED, openInbox, passed, raw, received } from './mail.ts'

const TEXT = 'Barn dance with The Reel Thing\nFriday 19 February 2027, 8 pm\nPalace Theatre\nAdmission €8'

/** The announcement of another event. */
const announcementOf = (title: string) => TEXT.replace('Barn dance with The Reel Thing', title)

let admin = ''
beforeAll(async () => {
  admin = await makeUser('ann', 'administrator')
  await makeVenue(admin, 'Palace Theatre')
})
// Each test has a day of its own, so that limits count nothing of the others.
let day = 0
beforeEach(() => vi.setSystemTime(`2027-01-${String(++day).padStart(2, '0')}T10:00:00Z`))

/** The latest submissions with their events, the newest first. */
const latest = async (n = 1) =>
  query(
    `SELECT submissions.*, events.id AS event, title, start_date, end_date, status, description, cost, all_day, image_id, external_id,
       (SELECT venues.name FROM event_venues JOIN venues ON venues.id = event_venues.target_id WHERE event_venues.event_id = events.id) AS venue
     FROM submissions JOIN events ON events.id = submissions.event_id ORDER BY submissions.id DESC LIMIT ?`,
    n,
  )

const ICS = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Example//EN',
  'METHOD:REQUEST',
  'BEGIN:VEVENT',
  'UID:not-ours@club.example',
  'DTSTAMP:20270101T000000Z',
  'DTSTART;TZID=Europe/Dublin:20270304T193000',
  'DTEND;TZID=Europe/Dublin:20270304T213000',
  'SUMMARY:Choir evening',
  'LOCATION:Palace Theatre',
  'DESCRIPTION:Songs of the sea',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n')

describe('an e-mail', () => {
  it.each(['ceo@bank.example', 'Ann <ceo@bank.example>', '＠bank', 'www.bank.example'])(
    'does not show the name %s, which looks like another sender',
    async name => {
      const from = `"${name.replaceAll('"', '')}" <ann@club.example>`
      expect(
        await openInbox().send({ from, text: announcementOf(`Named by ${name.replace(/\W+/g, 'x')}`) }),
      ).toBe('taken')
      expect((await latest())[0]).toMatchObject({ name: '', email: 'ann@club.example' })
    },
  )

  it('becomes a submission with what its text says', async () => {
    const event = answeredEvent(
      {
        title: 'Barn dance with The Reel Thing',
        date: ['Friday 19 February 2027', '2027-02-19'],
        time: ['8 pm', '20:00'],
        venue: ['Palace Theatre', 'Palace Theatre'],
      },
      { description: 'Barn dance with The Reel Thing' },
    )
    const { AI, asked } = answering({ [TEXT]: { events: [event], more: false } })
    const inbox = openInbox({ AI })
    expect(await inbox.send({ text: TEXT })).toBe('taken')
    const [row] = await latest()
    expect(row).toMatchObject({
      title: 'Barn dance with The Reel Thing',
      start_date: '2027-02-19 20:00:00',
      status: 'pending',
      venue: 'Palace Theatre',
      via: 'email',
      email: 'ann@club.example',
      name: 'Ann Example',
      is_confirmed: 1,
      mail_text: `Barn dance\n\n${TEXT}`,
    })
    expect(row?.description).toContain('The Reel Thing')
    // The model gets the subject, and the names that the text has words of.
    expect(asked).toEqual([expect.stringContaining('Known venues: Palace Theatre\n')])
    expect(asked).toEqual([expect.stringContaining(`\nText:\nBarn dance\n\n${TEXT}`)])
    const { body } = await send('GET', '/submissions', { as: admin, bindings: inbox.bindings })
    expect(body.submissions[0]).toMatchObject({ via: 'email', state: 'pending' })
  })

  it('has a reply with the addresses of its submissions, if its sender is confirmed', async () => {
    const inbox = openInbox()
    const text = announcementOf('With a reply')
    await inbox.send({ subject: 'With a reply', text: `${text}. The band plays until late.` })
    const [mail, ...others] = inbox.mails
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: 'ann@club.example', headers: { 'Auto-Submitted': 'auto-generated' } })
    const [path = ''] = mail?.text.match(/\/submit\/[\da-f]{32}\//) ?? []
    const page = await send('GET', `https://calendar.example${path}`, { bindings: inbox.bindings })
    expect(page.text).toContain('With a reply')
  })

  it('gets no answer at all if nothing confirms its sender', async () => {
    const inbox = openInbox()
    for (const [at, results] of [FAILED, passed('other.example'), ''].entries())
      expect(
        await inbox.send(
          { subject: `From nobody ${at}`, text: announcementOf(`From nobody ${at}`) },
          results,
        ),
      ).toBe('taken')
    expect(
      await inbox.deliver(raw({ subject: 'Without results', text: announcementOf('Without results') })),
    ).toBe('taken')
    expect(inbox.mails).toEqual([])
    expect((await latest(4)).map(row => row.is_confirmed)).toEqual([0, 0, 0, 0])
  })

  it('with several events becomes several submissions, and has one reply', async () => {
    const venue = ['Palace Theatre', 'Palace Theatre'] as const
    const { AI } = answering({
      'Our programme': answerOf(
        { title: 'Quiz night', date: ['Friday 5 March 2027', '2027-03-05'], time: ['8 pm', '20:00'], venue },
        {
          title: 'Children’s choir',
          date: ['Saturday 6 March 2027', '2027-03-06'],
          time: ['3 pm', '15:00'],
          venue,
        },
        {
          title: 'Brunch concert',
          date: ['Sunday 7 March 2027', '2027-03-07'],
          time: ['11 am', '11:00'],
          venue,
        },
      ),
    })
    const inbox = openInbox({ AI })
    const text = [
      'Our programme:',
      '',
      '- Friday 5 March 2027, 8 pm: Quiz night, Palace Theatre',
      '- Saturday 6 March 2027, 3 pm: Children’s choir, Palace Theatre',
      '- Sunday 7 March 2027, 11 am: Brunch concert, Palace Theatre',
    ].join('\n')
    expect(await inbox.send({ text, subject: 'March in the Palace' })).toBe('taken')
    const rows = await latest(3)
    expect(rows.map(({ start_date }) => start_date)).toEqual([
      '2027-03-07 11:00:00',
      '2027-03-06 15:00:00',
      '2027-03-05 20:00:00',
    ])
    expect(new Set(rows.map(({ email }) => email))).toEqual(new Set(['ann@club.example']))
    expect(rows.map(({ description }) => description)).toEqual(['', '', ''])
    expect(inbox.mails).toHaveLength(1)
    expect(inbox.mails[0]?.text.match(/\/submit\//g)).toHaveLength(3)
  })

  it('that is passed on has nothing that programs added to it in its description', async () => {
    const text = [
      'Sent from my iPhone',
      '',
      'Begin forwarded message:',
      '',
      'Candlelight recital',
      `Friday 26 February 2027, 8 pm, Palace Theatre`,
      '________________________________',
      'Bring a cushion. If you cannot come, please unsubscribe at the door.',
      'Unsubscribe (https://list.example/?u=helen@x.example&t=TOKEN123)',
    ].join('\n')
    const last = text.split('\n').slice(-2).join('\n')
    const event = answeredEvent(
      {
        title: 'Candlelight recital',
        date: ['Friday 26 February 2027', '2027-02-26'],
        time: ['8 pm', '20:00'],
      },
      { description: last },
    )
    const { AI } = answering({ Candlelight: { events: [event], more: false } })
    expect(await openInbox({ AI }).send({ text, subject: 'Fwd: Candlelight recital' })).toBe('taken')
    const [row] = await latest()
    expect(row?.description).toMatch(/Bring a cushion\. If you cannot come, please unsubscribe at the door\./)
    expect(row?.description).not.toMatch(/iPhone|____|TOKEN/)
  })

  it('with several events has one new place for them, and says of each what stands below its title', async () => {
    const venue = ['Courthouse Arts', 'Courthouse Arts'] as const
    const placed = { address: 'Parliament Street', city: 'Kilkenny' }
    const { AI } = answering({
      'Two films': {
        events: [
          answeredEvent(
            {
              title: 'The Third Man',
              date: ['Tuesday 9 March 2027', '2027-03-09'],
              time: ['8pm', '20:00'],
              venue,
            },
            { ...placed, description: 'Introduced by Carol Reed’s grandson. **Members** bring a friend.' },
          ),
          answeredEvent(
            {
              title: 'Casablanca',
              date: ['Tuesday 16 March 2027', '2027-03-16'],
              time: ['8pm', '20:00'],
              venue,
            },
            { ...placed, description: 'In English, without subtitles.' },
          ),
        ],
      },
      'Cloth Hall': answerOf({
        title: 'Quiz night',
        date: ['Tuesday 23 March 2027', '2027-03-23'],
        time: ['8pm', '20:00'],
        venue: ['Cloth Hall', 'Cloth Hall'],
      }),
    })
    const inbox = openInbox({ AI })
    const text = [
      'Two films at the end of winter:',
      '',
      'The Third Man',
      'Tuesday 9 March 2027, 8pm, Courthouse Arts, Parliament Street, Kilkenny. EUR 8.',
      'Introduced by Carol Reed’s grandson. **Members** bring a friend.',
      '',
      'Casablanca',
      'Tuesday 16 March 2027, 8pm, Courthouse Arts, Parliament Street, Kilkenny. EUR 8.',
      'In English, without subtitles.',
    ].join('\n')
    expect(await inbox.send({ text, subject: 'Two films' })).toBe('taken')
    const [casablanca, thirdMan] = await latest(2)
    expect([thirdMan?.title, casablanca?.title]).toEqual(['The Third Man', 'Casablanca'])
    expect(thirdMan?.description).toMatch(/Introduced by Carol Reed’s grandson\. Members bring/)
    expect(casablanca?.description).toMatch(/In English, without subtitles/)
    expect(`${thirdMan?.description}${casablanca?.description}`).not.toMatch(/\*|Two films|English.*English/)
    expect(await query("SELECT name, status FROM venues WHERE name LIKE '%Courthouse%'")).toHaveLength(1)
    // The second is published alone, with the place that it shares.
    await send('PATCH', `/events/${casablanca?.event}`, { as: admin, json: { status: 'publish' } })
    expect((await send('GET', `/events/${casablanca?.event}`)).body.venue).toMatchObject({
      venue: 'Courthouse Arts',
      status: 'publish',
    })
    // What another e-mail names is another's.
    const later = { subject: 'Quiz', text: 'Quiz night, Tuesday 23 March 2027, 8pm, Cloth Hall. Free.' }
    for (const from of ['ann@club.example', 'bob@club.example'])
      expect(await inbox.send({ ...later, subject: `Quiz of ${from.slice(0, 3)}`, from })).toBe('taken')
    expect(await query("SELECT id FROM venues WHERE name = 'Cloth Hall'")).toHaveLength(2)
  })

  it('has the event of its calendar file, which changes none that there is', async () => {
    const inbox = openInbox()
    const before = await countRows('events')
    const attached = [{ type: 'text/calendar; method=REQUEST', name: 'event.ics', content: ICS }]
    expect(await inbox.send({ text: 'See the file. Please reply by 1 March 2027.', attached })).toBe('taken')
    const [row] = await latest()
    expect(row).toMatchObject({
      title: 'Choir evening',
      start_date: '2027-03-04 19:30:00',
      end_date: '2027-03-04 21:30:00',
      venue: 'Palace Theatre',
      external_id: '',
      status: 'pending',
    })
    expect(row?.description).toContain('Songs of the sea')
    expect(await countRows('events')).toBe(before + 1)
    expect(await countRows("imports WHERE external_id LIKE '%not-ours%'")).toBe(0)
  })

  it('has the event of an invitation once, which is in it twice', async () => {
    const content = ICS.replaceAll('Songs of the sea', '').replace('Choir evening', 'Invitation')
    const attached = ['text/calendar', 'application/ics'].map(type => ({ type, name: 'a.ics', content }))
    expect(await openInbox().send({ text: 'Songs of the land', attached })).toBe('taken')
    expect(await latest(2)).toMatchObject([{ description: '<p>Songs of the land</p>' }, {}])
    expect(await countRows("events WHERE title = 'Invitation'")).toBe(1)
  })

  it.each([
    ['text/calendar; method=REQUEST; charset=utf-8', ''],
    ['application/ics; name="event.ics"', 'Content-Disposition: attachment; filename="event.ics"\r\n'],
  ])('that is nothing but a file of %s has its event', async (type, more) => {
    const title = `Calendar alone ${type.length}`
    const mail = `From: Ann <ann@club.example>\r\nSubject: Invitation\r\nMessage-ID: <alone-${type.length}@club.example>\r\nMIME-Version: 1.0\r\nContent-Type: ${type}\r\n${more}\r\n${ICS.replace('Choir evening', title)}`
    expect(await openInbox().deliver(received(passed(), mail))).toBe('taken')
    expect(await latest()).toMatchObject([{ title, start_date: '2027-03-04 19:30:00' }])
  })

  it('with the announcement in an attached e-mail is refused, and says what to do', async () => {
    const inbox = openInbox()
    const before = await countRows('events')
    for (const name of ['announcement.eml', undefined]) {
      const attached = [
        { type: 'message/rfc822', ...(name !== undefined && { name }), content: raw({ text: TEXT }) },
      ]
      expect(await inbox.send({ subject: 'Fwd: Barn dance', text: 'See below', attached })).toMatch(
        /^Attached e-mails are not read\. Please forward it within the text/,
      )
    }
    expect(await countRows('events')).toBe(before)
  })

  it('has dates that repeat', async () => {
    const yoga = answeredEvent(
      { title: 'Yoga in the park', date: ['3, 10 and 17 May 2027', '2027-05-03'], time: ['7 pm', '19:00'] },
      { further: { quote: '3, 10 and 17 May 2027', dates: ['2027-05-10', '2027-05-17'] } },
    )
    const { AI } = answering({ Yoga: { events: [yoga], more: false } })
    const inbox = openInbox({ AI })
    const content = ICS.replace('SUMMARY:', 'RRULE:FREQ=WEEKLY;COUNT=3\r\nSUMMARY:Weekly ')
    const attached = [{ type: 'text/calendar', name: 'event.ics', content }]
    expect(await inbox.send({ text: 'Each week', attached })).toBe('taken')
    expect(await countRows("events WHERE title = 'Weekly Choir evening' AND status = 'pending'")).toBe(3)
    const text = 'Yoga in the park on 3, 10 and 17 May 2027 at 7 pm'
    expect(await inbox.send({ text, subject: 'Yoga in the park' })).toBe('taken')
    expect(await countRows("events WHERE title = 'Yoga in the park'")).toBe(3)
  })

  it('has its image as poster, which is the largest that is attached', async () => {
    const inbox = openInbox()
    const attached = [
      { type: 'image/png', name: 'logo.png', content: JPEG.slice(0, 600), isInline: true },
      { type: 'image/jpeg', name: 'poster.jpg', content: JPEG },
    ]
    expect(
      await inbox.send({ subject: 'With a poster', text: announcementOf('With a poster'), attached }),
    ).toBe('taken')
    const [row] = await latest()
    expect(row).toMatchObject({ title: 'With a poster', has_image: 1 })
    expect(row?.image_id).toBeGreaterThan(0)
    const broken = [{ type: 'image/jpeg', name: 'broken.jpg', content: JPEG.slice(0, 600) }]
    expect(
      await inbox.send({ subject: 'Broken poster', text: announcementOf('Broken poster'), attached: broken }),
    ).toBe('taken')
    expect(await latest()).toMatchObject([{ title: 'Broken poster', image_id: null }])
  })

  it('is read in HTML where it has no other text, or where that announces nothing', async () => {
    const inbox = openInbox()
    const html =
      '<style>p{color:red}</style><h1>Ceili for beginners</h1><p>On <b>Friday, 12 March 2027</b><br>at 8 pm in the <a href="https://palace.example/ceili">Palace Theatre</a></p><script>alert(1)</script>'
    expect(await inbox.send({ html, subject: '' })).toBe('taken')
    const [row] = await latest()
    expect(row).toMatchObject({ title: 'Ceili for beginners', start_date: '2027-03-12 20:00:00' })
    expect(row?.mail_text).toBe(
      '\n\n**Ceili for beginners**\n\nOn **Friday, 12 March 2027**\nat 8 pm in the Palace Theatre (https://palace.example/ceili)',
    )
    expect(row?.description).not.toMatch(/script|alert|\*/)
    const later = html.replace('12 March', '13 March').replace('Friday', 'Saturday')
    expect(await inbox.send({ html: later, text: 'View this in your browser', subject: '' })).toBe('taken')
    expect(await latest()).toMatchObject([{ start_date: '2027-03-13 20:00:00' }])
  })

  it('without a day is refused, with the address of the form', async () => {
    const inbox = openInbox()
    expect(await inbox.send({ text: 'Hello, when do you open?' })).toContain('https://town.example/submit/')
    const text = 'The barn dance on Friday 19 February 2027 at 8 pm is cancelled.'
    expect(await inbox.send({ text, subject: 'Cancelled' })).toContain(
      'This e-mail cancels or postpones an event',
    )
  })

  it('is refused by a calendar without an inbox', async () => {
    for (const vars of [{ INBOX: 'off' }, { SUBMISSIONS: 'off' }, { FEATURES: 'submissions' }])
      expect(await openInbox(vars).send({ text: TEXT })).toBe('This calendar does not accept e-mails.')
  })

  it('needs one sender in plain letters', async () => {
    const inbox = openInbox()
    for (const from of [
      'a@club.example, b@club.example',
      'Nobody',
      '"a b"@club.example',
      'Team: a@club.example, b@club.example;',
    ])
      expect(await inbox.send({ from, text: TEXT }), from).toContain('must have exactly one sender')
    const twice = raw({ text: TEXT }).replace('From:', 'From: other@club.example\r\nFrom:')
    expect(await inbox.deliver(received(passed(), twice))).toContain('must have exactly one sender')
  })
})
