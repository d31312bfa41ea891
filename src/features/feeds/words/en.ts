export default function () {
  return {
  "pages": {
    "subscribeAll": "All events of this calendar, always up to date.",
    "subscribeTo": "{{name}}: all events, always up to date.",
    "subscribeSeries": "{{name}}: all dates, always up to date.",
    "feedDescription": "What is on, when and where."
  }
} as const
}
