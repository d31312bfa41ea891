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
  },
  "news": {
    "consent": "I want {{site}} to send me news about coming events to this address, once a week at most, until I leave. The address is kept for that alone and passed on to nobody; it is not measured whether I read them. I can change this or leave at any time by the link in each e-mail.",
    "mailSubject": "Please confirm: news from {{site}}",
    "mailAsk": "Somebody, probably you, wants to get news from {{site}} at this address. Nothing is sent until you agree:",
    "mailKnownSubject": "Your news from {{site}}",
    "mailKnown": "Somebody, probably you, has just signed up this address to news from {{site}}. It gets them already. Here you can change what comes, or leave:",
    "subject": "{{name}}, {{days}}",
    "line": "Get news from {{site}} by e-mail",
    "confirmed": "Confirmed: from now on, {{site}} sends you news on the day that you chose.",
    "numbers": "Get news: {{confirmed}}. Not confirmed yet: {{unconfirmed}}. Different choices: {{choices}}. Waiting to be sent: {{waiting}}.",
    "foundConfirmed": "This address gets news on {{day}}; asked for {{asked}}, confirmed {{confirmed}} (UTC).",
    "foundUnconfirmed": "This address has been signed up for {{day}}, {{asked}} (UTC), and has not been confirmed."
  }
}
