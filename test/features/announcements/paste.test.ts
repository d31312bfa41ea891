import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Bindings } from '../../../src/kit/env.ts'
import { LANGUAGES } from '../../../src/kit/lib/languages.ts'
import { textsIn } from '../../../src/words/words.ts'
import { fieldsIn } from '../../editor/forms.ts'
import { Browser, signedIn, signInAs } from '../../editor/session.ts'
import { countRows, make, makeVenue } from '../../factories.ts'
import { answeredEvent, answering, answerOf } from '../../model.ts'
import { expectPage } from '../../site/pages/page.ts'

const PASTE = '/admin/events/paste/'
const editor = signedIn('editor', 'ed')
const browser = new Browser()

beforeAll(async () => {
  await signInAs(editor, 'ed', browser)
  await makeVenue(editor.as, 'Palace Theatre')
})

type Answers = Parameters<typeof answering>[0]

/** Pastes a text for a model with prepared answers; without answers, there is no model. */
async function paste(text: string, answers?: Answers, more: Record<string, string> = {}) {
  const visitor = await visitorWith(answers)
  return visitor.post(PASTE, { text, ...more })
}

/** A browser that has opened the page, of a calendar whose model gives prepared answers. */
async function visitorWith(answers?: Answers, bindings: Partial<Bindings> = {}) {
  const visitor = browser.with({ ...env, ...(answers && { AI: answering(answers).AI }), ...bindings })
  await visitor.get(PASTE)
  return visitor
}

/** The hidden input of a page. */
const hidden = (html: string, name: string): string =>
  (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const JAZZ_TEXT = 'Jazz & <Wine>, 19 February 2027, 7 pm to 9 pm, in the Palace Theatre. Admission £5'
const JAZZ = {
  title: 'Jazz & <Wine>',
  date: ['19 February 2027', '2027-02-19'],
  time: ['7 pm', '19:00'],
  until: ['9 pm', '21:00'],
  venue: ['Palace Theatre', 'Palace Theatre'],
  cost: ['£5', 5],
} as const

describe('pasting a text', () => {
  it('fills the form of a new event, has the words of the text ready to be marked, and saves nothing', async () => {
    expect((await browser.get('/admin/events/')).links).toContain(PASTE)
    const page = await paste(JAZZ_TEXT, { Jazz: answerOf(JAZZ) })
    expectPage(page, 200, 'Palace Theatre')
    expect(fieldsIn(page.html)).toMatchObject({
      start_date: ['2027-02-19'],
      start_date_time: ['19:00'],
      end_date_time: ['21:00'],
      venue: [expect.stringMatching(/^\d+$/)],
      cost: ['£5'],
    })
    expect(page.html).toContain('<mark data-of="venue">Palace Theatre</mark>')
    expect(page.html).toContain('<mark data-of="start_date">19 February 2027, 7 pm</mark>')
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

  it('describes places and people that the calendar does not know, and repeats further dates', async () => {
    const text =
      'Yoga, 2, 9 and 16 March 2027, 7 pm, Riverside Hall, 12 Mill Road, Ashford. By the Lotus Club.'
    const yoga = answeredEvent(
      {
        title: 'Yoga',
        date: ['2, 9 and 16 March 2027', '2027-03-02'],
        time: ['7 pm', '19:00'],
        venue: ['Riverside Hall', 'Riverside Hall'],
        organizer: ['Lotus Club', 'Lotus Club'],
      },
      {
        address: '12 Mill Road',
        city: 'Ashford',
        room: 'Riverside Hall',
        further: { quote: '2, 9 and 16 March 2027', dates: ['2027-03-09', '2027-03-16'] },
        description: 'By the Lotus Club.',
      },
    )
    const page = await paste(text, { Yoga: { events: [yoga] } })
    expect(page.html).toContain('<mark data-of="city">Ashford</mark>')
    expect(page.html).toContain('<mark data-of="venue room">Riverside Hall</mark>')
    const fields = fieldsIn(page.html)
    expect(fields).toMatchObject({
      venue_new_venue: ['Riverside Hall'],
      venue_new_address: ['12 Mill Road'],
      venue_new_city: ['Ashford'],
      organizer_new_organizer: ['Lotus Club'],
      recurrence: ['dates'],
      recurrence_also: expect.arrayContaining(['2027-03-09T19:00', '2027-03-16T19:00']),
    })
    expect(fields.description?.join()).toContain('By the Lotus Club.')
  })

  it('repeats by a rule', async () => {
    const text = 'Pottery every Thursday in March 2027 from 4 March 2027, 6 pm'
    const pottery = answeredEvent(
      { title: 'Pottery', date: ['4 March 2027', '2027-03-04'], time: ['6 pm', '18:00'] },
      { further: { quote: 'every Thursday in March 2027', rule: 'FREQ=WEEKLY;BYDAY=TH;UNTIL=20270331' } },
    )
    const { html } = await paste(text, { Pottery: { events: [pottery] } })
    expect(fieldsIn(html)).toMatchObject({ recurrence: ['weekly'], recurrence_until: ['2027-03-31'] })
  })

  it('names what is not believed, and offers it beside the field by a button that keeps what was typed', async () => {
    const liar = answerOf({
      ...JAZZ,
      date: ['19 February 2027', '2027-02-20'],
      cost: ['£5', 6],
      until: ['', ''],
    })
    const visitor = await visitorWith({ Jazz: liar })
    const { html, text } = await visitor.post(PASTE, { text: JAZZ_TEXT })
    expect(text).toContain('Left empty, because the text does not say it for certain:')
    expect(text).toContain('2027-02-20 19:00 (the words in the text say something else)')
    const fields = fieldsIn(html)
    expect([fields.start_date, fields.cost]).toEqual([[''], ['']])
    const [, index = ''] = /name="take" value="(\d)">Use “2027-02-20 19:00”/.exec(html) ?? []
    expect(html).toMatch(
      /formaction="\/admin\/events\/paste\/#draft" formtarget="_self" formnovalidate name="take"/,
    )
    // No answer is prepared for another question: the model isn't asked again.
    const again = await (await visitorWith({})).post(PASTE, {
      ...fields,
      title: 'My own title',
      text: JAZZ_TEXT,
      answer: hidden(html, 'answer'),
      draft: '0',
      take: index,
    })
    expect(fieldsIn(again.html)).toMatchObject({
      title: ['My own title'],
      start_date: ['2027-02-20'],
      start_date_time: ['19:00'],
      cost: [''],
    })
    expect(again.text).not.toContain('2027-02-20 19:00 (')
    expect(again.text).toContain('6 (the words in the text say something else)')
  })

  it('checks an answer that a form brings along again', async () => {
    const visitor = await visitorWith({})
    const answer = JSON.stringify(
      answerOf({ ...JAZZ, title: 'Free beer', date: ['19 February 2027', '2027-03-19'] }),
    )
    const { html } = await visitor.post(PASTE, { text: JAZZ_TEXT, answer })
    expect(fieldsIn(html)).not.toMatchObject({ title: ['Free beer'] })
    expect((await visitor.post(PASTE, { text: 'Jazz', answer: '{"events": 3}' })).text).toContain(
      'gave no usable answer',
    )
  })

  it('marks a day that its weekday contradicts, and an hour that may be in the morning', async () => {
    const text = 'Jazz night, Monday 19 February 2027 at 7.30'
    const answer = answerOf({
      title: 'Jazz night',
      date: ['Monday 19 February 2027', '2027-02-19'],
      time: ['7.30', '19:30'],
    })
    const page = await paste(text, { Jazz: answer })
    expect(fieldsIn(page.html)).toMatchObject({ start_date: ['2027-02-19'], start_date_time: ['19:30'] })
    expect(page.text).toContain('Please look at this again:')
    expect(page.text).toContain('2027-02-19 19:30 (the weekday in the text is another one)')
    expect(page.text).toContain('whether it is in the morning or in the evening')
    expect(page.html).not.toContain('name="take"')
  })

  it('takes 20,000 characters, however many lines they have', async () => {
    const end = 'Jazz, 5 March 2027, 8 pm'
    const text = `${end}\r\n${'x\r\n'.repeat(9_950)}`
    // A browser counts a line break as one character, and sends two.
    expect(text.replaceAll('\r\n', '\n').length).toBeLessThanOrEqual(20_000)
    expect(fieldsIn((await paste(text)).html)).toMatchObject({ start_date: ['2027-03-05'] })
  })

  it('leaves a time empty that nobody said', async () => {
    const answer = answerOf({
      title: 'New prints',
      date: ['5 to 28 March 2027', '2027-03-05'],
      to: ['5 to 28 March 2027', '2027-03-28'],
    })
    const page = await paste('Exhibition: New prints, 5 to 28 March 2027', { prints: answer })
    expect(fieldsIn(page.html)).toMatchObject({ start_date: ['2027-03-05'], end_date: ['2027-03-28'] })
    expect(fieldsIn(page.html).start_date_time ?? ['']).toEqual([''])
  })

  it('shows several events one after the other, and asks the model once', async () => {
    const text = 'Mass, 3 July 2027, 9 am. Mass, 10 July 2027, 9 am. Summer fair, 11 July 2027, 3 pm'
    const at9 = ['9 am', '09:00'] as const
    const answer = answerOf(
      { title: 'Mass', date: ['3 July 2027', '2027-07-03'], time: at9 },
      { title: 'Mass', date: ['10 July 2027', '2027-07-10'], time: at9 },
      { title: 'Summer fair', date: ['11 July 2027', '2027-07-11'], time: ['3 pm', '15:00'] },
    )
    const first = await paste(text, { Mass: answer })
    expect(first.text).toContain('3 events were found')
    expect(first.html).toContain('enctype="multipart/form-data" target="_blank"')
    const names = [...first.html.matchAll(/name="draft"[^>]*>([^<]*)</g)].map(([, name]) =>
      name?.replace(/\s/g, ' '),
    )
    expect(names).toEqual(['Mass, Sat, Jul 3, 9:00 AM', 'Mass, Sat, Jul 10, 9:00 AM', 'Summer fair'])
    const carried = { text: hidden(first.html, 'text'), answer: hidden(first.html, 'answer') }
    const visitor = await visitorWith({})
    const second = await visitor.post(PASTE, { ...carried, draft: '1' })
    expect(fieldsIn(second.html)).toMatchObject({ start_date: ['2027-07-10'] })
    expect(second.text).toContain('2 of 3:')
    // Whatever number somebody sends.
    for (const draft of ['99', '-1', 'x'])
      expect((await visitor.post(PASTE, { ...carried, draft })).status).toBe(200)
  })

  it('says that a text announces more events than it shows', async () => {
    const answer = { ...answerOf(JAZZ), more: true }
    expect((await paste(JAZZ_TEXT, { Jazz: answer })).text).toContain(
      'The text announces more than these 1 events.',
    )
  })

  it('says that no event was found, and keeps the text', async () => {
    const page = await paste('Thanks to all helpers!', { Thanks: { events: [] } })
    expect(page.text).toContain('No event was found in this text.')
    expect(page.html).toContain('Thanks to all helpers!</textarea>')
  })

  it('says which model gets the text, and what is read without one', async () => {
    expect((await (await visitorWith({})).get(PASTE)).text).toContain(
      'The text is sent to a language model, which takes some seconds: @cf/meta/llama-3.3-70b-instruct-fp8-fast (Cloudflare Workers AI).',
    )
    const page = await browser.get(PASTE)
    expect(page.text).toContain('This calendar has no language model, so it reads only one plain date')
    expect(page.html).not.toContain('data-while-sent')
  })

  it('reads without the model if that fails, says so, and asks again by a button', async () => {
    const text = 'Jazz in the park\n5 March 2027, 8 pm'
    const visitor = await visitorWith(undefined, {
      AI: { run: async () => Promise.reject(new Error('3040')) },
    })
    const page = await visitor.post(PASTE, { text })
    expect(page.text).toContain(
      'The language model gave no usable answer. Only the plain date and time were read.',
    )
    expect(fieldsIn(page.html)).toMatchObject({
      title: ['Jazz in the park'],
      start_date: ['2027-03-05'],
      start_date_time: ['20:00'],
    })
    expect(hidden(page.html, 'text').replaceAll('\r\n', '\n')).toBe(text)
    expect(page.text).toContain('Ask the language model again')
    const used = await visitorWith({ Jazz: answerOf(JAZZ) }, { AI_TEXTS: '0' })
    expect((await used.post(PASTE, { text })).text).toContain('reads no more texts today')
  })

  it('says that the text calls the event off, in the form as well', async () => {
    const text = 'CANCELLED: Jazz, 5 March 2027, 8 pm'
    const off = {
      title: 'Jazz',
      date: ['5 March 2027', '2027-03-05'],
      status: ['CANCELLED', 'canceled'],
    } as const
    const statusIn = async (answer: unknown) => {
      const { html, text: shown } = await paste(text, { Jazz: answer })
      return [fieldsIn(html).event_status?.[0], shown.includes('does not take place as planned')]
    }
    expect(await statusIn(answerOf(off))).toEqual(['canceled', true])
    const { status: _, ...overlooked } = off
    expect(await statusIn(answerOf(overlooked))).toEqual(['scheduled', false])
    expect((await paste(text, { Jazz: answerOf(overlooked) })).text).toContain(
      'words that call something off',
    )
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
    const namesakes = async (title: string, status: readonly [string, string]) =>
      [
        ...(
          await paste(off(title), {
            [title]: answerOf({ title, date: ['12 May 2027', '2027-05-12'], status }),
          })
        ).html.matchAll(/<a href="\/admin\/events\/(\d+)\/" target="_blank">/g),
      ].map(([, id]) => Number(id))
    const CANCELED = ['CANCELLED', 'canceled'] as const
    const off = (what: string) => `CANCELLED: ${what}, 12 May 2027, 7.30 pm`
    expect(await namesakes('Reading by Ida Quill', CANCELED)).toEqual([ids['Reading by Ida Quill']])
    expect(await namesakes('Whist drive', CANCELED)).toEqual([ids['Whist drive']])
    expect(await namesakes('Fish supper', CANCELED)).toEqual([])
    expect(await namesakes('Reading by Ida Quill', ['', 'scheduled'])).toEqual([])
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
