import { beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../src/kit/lib/languages.ts'
import { textsIn } from '../../../src/words/words.ts'
import { fieldsIn } from '../../editor/forms.ts'
import { Browser, signedIn, signInAs } from '../../editor/session.ts'
import { countRows, make, makeVenue, send } from '../../factories.ts'
import { expectPage } from '../../site/pages/page.ts'

const PASTE = '/admin/events/paste/'
const editor = signedIn('editor', 'ed')
const browser = new Browser()

beforeAll(async () => {
  await signInAs(editor, 'ed', browser)
  await makeVenue(editor.as, 'Palace Theatre')
})

/** Pastes a text, after the page on which that is done. */
async function paste(text: string, more: Record<string, string> = {}) {
  await browser.get(PASTE)
  return browser.post(PASTE, { text, ...more })
}

describe('pasting a text', () => {
  it('fills the form of a new event, marks what was found, and saves nothing', async () => {
    expect((await browser.get('/admin/events/')).links).toContain(PASTE)
    const text = 'Jazz & <Wine>, 19 February 2027, 7 pm to 9 pm, in the Palace Theatre. Admission £5'
    const page = await paste(text)
    expectPage(page, 200, 'Palace Theatre')
    expect(fieldsIn(page.html)).toMatchObject({
      start_date: ['2027-02-19'],
      start_date_time: ['19:00'],
      end_date_time: ['21:00'],
      venue: [expect.stringMatching(/^\d+$/)],
      cost: ['£5'],
    })
    expect(page.html).toContain('<mark class="marked-value hue-green">Palace Theatre<sup>4</sup></mark>')
    expect(page.html).toContain('&lt;Wine&gt;')
    expect(page.html).not.toContain('<Wine>')
    expect(await countRows('events')).toBe(0)
    const saved = await browser.post('/admin/events/new/', {
      ...fieldsIn(page.html),
      title: 'Jazz',
      do: 'save',
    })
    expect(saved.status).toBe(303)
    expect(await countRows("events WHERE title = 'Jazz' AND start_date = '2027-02-19 19:00:00'")).toBe(1)
  })

  it('describes a venue that the calendar does not know, and repeats further dates', async () => {
    const page = await paste('Yoga, 2, 9 and 16 March 2027, 7 pm, Riverside Hall, 12 Mill Road, Ashford')
    expect(page.html).toContain('<mark class="marked-value hue-cyan">Ashford<sup>5</sup></mark>')
    expect(fieldsIn(page.html)).toMatchObject({
      venue_new_venue: ['Riverside Hall'],
      venue_new_address: ['12 Mill Road'],
      venue_new_city: ['Ashford'],
      recurrence: ['dates'],
      recurrence_also: expect.arrayContaining(['2027-03-09T19:00', '2027-03-16T19:00']),
    })
  })

  it('takes 20,000 characters, however many lines they have', async () => {
    const end = 'Jazz, 5 March 2027, 8 pm'
    const text = `${'x\r\n'.repeat(9_950)}${end}`
    // A browser counts a line break as one character, and sends two.
    expect(text.replaceAll('\r\n', '\n').length).toBeLessThanOrEqual(20_000)
    expect(fieldsIn((await paste(text)).html)).toMatchObject({ start_date: ['2027-03-05'] })
  })

  it('numbers what was found without gaps, in the text and at the fields', async () => {
    const { html } = await paste('Jazz night, 19 February 2027, 7 pm, in the Palace Theatre. Admission £5')
    expect([...html.matchAll(/<sup>(\d)<\/sup>/g)].map(([, number]) => number)).toEqual(['1', '2', '3', '4'])
    for (const [hue, number, label] of [
      ['amber', 1, 'Title'],
      ['sky', 2, 'Date'],
      ['green', 3, 'Venue'],
      ['orange', 4, 'Price'],
    ])
      expect(html).toContain(`<span class="marked-value hue-${hue}">${number}</span> ${label}`)
  })

  it('marks a day that its weekday contradicts, and asks for it once', async () => {
    const doubt = 'The weekday in the text is not that of this date.'
    // 19 February 2027 is a Friday.
    const { html } = await paste('Jazz night, Monday 19 February 2027, 7 pm, in the Palace Theatre')
    expect(fieldsIn(html)).toMatchObject({ start_date: ['2027-02-19'] })
    expect(html).toContain(`<span class="hidden">${doubt}</span>`)
    expect(html).toContain(`role="alert">${doubt}`)
    expect(html).toContain('<input type="checkbox" required form="editor-form">')
    expect((await paste('Jazz night, Friday 19 February 2027, 7 pm')).html).not.toContain(doubt)
  })

  it('says that it takes a time for one in the evening, if the text does not', async () => {
    const assumption = 'The text doesn’t say whether the start is in the morning or in the evening.'
    const { html } = await paste('Jazz, Friday 19 February 2027 at 7.30, in the Palace Theatre')
    expect(fieldsIn(html)).toMatchObject({ start_date_time: ['19:30'] })
    expect(html).toContain(`<span class="hidden">${assumption}`)
    expect(html).toContain(`<p class="notice">${assumption}`)
    for (const time of ['7.30 pm', 'at 7.30 in the evening', '19.30', 'at 2.30'])
      expect((await paste(`Jazz, Friday 19 February 2027, ${time}`)).html, time).not.toContain(assumption)
  })

  it('says that it has the first date alone of what recurs without an end', async () => {
    const notice = 'The text names a repetition without an end, and the form has its first date.'
    expect((await paste('Pottery, every Thursday at 6 pm')).html).toContain(`<p class="notice">${notice}`)
    expect((await paste('Pottery, every Thursday in March 2027, 6 pm')).html).not.toContain(notice)
    expect((await paste('Quiz, every Thursday at 7.30')).html).toContain(
      `The form assumes the evening. ${notice}`,
    )
  })

  it('keeps what was not used as the description, and the word for free', async () => {
    const text =
      'Jazz night, 19 February 2027, 7 pm, in the Palace Theatre. Free entry. Bring a <chair>!\n\nWe play on the lawn.'
    const { html } = await paste(text.replace('<', '(').replace('>', ')'))
    const fields = fieldsIn(html)
    expect(fields.description?.join()).toContain('Bring a (chair)!')
    expect(fields.description?.join()).toContain('We play on the lawn.')
    expect(fields.description?.join()).not.toMatch(/Jazz|Free/)
    expect(fields.cost).toEqual(['Free'])
    expect(html).toContain('<dd dir="auto">Free</dd>')
  })

  it('keeps the clauses beside values, telephone numbers and postcodes, without a greeting or a signature', async () => {
    const described = async (text: string) => fieldsIn((await paste(text)).html).description?.join()
    const letter = [
      'Hallo liebe Redaktion,\n\nwir laden herzlich ein zum Adventskonzert des Gemischten Chores "Harmonie" e.V.',
      'Sonntag, 13. Dezember 2026, 16 Uhr (Einlass ab 15:30)\nKreuzkirche, Melanchthonstr. 40, 02826 Görlitz',
      'Eintritt frei, Spenden erbeten\nWeitere Infos: www.chor-harmonie.example, Tel. 03581/123456',
      'Viele Grüße\nSabine Müller',
    ]
    expect(await described(letter.join('\n\n'))).toBe(
      'Einlass ab 15:30\n02826 Görlitz\n\nSpenden erbeten\nTel. 03581/123456',
    )
    const reading = 'Subject: Reading\nDear editors,\n\nReading, Friday 4 December 2026, 7.30 pm (doors at 7)'
    expect(await described(`${reading}, Town Library.\nAll welcome!\n\nBest wishes\nJane`)).toBe(
      'Doors at 7\nAll welcome!',
    )
    const tickets = 'Jazz night, 19 February 2027, 7 pm.\nKarten bei Frau Krause, Tel. 0170 1234567.'
    expect(await described(tickets)).toBe('Karten bei Frau Krause, Tel. 0170 1234567.')
  })

  it('gives each of several events its own text', async () => {
    const text =
      '- Flea market, 5 March 2027, 9 am. Bring bags.\n- Tea dance for everybody, 6 March 2027, 3 pm. Bring shoes.'
    const one = await paste(text)
    const two = await paste(text, { draft: '1' })
    expect([one.text, two.text]).toEqual([
      expect.stringContaining('1 of 2:'),
      expect.stringContaining('2 of 2:'),
    ])
    expect(fieldsIn(one.html).description?.join()).toMatch(/^(?=.*bags)(?!.*shoes)/s)
    expect(fieldsIn(two.html).description?.join()).toMatch(/^(?=.*shoes)(?!.*bags)/s)
  })

  it('leaves a time empty that nobody said', async () => {
    const page = await paste('Exhibition: New prints, 5 to 28 March 2027')
    expect(fieldsIn(page.html)).toMatchObject({ start_date: ['2027-03-05'], end_date: ['2027-03-28'] })
    expect(fieldsIn(page.html).start_date_time ?? ['']).toEqual([''])
  })

  it('shows several events one after the other', async () => {
    const text =
      '- Flea market in the Palace Theatre, 5 March 2027, 9 am\n- Tea dance for everybody, 6 March 2027, 3 pm'
    const first = await paste(text)
    expect(first.text).toContain('2 events were found')
    expect(fieldsIn(first.html)).toMatchObject({ start_date: ['2027-03-05'] })
    expect(fieldsIn((await paste(text, { draft: '1' })).html)).toMatchObject({ start_date: ['2027-03-06'] })
    // Whatever number somebody sends.
    expect((await paste(text, { draft: '99' })).status).toBe(200)
  })

  it('says that a text announces more events than it shows', async () => {
    const day = (i: number) => new Date(Date.UTC(2027, 1, 1 + i)).toISOString().slice(0, 10)
    const text = (n: number) => Array.from({ length: n }, (_, i) => `${day(i)}, 20:00: Choir ${i}`).join('\n')
    const notice = 'The text announces more than these 20 events.'
    expect((await paste(text(21))).text).toContain(notice)
    expect((await paste(text(20))).text).not.toContain(notice)
  })

  it.each(['\t', ';', ' | '])('goes on with the other rows of a table by its headings: %j', async mark => {
    const rows = Array.from({ length: 23 }, (_, i) => [`${i + 1}/03/2027`, '7:30', '9:30', `Choir ${i + 1}`])
    const lines = [['Date', 'Start', 'End', 'Title'], ...rows].map(cells => cells.join(mark))
    const first = await paste(`Our spring\n\n${lines.join('\n')}\n\nSee you!`)
    expect(first.text).toContain('The table has more rows than these 20 events.')
    const [, rest = ''] = /name="text" value="(Our spring[^"]*)"><p class="actions"/.exec(first.html) ?? []
    expect(rest).toBe(`Our spring\n\n${[lines[0], ...lines.slice(21)].join('\n')}\n\nSee you!`)
    const second = await paste(rest)
    expect(second.text).not.toContain('The table has more rows')
    expect(second.html.match(/name="draft"/g)).toHaveLength(3)
    expect(fieldsIn(second.html)).toMatchObject({
      title: ['Choir 21'],
      start_date_time: ['19:30'],
      end_date_time: ['21:30'],
    })
  })

  it('describes an event with the other cells of its row, and names rows that have no day', async () => {
    const text = [
      'Date\tTime\tEvent\tRoom\tOrganiser\tRemarks\tDescription',
      '16/04/2027\t19:30\tSpring concert\tGreat Hall\tChoir\tAdults only\tSongs of the sea',
      '31/06/2027\t20:00\tSummer party\tYard\t\tBring a grill\t',
      '17/04/2027\t10:00\tFlea market\tFoyer\t\tBring a table, chairs\t',
      'tba\t\tAutumn ball\t\t\t\t',
    ].join('\n')
    const one = await paste(text)
    const two = await paste(text, { draft: '1' })
    expect(fieldsIn(one.html)).toMatchObject({
      room: ['Great Hall'],
      description: ['Organiser: Choir\nRemarks: Adults only\nSongs of the sea'],
    })
    expect(fieldsIn(two.html)).toMatchObject({
      room: ['Foyer'],
      description: ['Remarks: Bring a table, chairs'],
    })
    const notice =
      'Rows of the table were left out, because they have no day that can be read: 31/06/2027 20:00 Summer party Yard Bring a grill · tba Autumn ball'
    for (const page of [one, two]) expect(page.text).toContain(notice)
    const { body } = await send('POST', '/events/draft', { as: editor.as, json: { text } })
    expect(body.ignored).toMatchObject([{ reason: 'no_day' }, { reason: 'no_day' }])
  })

  it('takes rows that say that there is nothing, or what is over, for no rows without a day', async () => {
    const text =
      'Date\tTime\tEvent\tRemarks\n16/04/2027\t19:30\tSpring concert\tAdults only\n16/04/2024\t19:30\tOld concert\tOver\n\t\tEaster break\t\n18/04/2027\t19:30\tLast concert\t\n\nTickets are at the door.'
    const { html, text: shown } = await paste(text, { draft: '1' })
    expect(shown).not.toContain('no day that can be read')
    expect(fieldsIn(html).description).toEqual(['Tickets are at the door.'])
  })

  it('marks what was saved of several events, and goes on with the next, whoever changes a title', async () => {
    const text =
      '- Pub quiz in the Palace Theatre, 9 April 2027, 8 pm\n- Book sale for everybody, 9 April 2027, 8 pm\n- Harvest supper, 10 April 2027, 6 pm'
    const first = await paste(text)
    expect(first.html).toContain('enctype="multipart/form-data" target="_blank"')
    expect(first.html).not.toContain('✓')
    const save = async (html: string, title: string) => {
      const saved = await browser.post('/admin/events/new/', { ...fieldsIn(html), title, do: 'save' })
      expect(saved.status).toBe(303)
    }
    const marks = (html: string) =>
      [...html.matchAll(/name="draft" value="(\d)"[^>]*>(<span aria-hidden="true">✓)?/g)].map(
        ([, , mark]) => !!mark,
      )
    await save((await paste(text, { draft: '1' })).html, 'Book sale for everybody')
    const second = await paste(text)
    expect(marks(second.html)).toEqual([false, true, false])
    await save(second.html, 'Quiz night')
    const third = await paste(text)
    expect(marks(third.html)).toEqual([true, true, false])
    // Which event counts as saved, unless it has the title of the draft
    expect(third.html.match(/was saved as/g)).toHaveLength(1)
    expect(third.html).toMatch(
      /“Pub quiz[^”]*” was saved as <a href="\/admin\/events\/\d+\/" target="_blank">Quiz night/,
    )
    expect(fieldsIn(third.html)).toMatchObject({ start_date: ['2027-04-10'] })
    expect((await paste(text, { draft: '0' })).html).toMatch(
      /Saved: <a href="\/admin\/events\/\d+\/">Quiz night/,
    )
    // A text with one event saves it here.
    expect((await paste('Fair, 5 May 2027, 8 pm')).html).not.toContain('target="_blank"')
  })

  it('names the days of drafts that have the same title', async () => {
    const { html } = await paste(
      '- Mass, 3 July 2027, 9 am\n- Mass, 10 July 2027, 9 am\n- Mass, 10 July 2027, 7 pm\n- Summer fair, 11 July 2027, 3 pm',
    )
    const names = [...html.matchAll(/name="draft"[^>]*>([^<]*)</g)].map(([, name]) =>
      name?.replace(/\s/g, ' '),
    )
    expect(names).toEqual([
      'Mass, Sat, Jul 3, 9:00 AM',
      'Mass, Sat, Jul 10, 9:00 AM',
      'Mass, Sat, Jul 10, 7:00 PM',
      'Summer fair',
    ])
  })

  it('knows what was saved of a draft on this page, whatever was changed in its form', async () => {
    const text = '- Concert, 5 June 2027, 7 pm\n- Concert, 5 June 2027, 8 pm\n- Open day, 6 June 2027, 3 pm'
    const first = await paste(text)
    const [, sitting = ''] = /name="sitting" value="([\w-]+)"/.exec(first.html) ?? []
    const show = async (draft: string) => paste(text, { draft, sitting })
    const save = async (html: string, changes: Record<string, string>) =>
      browser.post('/admin/events/new/', { ...fieldsIn(html), ...changes, do: 'save' })
    const marks = (html: string) =>
      [...html.matchAll(/name="draft" value="(\d)"[^>]*>(<span aria-hidden="true">✓)?/g)].map(
        ([, , mark]) => !!mark,
      )
    const second = await show('1')
    expect((await save(second.html, { title: 'Bees', start_date_time: '20:30' })).status).toBe(303)
    expect(marks((await show('')).html)).toEqual([false, true, false])
    // The hour of the other one, which is not taken for it
    expect((await save((await show('2')).html, { start_date_time: '15:30' })).status).toBe(303)
    expect((await save((await show('0')).html, { start_date_time: '20:00' })).status).toBe(303)
    const all = await show('')
    expect(marks(all.html)).toEqual([true, true, true])
    expect((await show('1')).text).toContain('Saved: Bees')
    // No second event is made of it.
    await save((await show('1')).html, {})
    expect(await countRows("events WHERE start_date LIKE '2027-06-05 %'")).toBe(2)
    // What was trashed can be made again.
    const [, id = ''] = /Saved: <a href="\/admin\/events\/(\d+)\/">Bees/.exec((await show('1')).html) ?? []
    expect((await send('DELETE', `/events/${id}`, { as: editor.as })).status).toBe(200)
    expect(marks((await show('')).html)).toEqual([true, false, true])
    expect((await save((await show('1')).html, { title: 'Wasps' })).status).toBe(303)
    expect(await countRows("events WHERE title = 'Wasps'")).toBe(1)
    // After pasting again, only the text decides what counts as saved.
    expect(marks((await paste(text)).html)).toEqual([false, true, false])
  })

  it('takes an event at the same time for saved only if its name is in the text', async () => {
    const text = '- Chess for all, 9 May 2027, 7 pm\n- Open stage for singers, 10 May 2027, 7 pm'
    const asSaved = async () => (await paste(text)).html.includes('✓')
    const save = async (title: string) => {
      const { html } = await paste(text, { draft: '0' })
      const saved = await browser.post('/admin/events/new/', { ...fieldsIn(html), title, do: 'save' })
      expect(saved.status, saved.text).toBe(303)
    }
    await save('Blood donation')
    expect(await asSaved()).toBe(false)
    await save('An evening of chess')
    expect(await asSaved()).toBe(true)
  })

  it('says that no event was found, and keeps the text', async () => {
    const page = await paste('Thanks to all helpers!')
    expect(page.text).toContain('No event was found in this text.')
    expect(page.html).toContain('Thanks to all helpers!</textarea>')
  })

  it('says that the text calls the event off, in the form as well', async () => {
    const statusIn = async (text: string) => {
      const { html, text: shown } = await paste(text)
      return [fieldsIn(html).event_status?.[0], shown.includes('does not take place as planned')]
    }
    expect(await statusIn('CANCELLED: Jazz, 5 March 2027, 8 pm')).toEqual(['canceled', true])
    expect(await statusIn('Das Konzert am 5. März 2027 um 20 Uhr fällt leider aus.')).toEqual([
      'canceled',
      true,
    ])
    expect(await statusIn('The jazz night on 5 March 2027 is postponed, no new date yet.')).toEqual([
      'postponed',
      true,
    ])
    for (const text of [
      'Jazz, 5 March 2027, 8 pm',
      'Jazz, 5 March 2027, 8 pm. The exhibition on 6 March 2027 is cancelled.',
      'Das Konzert am 5. März 2027 um 20 Uhr fällt nicht aus.',
      'Jazz, 5 March 2027, 8 pm. No reservations, tickets cannot be cancelled.',
    ])
      expect(await statusIn(text), text).toEqual(['scheduled', false])
  })

  it('leads to the event of the calendar that the text calls off', async () => {
    const ids: Record<string, number> = {}
    for (const [title, start, status = 'publish'] of [
      ['Reading by Ida Quill', '2027-05-12 19:00:00'],
      ['Reading for children', '2027-05-13 19:00:00'],
      ['Whist drive', '2027-05-12 23:30:00'],
      ['Ida Quill, a draft', '2027-05-12 19:00:00', 'draft'],
    ] as const)
      ids[title] = (await make(editor.as, 'events', { title, status, start_date: start, end_date: start })).id
    const namesakes = async (text: string) =>
      [...(await paste(text)).html.matchAll(/<a href="\/admin\/events\/(\d+)\/" target="_blank">/g)].map(
        ([, id]) => Number(id),
      )
    const off = (what: string) => `CANCELLED: ${what}, 12 May 2027, 7.30 pm`
    expect(await namesakes(off('Reading by Ida Quill'))).toEqual([ids['Reading by Ida Quill']])
    expect(await namesakes(off('Whist drive'))).toEqual([ids['Whist drive']])
    expect(await namesakes(off('Fish supper'))).toEqual([])
    expect(await namesakes('Reading by Ida Quill, 12 May 2027, 7.30 pm')).toEqual([])
  })

  it.each(LANGUAGES)('has its words in %s', async language => {
    const { announcement } = textsIn(language)
    expectPage(
      await browser.get(PASTE, { 'accept-language': language }),
      200,
      announcement.lead,
      announcement.read,
    )
  })
})
