import { type SentImage, takeSubmission } from '../../../calendar/intake/receive.ts'
import { submissionFields } from '../../../calendar/intake/schema.ts'
import { senderPath } from '../../../calendar/intake/sender-link.ts'
import { checkInput, missingFields } from '../../../kit/http/input.ts'
import { ApiError, invalidParams } from '../../../kit/lib/errors.ts'
import { codedReason, MISSING } from '../../../kit/lib/reasons.ts'
import { chosenFile, type Entries } from '../../../site/forms/entries.ts'
import { formText } from '../../../site/forms/field-html.ts'
import { entriesFor, formDigests, formValues } from '../../../site/forms/form.ts'
import { selectChoices, withSearches } from '../../../site/forms/load.ts'
import { hiddenEntriesOf, isShownAgain, knownErrors, readPosted } from '../../../site/forms/posted.ts'
import { isDone, reasonsIn, replyValue, upload } from '../../../site/forms/requests.ts'
import {
  type Refusal,
  refusalOf,
  TICKET_INPUT,
  ticketInput,
  type VisitorResponse,
} from '../../../site/forms/visitor-pages.ts'
import { html } from '../../../site/html/html.ts'
import type { PageContext } from '../../../site/html/page-context.ts'
import { TURNSTILE_FIELD } from '../../../site/html/turnstile.ts'
import { textsIn } from '../../../words/words.ts'
import {
  type Contact,
  SUBMISSION_FORM,
  SUBMIT_PATH,
  submissionForm,
  submitPage,
  takesImages,
  ticketIn,
} from './form.ts'

export async function newForm(site: PageContext): Promise<VisitorResponse> {
  const { context } = site
  const entries = entriesFor(SUBMISSION_FORM, { timezone: context.settings.timezone }, context)
  return formAgain(site, { entries, contact: { name: '', email: '' } })
}

/** The reasons why a form is shown again. */
export type FormOutcome = Omit<Partial<Refusal>, 'status'> & {
  status?: 200 | 412 | Refusal['status']
  /** The name of the image file that was sent with the form. */
  lostFile?: string | undefined
}

type ShownForm = FormOutcome & {
  entries: Entries
  hidden?: Entries
  contact: Contact
  /** The ticket of the form, if it is still valid. */
  ticket?: string | undefined
}

async function formAgain(site: PageContext, shownForm: ShownForm): Promise<VisitorResponse> {
  const { context, language } = site
  const words = textsIn(language).submit
  const { entries, contact, errors = new Map(), message, status = 200 } = shownForm
  const ticket = await ticketInput(site, shownForm.ticket)
  const choices = await context.db.read(selectChoices(context, SUBMISSION_FORM, entries))
  const state = {
    entries,
    hidden: shownForm.hidden ?? formDigests(SUBMISSION_FORM, entries),
    errors,
    choices: { ...choices, mayUpload: takesImages(context) },
    isUnsaved: shownForm.hidden !== undefined,
  }
  const form = submissionForm(site, {
    state,
    action: SUBMIT_PATH,
    ticket,
    contact,
    message,
    lostFile: shownForm.lostFile,
    submit: words.send,
  })
  return {
    status,
    retryAfter: shownForm.retryAfter,
    body: submitPage(site, {
      title: words.title,
      main: html`<div class="page-head"><h1>${words.title}</h1></div><p class="lead">${words.lead}</p>${form}`,
    }),
  }
}

/** Handles the form: stores a submission, or runs a search. */
export async function takeVisitorForm(site: PageContext, data: FormData): Promise<VisitorResponse> {
  const { context, language } = site
  const submittedForm = await withSearches(site, SUBMISSION_FORM, readPosted(data))
  const { entries } = submittedForm
  const contact = { name: formText(data, 'name'), email: formText(data, 'email') }
  const hiddenEntries = hiddenEntriesOf(submittedForm)
  const { ticket, objection } = await ticketIn(site, data)
  const showAgain = (outcome: FormOutcome & Pick<ShownForm, 'ticket'>) =>
    formAgain(site, {
      entries,
      hidden: hiddenEntries,
      contact,
      ticket: ticket && formText(data, TICKET_INPUT),
      lostFile: fileIn(data)?.name,
      ...outcome,
    })
  if (isShownAgain(submittedForm)) return showAgain({})
  const formErrors = knownErrors(SUBMISSION_FORM, textsIn(language).form, submittedForm)
  if (formErrors.size > 0) return showAgain({ errors: formErrors, status: 422 })
  if (!ticket || objection) return showAgain({ ...(objection && { message: objection }), status: 422 })
  const raw = {
    ...filledFields(formValues(SUBMISSION_FORM.fields, entries, context)),
    timezone: context.settings.timezone,
    ...contact,
    turnstile: formText(data, TURNSTILE_FIELD),
  }
  const { values, errors } = checkInput(submissionFields, raw)
  try {
    for (const name of missingFrom(raw)) errors.add(name, MISSING)
    errors.throwIfAny()
    const { token, isOther } = await takeSubmission(context, { values, ticket, image: sentImage(site, data) })
    // A browser that goes back may show the form with a ticket that is already used.
    if (isOther)
      return showAgain({ ticket: undefined, message: textsIn(language).submit.otherSent, status: 422 })
    return { to: `${senderPath(token)}?sent=1` }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return showAgain(submissionRefusal(site, error))
  }
}

/**
 * The names of required fields that are empty, except for those that follow from other fields, as the end
 * does from the start.
 */
function missingFrom(raw: Readonly<Record<string, unknown>>): string[] {
  const params = missingFields(submissionFields, filledFields(raw))?.data.params
  const missing = Array.isArray(params) ? params.map(String) : []
  return missing.filter(name => SUBMISSION_FORM.fields.find(field => field.name === name)?.isRequired ?? true)
}

/** Values without empty ones, which have no meaning in a new event. */
export const filledFields = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))

/** Why the form is shown again after an error. */
export function submissionRefusal(site: PageContext, error: ApiError): Refusal {
  const words = textsIn(site.language).submit
  const refusal = refusalOf(site, error, {
    rest_too_many_requests: words.tooMany,
    rest_service_unavailable: words.busy,
    rest_daily_limit_reached: words.dayLimit,
    rest_submission_exists: words.exists,
    rest_submission_refused: words.spam,
  })
  return error.code === 'rest_submission_exists' ? { ...refusal, status: 409 } : refusal
}

/** The image file of a form, if one was chosen. */
export const fileIn = (data: FormData): File | undefined => chosenFile(data, 'image_file')

export function sentImage({ context }: PageContext, data: FormData): SentImage | undefined {
  const file = fileIn(data)
  if (!file) return undefined
  const alt = formText(data, 'image_alt')
  return {
    texts: [file.name, alt],
    upload: async author => {
      const caller = { id: author.id, role: 'author' as const }
      const reply = await upload({ context: { ...context, caller } }, file, alt)
      if (isDone(reply)) return Number(replyValue(reply, 'id'))
      const [reason] = reasonsIn(replyValue(reply, 'data')).values()
      throw invalidParams(new Map([['image', reason ?? codedReason('no_image', 'must be an image')]]))
    },
  }
}
