import { isRowReadable } from '../../../calendar/content/visibility.ts'
import { mapQuery } from '../../../kit/db/query.ts'
import { checkInput } from '../../../kit/http/input.ts'
import { ApiError } from '../../../kit/lib/errors.ts'
import { codedReason, MISSING } from '../../../kit/lib/reasons.ts'
import { toWall } from '../../../kit/lib/time.ts'
import {
  choicePart,
  errorOf,
  formText,
  inputField,
  selectField,
  stateOf,
  textField,
} from '../../../site/forms/field-html.ts'
import { errorSummary, linksTo } from '../../../site/forms/render.ts'
import { alertOf, type Refusal, refusalOf, type VisitorResponse } from '../../../site/forms/visitor-pages.ts'
import { ASSETS } from '../../../site/html/assets.ts'
import { badge } from '../../../site/html/events.ts'
import { backLink, type Html, html, icon } from '../../../site/html/html.ts'
import { layout, type SitePage } from '../../../site/html/layout.ts'
import type { PageContext } from '../../../site/html/page-context.ts'
import type { Slots } from '../../../site/html/slots.ts'
import { nameOf, plain } from '../../../site/html/text.ts'
import { TURNSTILE_FIELD, turnstileBox, turnstileScripts } from '../../../site/html/turnstile.ts'
import { momentHere, momentThere, statusWord } from '../../../words/events.ts'
import { filled, plural, textsIn } from '../../../words/words.ts'
import { isRegistrationOn } from '../limits.ts'
import { registerPath } from '../links.ts'
import {
  noRegistration,
  type OccasionWithRegistration,
  selectOccasionByEvent,
  selectRegisteredDates,
  withRegistration,
} from '../occasion.ts'
import { checkRegistration, registerPerson, resendLink } from '../register.ts'
import {
  datesIn,
  isLessLeft,
  maxPlacesOfNewcomer,
  phaseOf,
  placesLeft,
  registrationState,
  registrationTimes,
} from '../rules.ts'
import { registrationFields } from '../schema.ts'
import { MAX_PUBLIC_LEFT } from '../serialize.ts'

/**
 * The button on the page of an event, also after registration has closed, for people who have lost their
 * link. The number of places left is on the page that it leads to, which is not cached.
 */
export const registerButton: NonNullable<NonNullable<Slots['parts']>['eventAction']> = {
  raisesRevision: true,
  select: ({ context, language }, ids) =>
    mapQuery(selectRegisteredDates(ids), occasions => ({ id, ticket_availability }) => {
      const occasion = occasions.find(({ event }) => event.id === id)
      if (!occasion || !isRegistrationOn(context)) return ''
      const words = textsIn(language).registration
      const phase = phaseOf(occasion, context.clock)
      const openText =
        ticket_availability === 'waitlist'
          ? words.join
          : ticket_availability === 'sold_out'
            ? words.soldOut
            : words.register
      const text = phase === 'on' ? openText : words[`button_${phase}`]
      const button = html`<a class="button" href="${registerPath(id)}">${icon('ticket')}<span>${text}</span></a>`
      return { button, isOpen: phase === 'on' }
    }),
}

const TEXT_FIELDS = ['name', 'email', 'places', 'answer'] as const
type FormInput = Record<(typeof TEXT_FIELDS)[number], string> & { consent: boolean }

/** The form that was refused, as it was sent: for registering, or for asking for the link. */
type RefusedForm = Pick<Refusal, 'errors' | 'message'> & { form: 'register' | 'link'; typed: FormInput }

/** A page about a registration, which is not cached. */
export const registrationPage = (
  site: PageContext,
  { title, main }: Pick<SitePage, 'title' | 'main'>,
  mayUseTurnstile = false,
): string =>
  String(
    layout(site, {
      title,
      main: html`<div class="registration-form stack">${main}</div>`,
      isUnlisted: true,
      styles: [ASSETS.editorStyle],
      scripts: mayUseTurnstile ? turnstileScripts(site) : [],
    }),
  )

/** What a page says of an event, or of all dates of a course. */
type EventFacts = {
  title: string
  start: string
  end: string
  timezone: string
  isWholeDay: boolean
  place: string
  status: string
  /** The first day and the last day of a course. */
  days: readonly [first: string, last: string] | undefined
}

const placeText = ({ words }: PageContext, isOnline: boolean, place: string): string =>
  isOnline ? words.onlineBadge : plain(place)

function factsOf(site: PageContext, occasion: OccasionWithRegistration): EventFacts {
  const { event, registration, firstStart, lastEnd } = occasion
  const { title, slug, timezone, all_day: isWholeDay, event_status: status } = event
  const place = placeText(site, event.virtual_event_type === 'virtual', occasion.place)
  const days =
    registration.series_id === null ? undefined : ([firstStart, toWall(lastEnd, timezone)] as const)
  const start = event.start_date
  const end = event.end_date
  return { title: nameOf(title, slug), start, end, timezone, isWholeDay, place, status, days }
}

/** What people were told of an event that is hidden or in the trash by now; undefined if nobody was. */
function factsTold(
  site: PageContext,
  { event, registration }: OccasionWithRegistration,
): EventFacts | undefined {
  const known = datesIn(registration.told)
  const date = known.find(({ id }) => id === event.id) ?? known[0]
  if (!date) return undefined
  const { title, start, end, zone: timezone = site.context.settings.timezone, day, status } = date
  const starts = known.map(each => each.start).sort()
  const ends = known.map(each => each.end).sort()
  return {
    title: plain(title),
    start,
    end,
    timezone,
    isWholeDay: day === 1,
    place: placeText(site, date.online === 1, date.place),
    status: event.status === 'trash' || status === 'gone' ? 'canceled' : status,
    days: registration.series_id === null ? undefined : [starts[0] ?? start, ends.at(-1) ?? start],
  }
}

/**
 * The event that a page is about: its name, its time, its place and whether it takes place, with a way back
 * to it as long as it has a page. Without one, this is what those who have registered were told last, and
 * nothing for somebody who was told nothing; an event in the trash counts as cancelled.
 */
export function eventLines(site: PageContext, occasion: OccasionWithRegistration): Html | '' {
  const { event } = occasion
  const isPublic = isRowReadable(event, site.context)
  const facts = isPublic ? factsOf(site, occasion) : factsTold(site, occasion)
  if (!facts) return ''
  const { title, start, end, timezone, isWholeDay, place, status, days } = facts
  const reason = isPublic && event.event_status_reason
  const back = isPublic && backLink(`${site.base}/event/${encodeURIComponent(event.slug)}/`, title)
  const moment = { wall: start, timezone, isWholeDay, style: 'day' } as const
  const saysEnd = !isWholeDay && end > start
  const time = momentThere(site, { ...moment, end, saysEnd }, site.context.settings.timezone)
  const here = momentHere(site, moment, site.context.settings.timezone)
  const word = statusWord(site, status)
  const [from, until] = days?.map(wall => site.dates.format('date', wall)) ?? []
  // Not “the whole course”: pages may join its dates to those of another series.
  const datesText =
    from !== undefined &&
    until !== undefined &&
    filled(textsIn(site.language).registration.datesTogether, { from, until })
  return html`${back}
<p class="lead"><strong>${title}</strong><br>${here && html`${here}<br>`}<time datetime="${start}">${time}</time>${word && html` ${badge(word, status === 'canceled' ? 'alert' : 'warn')}`}${place && html`<br>${place}`}${datesText && html`<br>${datesText}`}</p>
${word && reason && html`<p>${plain(reason)}</p>`}`
}

/** The event of a page, if it is public and takes registrations. */
async function findPublicOccasion(
  { context }: PageContext,
  id: number,
): Promise<OccasionWithRegistration | undefined> {
  const occasion = withRegistration(await context.db.read(selectOccasionByEvent(id)))
  return occasion && isRegistrationOn(context) && isRowReadable(occasion.event, context)
    ? occasion
    : undefined
}

function stateLines(site: PageContext, occasion: OccasionWithRegistration): Html {
  const { language, dates, context } = site
  const { timezone } = occasion.event
  const words = textsIn(language).registration
  const state = registrationState(occasion, context.clock)
  const left = placesLeft(occasion)
  const { opens, closes } = registrationTimes(occasion)
  const moment = (wall: string) => momentThere(site, { wall, timezone }, context.settings.timezone)
  const lines = [
    state === 'soon' && opens !== null && filled(words.opensAt, { when: moment(opens) }),
    state === 'open' &&
      left !== null &&
      left <= MAX_PUBLIC_LEFT &&
      filled(plural(language, words, 'freePlaces', left), { count: dates.number(left) }),
    state === 'waiting' && words.waitingText,
    state === 'full' && words.allTaken,
    state === 'closed' && words.closedText,
    (state === 'open' || state === 'waiting') &&
      closes !== null &&
      filled(words.until, { when: moment(closes) }),
  ].filter(line => line !== false)
  return html`${lines.map(line => html`<p class="register-state">${line}</p>\n`)}`
}

function registerForm(
  site: PageContext,
  occasion: OccasionWithRegistration,
  { typed, errors, message }: Omit<RefusedForm, 'form'>,
): Html {
  const { language, settings } = site
  const texts = textsIn(language)
  const words = texts.registration
  const { registration, event } = occasion
  const field = (name: (typeof TEXT_FIELDS)[number]) => ({
    id: `f-${name}`,
    name,
    value: typed[name],
    label: name === 'answer' ? plain(registration.question) : words[name],
    error: errors.get(name),
    words: texts.form,
  })
  const options = Array.from(
    { length: maxPlacesOfNewcomer(occasion) },
    (_, i) => [String(i + 1), site.dates.number(i + 1)] as const,
  )
  const consent = { id: 'f-consent', label: words.consent, error: errors.get('consent'), isRequired: true }
  // If there is only one number to choose, no field would show what is wrong with another.
  const alert = message ?? (options.length <= 1 && errors.has('places') ? words.fullText : undefined)
  const isWaiting = registrationState(occasion, site.context.clock) === 'waiting'
  const promiseName = isWaiting
    ? 'promiseWaiting'
    : isLessLeft(occasion, options.length)
      ? 'promiseEither'
      : 'promise'
  const labels = new Map([
    ...TEXT_FIELDS.map(name => [name, field(name).label] as const),
    ['consent', words.privacy] as const,
  ])
  const summary = errorSummary(language, errors, linksTo(labels))
  return html`${alert ? alertOf(alert) : summary}
<form class="editor-form register-form stack" method="post" action="${registerPath(event.id)}">
${inputField({ ...field('name'), isRequired: true }, html` maxlength="100" autocomplete="name"`)}
${inputField({ ...field('email'), isRequired: true }, html` type="email" maxlength="254" autocomplete="email"`)}
${options.length > 1 && selectField({ id: 'f-places', label: words.places, error: errors.get('places') }, { name: 'places', options, chosen: typed.places })}
${registration.question !== '' && html`<input type="hidden" name="question" value="${plain(registration.question)}">${textField({ ...field('answer'), help: words.answerHelp, rows: 3 }, html` maxlength="500"`)}`}
<div class="form-field${consent.error && ' has-error'}">${errorOf(consent)}<div class="form-check">${choicePart({ ...consent, name: 'consent', value: '1', type: 'checkbox', isChosen: typed.consent }, stateOf(consent))}</div></div>
${turnstileBox(site)}
<div class="actions"><button class="button" type="submit">${isWaiting ? words.join : words.register}</button></div>
<p class="small">${words[promiseName]} <a href="${settings.links.privacy}">${words.privacy}</a></p></form>`
}

/** The form of somebody who has lost the link. It is open if it was refused. */
function lostLinkForm(site: PageContext, occasion: OccasionWithRegistration, refused?: RefusedForm): Html {
  const words = textsIn(site.language).registration
  const field = { id: 'f-lost', label: words.email, error: refused?.errors.get('email') }
  return html`<details class="form-fold"${refused && html` open`}><summary><span class="fold-name">${words.lost}</span></summary>${alertOf(refused?.message)}<form class="editor-form stack" method="post" action="${registerPath(occasion.event.id)}">
${inputField({ ...field, name: 'email', value: refused?.typed.email ?? '' }, html` type="email" required maxlength="254" autocomplete="email"`)}
<div class="actions"><button class="button button-quiet" name="do" value="link">${words.sendLink}</button></div></form></details>`
}

const EMPTY_INPUT: FormInput = { name: '', email: '', places: '1', answer: '', consent: false }

function registerPage(site: PageContext, occasion: OccasionWithRegistration, refused?: RefusedForm): string {
  const words = textsIn(site.language).registration
  const refusedAs = (form: RefusedForm['form']) => (refused?.form === form ? refused : undefined)
  const state = registrationState(occasion, site.context.clock)
  const isOpen = state === 'open' || state === 'waiting'
  const main = html`${eventLines(site, occasion)}
<h1>${state === 'waiting' ? words.join : words.register}</h1>
${stateLines(site, occasion)}
${isOpen && registerForm(site, occasion, refusedAs('register') ?? { typed: EMPTY_INPUT, errors: new Map() })}
${lostLinkForm(site, occasion, refusedAs('link'))}`
  return registrationPage(
    site,
    {
      title: `${words.register}${site.words.colon}${nameOf(occasion.event.title, occasion.event.slug)}`,
      main,
    },
    true,
  )
}

export async function showRegister(site: PageContext, id: number, url: URL): Promise<VisitorResponse> {
  const occasion = await findPublicOccasion(site, id)
  if (!occasion) throw noRegistration()
  const sent = url.searchParams.get('sent')
  if (sent === null) return { status: 200, body: registerPage(site, occasion) }
  const words = textsIn(site.language).registration
  const main = html`${eventLines(site, occasion)}<h1>${words.lookTitle}</h1><p class="lead" role="status">${words.look}</p>${sent !== 'link' && html`<p class="notice">${words.lookNext}</p>`}`
  return { status: 200, body: registrationPage(site, { title: words.lookTitle, main }) }
}

/** Handles the form. The reply is the same for every address: that an e-mail is on its way. */
export async function takeRegister(site: PageContext, id: number, data: FormData): Promise<VisitorResponse> {
  const occasion = await findPublicOccasion(site, id)
  if (!occasion) throw noRegistration()
  const { context, language } = site
  const typed: FormInput = {
    name: formText(data, 'name'),
    email: formText(data, 'email'),
    places: formText(data, 'places'),
    answer: formText(data, 'answer'),
    consent: data.has('consent'),
  }
  const { consent, ...texts } = typed
  const given = {
    ...texts,
    places: texts.places || '1',
    language,
    turnstile: formText(data, TURNSTILE_FIELD),
    consent,
  }
  const form = formText(data, 'do') === 'link' ? 'link' : 'register'
  try {
    if (form === 'link') {
      const { values, errors } = checkInput(registrationFields, { email: texts.email })
      const { email } = values
      if (!email && !errors.has('email')) errors.add('email', MISSING)
      errors.throwIfAny()
      await resendLink(context, occasion, email ?? '')
    } else {
      const { values, errors } = checkInput(registrationFields, given)
      const asked = checkRegistration(context, occasion, values, errors)
      if (asked.answer !== '' && data.has('question') && formText(data, 'question') !== plain(asked.question))
        errors.add('answer', codedReason('question_changed', 'must answer the question as it is now'))
      errors.throwIfAny()
      await registerPerson(context, occasion, asked)
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const refused = registrationRefusal(site, error)
    const current = await findPublicOccasion(site, id)
    if (!current) throw noRegistration()
    return { ...refused, body: registerPage(site, current, { ...refused, form, typed }) }
  }
  // The same for every address, but not for both forms: whoever has lost the link may have a place.
  return { to: `${registerPath(id)}?sent=${form === 'link' ? form : 1}` }
}

/** Why the form is shown again after an error. */
export function registrationRefusal(site: PageContext, error: ApiError): Refusal {
  const words = textsIn(site.language).registration
  return refusalOf(site, error, {
    rest_too_many_requests: words.tooMany,
    rest_registration_mails_used_up: words.noMail,
    rest_registration_full: words.fullText,
    rest_registration_closed: words.closedText,
  })
}
