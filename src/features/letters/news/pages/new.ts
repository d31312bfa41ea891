import { isDailyLimit } from '../../../../db/failures.ts'
import { retryAfter } from '../../../../http/errors.ts'
import { check } from '../../../../http/input.ts'
import { statusOf } from '../../../../lib/error-codes.ts'
import { ApiError } from '../../../../lib/errors.ts'
import { coded } from '../../../../lib/reasons.ts'
import { textOf } from '../../../../web/forms/element.ts'
import { errorsOf } from '../../../../web/forms/requests.ts'
import type { Filters } from '../../../../web/html/filters.ts'
import { html } from '../../../../web/html/html.ts'
import type { Site } from '../../../../web/html/site.ts'
import { textsIn } from '../../../../words/words.ts'
import { CHOICE_KINDS, type Choice } from '../choices.ts'
import { subscriberFields } from '../schema.ts'
import { checkAddress, checkChoice, knownFor, takeSubscriber } from '../subscribe.ts'
import {
  NEWS_PATH,
  type NewsForm,
  type NewsResponse,
  newsPage,
  saidPage,
  signUpForm,
  USUAL_DAY,
} from './form.ts'
import { type NewsOffers, selectOffers } from './offers.ts'

/** The choice in a form or in the query of an address; what is no id is left out. */
export const choiceOf = (values: { getAll: (name: string) => unknown[] }): Choice =>
  Object.fromEntries(
    CHOICE_KINDS.map(kind => [
      kind,
      values
        .getAll(kind)
        .flatMap(text => String(text).split(','))
        .map(Number)
        .filter(id => Number.isSafeInteger(id) && id > 0),
    ]),
  )

/** The page on which people sign up. @param url the choice that it begins with, or `sent` after the form */
export async function signUpPage(site: Site, url: URL): Promise<NewsResponse> {
  const words = textsIn(site.language).news
  if (url.searchParams.has('sent'))
    return { status: 200, body: saidPage(site, { title: words.lookTitle, text: words.look }) }
  const asked = choiceOf(url.searchParams)
  const offers = await site.context.db.get(selectOffers(site, asked))
  const slugs = url.searchParams.getAll('categories').flatMap(text => text.toLowerCase().split(','))
  const bySlug = offers.categories.flatMap(({ id, slug }) => (slug && slugs.includes(slug) ? [id] : []))
  const choice = { ...asked, categories: [...(asked.categories ?? []), ...bySlug] }
  return formPage(site, { offers, form: { choice, weekday: USUAL_DAY } })
}

function formPage(
  site: Site,
  given: { offers: NewsOffers; form: NewsForm },
  reply: { status?: 200 | 422 | 429 | 503; retryAfter?: number | undefined } = {},
): NewsResponse {
  const words = textsIn(site.language).news
  return {
    status: 200,
    ...reply,
    body: newsPage(site, {
      title: words.title,
      isUnlisted: false,
      main: html`<div class="page-head"><h1>${words.title}</h1></div><p class="lead">${words.lead}</p>
${signUpForm(site, given)}`,
    }),
  }
}

/** Handles the form: whatever is known about the address, the visitor is told to look into its mail. */
export async function takeSignUp(site: Site, data: FormData): Promise<NewsResponse> {
  const { context, language } = site
  const choice = choiceOf(data)
  const form: NewsForm = { choice, weekday: textOf(data, 'weekday'), email: textOf(data, 'email') }
  const { values, errors } = check(subscriberFields, { ...form, language })
  if (!form.email) errors.add('email', coded('missing', 'must not be empty'))
  const { email = '', weekday = USUAL_DAY } = values
  try {
    checkChoice(choice, await context.db.get(knownFor(context, choice)), errors)
    checkAddress(context, email, errors)
    errors.throwIfAny()
    await takeSubscriber(context, { email, weekday, choice, language })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const offers = await context.db.get(selectOffers(site, choice))
    return formPage(site, { offers, form: { ...form, errors: reasons(site, error) } }, replyTo(error))
  }
  return { to: `${NEWS_PATH}?sent=1` }
}

/** The messages of the form about an error. */
function reasons({ language }: Site, error: ApiError): ReadonlyMap<string, string> {
  const { code, message, data } = error
  const words = textsIn(language)
  if (code === 'rest_too_many_requests') return new Map([['', words.news.tooMany]])
  if (statusOf(code) === 503)
    return new Map([['', isDailyLimit(error) ? words.news.dayLimit : words.news.busy]])
  return errorsOf(words, { code, message, data })
}

function replyTo(error: ApiError): { status: 422 | 429 | 503; retryAfter?: number | undefined } {
  const status = statusOf(error.code)
  return status === 429 || status === 503 ? { status, retryAfter: retryAfter(error) } : { status: 422 }
}

/** The query of the form's address for the filters of a page, as far as they are a choice. */
export const invitationQuery = ({ categories = [], venue = [], organizer = [] }: Filters): string => {
  const given = [
    ['categories', categories],
    ['venues', venue],
    ['organizers', organizer],
  ] as const
  const chosen = given.flatMap(([kind, ids]) =>
    ids.length > 0 ? [`${kind}=${ids.map(encodeURIComponent).join(',')}`] : [],
  )
  return chosen.length > 0 ? `?${chosen.join('&')}` : ''
}
