export default function () {
  return {
  "inbox": {
    "takenSubject": "Ihre E-Mail an {{site}}",
    "taken": "{{site}} hat Ihre E-Mail erhalten. Wir sehen sie an, bevor etwas daraus veröffentlicht wird.",
    "takenLinks": "Hier können Sie sehen, ändern oder zurückziehen, was Sie geschickt haben, unter einer Adresse je Termin:",
    "takenNext": "Sobald wir entschieden haben, erhalten Sie noch eine E-Mail. Bitte antworten Sie nicht auf diese.",
    "isPrivate": "Laut Kalenderdatei privat: {{titles}}.",
    "isOff": "Laut Kalenderdatei abgesagt und deshalb nicht dabei: {{titles}}.",
    "isLeftOut": "Aus der Kalenderdatei ausgelassen: „{{what}}“. {{why}}"
  }
}
}
