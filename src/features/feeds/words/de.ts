export default function () {
  return {
  "pages": {
    "subscribeAll": "Alle Veranstaltungen dieses Kalenders, immer aktuell.",
    "subscribeTo": "{{name}}: alle Veranstaltungen, immer aktuell.",
    "subscribeSeries": "{{name}}: alle Termine, immer aktuell.",
    "feedDescription": "Was läuft, wann und wo."
  }
}
}
