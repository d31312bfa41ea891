import { defineFeature, type Feature } from '../../feature.ts'
import { resolvedQuery } from '../../kit/db/query.ts'
import { html } from '../../site/html/html.ts'
import { SUBMIT_PATH } from './pages/form.ts'
import { submitPages } from './pages/visitor-pages.ts'
import { oldSubmissions } from './queries.ts'
import { remarkPath } from './remarks.ts'
import { submissionRoutes } from './routes.ts'
import { decisionDueSql, sendDecisions } from './sender-mails.ts'
import words from './words.ts'

const DECLARED = {
  errors: {
    404: {
      'rest-submission-not-found': 'There is no such submission.',
      'submission-archive-page-not-found': 'The list has no such page.',
    },
    409: {
      rest_submission_decided: 'The submission has been decided already; change its event instead.',
    },
  },
  words,
} as const

/**
 * Events and remarks that visitors send to the editors. The core takes submissions (calendar/intake) and
 * reviews them, because visitors are not the only ones who send events.
 */
export const submissionsFeature: Feature<typeof DECLARED> = defineFeature({
  name: 'submissions',
  declares: DECLARED,
  routes: submissionRoutes,
  docTags: { submissions: 'Events submitted by visitors, if the calendar accepts them.' },
  forms: { '/submit': submitPages },
  siteLinks: ({ words, context }) =>
    context.settings.submissions.isOn ? [{ href: SUBMIT_PATH, text: words.submitLink }] : [],
  parts: {
    event: {
      raisesRevision: true,
      select: ({ words, context }) =>
        resolvedQuery(({ id }) =>
          context.settings.submissions.isOn
            ? html`<p class="tell-editors small"><a href="${remarkPath(id)}" rel="nofollow">${words.tellEditors}</a></p>`
            : '',
        ),
    },
  },
  tasks: ({ mailer, ...run }) =>
    mailer
      ? [
          {
            name: 'decisions',
            dueSql: decisionDueSql(run.nowMs),
            work: () => sendDecisions({ ...run, mailer }),
          },
        ]
      : [],
  expired: oldSubmissions,
})
