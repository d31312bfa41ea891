import { beforeAll, describe, expect, it } from 'vitest'
import { declareUser, makeAll, makeEvent, makeVenue, SITE, send } from '../../factories.ts'
import { metricsOf } from '../../kit/http/metrics.ts'
import { page, type ShownPage } from './page.ts'
import { CASES, type Case, NONSENSE, SAMPLES, UNSEEN, UNSEEN_NONSENSE } from './similar-cases.ts'

const admin = declareUser('administrator', 'admin')

beforeAll(async () => {
  const events = SAMPLES.map(({ title, venue, organizer, category, tag }, i) => ({
    title,
    start_date: `2027-02-${String(1 + (i % 28)).padStart(2, '0')} 19:00`,
    end_date: `2027-02-${String(1 + (i % 28)).padStart(2, '0')} 21:00`,
    ...(venue && { venue: { venue } }),
    ...(organizer && { organizer: { organizer } }),
    ...(category && { categories: [category] }),
    ...(tag && { tags: [tag] }),
  }))
  await makeAll(admin, 'events', events)
})

const MAP_TILES = 'https://tiles.example.org/{z}/{x}/{y}.png'
const VARS = { EVENTS_PER_PAGE: '100', DEBUG_TIMING: '1', MAP_TILES }

const search = (words: string, more = '', path = '/events/'): Promise<ShownPage> =>
  page(`${path}?search=${encodeURIComponent(words)}${more}`, { vars: VARS })

const NOTE = 'Showing results for'

/** The searches that don't show what they mean. */
async function searchesThatMiss(cases: readonly Case[]): Promise<string[]> {
  const shown = await Promise.all(
    cases.map(async ([typed, title]) => ({ typed, isFound: (await search(typed)).text.includes(title) })),
  )
  return shown.filter(({ isFound }) => !isFound).map(({ typed }) => typed)
}

/** The searches that show anything. */
async function searchesThatFind(all: readonly string[]): Promise<string[]> {
  const pages = await Promise.all(all.map(async typed => ({ typed, text: (await search(typed)).text })))
  return pages.filter(({ text }) => !text.includes('No events found')).map(({ typed }) => typed)
}

describe('a search with wrong letters', () => {
  it('finds what is meant', async () => {
    expect(await searchesThatMiss(CASES)).toEqual([])
    expect(await searchesThatMiss(UNSEEN)).toEqual([])
  })

  it('finds nothing for words that mean nothing', async () => {
    expect(await searchesThatFind([...NONSENSE, ...UNSEEN_NONSENSE])).toEqual([])
  })

  it('says what is shown, and leads to the literal search', async () => {
    const { text, links, html } = await search('weir theater', '&date=2027-02-01')
    expect(text).toContain('Showing results for “weir theatre”. Search only for “weir theater” instead')
    const literal = '/events/?search=weir+theater&date=2027-02-01&exact=1'
    expect(links).toContain(literal)
    // Everything on the page goes on from what is shown, and the typed words stand in one place.
    expect(html).toContain('<h1>weir theatre · From')
    expect(html).toContain('name="search" value="weir theatre"')
    expect(html).toContain('<span aria-hidden="true">“weir theatre”</span>')
    expect(text.split('weir theater')).toHaveLength(2)
    expect(links).toContain('/events/2027-02/?search=weir+theatre')
    const plain = await page(literal, { vars: VARS })
    expect(plain.text).toContain('No events found')
    expect(plain.text).not.toContain(NOTE)
  })

  it('gives programs the calendar of what is shown, too', async () => {
    const calendarOf = async (path: string, words: string, more = ''): Promise<string | null> => {
      const { headers } = await search(words, `&ical=1${more}`, path)
      return new URL(headers.get('location') ?? '', SITE).searchParams.get('search')
    }
    for (const path of ['/events/', '/events/map/', '/events/2027-02/']) {
      expect(await calendarOf(path, 'weir theater'), path).toBe('weir theatre')
      expect(await calendarOf(path, 'weir theatre'), path).toBe('weir theatre')
      expect(await calendarOf(path, 'weir theater', '&exact=1'), path).toBe('weir theater')
    }
    const { headers } = await search('weir theater', '&ical=1', '/events/2027-02/')
    expect(headers.get('location')).toContain('happening=2027-02-01')
    const { html } = await search('weir theater')
    const searches = [...html.matchAll(/<link rel="alternate"[^>]*href="[^"]*search=([^"&]*)/g)]
    expect(new Set(searches.map(([, words]) => words))).toEqual(new Set(['weir+theatre']))
  })

  it('prefers one word to two, and a whole word to a part of it', async () => {
    await makeAll(
      admin,
      'events',
      ['The Stone Hinge', 'Stone Hinge Revisited', 'Stonehenge by Night', 'Bookbinders’ Workshops'].map(
        title => ({
          title,
          start_date: '2027-02-02 19:00',
          end_date: '2027-02-02 20:00',
        }),
      ),
    )
    expect((await search('stonehnge')).text).toContain('Showing results for “stonehenge”.')
    expect((await search('stonehinge')).text).toContain('Showing results for “stone hinge”.')
    expect((await search('bookbnder')).text).toContain('Showing results for “bookbinder”.')
  })

  it('finds what has the word with another ending, whichever letter was wrong', async () => {
    const titles = [
      'Spindles by the River',
      'Spindle from Scratch',
      'Dampfmaschinen',
      'Die erste Dampfmaschine',
    ]
    await makeAll(
      admin,
      'events',
      titles.map(title => ({ title, start_date: '2027-02-04 19:00', end_date: '2027-02-04 20:00' })),
    )
    const notFound: string[] = []
    for (const [word, stem, expected] of [
      ['spindles', 'spindle', titles.slice(0, 2)],
      ['dampfmaschinen', 'dampfmaschine', titles.slice(2)],
    ] as const)
      for (let i = 0; i < word.length; i++)
        for (const typed of [
          `${word.slice(0, i)}${word.slice(i + 1)}`,
          `${word.slice(0, i)}x${word.slice(i + 1)}`,
        ]) {
          // The stem itself is found, and so is the beginning of what has it.
          if (stem.startsWith(typed) || word.includes(typed)) continue
          const { text, html } = await search(typed)
          if (!html.includes(`<h1>${stem}</h1>`) || !expected.every(title => text.includes(title)))
            notFound.push(typed)
        }
    expect(notFound).toEqual([])
  })

  it('changes no words that are found, wherever that is', async () => {
    await makeEvent(admin, {
      title: 'Fidless quartet',
      start_date: '2027-02-01 19:00',
      end_date: '2027-02-01 20:00',
    })
    const { text } = await search('fidles')
    expect(text).toContain('Fidless quartet')
    expect(text).not.toContain(NOTE)
    // Both words are found, though not in one event.
    expect((await search('quartet yoga')).text).not.toContain(NOTE)
    expect((await search('lentern')).text).toContain(NOTE)
    // There are such events, but not on these days.
    const elsewhere = await search('fidless', '', '/events/2027-06/')
    expect(elsewhere.text).not.toContain(NOTE)
  })

  it('keeps the other filters, and the pages of days, weeks and months', async () => {
    expect((await search('ceramik', '&categories=crafts')).text).toContain('Weekend Ceramics Workshop')
    expect((await search('ceramik', '&categories=music')).text).not.toContain(NOTE)
    for (const path of ['/events/2027-02/', '/events/2027-02-05/', '/events/2027-W05/']) {
      const { status, text } = await search('ceramik', '', path)
      expect([status, text], path).toEqual([200, expect.stringContaining(NOTE)])
      expect(text, path).toContain('Weekend Ceramics Workshop')
    }
  })

  it('takes another round trip only if nothing was found, and one more for what is shown instead', async () => {
    const tripsOf = async (words: string) => metricsOf(await search(words)).trips
    expect({
      ifFound: await tripsOf('Lantern'),
      ifNothingSimilar: await tripsOf('xyxyxyxy'),
      ifSimilar: await tripsOf('flohmarktt'),
    }).toEqual({ ifFound: 1, ifNothingSimilar: 2, ifSimilar: 3 })
  })

  it('suggests nothing that the visitor may not see', async () => {
    const { id: hall } = await makeVenue(admin, 'Schattenspeicher', { status: 'draft' })
    await makeEvent(admin, { title: 'Zwielichtrevue', status: 'draft', venue: hall })
    await makeEvent(admin, { title: 'Unlisted Nebelhornquiz', hide_from_listings: true })
    expect(await searchesThatFind(['zwielichtrevu3', 'schattenspeichar', 'nebelhornkwiz'])).toEqual([])
  })

  it('takes whatever is typed', async () => {
    const words = [
      '"fidl" OR *',
      'NEAR(fiddels, 2)',
      `${'fiddel'.repeat(33)}`,
      '%%%% ____',
      '’’’’ 🎻🎻🎻🎻',
      "fiddles'; DROP",
      'ａｂｃｄｅ',
      '﷽﷽',
    ]
    for (const word of words) expect((await search(word)).status).toBe(200)
  })

  it('compares no endless words, nor what comes late in a title', async () => {
    const endless = (letter: string, length: number) =>
      `${'q'.repeat(length / 2)}${letter}${'v'.repeat(length / 2)}`
    const late = `${'Reading and more '.repeat(18)}Zylinderkopf`
    const titles = [endless('u', 58), endless('u', 60), late]
    const when = { start_date: '2027-02-03 19:00', end_date: '2027-02-03 20:00' }
    await makeAll(
      admin,
      'events',
      titles.map(title => ({ title, ...when })),
    )
    const shown = await Promise.all(
      [endless('a', 58), endless('a', 60), 'Zylinderkpf'].map(async typed =>
        (await search(typed)).text.includes(NOTE),
      ),
    )
    expect(shown).toEqual([true, false, false])
  })

  it('is not offered by the API', async () => {
    const { body } = await send('GET', '/events?search=flohmarktt&search_in=all')
    expect(body.total).toBe(0)
  })
})
