/** The error codes of letters, by HTTP status, each with its meaning for clients (Markdown). */
export const ERRORS = {
  404: {
    'rest-letter-not-found': 'There is no such letter.',
    'letter-archive-page-not-found': 'The list has no such page.',
  },
  409: {
    'letters-are-too-many': 'The maximum number of letters has been reached.',
    'letter-cannot-be-sent': 'The letter was sent, is going to be, or its address is not confirmed.',
  },
} as const
