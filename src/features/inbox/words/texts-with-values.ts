// Made by `npm run words`.
export type TextsWithValues = {
  "inbox": {
    "takenSubject": "Your e-mail to {{site}}",
    "taken": "{{site}} has received your e-mail. We look at it before anything in it is published."
  }
}
