import { settled } from '../../db/query.ts'
import { defineFeature } from '../../feature.ts'
import { html } from '../../web/html/html.ts'
import type { TextsOf } from '../../words/words.ts'
import { SUBMIT_PATH } from './pages/form.ts'
import { mountSubmit } from './pages/mount.ts'
import { senders } from './queries.ts'
import { remarkPath } from './remarks.ts'
import { oldSubmissions } from './retention.ts'
import { submissionRoutes } from './routes.ts'
import { hasDecisionDue, sendDecisions } from './sender-mails.ts'
import catalogues from './words/catalogues.ts'

/** The error codes of lists of submissions and of decisions, by HTTP status, each with its meaning for clients (Markdown). */
const ERRORS = {
  404: {
    'rest-submission-not-found': 'There is no such submission.',
    'submission-archive-page-not-found': 'The list has no such page.',
  },
  409: {
    rest_submission_decided: 'The submission has been decided already; change its event instead.',
  },
} as const

declare module '../../lib/features.ts' {
  interface Features {
    submissions: {
      errors: typeof ERRORS
      words: TextsOf<typeof catalogues>
    }
  }
}

/**
 * Events and remarks that visitors send to the editors. The core takes submissions (resources/submissions) and reviews them, because others
 * send events, too.
 */
export const submissionsFeature = defineFeature({
  name: 'submissions',
  errors: ERRORS,
  words: catalogues,
  routes: submissionRoutes,
  subjects: { submissions: 'Events submitted by visitors, if the calendar accepts them.' },
  mountForms: mountSubmit,
  siteLinks: ({ words, context }) =>
    context.settings.submissions.isOn ? [{ href: SUBMIT_PATH, text: words.submitLink }] : [],
  parts: {
    event: {
      raisesRevision: true,
      select: ({ words, context }) =>
        settled(({ id }) =>
          context.settings.submissions.isOn
            ? html`<p class="tell-editors small"><a href="${remarkPath(id)}" rel="nofollow">${words.tellEditors}</a></p>`
            : '',
        ),
    },
  },
  senders,
  tasks: ({ mailer, ...run }) =>
    mailer
      ? [
          {
            name: 'decisions',
            isDue: hasDecisionDue(run.nowMs),
            work: () => sendDecisions({ ...run, mailer }),
          },
        ]
      : [],
  expired: oldSubmissions,
})
