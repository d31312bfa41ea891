/** The error codes of webhooks, by HTTP status, each with its meaning for clients (Markdown). */
export const ERRORS = {
  404: {
    'rest-webhook-not-found': 'There is no such webhook.',
    'webhook-archive-page-not-found': 'The list has no such page.',
  },
  409: {
    'webhooks-are-too-many': 'The maximum number of webhooks has been reached.',
  },
} as const
