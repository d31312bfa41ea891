import { visitorFields } from '../../../calendar/intake/schema.ts'
import type { ContentContext } from '../../../kit/context.ts'
import { toEpoch } from '../../../kit/lib/time.ts'
import { FIELD_LIMITS } from '../../../kit/lib/values.ts'
import type { Ticket } from '../../../kit/work/day-keys.ts'
import { flagControl } from '../../../site/forms/controls/choice.ts'
import { organizerLinks, venueLinks } from '../../../site/forms/controls/links.ts'
import { endMoment, startMoment } from '../../../site/forms/controls/moment.ts'
import { lineControl, price, rich, SIMPLE_FORMATS, urlControl } from '../../../site/forms/controls/text.ts'
import { categoryTree } from '../../../site/forms/controls/tree.ts'
import { entry } from '../../../site/forms/entries.ts'
import { draftNotice, formText, inputField, type LabelledField } from '../../../site/forms/field-html.ts'
import { defineForm, inDetails, inFirst } from '../../../site/forms/form.ts'
import { type FormState, renderForm } from '../../../site/forms/render.ts'
import { repetition } from '../../../site/forms/repetition/control.ts'
import { alertOf, TICKET_INPUT, ticketOf } from '../../../site/forms/visitor-pages.ts'
import { ASSETS } from '../../../site/html/assets.ts'
import { type Html, html } from '../../../site/html/html.ts'
import { layout, type SitePage } from '../../../site/html/layout.ts'
import type { PageContext } from '../../../site/html/page-context.ts'
import { TURNSTILE_FIELD, turnstileBox, turnstileScripts } from '../../../site/html/turnstile.ts'
import { filled, textsIn } from '../../../words/words.ts'

export const SUBMIT_PATH = '/submit/'

/** The form for visitors: few fields first, the rest folded. */
export const SUBMISSION_FORM = defineForm('event', visitorFields, {
  title: inFirst(lineControl({ maxLength: 200 })),
  start_date: inFirst(startMoment),
  end_date: { ...inFirst(endMoment), isRequired: false, isBeside: true },
  all_day: { ...inFirst(flagControl()), isBeside: true },
  venue: inFirst(venueLinks),
  organizer: inFirst(organizerLinks),
  description: inFirst(rich(6, SIMPLE_FORMATS)),
  website: inFirst(urlControl),
  recurrence: inDetails(repetition),
  categories: inDetails(categoryTree),
  cost: inDetails(price),
  is_virtual: null,
  virtual_event_type: { group: 'online' },
  virtual_url: { group: 'online', control: urlControl },
  timezone: null,
})

/** The name of a hidden input that only programs fill in. */
const TRAP = 'homepage'

/** The owner of drafts in the browsers of visitors. */
export const DRAFT_OWNER = 'visitor'

/** Inputs that drafts leave out: the sender's, and those against robots. */
const NOT_IN_DRAFTS = ['name', 'email', TRAP, TICKET_INPUT, TURNSTILE_FIELD]

/** The contents of the sender's inputs. */
export type Contact = { name: string; email: string }

/** True if visitors can send images. */
export const takesImages = ({ media, images }: ContentContext): boolean =>
  media !== undefined && images !== undefined

/** The shortest time in which a person fills in a form, in milliseconds. */
const MIN_FILLING_MS = 3_000

/** The ticket of a visitor's form, if it is valid, and the message if the form cannot be taken. */
export async function ticketIn(
  site: PageContext,
  data: FormData,
): Promise<{ ticket?: Ticket; objection?: string }> {
  const words = textsIn(site.language).submit
  const ticket = await ticketOf(site, data)
  if (!ticket) return { objection: words.outdated }
  if (toEpoch(site.context.clock.now()) - ticket.issuedMs < MIN_FILLING_MS)
    return { ticket, objection: words.quick }
  return formText(data, TRAP) === '' ? { ticket } : { ticket, objection: words.spam }
}

type SubmissionFormParts = {
  state: FormState
  action: string
  ticket?: Html
  contact?: Contact
  message?: string | undefined
  /** The name of an image file that was sent with the form, and that its sender has to choose again. */
  lostFile: string | undefined
  submit: string
}

/** The form of a submission, with the inputs for the sender if the submission is new. */
export function submissionForm(
  site: PageContext,
  { state, action, ticket, contact, message, lostFile, submit }: SubmissionFormParts,
): Html {
  const { language } = site
  const words = textsIn(language).submit
  const extraInputs = new Map([
    ['image', { input: 'image_file', label: words.image }],
    ['name', { input: 'name', label: words.name }],
    ['email', { input: 'email', label: words.email }],
  ])
  const parts = renderForm({ site, language }, SUBMISSION_FORM, { ...state, pageInputs: extraInputs })
  const drafts = contact && draftNotice(language, { owner: DRAFT_OWNER, without: NOT_IN_DRAFTS })
  return html`${drafts}<form class="editor-form visitor-form${state.isUnsaved && ' is-unsaved'}"${contact && html` id="editor-form"`} method="post" action="${action}" enctype="multipart/form-data" data-base="/submit">
<button class="hidden" type="submit" name="do" value="save" tabindex="-1" aria-hidden="true">${submit}</button>
${ticket}
${alertOf(message)}${parts.head}${parts.main}
${imageInput(site, state, lostFile)}
${contact && senderFields(site, contact, { ...state, help: site.context.mailer ? `${words.contactHelp} ${words.contactMail}` : words.contactHelp })}
<div class="actions"><button class="button" type="submit" name="do" value="save">${submit}</button></div>
${contact && html`<p class="small">${words.next}</p>`}</form>`
}

/** A field that does not belong to the event. */
const extraField = (
  site: PageContext,
  name: string,
  texts: Omit<LabelledField, 'id'> & { value?: string },
  attributes: Html,
): Html => inputField({ ...texts, id: `f-${name}`, name, words: textsIn(site.language).form }, attributes)

/**
 * The fields for the sender, and those against robots.
 * @param help for what they are, and how long they are kept
 */
export function senderFields(
  site: PageContext,
  { name, email }: Contact,
  { errors, help }: Pick<FormState, 'errors'> & { help: string },
): Html {
  const words = textsIn(site.language).submit
  const { privacy } = site.settings.links
  return html`<fieldset class="form-field form-group visitor-sender"><legend>${words.you}</legend><p class="field-help">${help}${privacy && html` <a href="${privacy}" target="_blank">${words.privacy}</a>`}</p>
${extraField(site, 'name', { label: words.name, value: name, error: errors.get('name') }, html` maxlength="200" autocomplete="name"`)}
${extraField(site, 'email', { label: words.email, value: email, isRequired: true, error: errors.get('email') }, html` type="email" maxlength="200" autocomplete="email"`)}</fieldset>
<p class="hidden" aria-hidden="true"><label for="f-${TRAP}">${words.trap}</label><input id="f-${TRAP}" name="${TRAP}" tabindex="-1" autocomplete="off"></p>
${turnstileBox(site)}`
}

function imageInput(
  site: PageContext,
  { entries, errors, choices }: FormState,
  lostFile: string | undefined,
): Html | '' {
  const words = textsIn(site.language).submit
  if (!choices.mayUpload) return ''
  const help = lostFile === undefined ? words.imageHelp : filled(words.imageAgain, { file: lostFile })
  const alt = entry(entries, 'image_alt')
  return html`<details class="form-fold"${(errors.has('image') || lostFile !== undefined || alt !== '') && html` open`}><summary><span class="fold-name">${words.image}</span></summary><div class="form-fields">
${extraField(site, 'image_file', { label: words.image, help, error: errors.get('image') }, html` type="file" accept="image/*"`)}
${extraField(site, 'image_alt', { label: textsIn(site.language).form.altText, value: alt }, html` maxlength="${FIELD_LIMITS.text}"`)}</div></details>`
}

/** A page for visitors' submissions, not indexed by search engines. */
export function submitPage(
  site: PageContext,
  page: Pick<SitePage, 'title' | 'main'> & { isPrivate?: boolean },
): string {
  return String(
    layout(site, {
      ...page,
      section: SUBMIT_PATH,
      isUnlisted: true,
      styles: [ASSETS.editorStyle],
      scripts: [ASSETS.editorScript, ...(page.isPrivate ? [] : turnstileScripts(site))],
    }),
  )
}
