// Made by `npm run words`.
export type TextsWithValues = {
  "pages": {
    "subscribeTo": "{{name}}: all events, always up to date.",
    "subscribeSeries": "{{name}}: all dates, always up to date."
  }
}
