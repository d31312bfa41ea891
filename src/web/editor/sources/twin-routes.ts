import * as z from 'zod/mini'
import { together } from '../../../db/query.ts'
import { pageOf, pageParams } from '../../../http/lists.ts'
import { oneOf } from '../../../http/params.ts'
import { selectDuplicates } from '../../../resources/duplicates/queries.ts'
import type { DuplicateResponse } from '../../../resources/duplicates/schema.ts'
import { filled, reviewWords, twinWords } from '../../../words/words.ts'
import { textOf } from '../../forms/form-body.ts'
import { ask, isDone, submitOne } from '../../forms/requests.ts'
import { plain } from '../../html/text.ts'
import { editPath } from '../events/rows.ts'
import { asShown } from '../publish/versions.ts'
import { defineAction, defineAdminPage } from '../route.ts'
import { TWINS } from './queries.ts'
import { selectAsked } from './start.ts'
import { TWIN_VIEWS, twinsAddress, twinsPage } from './twins.ts'

const requires = 'manage_sources'

/** Pairs on a page. */
const PER_PAGE = 10

const twins = defineAdminPage({
  path: TWINS,
  requires,
  query: z.object({
    page: pageParams.page,
    view: z.optional(oneOf(TWIN_VIEWS, { description: 'Which of the tabs.' })),
  }),
  load: ({ context }, { query: { view = 'asked', page } }) =>
    together({
      pairs: selectDuplicates(context, {
        values: { state: view },
        // One more, which says that there are more.
        page: { ...pageOf({ per_page: PER_PAGE, ...(page && { page }) }, context), perPage: PER_PAGE + 1 },
      }),
      asked: selectAsked,
    }),
  respond: (admin, { query: { view = 'asked', page = 1 }, loaded }) =>
    twinsPage(admin, {
      view,
      asked: loaded.asked ?? 0,
      // One of the two may have been deleted for good.
      rows: loaded.pairs.slice(0, PER_PAGE).filter(({ events }) => events.length === 2),
      page,
      hasMore: loaded.pairs.length > PER_PAGE,
    }),
})

const decision = defineAction({
  path: `${TWINS}:id{[0-9]+}/`,
  requires,
  handle: async (admin, { form, id }) => {
    const words = twinWords(admin.language)
    const isSame = textOf(form, 'same') === '1'
    const reply = await asShown(admin, form, () =>
      ask(admin, { method: 'POST', path: `/duplicates/${id}`, body: { same: isSame } }),
    )
    // Back to the tab from which it came.
    const view = TWIN_VIEWS.find(name => name === textOf(form, 'view')) ?? 'asked'
    const to = twinsAddress(view)
    if (reply.status === 412) return { to, notice: { text: reviewWords(admin.language).changed } }
    if (!isDone(reply)) return { to, notice: { text: words.gone } }
    // Of the route of that path: the first one is in lists.
    const [shown] = (reply.body as DuplicateResponse).events
    const title = plain(shown?.title ?? '')
    const text = isSame ? filled(words.putTogether, { title }) : words.keptApart
    // From where it can be taken back.
    const link = { href: twinsAddress(isSame ? 'joined' : 'different'), text: words.see }
    return { to, notice: { text, link } }
  },
})

/** Takes the events that are shown as one apart, from the page of one of them. */
const separation = defineAction({
  path: '/admin/events/:id{[0-9]+}/separate/',
  requires,
  handle: async (admin, { form, id }) => {
    const words = twinWords(admin.language)
    const reply = await submitOne(admin, { method: 'POST', path: `/events/${id}/separate` })
    const back = Number(textOf(form, 'back'))
    return {
      to: editPath(Number.isSafeInteger(back) && back > 0 ? back : id),
      notice: { text: isDone(reply) ? words.keptApart : words.gone },
    }
  },
})

/** The pages of events that may be the same. */
export const twinPages = [twins, decision, separation]
