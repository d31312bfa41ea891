export default { en, de, es, fr }

function en() {
  return {
  "pages": {
    "subscribeAll": "All events of this calendar, always up to date.",
    "subscribeTo": "{{name}}: all events, always up to date.",
    "subscribeSeries": "{{name}}: all dates, always up to date.",
    "feedDescription": "What is on, when and where."
  }
} as const
}

function de() {
  return {
  "pages": {
    "subscribeAll": "Alle Veranstaltungen dieses Kalenders, immer aktuell.",
    "subscribeTo": "{{name}}: alle Veranstaltungen, immer aktuell.",
    "subscribeSeries": "{{name}}: alle Termine, immer aktuell.",
    "feedDescription": "Was läuft, wann und wo."
  }
}
}

function es() {
  return {
  "pages": {
    "subscribeAll": "Todos los eventos de este calendario, siempre al día.",
    "subscribeTo": "{{name}}: todos los eventos, siempre al día.",
    "subscribeSeries": "{{name}}: todas las fechas, siempre al día.",
    "feedDescription": "Qué hay, cuándo y dónde."
  }
}
}

function fr() {
  return {
  "pages": {
    "subscribeAll": "Tous les événements de cet agenda, toujours à jour.",
    "subscribeTo": "{{name}} : tous les événements, toujours à jour.",
    "subscribeSeries": "{{name}} : toutes les dates, toujours à jour.",
    "feedDescription": "Ce qui se passe, quand et où."
  }
}
}
