import { and, eq, sql } from 'drizzle-orm'
import { serializeImage } from '../../../calendar/content/images.ts'
import type { OrganizerRow, VenueRow } from '../../../calendar/content/related/resource.ts'
import { isRowReadable } from '../../../calendar/content/visibility.ts'
import { type NewLinks, NO_NEW_LINKS, selectNewLinks } from '../../../calendar/events/relations/links.ts'
import { EVENTS } from '../../../calendar/events/resource.ts'
import type { EventRow } from '../../../calendar/events/rows.ts'
import { presentEvent } from '../../../calendar/intake/queries.ts'
import { checkChangedSubmission, tokenDigest } from '../../../calendar/intake/receive.ts'
import { submissionFields } from '../../../calendar/intake/schema.ts'
import { CONFIRM, senderPath } from '../../../calendar/intake/sender-link.ts'
import type { BaseContext, RequestContext } from '../../../kit/context.ts'
import { changes } from '../../../kit/db/derived.ts'
import { combineQueries, first } from '../../../kit/db/query.ts'
import { build } from '../../../kit/db/statements.ts'
import { audit, events, reviewNotes, submissions } from '../../../kit/db/tables.ts'
import { checkInput } from '../../../kit/http/input.ts'
import { readWithRevision } from '../../../kit/http/revision.ts'
import { ApiError } from '../../../kit/lib/errors.ts'
import { ANONYMOUS } from '../../../kit/lib/roles.ts'
import { statusAt } from '../../../kit/lib/statuses.ts'
import { capitalized } from '../../../kit/lib/text.ts'
import { conflictFields, conflictOf } from '../../../site/forms/conflict.ts'
import type { Entries } from '../../../site/forms/entries.ts'
import { formText } from '../../../site/forms/field-html.ts'
import { entriesFor, formDigests, formValues } from '../../../site/forms/form.ts'
import { selectChoices, withSearches, withStored } from '../../../site/forms/load.ts'
import {
  changedValues,
  hiddenEntriesOf,
  isShownAgain,
  knownErrors,
  readPosted,
} from '../../../site/forms/posted.ts'
import type { FormState } from '../../../site/forms/render.ts'
import { errorsOf, eventOrSeriesPath, ifVersion, isDone, submitOne } from '../../../site/forms/requests.ts'
import type { VisitorResponse } from '../../../site/forms/visitor-pages.ts'
import { isOver } from '../../../site/html/events.ts'
import { type Html, html, imageAttributes } from '../../../site/html/html.ts'
import { linkTo, type PageContext } from '../../../site/html/page-context.ts'
import { plain } from '../../../site/html/text.ts'
import { describeWhen } from '../../../site/html/when.ts'
import { filled, textsIn } from '../../../words/words.ts'
import { confirmSender, findAddressToConfirm } from '../sender-mails.ts'
import { DRAFT_OWNER, SUBMISSION_FORM, SUBMIT_PATH, submissionForm, submitPage, takesImages } from './form.ts'
import { type FormOutcome, fileIn, filledFields, sentImage, submissionRefusal } from './new.ts'
import { readUnsavedFields, tellEditorsButton, type UnsavedField, unsavedList } from './unsaved.ts'

/** A submission as its sender sees it. */
type Submission = {
  id: number
  hasContact: boolean
  isWithdrawn: boolean
  /** True if lists have shown the event at some time. */
  wasPublic: boolean
  /** The status from which the event or its series went to the trash last; null if that is unknown. */
  trashedFrom: string | null
  /** The editors' note; '' without one. */
  note: string
  event: EventRow | undefined
}

/** The state of a submission. A returned one can be changed, like a pending one. */
type SubmissionState =
  | 'pending'
  | 'working'
  | 'returned'
  | 'published'
  | 'planned'
  | 'hidden'
  | 'removed'
  | 'refused'
  | 'withdrawn'

/** The context with the rights of the sender: those of a contributor who owns the event. */
const asSender = (context: RequestContext, authorId: number): RequestContext => ({
  ...context,
  caller: { id: authorId, role: 'contributor' },
  isVisitor: true,
})

/**
 * The submission of a token with its event, whether or not the event is public.
 * @throws ApiError of 404 if there is none
 */
async function readSubmission({ context }: PageContext, token: string): Promise<Submission> {
  // With the revision, because a calendar that is being restored shows and changes nothing.
  const { result: row } = await readWithRevision(
    context,
    first(
      build
        .select({
          id: submissions.id,
          eventId: presentEvent().as('present_event'),
          authorId: events.author_id,
          email: submissions.email,
          isWithdrawn: submissions.is_withdrawn,
          publicChange: changes.public_change_number,
          trashedFrom: sql<
            string | null
          >`(SELECT changed ->> '$.status[0]' FROM ${audit} INDEXED BY audit_object
            WHERE action = 'trash'
            AND (kind, object_id) IN (VALUES ('event', ${submissions.event_id}), ('series', ${events.series_id}))
            ORDER BY ${audit.id} DESC LIMIT 1)`,
          // The note of a refusal counts only while the event is in the trash: editors may undo both.
          note: sql<string>`coalesce(nullif(iif(coalesce(${events.status}, 'trash') = 'trash', ${submissions.note}, ''), ''),
          (SELECT note FROM ${reviewNotes} WHERE kind = 'event' AND object_id = ${submissions.event_id}),
          (SELECT note FROM ${reviewNotes} WHERE kind = 'series' AND object_id = ${events.series_id}), '')`,
        })
        .from(submissions)
        .leftJoin(events, eq(events.id, presentEvent()))
        .leftJoin(changes, and(eq(changes.kind, 'events'), eq(changes.id, submissions.event_id)))
        .where(eq(submissions.token_digest, await tokenDigest(token))),
    ),
  )
  if (!row) throw new ApiError('rest_no_route', 'There is no such submission.')
  const { eventId, authorId: author, email, publicChange, ...shownColumns } = row
  const submission = { ...shownColumns, hasContact: email !== '', wasPublic: publicChange !== null }
  const authorId = author ?? 0
  const { rows, newLinks } = await context.db.read(
    combineQueries({
      rows: EVENTS.select(asSender(context, authorId), eq(events.id, eventId)),
      newLinks: selectNewLinks(sql`SELECT ${eventId}`),
    }),
  )
  const [event] = rows
  return {
    ...submission,
    event: event && eventForSender(context, event, newLinks.get(eventId) ?? NO_NEW_LINKS),
  }
}

/**
 * An event with only those venues and organizers that its sender may know of: public ones, and those
 * submitted with it. The user who owns the event may have others, and editors may link any.
 */
const eventForSender = (context: BaseContext, event: EventRow, newLinks: NewLinks): EventRow => ({
  ...event,
  venues: event.venues.filter(row => isPublicRow(context, row) || newLinks.venue.has(row.id)),
  organizers: event.organizers.filter(row => isPublicRow(context, row) || newLinks.organizer.has(row.id)),
})

const isPublicRow = (context: BaseContext, row: VenueRow | OrganizerRow): boolean =>
  isRowReadable(row, { ...context, caller: ANONYMOUS })

const STATE_BY_STATUS = {
  pending: 'pending',
  publish: 'published',
  future: 'planned',
  private: 'hidden',
} as const

function submissionState(
  { isWithdrawn, wasPublic, trashedFrom, event, note }: Submission,
  { clock }: BaseContext,
): SubmissionState {
  const status = event ? statusAt(event, clock.now()) : 'trash'
  // Editors can take a withdrawn event out of the trash again.
  if (isWithdrawn && status !== 'publish' && status !== 'future') return 'withdrawn'
  // An event that went to the trash while pending may have been public before, by mistake.
  if (status === 'trash') return wasPublic && trashedFrom !== 'pending' ? 'removed' : 'refused'
  if (status === 'draft') return note === '' ? 'working' : 'returned'
  return STATE_BY_STATUS[status]
}

const mayChange = (state: SubmissionState): boolean => state === 'pending' || state === 'returned'

/**
 * True if the page shows the event. After a decision, editors may add things that the sender must not see, so
 * an event that is private, or that was public and no longer is, is not shown. Of a refused event, the page
 * shows the title, like the e-mail with the decision.
 */
const isEventShown = ({ event, wasPublic }: Submission, state: SubmissionState): boolean =>
  mayChange(state) ||
  state === 'published' ||
  (!wasPublic && state !== 'refused' && event?.status !== 'private')

/**
 * The number of changes, by anybody, after which the sender can no longer change the event: each costs as
 * much as a submission.
 */
const MAX_CHANGES = 30
/** The number of changes after which the sender can no longer send another image, which costs more. */
const MAX_IMAGES = 3

/**
 * The outcome of a change: what was sent, if the form is shown with it, and the fields that can no longer be
 * saved, in words.
 */
type TriedChange = FormOutcome & {
  sent?: Pick<FormState, 'entries' | 'hidden'>
  unsaved?: readonly UnsavedField[]
}

/** The page of a submission for its sender. @param url its parameters say what was just done */
export async function submissionPage(
  site: PageContext,
  token: string,
  url: URL,
  triedChange: TriedChange = {},
): Promise<VisitorResponse> {
  const submission = await readSubmission(site, token)
  const { event, note, hasContact } = submission
  const words = textsIn(site.language).submit
  const state = submissionState(submission, site.context)
  const doneTexts: Readonly<Record<string, string>> = {
    sent: words.thanks,
    saved: words.saved,
    forgotten: words.forgotten,
    confirmed: words.confirmed,
  }
  const doneName = Object.keys(doneTexts).find(name => url.searchParams.has(name))
  // Senders keep the address of the page as it is, and come back after the decision.
  const isStale = state !== 'pending' && (doneName === 'sent' || doneName === 'saved')
  const secret = url.searchParams.get(CONFIRM) ?? ''
  const isUndecided = mayChange(state) || state === 'working'
  const address =
    secret === '' || !isUndecided
      ? undefined
      : await findAddressToConfirm(site.context, { id: submission.id, secret })
  const message = triedChange.message ?? (doneName && !isStale ? doneTexts[doneName] : undefined)
  const { unsaved = [] } = triedChange
  // A series may have begun long ago.
  const isPast = event?.series_id === null && mayChange(state) && isOver(site, event)
  const form =
    event && mayChange(state)
      ? await changeForm(site, { token, event, tried: triedChange, isPast, state })
      : ''
  return {
    status: triedChange.status ?? 200,
    retryAfter: triedChange.retryAfter,
    body: submitPage(site, {
      title: words.yours,
      isPrivate: true,
      main: html`<div class="page-head"><h1>${words.yours}</h1></div>
${message && html`<p class="notice${triedChange.message ? ' notice-alert' : ' notice-done'}" role="${triedChange.message ? 'alert' : 'status'}"${doneName === 'sent' && html` data-saved="${DRAFT_OWNER}:${SUBMIT_PATH}"`}>${message}</p>`}
${isPast && html`<p class="notice notice-alert" role="alert">${textsIn(site.language).form.savedPast}</p>`}
${unsavedList(site, unsaved)}
${address && confirmForm(site, { token, secret, address })}
${event && isEventShown(submission, state) && eventSummary(site, event)}${event && state === 'refused' && html`<h2>${plain(event.title)}</h2>`}
<p class="lead">${words[state]}</p>
${note && html`<h2>${words.note}</h2><blockquote>${note}</blockquote>`}
${event && state === 'published' && html`<p class="visitor-see"><a class="button" href="${linkTo(site, EVENTS.serialize(event, site.context).url)}">${words.see}</a></p>${tellEditorsButton(site, event.id, unsaved)}`}
${(mayChange(state) || doneName === 'sent') && addressNote(site, token)}
${form}
${mayChange(state) && actionButton(site, token, 'withdraw')}
${hasContact && actionButton(site, token, 'forget')}
<p><a href="${SUBMIT_PATH}">${words.another}</a></p>`,
    }),
  }
}

/**
 * The button that confirms the address. Opening the link does not, because programs open the links in mails.
 */
function confirmForm(
  { language }: PageContext,
  { token, secret, address }: Record<'token' | 'secret' | 'address', string>,
): Html {
  const words = textsIn(language).submit
  return html`<form class="notice" method="post" action="${senderPath(token)}"><p>${words.confirmText}</p>
<input type="hidden" name="${CONFIRM}" value="${secret}"><button class="button" name="do" value="${CONFIRM}">${filled(words.confirmButton, { email: address })}</button></form>`
}

/** The address of the page, for the sender to keep. */
function addressNote({ context, words, language }: PageContext, token: string): Html {
  const address = context.site + senderPath(token)
  return html`<p>${textsIn(language).submit.keep}</p>
<p class="visitor-address"><code>${address}</code> <button class="button button-quiet" type="button" hidden data-copy="${address}" data-done="${words.copied}">${words.copyAddress}</button></p>`
}

/** The button of an action that cannot be undone, folded away: one tap would be too easy on a phone. */
const actionButton = (site: PageContext, token: string, action: 'withdraw' | 'forget'): Html => {
  const words = textsIn(site.language).submit
  return html`<details class="visitor-other"><summary>${words[action]}</summary><form method="post" action="${senderPath(token)}"><p>${words[`${action}Text`]}</p>
<button class="button button-danger" name="do" value="${action}">${words[action]}</button></form></details>`
}

function eventSummary(site: PageContext, event: EventRow): Html {
  const words = textsIn(site.language).submit
  const image = event.image && serializeImage(event.image, site.context)
  const when = describeWhen(site, EVENTS.serialize(event, site.context))
  return html`<h2>${plain(event.title)}</h2><dl class="visitor-summary"><dt>${words.when}</dt><dd>${capitalized(when.day)}, ${when.time}</dd>
${event.venues.length > 0 && html`<dt>${words.where}</dt><dd>${event.venues.map(({ name }) => plain(name)).join(', ')}</dd>`}</dl>
${image && html`<img class="visitor-image" ${imageAttributes(image, { sizes: '20rem', isCut: false })}>`}`
}

type ChangeFormParts = {
  token: string
  event: EventRow
  tried: TriedChange
  isPast: boolean
  state: SubmissionState
}

async function changeForm(
  site: PageContext,
  { token, event, tried, isPast, state }: ChangeFormParts,
): Promise<Html> {
  const { context } = site
  const { sent, lostFile, errors = new Map() } = tried
  const body = EVENTS.serialize(event, asSender(context, event.author_id))
  const words = textsIn(site.language).submit
  const entries = entriesFor(SUBMISSION_FORM, body, context)
  const shownEntries = sent?.entries ?? entries
  const choices = await context.db.read(selectChoices(context, SUBMISSION_FORM, shownEntries))
  const formState: FormState = {
    entries: shownEntries,
    hidden:
      sent?.hidden ??
      new Map([...formDigests(SUBMISSION_FORM, entries), ['version', [String(event.version)]]]),
    errors,
    choices: {
      ...withStored(choices, body),
      mayUpload: takesImages(context) && event.version <= MAX_IMAGES,
    },
    isUnsaved: sent !== undefined,
  }
  const submit = state === 'returned' ? words.send : words.save
  const form = submissionForm(site, { state: formState, action: senderPath(token), lostFile, submit })
  return html`<details class="form-fold visitor-change"${(sent || lostFile || isPast || state === 'returned') && html` open`}><summary><span class="fold-name">${words.change}</span></summary>${form}</details>`
}

/** The chosen venues or organizers without those that the event already has. */
const withoutLinked = <T extends { id?: number }>(
  choices: readonly T[] = [],
  linkedRows: readonly { id: number }[],
): T[] => choices.filter(({ id }) => !linkedRows.some(row => row.id === id))

/** A request to change a submission: the event, the form, and the context with the rights of the sender. */
type SenderRequest = {
  submission: Submission
  event: EventRow
  sender: RequestContext
  token: string
  data: FormData
  again: (tried?: TriedChange) => Promise<VisitorResponse>
}

export async function takeSubmissionForm(
  site: PageContext,
  token: string,
  data: FormData,
  url: URL,
): Promise<VisitorResponse> {
  const { context } = site
  const submission = await readSubmission(site, token)
  const { event } = submission
  if (data.get('do') === 'forget') {
    await context.db.write([submissionUpdateStatement(submission, { name: '', email: '', mail_text: '' })])
    return { to: `${senderPath(token)}?forgotten=1` }
  }
  if (data.get('do') === CONFIRM) {
    const isConfirmed = await confirmSender(context, { id: submission.id, secret: formText(data, CONFIRM) })
    return { to: `${senderPath(token)}${isConfirmed ? '?confirmed=1' : ''}` }
  }
  const showAgain = (tried?: TriedChange) => submissionPage(site, token, url, tried)
  const isWithdrawal = data.get('do') === 'withdraw'
  const state = submissionState(submission, context)
  if (!event || !mayChange(state)) {
    if (isWithdrawal && state === 'withdrawn') return { to: senderPath(token) }
    const unsaved = isWithdrawal ? [] : await readUnsavedFields(site, readPosted(data).entries)
    return showAgain({ message: textsIn(site.language).submit.late, status: 409, unsaved })
  }
  const request = {
    submission,
    event,
    token,
    data,
    again: showAgain,
    sender: asSender(context, event.author_id),
  }
  if (isWithdrawal) return (await withdrawEvent(site, request)) ?? { to: senderPath(token) }
  return (await changeEvent(site, request)) ?? { to: `${senderPath(token)}?saved=1` }
}

const submissionUpdateStatement = ({ id }: Submission, values: Partial<typeof submissions.$inferInsert>) =>
  build.update(submissions).set(values).where(eq(submissions.id, id))

/**
 * Moves the event to the trash.
 * @returns the page if somebody else has changed it; undefined if it is done
 */
async function withdrawEvent(
  site: PageContext,
  { submission, event, sender, token, again }: SenderRequest,
): Promise<VisitorResponse | undefined> {
  const { context, language } = site
  const removal = {
    method: 'DELETE',
    path: eventOrSeriesPath(event.id, event.series_id),
    headers: ifVersion(event.version),
  }
  const withdrawalStatement = submissionUpdateStatement(submission, {
    is_withdrawn: true,
    decided_utc: context.clock.now(),
  })
  const reply = await submitOne({ context: sender }, removal, { statements: [withdrawalStatement] })
  if (isDone(reply)) return undefined
  const state = submissionState(await readSubmission(site, token), context)
  const { changed, late } = textsIn(language).submit
  return state === 'withdrawn'
    ? undefined
    : again({ message: mayChange(state) ? changed : late, status: 412 })
}

/**
 * The answer to a change of an event that has changed since its form was shown, by an editor or in another
 * tab: both versions to choose from.
 *
 * @returns undefined if what was sent is stored
 */
async function answerToChanged(
  site: PageContext,
  { token, data, again }: SenderRequest,
  posted: Entries,
): Promise<VisitorResponse | undefined> {
  const { context, language } = site
  const submission = await readSubmission(site, token)
  const { event } = submission
  const texts = textsIn(language)
  if (!event || !mayChange(submissionState(submission, context)))
    return again({ message: texts.submit.late, status: 409, unsaved: await readUnsavedFields(site, posted) })
  const body = EVENTS.serialize(event, asSender(context, event.author_id))
  const form = SUBMISSION_FORM
  const choices = withStored(await context.db.read(selectChoices(context, form, posted)), body)
  const conflict = conflictOf({ site, language }, context, { form, posted, body, choices })
  const lostFile = fileIn(data)?.name
  if (!conflict) return lostFile ? again({ message: texts.submit.changed, status: 412, lostFile }) : undefined
  const address = senderPath(token)
  return {
    status: 412,
    body: submitPage(site, {
      title: texts.form.conflict,
      isPrivate: true,
      main: html`<form class="editor-form visitor-form" method="post" action="${address}" enctype="multipart/form-data">${conflictFields({ site, language }, conflict, { version: event.version, isOwn: false, address })}
${lostFile && html`<p class="notice">${filled(texts.submit.imageAgain, { file: lostFile })}</p>`}</form>`,
    }),
  }
}

/**
 * Changes the event.
 * @returns the page if the form has errors, or somebody else has changed the event; undefined if it is done
 */
async function changeEvent(site: PageContext, request: SenderRequest): Promise<VisitorResponse | undefined> {
  const { submission, event, sender, data, again } = request
  const { context, language } = site
  const words = textsIn(language).submit
  const image = sentImage(site, data)
  const submittedForm = await withSearches(site, SUBMISSION_FORM, readPosted(data))
  const triedChange = {
    sent: { entries: submittedForm.entries, hidden: hiddenEntriesOf(submittedForm) },
    lostFile: fileIn(data)?.name,
  }
  if (isShownAgain(submittedForm)) return again(triedChange)
  if (event.version > (image ? MAX_IMAGES : MAX_CHANGES)) {
    const message = filled(words.changedOften, { n: MAX_CHANGES, images: MAX_IMAGES })
    return again({ ...triedChange, message, status: 429 })
  }
  const formErrors = knownErrors(SUBMISSION_FORM, textsIn(language).form, submittedForm)
  if (formErrors.size > 0) return again({ ...triedChange, errors: formErrors, status: 422 })
  try {
    const allValues = filledFields(formValues(SUBMISSION_FORM.fields, submittedForm.entries, context))
    // Venues of the event need not be public, because they were submitted with it.
    const { values } = checkInput(submissionFields, { ...allValues, email: 'sender@example.org' })
    // Editors may have added more than visitors can submit.
    const changedFields = changedValues(context, SUBMISSION_FORM, submittedForm)
    const { errors, values: checkedValues } = checkInput(submissionFields, filledFields(changedFields))
    errors.throwIfAny()
    const sentValues = {
      ...values,
      venue: withoutLinked(values.venue, event.venues),
      organizer: withoutLinked(values.organizer, event.organizers),
    }
    const likeness = await checkChangedSubmission(context, sentValues, image)
    const body = {
      ...changedFields,
      // The image belongs to the event's author, as the first one did.
      ...(image && { image: await image.upload(sender.caller) }),
      // Descriptions by visitors have a lower limit.
      ...(checkedValues.description !== undefined && { description: checkedValues.description }),
      status: 'pending',
    }
    const likenessUpdate = submissionUpdateStatement(submission, {
      likeness,
      ...(image && { has_image: true }),
    })
    const change = {
      method: 'PATCH',
      path: eventOrSeriesPath(event.id, event.series_id),
      body,
      headers: ifVersion(submittedForm.version),
    }
    const reply = await submitOne({ context: sender }, change, { statements: [likenessUpdate] })
    if (isDone(reply)) return undefined
    if (reply.status === 412) return answerToChanged(site, request, submittedForm.entries)
    return again({ ...triedChange, errors: errorsOf(textsIn(language), reply.body), status: 422 })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return again({ ...triedChange, ...submissionRefusal(site, error) })
  }
}
