// Made by `npm run words`.
export type TextsWithValues = {
  "webhook": {
    "since": "since {{date}}",
    "waiting": "waiting to be sent again: {{n}}",
    "accepted": "The other service has accepted it ({{status}}).",
    "notAccepted": "The other service has not accepted it. {{reason}}",
    "waits": "next attempt {{date}}",
    "tries": "attempts: {{n}}",
    "retryNamed": "Send again: {{name}}",
    "reasonRedirect": "It redirects to another address ({{status}}), which is not followed.",
    "reasonStatus": "It responded with {{status}}."
  }
}
