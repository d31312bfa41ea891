import { sql } from 'drizzle-orm'
import { EVENTS } from '../../../calendar/events/resource.ts'
import { check } from '../../../kit/http/input.ts'
import { ApiError } from '../../../kit/lib/errors.ts'
import { codedReason } from '../../../kit/lib/reasons.ts'
import { formText, textField } from '../../../site/forms/field-html.ts'
import { alertOf, ticketInput, type VisitorResponse } from '../../../site/forms/visitor-pages.ts'
import { backLink, html } from '../../../site/html/html.ts'
import { assertPublic, linkTo, type PageContext } from '../../../site/html/page-context.ts'
import { nameOf } from '../../../site/html/text.ts'
import { TURNSTILE_FIELD } from '../../../site/html/turnstile.ts'
import { filled, textsIn } from '../../../words/words.ts'
import { MAX_REMARK, remarkFields, remarkPath, takeRemark } from '../remarks.ts'
import { type Contact, sender, submitPage, ticketIn } from './form.ts'
import { type FormOutcome, submissionRefusal } from './new.ts'

/** The public event that a remark is about. @throws ApiError if there is none */
async function eventOf(site: PageContext, id: number) {
  const { context } = site
  const [row] = await context.db.read(EVENTS.select(context, sql`events.id = ${id}`))
  return EVENTS.serialize(assertPublic(site, 'event', row), context)
}

type Typed = { text: string; contact: Contact }

const NOTHING: Typed = { text: '', contact: { name: '', email: '' } }

/** The form that lets visitors tell the editors something about an event. */
export async function remarkForm(
  site: PageContext,
  id: number,
  again: FormOutcome & Typed = NOTHING,
): Promise<VisitorResponse> {
  const words = textsIn(site.language).submit
  const event = await eventOf(site, id)
  const { text, contact, message, errors = new Map(), status = 200, retryAfter } = again
  const name = nameOf(event.title, event.slug)
  const main = html`${backLink(linkTo(site, event.url), name)}
<div class="page-head"><h1>${words.tellEditors}</h1></div><p class="lead">${filled(words.remarkLead, { name })}</p>
<form class="editor-form visitor-form" method="post" action="${remarkPath(id)}" enctype="multipart/form-data">
${await ticketInput(site)}${alertOf(message)}
${textField(
  {
    id: 'f-text',
    name: 'text',
    value: text,
    rows: 5,
    isRequired: true,
    label: words.remark,
    error: errors.get('text'),
    words: textsIn(site.language).form,
  },
  html` maxlength="${MAX_REMARK}"`,
)}
${sender(site, contact, { errors, help: words.remarkContactHelp })}
<div class="actions"><button class="button" type="submit">${words.remarkSend}</button></div></form>`
  return { status, retryAfter, body: submitPage(site, { title: `${words.tellEditors}: ${name}`, main }) }
}

/** Handles the form. */
export async function takeRemarkForm(
  site: PageContext,
  id: number,
  data: FormData,
): Promise<VisitorResponse> {
  const { context } = site
  const words = textsIn(site.language).submit
  const typed: Typed = {
    text: formText(data, 'text'),
    contact: { name: formText(data, 'name'), email: formText(data, 'email') },
  }
  const again = (more: FormOutcome) => remarkForm(site, id, { ...typed, status: 422, ...more })
  const { ticket, objection } = await ticketIn(site, data)
  if (!ticket || objection) return again({ ...(objection && { message: objection }) })
  const { values, errors } = check(remarkFields, { about: id, text: typed.text, ...typed.contact })
  try {
    if (!typed.contact.email) errors.add('email', codedReason('missing', 'must not be empty'))
    errors.throwIfAny()
    await takeRemark(context, { values, ticket, turnstile: formText(data, TURNSTILE_FIELD) })
  } catch (error) {
    if (error instanceof ApiError) return again(submissionRefusal(site, error))
    throw error
  }
  const { url, title, slug } = await eventOf(site, id)
  const main = html`${backLink(linkTo(site, url), nameOf(title, slug))}
<div class="page-head"><h1>${words.remarkThanks}</h1></div><p class="lead">${words.remarkNext}</p>`
  return { status: 200, body: submitPage(site, { title: words.remarkThanks, main }) }
}
