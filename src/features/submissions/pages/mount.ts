import type { Context, Hono } from 'hono'
import type { AppEnv } from '../../../kit/env.ts'
import { MAX_FILE_BYTES } from '../../../kit/http/form-data.ts'
import { countLooks } from '../../../kit/http/limits.ts'
import { ApiError } from '../../../kit/lib/errors.ts'
import { entriesOf } from '../../../site/forms/entries.ts'
import { findLinked } from '../../../site/forms/load.ts'
import { freshRepetition } from '../../../site/forms/render.ts'
import { mountVisitorPages, NOT_KEPT, type VisitorPage } from '../../../site/forms/visitor-pages.ts'
import { SUBMISSION_FORM, SUBMIT_PATH, takesImages } from './form.ts'
import { newForm, takeVisitorForm } from './new.ts'
import { remarkForm, takeRemarkForm } from './remark.ts'
import { submissionPage, takeSubmissionForm } from './submission.ts'

const eventIn = (c: Context<AppEnv>): number => Number(c.req.param('event'))
const tokenIn = (c: Context<AppEnv>): string => c.req.param('token') ?? ''
const requestUrl = (c: Context<AppEnv>): URL => new URL(c.req.url)

/** The most bytes of the inputs of a repetition: twice those of the longest series that visitors may submit. */
const MAX_TYPED = 20_000

const PAGES: readonly VisitorPage[] = [
  { path: SUBMIT_PATH, isForm: true, show: newForm, take: takeVisitorForm },
  {
    path: '/submit/about/:event{[0-9]{1,15}}/',
    isForm: true,
    show: (site, c) => remarkForm(site, eventIn(c)),
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
      return c.json(await context.db.read(findLinked(context, field, search)), 200, NOT_KEPT)
    },
  },
  {
    // The fields of a repetition, updated for the current input, for scripts. It reads and writes nothing.
    path: '/submit/repetition/',
    count: countLooks,
    limits: () => ({ bytes: MAX_TYPED }),
    take: async (site, data, c) => {
      const { language } = site
      return c.html(freshRepetition({ site, language }, SUBMISSION_FORM, entriesOf(data)), 200, NOT_KEPT)
    },
  },
]

/** Mounts the pages for submissions on an app, which are there while the calendar accepts any. */
export const mountSubmit = (app: Hono<AppEnv>): void =>
  mountVisitorPages(
    app,
    '/submit',
    PAGES.map(page => ({
      limits: context => (takesImages(context) ? { fileBytes: MAX_FILE_BYTES } : {}),
      ...page,
      isOn: ({ settings }) => settings.submissions.isOn,
    })),
  )
