/** The error codes of picks, by HTTP status, each with its meaning for clients (Markdown). */
export const ERRORS = {
  404: {
    'rest-pick-list-not-found': 'There is no such list of picks, or it has ended.',
  },
} as const
