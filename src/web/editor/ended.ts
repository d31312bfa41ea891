import { form, TOKEN } from '../forms/element.ts'
import { type Html, html } from '../html/html.ts'
import type { Visit } from './admin.ts'
import type { AdminPage } from './layout.ts'

/** A form that was sent, and where to. */
export type PostedForm = { url: URL; form: FormData }

/** Fields of which nothing is shown: what was typed into them signs somebody in. */
const SECRET = /password|code/i

/** Fields that a page has written itself: what it was made of, and which button was pressed. */
const UNTYPED = /^(?:was|theirs|choose)\.|^(?:version|key|do|to|response)$/

/** All that was typed, as hidden fields, and to be read. */
function kept({ words }: Visit, posted: FormData): Html {
  const fields = [...posted].filter(([name]) => name !== TOKEN)
  const texts = fields.filter((field): field is [string, string] => typeof field[1] === 'string')
  const read = texts.filter(([name, text]) => text.trim() !== '' && !SECRET.test(name) && !UNTYPED.test(name))
  return html`${texts.map(([name, text]) => html`<input type="hidden" name="${name}" value="${text}">\n`)}
${texts.length < fields.length && html`<p>${words.endedFiles}</p>`}
${
  read.length > 0 &&
  html`<details class="typed"><summary>${words.typed}</summary><dl>${read.map(
    ([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>`,
  )}</dl></details>`
}`
}

/** A form that sends once more what was sent. */
export const sendAgain = (visit: Visit, { url, form: posted }: PostedForm): Html =>
  form(visit, {
    action: url.pathname + url.search,
    look: 'stack again',
    body: html`${kept(visit, posted)}<button class="button button-quiet" type="submit">${visit.words.endedSend}</button>`,
  })

/** The page for a form that came after the session had ended. It leads to the sign-in, and can be sent again from here. */
export function endedPage(visit: Visit, { url, form: posted }: PostedForm): AdminPage {
  const { words } = visit
  return {
    title: words.ended,
    status: 401,
    isNarrow: true,
    main: html`<h1>${words.ended}</h1><p class="lead">${words.endedText}</p>
<p><a class="button" href="/admin/sign-in/" target="_blank">${words.signIn}</a></p>
${sendAgain(visit, { url, form: posted })}`,
  }
}

/** The page for a form of another session of the same browser. Nothing is done until it is sent from here. */
export function confirmPage(visit: Visit, { url, form: posted }: PostedForm): AdminPage {
  const { words } = visit
  return {
    title: words.confirm,
    status: 409,
    isNarrow: true,
    main: html`<h1>${words.confirm}</h1><p class="lead">${words.confirmText}</p>
${form(visit, {
  action: url.pathname + url.search,
  body: html`${kept(visit, posted)}<button class="button" type="submit">${words.confirmSend}</button>`,
})}`,
  }
}
