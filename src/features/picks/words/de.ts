export default function () {
  return {
  "pages": {
    "picks": "Merkliste",
    "picksShared": "Eine geteilte Auswahl",
    "pickName": "Merken: {{name}}",
    "pick": "Merken",
    "pickDates": "Alle Termine merken",
    "picksLead": "In diesem Browser gemerkt, ohne Konto. Teilen Sie die Liste, um sie auf einem anderen Gerät zu sehen oder sich zu verabreden.",
    "picksSharedLead": "Veranstaltungen, die jemand zusammengestellt hat.",
    "picksNone": "Noch nichts gemerkt. Ein Klick auf das Herz einer Veranstaltung, und sie steht hier.",
    "picksNoScripts": "Veranstaltungen lassen sich nur mit JavaScript merken.",
    "picksChanged": "Seitdem geändert",
    "pickWas": "vorher {{when}}",
    "picksPast_one": "{{n}} vergangene Veranstaltung",
    "picksPast_other": "{{n}} vergangene Veranstaltungen",
    "picksGone_one": "{{n}} weitere ist nicht mehr in diesem Kalender.",
    "picksGone_other": "{{n}} weitere sind nicht mehr in diesem Kalender.",
    "picksAllDates": "Alle Termine",
    "picksSubscribe": "Ihre Merkliste im eigenen Kalender. Wird etwas verlegt oder abgesagt, ändert es sich auch dort. Die Adresse gehört nur Ihnen: Wer sie hat, sieht, was Sie sich merken.",
    "picksAdd": "Alle auf meine Merkliste",
    "picksForget": "Alle vergessen",
    "picksForgotten": "Alles Gemerkte ist gelöscht, und das Abo endet, sobald Sie weitergehen.",
    "picksUndo": "Rückgängig",
    "picksFull": "Mehr als {{n}} lassen sich nicht merken.",
    "picksFailed": "Das hat nicht geklappt. Bitte versuchen Sie es später noch einmal."
  }
}
}
