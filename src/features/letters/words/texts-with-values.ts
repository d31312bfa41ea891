// Made by `npm run words`.
export type TextsWithValues = {
  "letter": {
    "next": "next: {{date}}",
    "asked": "Saved. A link has been sent to {{email}}: the first newsletter is sent once the address is confirmed.",
    "notAsked": "Saved, but the link to {{email}} could not be sent. Please try again later.",
    "askText": "{{email}} has not been confirmed yet. Nothing is sent before that.",
    "testText": "Sends it to {{email}}.",
    "failedNow": "It was not sent. {{reason}}",
    "sent_other": "sent, with {{count}} events",
    "waiting": "next attempt {{date}}",
    "tries": "attempts: {{n}}",
    "retryNamed": "Send again: {{name}}",
    "reasonOther": "The e-mail service has refused it ({{code}})."
  },
  "mail": {
    "confirmLetter": "{{login}} wants {{site}} to send the newsletter “{{name}}” with upcoming events to this address, once a week."
  },
  "account": {
    "confirmLetter": "{{site}} sends the newsletter “{{name}}” to {{email}} once a week, as soon as you confirm this."
  }
}
