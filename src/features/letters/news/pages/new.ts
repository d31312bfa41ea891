import * as z from 'zod/mini'
import { combineQueries } from '../../../../kit/db/query.ts'
import { checkInput } from '../../../../kit/http/input.ts'
import { field } from '../../../../kit/http/params.ts'
import { ApiError } from '../../../../kit/lib/errors.ts'
import { MISSING } from '../../../../kit/lib/reasons.ts'
import { toItems } from '../../../../kit/lib/values.ts'
import { formText } from '../../../../site/forms/field-html.ts'
import { refusalOf, type VisitorResponse } from '../../../../site/forms/visitor-pages.ts'
import { definePage } from '../../../../site/html/define-page.ts'
import type { Filters } from '../../../../site/html/filters.ts'
import { type Html, html } from '../../../../site/html/html.ts'
import type { PageContext } from '../../../../site/html/page-context.ts'
import { TURNSTILE_FIELD } from '../../../../site/html/turnstile.ts'
import { textsIn } from '../../../../words/words.ts'
import { CHOICE_KINDS, type ChoiceKind, MAX_CHOSEN, type NewsChoice } from '../choices.ts'
import { type NewsSample, selectSample } from '../compose.ts'
import { isNewsOn } from '../limits.ts'
import { subscriberFields } from '../schema.ts'
import { checkAddress, checkChosen, takeSubscriber } from '../subscribe.ts'
import { NEWS_PATH, type NewsForm, newsPage, noticePage, signUpForm, USUAL_DAY } from './form.ts'
import { chosenIds, type NewsOffers, selectOffers } from './offers.ts'

/**
 * The choice in a form or in the query of an address; what is no id is left out. One id too many is kept, so
 * that the check finds that there are too many.
 */
export const choiceOf = (values: { getAll: (name: string) => unknown[] }): NewsChoice =>
  Object.fromEntries(
    CHOICE_KINDS.map(kind => [
      kind,
      values
        .getAll(kind)
        .flatMap(text => String(text).split(','))
        .map(Number)
        .filter(id => Number.isSafeInteger(id) && id > 0)
        .slice(0, MAX_CHOSEN + 1),
    ]),
  )

const listParam = (description: string) =>
  z.optional(
    field(raw => toItems(String(raw), MAX_CHOSEN).join(','), { type: 'string', description, example: '3' }),
  )

const idListParam = listParam('What the form begins with: ids, with commas between them.')

const pageQuery = z.object({
  categories: listParam('What the form begins with: ids or slugs, with commas between them.'),
  venues: idListParam,
  organizers: idListParam,
  sent: listParam('Says that the form was sent.'),
})

const listIn = (text: string | undefined): string[] => text?.split(',') ?? []

const choiceInQuery = (asked: Partial<z.output<typeof pageQuery>>): NewsChoice =>
  choiceOf({ getAll: name => listIn(asked[name as ChoiceKind]) })

const selectForm = (site: PageContext, choice: NewsChoice) =>
  combineQueries({
    offers: selectOffers(site.context, chosenIds(choice)),
    sample: selectSample(site.context, site.language),
  })

type FormPage = { offers: NewsOffers; sample: NewsSample | undefined; form: NewsForm }

/** The page on which people sign up. It is the same for all, so caches keep it. */
export const signUpPage = definePage({
  path: NEWS_PATH,
  query: pageQuery,
  mayUseTurnstile: true,
  load: (site, { query }) => selectForm(site, choiceInQuery(query)),
  respond: (site, { query, loaded }) => {
    if (!isNewsOn(site.context)) throw new ApiError('rest_no_route', 'This calendar sends no news.')
    const words = textsIn(site.language).news
    if (query.sent !== undefined)
      return { body: noticePage(site, { title: words.lookTitle, text: words.look }) }
    const slugs = listIn(query.categories?.toLowerCase())
    const idsOfSlugs = loaded.offers.categories.flatMap(({ id, slug }) =>
      slug && slugs.includes(slug) ? [id] : [],
    )
    const askedChoice = choiceInQuery(query)
    const choice = { ...askedChoice, categories: [...(askedChoice.categories ?? []), ...idsOfSlugs] }
    return { body: formPage(site, { ...loaded, form: { choice, weekday: USUAL_DAY } }) }
  },
})

function formPage(site: PageContext, { sample, ...given }: FormPage): string {
  const words = textsIn(site.language).news
  const form = html`<div><h1>${words.title}</h1><p class="lead">${words.lead}</p>
${signUpForm(site, given)}</div>`
  return newsPage(site, {
    title: words.title,
    isUnlisted: false,
    main: sample ? html`<div class="news-columns">${form}${sampleCard(site.language, sample)}</div>` : form,
  })
}

/** Handles the form. The reply is the same for every address: that an e-mail is on its way. */
export async function takeSignUp(site: PageContext, data: FormData): Promise<VisitorResponse> {
  const { context, language } = site
  const choice = choiceOf(data)
  const form: NewsForm = { choice, weekday: formText(data, 'weekday'), email: formText(data, 'email') }
  const turnstile = formText(data, TURNSTILE_FIELD)
  const { values, errors } = checkInput(subscriberFields, { ...form, language, turnstile })
  if (!form.email) errors.add('email', MISSING)
  const { email = '', weekday = USUAL_DAY } = values
  try {
    checkAddress(context, email, errors)
    await checkChosen(context, choice, errors)
    errors.throwIfAny()
    await takeSubscriber(context, { email, weekday, choice, language, turnstile: values.turnstile })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const shownForm = await context.db.read(selectForm(site, choice))
    const words = textsIn(language).news
    const refusal = refusalOf(site, error, {
      rest_too_many_requests: words.tooMany,
      rest_service_unavailable: words.busy,
      rest_daily_limit_reached: words.dayLimit,
    })
    return { ...refusal, body: formPage(site, { ...shownForm, form: { ...form, ...refusal } }) }
  }
  return { to: `${NEWS_PATH}?sent=1` }
}

/** The query of the form's address for the filters of a page, as far as they are a choice. */
export const invitationQuery = ({ categories = [], venue = [], organizer = [] }: Filters): string => {
  const givenIds = [
    ['categories', categories],
    ['venues', venue],
    ['organizers', organizer],
  ] as const
  const parameters = givenIds.flatMap(([kind, ids]) =>
    ids.length > 0 ? [`${kind}=${ids.slice(0, MAX_CHOSEN).map(encodeURIComponent).join(',')}`] : [],
  )
  return parameters.length > 0 ? `?${parameters.join('&')}` : ''
}

/** What an e-mail about everything would look like now, beside the form. */
function sampleCard(language: string, { subject, entries, more }: NewsSample): Html {
  const words = textsIn(language).news
  return html`<section class="card news-sample" aria-labelledby="news-sample"><p class="small">${words.sample}</p>
<h2 id="news-sample">${subject}</h2>
<ol>${entries.map(
    ({ heading, time, title, address, status, isCanceled, place, notes }) =>
      html`<li${isCanceled && html` class="is-off"`}><p><strong>${heading}</strong>
${time}</p><div><a href="${address}">${title}</a>${status && html` <span class="badge">${status}</span>`}
<p dir="auto">${[place, notes].filter(Boolean).join(' · ')}</p></div></li>\n`,
  )}</ol>
${more && html`<p>${more}</p>`}
<p class="small">${words.change} · ${words.leave}</p></section>`
}
