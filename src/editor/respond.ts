import type { Context } from 'hono'
import type { WriteReply } from '../kit/context.ts'
import { isDailyLimit } from '../kit/db/failures.ts'
import type { AppEnv } from '../kit/env.ts'
import { logCause, remedyHere, retryAfter } from '../kit/http/error-replies.ts'
import { type ErrorStatus, statusOf } from '../kit/lib/error-codes.ts'
import { ApiError } from '../kit/lib/errors.ts'
import { asError } from '../kit/work/error-log.ts'
import { type FieldResource, fieldWords, optionName, wordsOfField } from '../site/forms/control.ts'
import { form, TOKEN } from '../site/forms/field-html.ts'
import { reasonsOf } from '../site/forms/requests.ts'
import { type Html, html } from '../site/html/html.ts'
import { filled } from '../words/words.ts'
import { type EditorContext, type Notice, roleName, type VisitorContext } from './context.ts'
import { type EditorPage, editorLayout } from './layout.ts'
import { expiredNoticeCookie, noticeCookie } from './visit.ts'

/**
 * A response other than a page: for a script or a frame, or to be saved as `file`. `type` is a media type.
 */
type RawBody = { body: string; type: string; file?: string }

/** A redirect after an action: to a path below /admin/, with a notice above that page. */
export type Redirect = {
  to: string
  notice?: Notice
  /** The text of the link that undoes the action, instead of “Undo”. */
  undoText?: string
  /**
   * True if the browser sends the form again to the address `to`, for work that needs an invocation of its
   * own.
   */
  isSentOn?: true
}

/** The result of a page or an action. `cookies` are values of `Set-Cookie`. */
export type EditorResponse = (EditorPage | RawBody | Redirect) & { cookies?: readonly string[] }

export const json = (value: unknown): RawBody => ({ body: JSON.stringify(value), type: 'application/json' })

export function respond(c: Context<AppEnv>, visit: VisitorContext, response: EditorResponse): Response {
  const url = new URL(c.req.url)
  const cookies = [...(response.cookies ?? [])]
  c.header('Content-Language', visit.language)
  if ('to' in response) {
    if (response.notice) cookies.push(noticeCookie(url, response.notice))
    setCookies(c, cookies)
    return c.redirect(response.to, response.isSentOn ? 307 : 303)
  }
  if ('body' in response) {
    setCookies(c, cookies)
    if (response.file) c.header('Content-Disposition', `attachment; filename="${response.file}"`)
    return c.body(response.body, 200, { 'Content-Type': response.type })
  }
  if (visit.notice) cookies.push(expiredNoticeCookie(url))
  setCookies(c, cookies)
  if (response.retryAfter !== undefined) c.header('Retry-After', response.retryAfter)
  return c.html(String(editorLayout(visit, response)), response.status ?? 200)
}

function setCookies(c: Context<AppEnv>, cookies: readonly string[]): void {
  for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true })
}

type NotePage = Pick<EditorPage, 'title' | 'status'> & {
  text: string
  link?: { href: string; text: string }
  /** The rest of the page, such as a form. */
  body?: Html
}

/** A narrow page with a message, and a link or a form below it. */
export const notePage = ({ title, text, link, body, ...page }: NotePage): EditorPage => ({
  title,
  ...page,
  isNarrow: true,
  main: html`<h1>${title}</h1><p class="lead">${text}</p>${link && html`<p><a class="button" href="${link.href}">${link.text}</a></p>`}
${body}`,
})

type SecretsPage = {
  title: string
  text: string
  secrets: readonly string[]
  back: string
  /** An e-mail with the secrets, if they are for somebody else. */
  mail?: { subject: string; body: string }
}

/** Encodes a text for an address that begins an e-mail with it. Its line breaks are CR and LF. */
const encodeLines = (text: string): string => encodeURIComponent(text.replaceAll('\n', '\r\n'))

/** A page with secrets that are shown only once: passwords or an address. */
export function secretPage(
  editor: EditorContext,
  { title, text, secrets, back, mail }: SecretsPage,
): EditorPage {
  const words = editor.texts.account
  const secretText = secrets.join('\n')
  return {
    title,
    isNarrow: true,
    main: html`<h1>${title}</h1><p class="lead">${text}</p>
<ul class="secrets card">${secrets.map(secret => html`<li><code>${secret}</code></li>`)}</ul>
<p class="actions"><button class="button" type="button" data-copy="${secretText}" data-done="${words.copied}" hidden>${mail ? editor.site.words.copyLink : words.copy}</button>
${mail && html`<a class="button button-quiet" href="mailto:?subject=${encodeLines(mail.subject)}&amp;body=${encodeLines(mail.body)}">${words.mail}</a>`}
<a class="button button-quiet" href="${back}">${words.done}</a></p>`,
  }
}

/** The page that says why something was refused. @param backPath where the request came from */
export const refusedPage = (editor: EditorContext, reply: WriteReply, backPath: string): EditorPage =>
  notePage({
    title: editor.words.refused,
    status: 409,
    text: reasonsOf(editor, reply),
    link: { href: backPath, text: editor.words.back },
  })

type RefusedItems = {
  /** A text about the items that were not refused, if there are any. */
  doneText: string | undefined
  /** The refused items, each with the reason. */
  items: readonly Html[]
  back: { href: string; text: string }
}

/** The page that says why some of several items were refused. */
export const refusedItemsPage = (
  { texts, words }: EditorContext,
  { doneText, items, back }: RefusedItems,
): EditorPage => {
  const title = doneText === undefined ? words.refused : texts.trash.refused
  return {
    title,
    status: 409,
    isNarrow: true,
    notice: doneText === undefined ? undefined : { text: doneText },
    main: html`<h1>${title}</h1><p>${texts.event.refusedText}</p>
<ul class="refused">${items.map(item => html`<li>${item}</li>`)}</ul>
<p><a class="button" href="${back.href}">${back.text}</a></p>`,
  }
}

export function messagePage(
  visit: VisitorContext,
  message: 'invalid' | 'forbidden' | 'notFound' | 'failed' | 'busy' | 'dayLimit' | 'tooMany' | 'elsewhere',
  status: NonNullable<EditorPage['status']>,
): EditorPage {
  const { words, context, session } = visit
  const text = filled(words[`${message}Text`], {
    id: context.requestId,
    role: session ? roleName(visit, session.user.role) : '',
  })
  return notePage({ title: words[message], status, text, link: { href: '/admin/', text: words.start } })
}

/** Turns an error into a page. @param posted the submitted form, which can be sent again if that may help */
export function respondWithError(
  c: Context<AppEnv>,
  visit: VisitorContext,
  { error, posted }: { error: unknown; posted: PostedForm | undefined },
): Response {
  const cause = asError(error)
  logCause(c.get('requestId'), cause)
  const status = cause instanceof ApiError ? statusOf(cause.code) : 500
  const seconds = cause instanceof ApiError ? retryAfter(cause) : undefined
  if (seconds !== undefined) c.header('Retry-After', String(seconds))
  const page = isDailyLimit(cause) ? messagePage(visit, 'dayLimit', 503) : errorPage(visit, status, cause)
  const retryForm =
    posted && (status === 429 || (status >= 500 && status !== 501))
      ? sendAgainForm(visit, posted, visit.words.endedSend)
      : ''
  const remedy = remedyHere(cause, c.req.url)
  return respond(c, visit, {
    ...page,
    main: html`${page.main}${remedy && html`<p lang="en">${remedy}</p>`}${retryForm}`,
  })
}

/** The page for an error that a page did not handle itself, such as by showing its form again. */
function errorPage(visit: VisitorContext, status: ErrorStatus, cause: Error): EditorPage {
  if (status === 401 || status === 403) return messagePage(visit, 'forbidden', 403)
  if (status === 404 || status === 410) return messagePage(visit, 'notFound', status)
  if (status === 429) return messagePage(visit, 'tooMany', 429)
  if (status === 503) return messagePage(visit, 'busy', 503)
  if (status === 409 || status === 412 || status === 413 || status === 422 || status === 501) {
    const text =
      cause instanceof ApiError && cause.code === 'rest_mail_unavailable' && !visit.context.mailer
        ? visit.texts.mail.notSetUp
        : reasonsOf(visit, { body: cause })
    return notePage({
      title: visit.words.refused,
      status,
      text,
      link: { href: '/admin/', text: visit.words.start },
    })
  }
  return status < 500 ? messagePage(visit, 'invalid', 400) : messagePage(visit, 'failed', 500)
}

export type PostedForm = { url: URL; form: FormData }

/** Fields whose values are never shown, because they sign somebody in. */
const SECRET_FIELDS = /password|code/i

/** Fields that the page filled in: what it was based on, and the pressed button. */
const UNTYPED_FIELDS = /^was\.|^(?:version|key|do|to|response)$/

/** Fields whose values are ids of chosen items. */
const CHOSEN_BY_NUMBER = /^(?:venue|organizer|categories|tags|image|post_parent|parent|author)$/

/**
 * A typed value with the label of its field. Forms of fields have further inputs, such as those of a
 * repetition, whose names say nothing to people.
 *
 * @returns undefined for such an input, and for what was chosen by its number
 */
function typedValue(language: string, { name, text }: Record<'name' | 'text', string>, isOfFields: boolean) {
  if (!isOfFields) return { label: name, text }
  const field = name.replace(/_time$/, '')
  // The names of all resources are keys of the catalogue.
  const resources = Object.entries(fieldWords(language)) as [FieldResource, object][]
  const resource = resources.find(([, words]) => field in words)?.[0]
  if (!resource || (CHOSEN_BY_NUMBER.test(name) && /^\d+$/.test(text))) return undefined
  return {
    label: wordsOfField(language, resource, field).label,
    text: optionName(language, resource, field, text),
  }
}

/** The submitted values as hidden fields, and the typed ones as text. */
function keptFields({ words, language }: VisitorContext, formData: FormData): Html {
  const fields = [...formData].filter(([name]) => name !== TOKEN)
  const texts = fields.filter((field): field is [string, string] => typeof field[1] === 'string')
  const isOfFields = texts.some(([name]) => name.startsWith('was.'))
  const typedValues = texts
    .filter(([name, text]) => text.trim() !== '' && !SECRET_FIELDS.test(name) && !UNTYPED_FIELDS.test(name))
    .flatMap(([name, text]) => typedValue(language, { name, text }, isOfFields) ?? [])
  return html`${texts.map(([name, text]) => html`<input type="hidden" name="${name}" value="${text}">\n`)}
${texts.length < fields.length && html`<p>${words.endedFiles}</p>`}
${
  typedValues.length > 0 &&
  html`<details class="typed"><summary>${words.typed}</summary><dl>${typedValues.map(
    ({ label, text }) => html`<dt>${label}</dt><dd>${text}</dd>`,
  )}</dl></details>`
}`
}

/** A form that sends the submitted values again. */
const sendAgainForm = (visit: VisitorContext, { url, form: posted }: PostedForm, text: string): Html =>
  form(visit, {
    action: url.pathname + url.search,
    className: 'stack again',
    body: html`${keptFields(visit, posted)}<button class="button button-quiet" type="submit">${text}</button>`,
  })

/**
 * The page for a form that was submitted after the session had ended or, with `isAgain`, so long after the
 * sign-in that it needs another. It leads to the sign-in, and the form can be sent again.
 */
export function endedPage(visit: VisitorContext, posted: PostedForm, { isAgain = false } = {}): EditorPage {
  const { ended, endedText, endedSend, signIn } = visit.words
  return notePage({
    title: isAgain ? signIn : ended,
    status: 401,
    text: isAgain ? `${visit.texts.signIn.again} ${endedText}` : endedText,
    body: html`<p><a class="button" href="/admin/sign-in/${isAgain && '?again=1'}" target="_blank">${signIn}</a></p>
${sendAgainForm(visit, posted, endedSend)}`,
  })
}

/**
 * The page for a form of another session of the same browser. Nothing happens until it is sent again from
 * here.
 */
export function confirmPage(visit: VisitorContext, posted: PostedForm): EditorPage {
  const { confirm, confirmText, confirmSend } = visit.words
  return notePage({
    title: confirm,
    status: 409,
    text: confirmText,
    body: sendAgainForm(visit, posted, confirmSend),
  })
}
