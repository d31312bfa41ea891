/** The error codes of lists of submissions and of decisions, by HTTP status, each with its meaning for clients (Markdown). */
export const ERRORS = {
  404: {
    'rest-submission-not-found': 'There is no such submission.',
    'submission-archive-page-not-found': 'The list has no such page.',
  },
  409: {
    rest_submission_decided: 'The submission has been decided already; change its event instead.',
  },
} as const
