import { beforeAll, describe, expect, it } from 'vitest'
import { formatCost } from '../../../src/kit/lib/cost.ts'
import { directionOf, firstWeekday, LANGUAGES, languageOf } from '../../../src/kit/lib/languages.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import { ASSETS } from '../../../src/site/html/assets.ts'
import { costWords } from '../../../src/words/cost.ts'
import { datesOf } from '../../../src/words/dates.ts'
import { textsIn } from '../../../src/words/words.ts'
import { makeEvent, makeUser, SITE } from '../../factories.ts'
import { page } from './page.ts'

beforeAll(async () => {
  const admin = await makeUser('admin', 'administrator')
  await makeEvent(admin, {
    title: 'Late',
    start_date: '2026-12-10 23:59',
    end_date: '2026-12-10 23:59',
  })
  await makeEvent(admin, {
    title: 'Jazz',
    start_date: '2026-12-10 20:00',
    end_date: '2026-12-10 23:00',
    cost: '0',
  })
})

describe.each(LANGUAGES)('%s', language => {
  it('is the language of pages, dates and errors', async () => {
    const vars = { LANGUAGE: language }
    const words = textsIn(language).pages
    const list = await page('/events/', { vars })
    expect(list.html).toContain(`<html lang="${language}" dir="ltr">`)
    expect(list.headers.get('content-language')).toBe(language)
    expect(list.text).toContain(words.upcoming)
    expect(list.text).toContain(words.free)
    const month = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(
      new Date('2026-12-10'),
    )
    expect(list.text).toContain(month)
    expect((await page('/nowhere', { vars })).text).toContain(words.notFound)
  })
})

it('dates at the beginning of a line are capitalized', async () => {
  for (const [language, month, weekday] of [
    ['fr', 'Décembre 2026', 'Jeudi'],
    ['es', 'Diciembre de 2026', 'Jueves'],
  ] as const) {
    const vars = { LANGUAGE: language }
    expect((await page('/events/2026-12/', { vars })).html, language).toContain(`<h1>${month}</h1>`)
    expect((await page('/events/2026-12-10/', { vars })).html, language).toContain(`<h1>${weekday}`)
    expect((await page('/event/jazz/', { vars })).html, language).toContain(`strong">${weekday}`)
    expect((await page('/events/', { vars })).html, language).toContain(`weekday">${weekday}<`)
  }
})

it('French pages have a space before every colon behind words', async () => {
  const admin = await makeUser('series', 'administrator')
  await makeEvent(admin, { title: 'Choir', start_date: '2026-12-10 20:00', recurrence: 'FREQ=DAILY;COUNT=3' })
  for (const path of ['/events/', '/event/choir/all/']) {
    const shown = await page(path, { vars: { LANGUAGE: 'fr' } })
    expect(shown.status, path).toBe(200)
    const texts = shown.html.replace(/<[^>]*>/g, '')
    expect(texts.match(/[^\s:]+: .*/g), path).toBeNull()
    expect(texts, path).toMatch(/\p{L}\u00a0: /u)
  }
})

it('an hour has as many digits alone as in a range', () => {
  for (const [tag, time, times] of [
    ['de', '09:00', '09:00–10:30\u00a0Uhr'],
    ['en-GB', '09:00', '09:00–10:30'],
    ['es', '9:00', '9:00–10:30'],
    ['en', '9:00 AM', '9:00 – 10:30 AM'],
  ] as const) {
    const dates = datesOf(tag)
    const from = '2027-01-10 09:00:00'
    const to = '2027-01-10 10:30:00'
    const shown = [dates.format('time', from), dates.times(from, to)]
    expect(
      shown.map(text => text.replace(/[\u2009\u202f]/g, ' ')),
      tag,
    ).toEqual([time, times])
  }
})

it('an evening that ends at midnight is one day', () => {
  for (const [tag, evening, day] of [
    ['en', '9:30 PM – 12:00 AM', '12:00 AM – 12:00 AM'],
    ['en-GB', '21:30–00:00', '00:00 – 00:00'],
    ['de', '21:30–00:00 Uhr', '00:00 – 00:00 Uhr'],
    ['es', '21:30–0:00', '0:00 – 0:00'],
    ['fr', '21:30 – 00:00', '00:00 – 00:00'],
  ] as const) {
    const { times } = datesOf(tag)
    const shown = ['2026-11-24 21:30:00', '2026-11-24 00:00:00'].map(from =>
      times(from, '2026-11-25 00:00:00'),
    )
    expect(
      shown.map(text => text.replace(/[\u2009\u202f\u00a0]/g, ' ')),
      tag,
    ).toEqual([evening, day])
  }
})

describe('languages', () => {
  it('may have a region, which affects dates', () => {
    expect(languageOf('de-AT')).toBe('de')
    expect(datesOf('de-AT').format('month', '2027-01-01 00:00:00')).toBe('Jänner 2027')
    expect(datesOf('en-GB').format('time', '2027-01-01 20:30:00')).toBe('20:30')
    expect({
      american: firstWeekday('en-US'),
      british: firstWeekday('en-GB'),
      german: firstWeekday('de'),
    }).toEqual({ american: 7, british: 1, german: 1 })
  })

  it('have no ß in Switzerland and Liechtenstein, and texts of other regions stay', () => {
    for (const tag of ['de-CH', 'de-ch', 'de-LI', 'de-Latn-CH'])
      expect(JSON.stringify(textsIn(tag)), tag).not.toContain('ß')
    const { noAddress } = textsIn('de-CH').form
    expect(noAddress).toContain('zuerst Strasse')
    for (const tag of ['de', 'de-AT', 'de-DE']) expect(textsIn(tag), tag).toBe(textsIn('de-AT'))
    expect(textsIn('fr-CH')).toBe(textsIn('fr'))
  })

  it('without a catalogue, and invalid tags, are rejected', () => {
    for (const LANGUAGE of ['it', 'de_AT', 'english', 'de-'])
      expect(() => settingsOf({ LANGUAGE })).toThrow(/^LANGUAGE: /)
  })

  it('have a direction', () => {
    expect({ arabic: directionOf('ar-EG'), hebrew: directionOf('he'), german: directionOf('de') }).toEqual({
      arabic: 'rtl',
      hebrew: 'rtl',
      german: 'ltr',
    })
  })
})

describe('vars of the pages', () => {
  it.each([
    ['WEBSITE', 'maybe'],
    ['ACCENT_COLOR', 'red'],
    ['SITE_LOGO', 'javascript:alert(1)'],
    ['SITE_LOGO', '//evil.example/x'],
    ['STYLESHEET', 'style.css'],
  ])('%s must not be %s', (name, value) => {
    expect(() => settingsOf({ [name]: value })).toThrow(new RegExp(`^${name}: `))
  })

  it('appear on pages', async () => {
    const vars = {
      SITE_NAME: 'Kilkenny',
      SITE_LOGO: '/logo.svg',
      ACCENT_COLOR: '#FF0',
      STYLESHEET: 'https://style.example/a.css',
      FOOTER_TEXT: 'Made by neighbours',
    }
    const { html, headers } = await page('/events/', { vars })
    for (const part of [
      'src="/logo.svg"',
      // What has no image of its own is shared with the logo.
      `<meta property="og:image" content="${SITE}/logo.svg">`,
      '>Kilkenny<',
      'href="https://style.example/a.css"',
      'Made by neighbours',
    ])
      expect(html).toContain(part)
    expect(headers.get('content-security-policy')).toContain("style-src 'self' https://style.example;")
    const theme = html.match(/href="(\/_site\/theme-[^"]*)"/)?.[1] ?? ''
    const style = await page(theme)
    expect(style.html).toMatch(
      /^:root\{--accent:#[\da-f]{6};--on-accent:#[\da-f]{6};--brand:#ffff00;--on-brand:#000000\}@supports [^{]*\{:root\{--accent:light-dark\(#[\da-f]{6}, #[\da-f]{6}\);--on-accent:/,
    )
    expect(style.headers.get('cache-control')).toContain('immutable')
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
  })

  it('old names of static files lead to the current files', async () => {
    for (const [key, name] of [
      ['style', 'site.0123456789.css'],
      ['editorStyle', 'editor.0123456789.css'],
      ['editorScript', 'editor.0123456789.js'],
      ['passkeys', 'webauthn.0123456789.js'],
    ] as const) {
      const { status, headers } = await page(`/_site/${name}`)
      expect([status, headers.get('location')]).toEqual([302, ASSETS[key]])
    }
    expect((await page('/_site/other.css')).status).toBe(404)
    expect((await page('/_site/theme-zz.css')).status).toBe(404)
  })
})

describe('a cost', () => {
  const said = (cost: string, language: string, currency = { symbol: '€', code: 'EUR' }): string =>
    costWords({ language, currency }, formatCost(cost, currency))
  const NBSP = '\u00a0'

  it.each([
    ['25', 'de', `25${NBSP}€`],
    ['€25', 'de', `25${NBSP}€`],
    ['25 EUR', 'de', `25${NBSP}€`],
    ['12,50', 'de', `12,50${NBSP}€`],
    ['8 - 12', 'de', `8–12${NBSP}€`],
    ['€8 – €12', 'fr', `8–12${NBSP}€`],
    ['8-12', 'es', `8–12${NBSP}€`],
    ['8-12 €', 'en', '€8 – €12'],
    ['5 / 8 / 12', 'de', `5${NBSP}€ / 8${NBSP}€ / 12${NBSP}€`],
    ['5 / 3 €', 'de', `5${NBSP}€ / 3${NBSP}€`],
    ['5 / 3', 'en', '€5 / €3'],
    ['12 / 5,50 / 12 / 8', 'de', `12,00${NBSP}€ / 5,50${NBSP}€ / 8,00${NBSP}€`],
    ['12-8 €', 'de', `12–8${NBSP}€`],
    ['5 / 0', 'de', `5${NBSP}€ / 0${NBSP}€`],
    ['0', 'de', 'Eintritt frei'],
    ['0 - 5', 'de', `0–5${NBSP}€`],
    ['Erwachsene 10 €, Kinder 5 €', 'de', `Erwachsene 10${NBSP}€, Kinder 5${NBSP}€`],
    ['auf Spendenbasis', 'de', 'auf Spendenbasis'],
  ])('%s in %s is %s', (cost, language, expected) => {
    expect(said(cost, language).replace(/[\u2009\u202f]/g, ' ')).toBe(expected)
  })

  it('has the currency of its sign even if the calendar’s code is another', () => {
    expect(said('25', 'de', { symbol: '€', code: 'USD' })).toBe(`25${NBSP}€`)
    expect(said('25', 'en', { symbol: '$', code: 'CAD' })).toBe('$25')
    expect(said('25', 'en', { symbol: 'Taler', code: '' })).toBe('Taler25')
  })
})

it.each([
  ['en', '“a b”'],
  ['de', '„a b“'],
  ['fr', '« a b »'],
  ['es', '«a b»'],
])('quotation marks are those of the language: %s', async (LANGUAGE, quoted) => {
  const { text } = await page('/events/?search=a+b', { vars: { LANGUAGE } })
  expect(text.replaceAll('\u00a0', ' ')).toContain(` ${quoted}`)
})

it('a single time has its unit, too, except in the column of times', async () => {
  const vars = { LANGUAGE: 'de' }
  expect((await page('/event/late/', { vars })).text).toContain('23:59 Uhr')
  expect((await page('/events/', { vars })).text).toMatch(/ 23:59 (?!Uhr)/)
})
