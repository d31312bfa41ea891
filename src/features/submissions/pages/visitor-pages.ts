import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { EVENTS } from '../../../calendar/events/resource.ts'
import type { AppEnv } from '../../../kit/env.ts'
import { MAX_FILE_BYTES } from '../../../kit/http/form-data.ts'
import { checkInput } from '../../../kit/http/input.ts'
import { countLooks } from '../../../kit/http/limits.ts'
import { ApiError } from '../../../kit/lib/errors.ts'
import { MISSING } from '../../../kit/lib/reasons.ts'
import { entriesOf } from '../../../site/forms/entries.ts'
import { formText, textField } from '../../../site/forms/field-html.ts'
import { selectLinkedChoices } from '../../../site/forms/load.ts'
import { freshRepetition } from '../../../site/forms/render.ts'
import {
  alertOf,
  ticketInput,
  tokenIn,
  UNCACHED_HEADERS,
  type VisitorPage,
  type VisitorResponse,
} from '../../../site/forms/visitor-pages.ts'
import { backLink, html } from '../../../site/html/html.ts'
import { linkTo, type PageContext, requirePublic } from '../../../site/html/page-context.ts'
import { nameOf } from '../../../site/html/text.ts'
import { TURNSTILE_FIELD } from '../../../site/html/turnstile.ts'
import { filled, textsIn } from '../../../words/words.ts'
import { MAX_REMARK_LENGTH, remarkFields, remarkPath, takeRemark } from '../remarks.ts'
import {
  type Contact,
  SUBMISSION_FORM,
  SUBMIT_PATH,
  senderFields,
  submitPage,
  takesImages,
  ticketIn,
} from './form.ts'
import { type FormOutcome, newForm, submissionRefusal, takeVisitorForm } from './new.ts'
import { submissionPage, takeSubmissionForm } from './submission.ts'

/** The public event that a remark is about. @throws ApiError if there is none */
async function readPublicEvent(site: PageContext, id: number) {
  const { context } = site
  const [row] = await context.db.read(EVENTS.select(context, sql`events.id = ${id}`))
  return EVENTS.serialize(requirePublic(site, 'event', row), context)
}

type TypedRemark = { text: string; contact: Contact }

const EMPTY_REMARK: TypedRemark = { text: '', contact: { name: '', email: '' } }

/** The form that lets visitors tell the editors something about an event. */
async function remarkForm(
  site: PageContext,
  id: number,
  shownAgain: FormOutcome & TypedRemark,
): Promise<VisitorResponse> {
  const words = textsIn(site.language).submit
  const event = await readPublicEvent(site, id)
  const { text, contact, message, errors = new Map(), status = 200, retryAfter } = shownAgain
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
  html` maxlength="${MAX_REMARK_LENGTH}"`,
)}
${senderFields(site, contact, { errors, help: words.remarkContactHelp })}
<div class="actions"><button class="button" type="submit">${words.remarkSend}</button></div></form>`
  return {
    status,
    retryAfter,
    body: submitPage(site, { title: `${words.tellEditors}${site.words.colon}${name}`, main }),
  }
}

async function takeRemarkForm(site: PageContext, id: number, data: FormData): Promise<VisitorResponse> {
  const { context } = site
  const words = textsIn(site.language).submit
  const typedTexts: TypedRemark = {
    text: formText(data, 'text'),
    contact: { name: formText(data, 'name'), email: formText(data, 'email') },
  }
  const formAgain = (more: FormOutcome) => remarkForm(site, id, { ...typedTexts, status: 422, ...more })
  const { ticket, objection } = await ticketIn(site, data)
  if (!ticket || objection) return formAgain({ ...(objection && { message: objection }) })
  const { values, errors } = checkInput(remarkFields, {
    about: id,
    text: typedTexts.text,
    ...typedTexts.contact,
  })
  try {
    if (!typedTexts.contact.email) errors.add('email', MISSING)
    errors.throwIfAny()
    await takeRemark(context, { values, ticket, turnstile: formText(data, TURNSTILE_FIELD) })
  } catch (error) {
    if (error instanceof ApiError) return formAgain(submissionRefusal(site, error))
    throw error
  }
  const { url, title, slug } = await readPublicEvent(site, id)
  const main = html`${backLink(linkTo(site, url), nameOf(title, slug))}
<div class="page-head"><h1>${words.remarkThanks}</h1></div><p class="lead">${words.remarkNext}</p>`
  return { status: 200, body: submitPage(site, { title: words.remarkThanks, main }) }
}

const eventIn = (c: Context<AppEnv>): number => Number(c.req.param('event'))
const requestUrl = (c: Context<AppEnv>): URL => new URL(c.req.url)

/**
 * The most bytes of the inputs of a repetition: twice those of the longest series that visitors may submit.
 */
const MAX_REPETITION_BYTES = 20_000

const PAGES: readonly VisitorPage[] = [
  { path: SUBMIT_PATH, mayUseTurnstile: true, show: newForm, take: takeVisitorForm },
  {
    path: '/submit/about/:event{[0-9]{1,15}}/',
    mayUseTurnstile: true,
    // The page of a submission fills in what could not be saved there.
    show: (site, c) =>
      remarkForm(site, eventIn(c), {
        ...EMPTY_REMARK,
        text: (c.req.query('text') ?? '').slice(0, MAX_REMARK_LENGTH).toWellFormed(),
      }),
    take: (site, data, c) => takeRemarkForm(site, eventIn(c), data),
  },
  {
    path: '/submit/:token{[0-9a-f]{32}}/',
    show: (site, c) => submissionPage(site, tokenIn(c), requestUrl(c)),
    take: (site, data, c) => takeSubmissionForm(site, tokenIn(c), data, requestUrl(c)),
  },
  {
    // The suggestions for a venue or organizer, from public ones, for scripts: `{id, name, detail}`.
    path: '/submit/find/',
    show: async ({ context }, c) => {
      const { field = '', search = '' } = c.req.query()
      if (field !== 'venue' && field !== 'organizer')
        throw new ApiError('rest_no_route', 'There is no such page.')
      return c.json(await context.db.read(selectLinkedChoices(context, field, search)), 200, UNCACHED_HEADERS)
    },
  },
  {
    // The fields of a repetition, updated for the current input, for scripts. This page neither reads nor
    // writes anything.
    path: '/submit/repetition/',
    count: countLooks,
    limits: () => ({ bytes: MAX_REPETITION_BYTES }),
    take: async (site, data, c) => {
      const { language } = site
      return c.html(
        freshRepetition({ site, language }, SUBMISSION_FORM, entriesOf(data)),
        200,
        UNCACHED_HEADERS,
      )
    },
  },
]

/** The pages for submissions, which exist while the calendar accepts submissions. */
export const submitPages = PAGES.map(
  (page): VisitorPage => ({
    limits: context => (takesImages(context) ? { fileBytes: MAX_FILE_BYTES } : {}),
    ...page,
    isOn: ({ settings }) => settings.submissions.isOn,
  }),
)
