// Made by `npm run words`.
export type TextsWithValues = {
  "submit": {
    "remarkLead": "Is anything about “{{name}}” wrong or missing? The editors will look at it.",
    "imageAgain": "Please choose “{{file}}” again: browsers don’t keep a file when a form is shown again.",
    "confirmButton": "Yes, write to {{email}}"
  },
  "mail": {
    "decisionSubject": "Your event at {{site}}",
    "decisionPublished": "“{{title}}” was accepted at {{site}}. Thank you!",
    "decisionRefused": "“{{title}}” was not accepted at {{site}}."
  }
}
