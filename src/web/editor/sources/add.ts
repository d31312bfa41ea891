import { isMoment } from '../../../db/stored-values.ts'
import { capitalized } from '../../../lib/text.ts'
import { isObject } from '../../../lib/values.ts'
import type { PreviewResponse } from '../../../resources/sources/schema.ts'
import { filled, sourceWords } from '../../../words/words.ts'
import { form, problem } from '../../forms/element.ts'
import { backLink } from '../../html/back-link.ts'
import { counted } from '../../html/counted.ts'
import { type Html, html } from '../../html/html.ts'
import type { Admin } from '../admin.ts'
import type { AdminPage } from '../layout.ts'
import { NEW_SOURCE, SOURCES } from './paths.ts'

/** The page that asks for the address of a calendar. */
export function addressPage(admin: Admin, { url = '', error }: { url?: string; error?: string } = {}) {
  const words = sourceWords(admin.language)
  return {
    title: words.add,
    ...(error !== undefined && { status: 422 as const }),
    isNarrow: true,
    main: html`${backLink(SOURCES, words.title)}<h1>${words.add}</h1><p class="lead">${words.steps}</p>
${form(admin, {
  action: NEW_SOURCE,
  look: 'stack card',
  body: html`<div class="field"><label for="url">${words.address}</label>
<input id="url" name="url" inputmode="url" maxlength="2048" required autocomplete="off" autocapitalize="none" spellcheck="false" value="${url}" aria-describedby="url-hint${error && ' url-error'}"${error && html` aria-invalid="true"`} autofocus>
<p class="hint" id="url-hint">${words.addressHint}</p>
${problem('url-error', error)}</div>
<button class="button" type="submit" name="do" value="look">${words.look}</button><p class="hint">${words.lookNote}</p>`,
})}`,
  } satisfies AdminPage
}

/** An address as people type it. */
export const typedAddress = (text: string): string =>
  text === '' || /^(?:[a-z][a-z\d+.-]*:\/\/|webcals?:)/i.test(text) ? text : `https://${text}`

/** Characters of a title that are shown. */
const LONGEST = 200

/** What a look has found, as the form of the settings carries it on. */
export const packed = ({ events, ...found }: PreviewResponse): string =>
  JSON.stringify({
    ...found,
    events: events.map(event => ({ ...event, title: event.title.slice(0, LONGEST).toWellFormed() })),
  })

type Found = {
  total: number
  events: readonly Pick<PreviewResponse['events'][number], 'title' | 'start_date' | 'all_day'>[]
}

/** What a form has carried on. It is shown to nobody but the one who sent it. */
export function unpacked(text: string): Found | undefined {
  try {
    const found: unknown = JSON.parse(text)
    if (!isObject(found) || !Array.isArray(found.events)) return undefined
    const events = found.events.filter(isObject).map(event => ({
      title: String(event.title),
      start_date: String(event.start_date),
      all_day: event.all_day === true,
    }))
    const isWhole = events.every(({ start_date }) => isMoment(start_date))
    return isWhole ? { events, total: Number(found.total) } : undefined
  } catch {
    return undefined
  }
}

/** What a look has found. */
export function foundCard(admin: Admin, found: Found): Html {
  const words = sourceWords(admin.language)
  const { dates } = admin.site
  const isOver = found.events.every(({ start_date }) => start_date < admin.site.today)
  const text =
    isOver && found.total > 1
      ? filled(words.foundOver, { n: dates.number(found.total) })
      : counted(admin, words, 'found', found.total)
  return html`<section class="card" aria-labelledby="found"><h2 id="found">${words.found}</h2>
<p>${found.total === 0 ? words.foundNone : text}</p>
<ul class="card-list found-events">${found.events.map(
    ({ title, start_date, all_day }) =>
      html`<li><span class="strong" dir="auto">${title}</span> <span class="small">${capitalized(dates.format('day', start_date))}${!all_day && `, ${dates.clock(start_date)}`}</span></li>\n`,
  )}</ul></section>`
}
