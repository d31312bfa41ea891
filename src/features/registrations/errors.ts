/** The error codes of registrations, by HTTP status, each with its meaning for clients (Markdown). */
export const ERRORS = {
  403: {
    rest_registration_closed: "People can't register: not yet, no longer, or the event does not take place.",
  },
  404: {
    'rest-registration-not-found': "People don't register for this event here.",
    'rest-registrant-not-found': 'There is no such person on the list.',
    'registrant-archive-page-not-found': 'The list has no such page.',
  },
  409: {
    rest_registration_full: 'There are not that many places left, or others wait for them.',
    rest_registration_people:
      'People have registered: `data.people` is their number, which `confirm` must name.',
  },
  503: {
    rest_registration_mail_failed: 'The e-mail with the link could not be sent, and nobody was registered.',
    rest_registration_mails_used_up: 'The calendar sends no more e-mails about registrations today.',
  },
} as const
