/** The error codes of sources, by HTTP status, each with its meaning for clients (Markdown). */
export const ERRORS = {
  404: {
    'rest-source-not-found': 'There is no such source.',
    'source-archive-page-not-found': 'The list has no such page.',
  },
  409: {
    'sources-are-too-many': 'The maximum number of sources has been reached.',
  },
} as const
