import { describe, expect, it, vi } from 'vitest'
import { fieldsIn } from '../../editor/forms.ts'
import { signedIn, signIn } from '../../editor/session.ts'
import { makeDatabaseAnew, makeUser, makeVenue, query, queryValue, send } from '../../factories.ts'
import { expectPage } from '../../site/pages/page.ts'

// Files of events, for people who keep them in a spreadsheet.

const editor = signedIn('editor')

const PATH = '/admin/sources/'
const NEW = `${PATH}file/`

/** Bytes in the code page of Windows, as German Excel saves them. */
const windows1252 = (text: string) => Uint8Array.from(text, one => one.charCodeAt(0))

const choose = (content: string | Uint8Array<ArrayBuffer>, name = 'import.csv') =>
  editor.browser.post(NEW, { file: new File([content], name) })

/** Chooses a file. @returns the address of the page that shows it, and the page */
async function uploadAndPreview(content: string | Uint8Array<ArrayBuffer>, name?: string) {
  const { headers, text } = await choose(content, name)
  const path = headers.get('location') ?? expect.fail(text)
  return { path, ...(await editor.browser.get(path)) }
}

/** Presses the button that imports what a page shows. */
const press = ({ path, html }: { path: string; html: string }, fields: Record<string, string> = {}) =>
  editor.browser.submit(path, { ...fieldsIn(html, 'none'), do: 'import', ...fields })

const storedEvents = () =>
  query(`SELECT title, status, start_date, end_date, all_day FROM events WHERE status <> 'trash' ORDER BY id`)
const countEvents = async () => (await storedEvents()).length

/** The list of the choir, as five programs save it. */
const PROGRAMS: [name: string, content: string | Uint8Array<ArrayBuffer>][] = [
  [
    'German Excel',
    windows1252(
      'Titel;Datum;Uhrzeit;Ort;Eintritt\r\nFr\u00fchjahrskonzert;Sa 13.03.2027;19:30;M\u00fcnster;12,00 \u0080\r\n"Chor; Probe";15.03.2027;20 Uhr;"Saal ""Gr\u00fcn""";\r\n;;;;\r\n',
    ),
  ],
  [
    'Excel, as Unicode',
    new Uint8Array([
      ...[0xff, 0xfe],
      ...Buffer.from(
        'Titel\tDatum\tUhrzeit\tOrt\r\nFrühjahrskonzert\t13.03.2027\t19:30\tMünster\r\n"Chor; Probe"\t15.03.2027\t20:00\t"Saal ""Grün"""\r\n',
        'utf16le',
      ),
    ]),
  ],
  [
    'LibreOffice',
    'Titel,Datum,Uhrzeit,Ort\nFrühjahrskonzert,13.03.27,19:30:00,Münster\n"Chor; Probe",15.03.27,20:00:00,"Saal ""Grün"""\n',
  ],
  [
    'Numbers',
    'Programm;;;\r\nTitel;Datum;Uhrzeit;Ort\r\nFrühjahrskonzert;13. März 2027;19:30;Münster\r\nChor\\; Probe;15. März 2027;20:00;Saal\r\n'.replace(
      'Chor\\; Probe',
      '"Chor; Probe"',
    ),
  ],
  [
    'Google Sheets',
    '\uFEFFTitel,Datum,Uhrzeit,Ort\r\nFrühjahrskonzert,"Samstag, 13. März 2027",19:30,Münster\r\n"Chor; Probe","Montag, 15. März 2027",20:00,"Saal ""Grün"""',
  ],
]

it('a preview shows a less-than sign in titles, places, categories and costs as it is', async () => {
  const { text } = await uploadAndPreview(
    'Title,Date,Place,Category,Cost\nLesung „Über < Mut“,2027-04-25,Saal < 2,Kinder < 12,Kinder < 12 frei\n„Ohne < Datum“,,,,\n',
  )
  expect(text).toContain(
    'Lesung „Über < Mut“ Sunday, April 25, 2027, All day · Saal < 2 (new venue) · Kinder < 12 · Kinder < 12 frei',
  )
  expect(text).toContain('Line 3 „Ohne < Datum“')
})

describe('a saved page', () => {
  const pageOf = (inside: string) =>
    `<!DOCTYPE html>\n<html><head><link rel="canonical" href="https://hall.example/">${inside}</head></html>`
  const event = (name: string, startDate: string) => ({ '@type': 'Event', name, startDate, url: `/${name}/` })
  const script = (json: unknown) => `<script type="application/ld+json">${JSON.stringify(json)}</script>`

  it('is shown and imported as its address would be', async () => {
    const content = pageOf(
      script([event('Jazz', '2027-04-25T19:00'), event('Blues', '2027-04-26T19:00[Middle/Earth]')]),
    )
    const shown = await uploadAndPreview(content, 'hall.html')
    expect(shown.text).toContain('2 events can be imported.')
    expect(shown.text).toContain('Unknown time zone “Middle/Earth”')
    const done = await press(shown, { status: 'publish' })
    expect(done.text).toContain('2 new')
    expect(
      await query(`SELECT title, website FROM events WHERE title IN ('Jazz', 'Blues') ORDER BY title`),
    ).toEqual([
      { title: 'Blues', website: 'https://hall.example/Blues/' },
      { title: 'Jazz', website: 'https://hall.example/Jazz/' },
    ])
    const again = await press(await uploadAndPreview(content, 'hall.html'), { status: 'publish' })
    expect(again.text).toContain('2 unchanged')
    expect(await queryValue(`SELECT kind FROM sources WHERE file = 'hall.html'`)).toBe('html')
  })

  it.each([
    [pageOf('<title>Hall</title>'), 'none.html', 'This page has no events that programs can read.'],
    [
      '{"data":[{"name":"Jazz"}]}',
      'export.json',
      'This is data from another program (JSON). Export the events there',
    ],
  ])('or JSON without events is refused with what would do', async (content, name, text) => {
    expect((await uploadAndPreview(content, name)).text).toContain(text)
  })
})

describe('a file', () => {
  it.each(PROGRAMS)('of %s is shown, and imported as it is meant', async (_, content) => {
    await makeDatabaseAnew()
    const { browser, as } = await signIn('editor')
    editor.browser = browser
    editor.as = as
    const shown = await uploadAndPreview(content)
    expect(shown.text).toContain('2 events can be imported.')
    expect(shown.text).toMatch(/Frühjahrskonzert.*Saturday, March 13, 2027, 7:30 PM.*Münster.*Chor; Probe/s)
    expect(await countEvents()).toBe(0)
    const done = await press(shown, { status: 'publish' })
    expect(done.text).toContain('2 new')
    expect(await storedEvents()).toMatchObject([
      { title: 'Frühjahrskonzert', status: 'publish', start_date: '2027-03-13 19:30:00', all_day: 0 },
      { title: 'Chor; Probe', status: 'publish', start_date: '2027-03-15 20:00:00', all_day: 0 },
    ])
    // The same file, saved again by a browser, adds nothing.
    const again = await press(await uploadAndPreview(content, 'import (1).csv'), { status: 'publish' })
    expect(again.text).toContain('2 unchanged')
    expect(await countEvents()).toBe(2)
    expect(await queryValue('SELECT count(*) FROM sources')).toBe(1)
    expect(await queryValue('SELECT count(*) FROM source_documents')).toBe(0)
    // It is the calendar's own: nothing in public names the file.
    const { body } = await send('GET', '/events')
    expect(body.events[0]).not.toHaveProperty('source')
  })

  it('asks once which way round days are, and names and leaves out lines that cannot be read', async () => {
    const content =
      'Title;Date;Time\nOne;5/6/2027;10:00\nTwo;13.6.2027;\n;14.6.2027;\nFour;soon;\nTwo;13.6.2027;\n=cmd|x!A1;14.6.2027;\n'
    const asked = await uploadAndPreview(content, 'ways.csv')
    expect(asked.text).toMatch(/2 events can be imported.*How is 5\/6\/2027 meant/s)
    expect(asked.text).toMatch(/Line 2 One .*two ways.*Line 4 .*no name.*Line 5 Four .*Line 6 Two .*twice/s)
    // Nothing is left out that nobody has agreed to.
    expectPage(await press(asked), 422, 'Correct the file')
    const chosen = await editor.browser.submit(asked.path, {
      ...fieldsIn(asked.html, 'none'),
      dates: 'dmy',
      do: 'look',
    })
    expect(chosen.text).toMatch(/3 events can be imported.*One.*Saturday, June 5, 2027/s)
    const before = await countEvents()
    const done = await press({ path: asked.path, html: chosen.html }, { leave_out: '1' })
    expect(done.text).toMatch(/3 new, 3 skipped.*Line 4.*Line 5 Four.*Line 6 Two/s)
    expect((await storedEvents()).slice(before)).toMatchObject([
      { title: 'One', status: 'draft', start_date: '2027-06-05 10:00:00' },
      { title: 'Two', status: 'draft' },
      { title: '=cmd|x!A1', status: 'draft' },
    ])
    // What was answered once counts for the next file of this name.
    expect((await uploadAndPreview(`${content}Five;7/6/2027;\n`, 'ways.csv')).text).toMatch(
      /4 events can be imported/,
    )
  })

  it('names equal problems of many lines once, with their number', async () => {
    const shown = await uploadAndPreview(
      `Title;Date\nOne;13.6.2027\n${'Odd;soon\n'.repeat(5)};14.6.2027\n`,
      'equal.csv',
    )
    expect(shown.text).toContain('5 lines (3, 4, 5, 6, 7):')
    expect(shown.text.match(/Odd/g)).toBe(null)
    expect(shown.text).toMatch(/Line 8 .*no name/)
  })

  it('asks nothing about days that other lines of the column settle', async () => {
    const { text } = await uploadAndPreview('Title,Date\nOne,5/6/2027\nTwo,13/6/2027\n', 'settled.csv')
    expect(text).toMatch(/2 events can be imported.*Saturday, June 5, 2027/s)
    expect(text).not.toContain('meant')
  })

  it('says how it has read days because of the language of its headings, and lets somebody choose', async () => {
    const as = await makeUser('chief', 'administrator')
    await send('PATCH', '/settings', { as, json: { language: 'de' } })
    const shown = await uploadAndPreview('Titel;Datum\nEins;5/6/2027\nZwei;7/6/2027\n', 'tage.csv')
    expect(shown.text).toContain('5. Juni 2027')
    expect(shown.text).toMatch(/5\/6\/2027.*als 2027-06-05 gelesen, weil die Überschriften/s)
    const chosen = await editor.browser.submit(shown.path, {
      ...fieldsIn(shown.html, 'none'),
      dates: 'mdy',
      do: 'look',
    })
    expect(chosen.text).toContain('6. Mai 2027')
    await send('PATCH', '/settings', { as, json: { language: 'en' } })
  })

  it('has columns that are reassigned by choice', async () => {
    const shown = await uploadAndPreview('Wer;Kick;Start;Wo\nTrio;19.06.2027;20:00;Hof\n', 'columns.csv')
    expect(shown.text).toMatch(/No event can be imported.*Choose them below/s)
    expect(shown.html).toMatch(/<details class="card" open>/)
    const fields = {
      ...fieldsIn(shown.html, 'none'),
      'column-0': 'title',
      'column-1': 'start_date',
      do: 'look',
    }
    const read = await editor.browser.submit(shown.path, fields)
    expect(read.text).toMatch(/One event can be imported\..*Trio.*Saturday, June 19, 2027, 8:00 PM.*Hof/s)
    expect((await press({ path: shown.path, html: read.html })).text).toContain('1 new')
    // A column of days is not left out without a choice.
    const unclear = await uploadAndPreview(
      'Titel;Datum;Premiere am\nFaust;20.06.2027;18.06.2027\n',
      'unclear.csv',
    )
    expect(unclear.text).toContain('not clear which')
    expectPage(await press(unclear), 422, 'Correct the file')
    const agreed = { ...fieldsIn(unclear.html, 'none'), do: 'look' }
    expect((await editor.browser.submit(unclear.path, agreed)).text).toContain('One event can be imported.')
    expectPage(
      await editor.browser.post(unclear.path, { do: 'look', 'column-0': 'x', 'name-0': 'y' }),
      422,
      '',
    )
  })

  it('is shown ten events at a time, imported a part at a time, and undone as one', async () => {
    const rows = Array.from(
      { length: 120 },
      (_, i) => `Walk ${i + 1},2027-07-01,${8 + (i % 9)}:00,Hill ${i % 5}`,
    )
    const shown = await uploadAndPreview(['Title,Date,Time,Place', ...rows].join('\n'), 'walks.csv')
    expect(shown.text).toMatch(/120 events.*Walk 1 .*Walk 10 /s)
    expect(shown.text).not.toContain('Walk 11')
    expect(shown.links).toContain(`${shown.path}?page=2#events`)
    expect((await editor.browser.get(`${shown.path}?page=12`)).text).toMatch(/Walk 111 .*Walk 120 /s)
    const before = await countEvents()
    let page = await press(shown)
    for (let times = 0; /id="goes-on"/.test(page.html) && times < 9; times++) {
      expect(page.text).toMatch(/\d+ of 120 are imported/)
      page = await editor.browser.submit(page.html.match(/action="([^"]*continue\/)"/)?.[1] ?? '')
    }
    expect(page.text).toMatch(/120 new/)
    expect(await countEvents()).toBe(before + 120)
    expect(await queryValue('SELECT count(*) FROM source_documents WHERE place >= -1')).toBe(0)
    vi.setSystemTime(Date.now() + 60_000)
    // A second file of the name adds one; undoing it takes back that one.
    const path = shown.path.replace('file/', '')
    await press(
      await uploadAndPreview(['Title,Date,Time,Place', ...rows, 'Late,2027-07-02,,'].join('\n'), 'walks.csv'),
    )
    for (let times = 0; (await countEvents()) < before + 121 && times < 9; times++)
      await editor.browser.post(`${path}sync/`)
    for (let times = 0; /id="goes-on"/.test((await editor.browser.get(path)).html) && times < 9; times++)
      await editor.browser.post(`${path}sync/`)
    expect((await editor.browser.get(`${path}undo/`)).text).toContain('The event of walks.csv that was added')
    expect((await editor.browser.submit(`${path}undo/`)).text).toContain('Undone, 1 in the trash')
    expect(await countEvents()).toBe(before + 120)
    expect(await queryValue(`SELECT count(*) FROM events WHERE title = 'Late' AND status = 'trash'`)).toBe(1)
    // The same file once more brings it back.
    await press(
      await uploadAndPreview(['Title,Date,Time,Place', 'Late,2027-07-02,,'].join('\n'), 'walks.csv'),
    )
    expect(await countEvents()).toBe(before + 121)
    // A file that is imported while the import before it is being undone has to wait.
    await query(
      "UPDATE sources SET undoing = (SELECT max(id) FROM source_runs WHERE source_id = sources.id) WHERE file = 'walks.csv'",
    )
    const early = await press(
      await uploadAndPreview(['Title,Date,Time,Place', 'Later,2027-07-03,,'].join('\n'), 'walks.csv'),
    )
    expect(early.text).toContain('The last import is still being undone.')
    expect(early.text).not.toContain('It is imported')
  })

  it('is shown with prices, categories, and the venues that are new', async () => {
    await makeVenue(editor.as, 'Old hall')
    await makeVenue(editor.as, 'Hidden hall', { status: 'private' })
    const shown = await uploadAndPreview(
      `Title,Date,Place,Cost,Category
Jazz,2027-05-01,OLD Hall,12,Music
Blues,2027-05-02,New hall,8 / 5 $,"Music, Dance"
Soul,2027-05-03,New hall,free of charge,
Folk,2027-05-04,Hidden hall,,
Rock,2027-05-05,,0,
`,
      'prices.csv',
    )
    const factsIn = (html: string) =>
      [...html.matchAll(/<span class="small">([^<]*)<\/span><\/div>/g)].map(([, facts]) =>
        facts?.split(' · ').slice(1),
      )
    expect(factsIn(shown.html)).toEqual([
      ['OLD Hall', 'Music', '$12'],
      ['New hall (new venue)', 'Music', '$8 / $5'],
      ['New hall (new venue)', 'free of charge'],
      // A hidden venue of the same name stays hidden, so that there will be two.
      ['Hidden hall (new venue)'],
      ['Free'],
    ])
    expectPage(await press(shown, { status: 'publish' }), 200, 'It is imported: 5 new')
    expect(await query("SELECT name FROM venues WHERE name LIKE '%hall' ORDER BY name")).toEqual(
      ['Hidden hall', 'Hidden hall', 'New hall', 'Old hall'].map(name => ({ name })),
    )
    const again = await uploadAndPreview('Title,Date,Place\nMore,2027-05-06,New hall\n', 'more.csv')
    expect(again.text).not.toContain('new venue')
  })

  it('keeps private what a program marks as private in its own language', async () => {
    const shown = await uploadAndPreview(
      windows1252(
        '"Betreff","Beginnt am","Beginnt um","Privat","Vertraulichkeit","Ort"\r\n"Arzt","13.04.2027","09:00:00","Ein","Normal","Praxis"\r\n"Chor","14.04.2027","19:00:00","Aus","Normal","Saal"\r\n"Gespr\u00e4ch","15.04.2027","10:00:00","Aus","Vertraulich","B\u00fcro"\r\n"Unklar","16.04.2027","10:00:00","Jein","Normal","Loge"\r\n',
      ),
      'outlook.csv',
    )
    expect(shown.text).toMatch(
      /4 events can be imported\. 2 of them stay private\..*Chor.*Arzt.*Only for editors.*Gespräch.*Only for editors.*Unklar.*For review.*this doesn’t say clearly whether everybody may see it/s,
    )
    await press(shown, { status: 'publish', leave_out: '1' })
    const statuses = `SELECT title AS name, status FROM events WHERE title IN ('Arzt', 'Chor', 'Gespräch', 'Unklar')
      UNION ALL SELECT name, status FROM venues WHERE name IN ('Praxis', 'Saal', 'Büro', 'Loge') ORDER BY 2, 1`
    const rows = await query(statuses)
    expect(rows.map(({ name, status }) => `${name} ${status}`)).toEqual([
      ...['Loge pending', 'Unklar pending', 'Arzt private', 'Büro private', 'Gespräch private'],
      ...['Praxis private', 'Chor publish', 'Saal publish'],
    ])
    // Somebody has looked at it: the file does not take that back.
    const id = await queryValue("SELECT id FROM events WHERE title = 'Unklar'")
    await send('PATCH', `/events/${id}`, { as: editor.as, json: { status: 'publish' } })
    await press(
      await uploadAndPreview(
        'Betreff,Beginnt am,Beginnt um,Privat,Beschreibung\nUnklar,16.04.2027,10:00,Jein,Neu\n',
        'outlook.csv',
      ),
      { status: 'publish', leave_out: '1' },
    )
    expect(await queryValue("SELECT status FROM events WHERE title = 'Unklar'")).toBe('publish')
  })

  it('of a calendar is imported with its series', async () => {
    const text =
      'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:a@x\r\nDTSTART:20270801T100000Z\r\nRRULE:FREQ=DAILY;COUNT=3\r\nSUMMARY:Camp\r\nLOCATION:Lake\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:b@x\r\nSUMMARY:Broken\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'
    const shown = await uploadAndPreview(text, 'camp.ics')
    expect(shown.text).toMatch(/One event can be imported.*Camp.*August 1, 2027.*Lake.*Line 10/s)
    expect(shown.html).not.toContain('name="column-0"')
    const before = await countEvents()
    expect((await press(shown, { leave_out: '1' })).text).toContain('3 new')
    expect(await countEvents()).toBe(before + 3)
    const path = shown.path.replace('file/', '')
    expect((await editor.browser.submit(`${path}undo/`)).text).toContain('Undone, 3 in the trash')
    expect(await countEvents()).toBe(before)
  })

  it('of a calendar may have events without a title, which are named and can be imported', async () => {
    const room = ['05', '06'].map(
      day => `BEGIN:VEVENT\r\nUID:${day}@room\r\nDTSTART:202708${day}T100000Z\r\nEND:VEVENT\r\n`,
    )
    const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${room.join('')}END:VCALENDAR\r\n`
    const shown = await uploadAndPreview(text, 'room.ics')
    expect(shown.text).toMatch(
      /No title Thursday, August 5, 2027.*It has no title\. Its page shows .*2 times/s,
    )
    const before = await countEvents()
    expect((await press(shown)).text).toContain('2 new')
    expect(await countEvents()).toBe(before + 2)
    await editor.browser.submit(`${shown.path.replace('file/', '')}undo/`)
  })

  it('that cannot be imported ends with a message', async () => {
    const before = await queryValue('SELECT count(*) FROM sources')
    for (const [content, said] of [
      [new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), 'Save the sheet as CSV'],
      [new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]), 'Save the sheet as CSV'],
      [new Uint8Array([1, 2, 3, 4, 0, 0, 0, 9]), 'isn’t text that can be read'],
      [new Uint8Array(2 * 1024 * 1024 + 1).fill(65), 'at most 2 MB'],
      ['', 'Please choose a file.'],
    ] as const)
      expectPage(await choose(content), 422, said)
    expectPage(await choose(new Uint8Array(13 * 1024 * 1024).fill(65)), 413, 'at most 2 MB')
    expect(await queryValue('SELECT count(*) FROM sources')).toBe(before)
    expectPage(await editor.browser.post(NEW, { file: 'text' }), 422, 'Please choose a file.')
    for (const [content, said] of [
      ['Title,Date\n'.padEnd(200_000, 'a,1\n'), 'more than 5,000 rows'],
      [`Title,Date,${'a,'.repeat(600)}\nA,2027-01-01`, 'more than 500 columns'],
      ['Title,Date\n"A,2027-01-01', 'neither a calendar nor a table that can be read'],
      ['x'.repeat(2_000_000), 'No columns with title and date'],
      [`Title,Date,Organizer\nA,2027-01-01,"${'a,'.repeat(900_000)}"`, 'One event can be imported.'],
      ['<script>alert(1)</script>,Date\n<img src=x>,2027-01-01', 'No columns'],
    ] as const) {
      const shown = await uploadAndPreview(content, 'hostile.csv')
      expect(shown.text, content).toContain(said)
      expect(shown.html, content).not.toMatch(/<img src=x>|<script>alert/)
    }
  })

  it('is for administrators and editors, has no settings, and is deleted if nobody imports it', async () => {
    const { path } = await uploadAndPreview('Title,Date\nA,2027-01-01', 'mine.csv')
    for (const role of ['author', 'contributor', 'subscriber'] as const) {
      const { browser } = await signIn(role)
      for (const at of [NEW, path]) expect((await browser.get(at)).status).toBe(403)
      expect((await browser.post(NEW, { file: new File(['Title,Date'], 'x.csv') })).status).toBe(403)
      expect((await browser.post(path, { do: 'import' })).status).toBe(403)
    }
    const id = Number(/\d+/.exec(path)?.[0])
    const list = await editor.browser.get(PATH)
    expect(list.text).toMatch(/mine\.csv Uploaded file.*not imported yet/s)
    expect((await editor.browser.get(`${PATH}${id}/`)).links).toContain(path)
    for (const json of [{ url: 'https://x.example/' }, { every: 'day' }, { mirror: true }])
      expect((await send('PATCH', `/sources/${id}`, { as: editor.as, json })).status).toBe(400)
    expect((await editor.browser.get(`${PATH}9999/file/`)).status).toBe(404)
  })
})
