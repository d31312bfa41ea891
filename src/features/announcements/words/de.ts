export default function () {
  return {
  "announcement": {
    "title": "Text einfügen",
    "link": "Text einfügen",
    "lead": "Fügen Sie ein, was ein Verein oder ein Theater geschickt hat, etwa eine E-Mail, ein Plakat oder eine Nachricht. Das Formular wird mit dem ausgefüllt, was darin steht. Gespeichert wird erst, wenn Sie es speichern.",
    "text": "Text",
    "read": "Formular ausfüllen",
    "none": "In diesem Text wurde keine Veranstaltung gefunden. Es braucht einen eindeutigen Tag: ein Datum oder „diesen Samstag“.",
    "pasted": "Der Text",
    "check": "Prüfen Sie jeden Wert: Was der Text nicht sicher sagt, bleibt leer.",
    "position": "{{at}} von {{n}}:",
    "several": "{{n}} Veranstaltungen wurden gefunden. Speichern Sie eine nach der anderen: Jede öffnet sich in einem neuen Tab, und diese Seite bleibt für die nächste hier.",
    "isSaved": "Gespeichert:",
    "canceled": "Der Text sagt, dass sie nicht stattfindet. Das Formular legt eine an, die stattfindet: Sagen Sie sie nach dem Speichern ab, oder speichern Sie sie nicht.",
    "otherWeekday": "Der Wochentag im Text ist nicht der dieses Datums.",
    "isChecked": "Ich habe das Datum geprüft",
    "start": "Beginn",
    "end": "Ende"
  }
}
}
