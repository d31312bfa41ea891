export default function () {
  return {
  "webhook": {
    "title": "Andere Dienste",
    "lead": "Gibt einem Chat, einer Website oder einem Newsletter sofort Bescheid, wenn sich hier etwas ändert. Der Dienst nennt Ihnen dafür eine Adresse, oft „Webhook“ genannt.",
    "none": "Noch wird kein Dienst benachrichtigt.",
    "add": "Dienst hinzufügen",
    "new": "noch nichts gesendet",
    "ok": "funktioniert",
    "failing": "hat Probleme",
    "paused": "pausiert",
    "gone": "abgeschaltet: den anderen Dienst gibt es nicht mehr",
    "stopped": "abgeschaltet: fünf Tage lang fehlgeschlagen",
    "since": "seit {{date}}",
    "waiting": "wird noch einmal gesendet: {{n}}",
    "test": "Test senden",
    "testText": "Sendet sofort eine Nachricht und zeigt die Antwort.",
    "accepted": "Der andere Dienst hat sie angenommen ({{status}}).",
    "notAccepted": "Der andere Dienst hat sie nicht angenommen. {{reason}}",
    "secret": "Geheimnis",
    "secretText": "Damit prüft der andere Dienst, dass Nachrichten von hier sind. Nach einem Wechsel gilt das alte noch einen Tag.",
    "secretButton": "Neues Geheimnis erzeugen",
    "secretTitle": "Das Geheimnis für diesen Dienst",
    "secretOnce": "Geben Sie es dem anderen Dienst. Es wird nur jetzt gezeigt.",
    "resume": "Wieder einschalten",
    "pauseText": "Was sich inzwischen ändert, wird danach gesendet.",
    "resumed": "Der Dienst ist wieder eingeschaltet. Was inzwischen ausblieb, wird gesendet.",
    "wasPaused": "Der Dienst ist pausiert.",
    "removeText": "Es wird nichts mehr gesendet, und alle Nachrichten werden gelöscht. Das lässt sich nicht rückgängig machen.",
    "removed": "Der Dienst ist entfernt.",
    "deliveries": "Nachrichten",
    "noDeliveries": "Es wurde noch nichts gesendet.",
    "delivered": "angenommen",
    "waits": "nächster Versuch {{date}}",
    "failed": "nicht angenommen",
    "replaced": "durch eine neuere ersetzt",
    "tries": "Versuche: {{n}}",
    "details": "Nachricht und Antwort",
    "message": "Nachricht",
    "response": "Antwort",
    "noResponse": "Die Antwort war leer.",
    "retry": "Noch einmal senden",
    "retryNamed": "Noch einmal senden: {{name}}",
    "reasonPrivate": "Die Adresse führt in ein privates Netz.",
    "reasonTimeout": "Innerhalb von 15 Sekunden kam keine Antwort.",
    "reasonConnection": "Es gab keine Verbindung, oder sie brach ab.",
    "reasonInternal": "Der Kalender konnte sie nicht senden: Den Grund nennt sein Protokoll.",
    "reasonRedirect": "Er leitet an eine andere Adresse weiter ({{status}}), der nicht gefolgt wird.",
    "reasonStatus": "Er hat mit {{status}} geantwortet."
  },
  "fields": {
    "webhook": {
      "url": {
        "label": "Adresse",
        "help": "Wohin die Nachrichten gehen. Der andere Dienst nennt Ihnen diese Adresse."
      },
      "events": {
        "label": "Benachrichtigen, wenn",
        "options": {
          "event.created": "eine Veranstaltung hinzukommt",
          "event.updated": "eine Veranstaltung geändert wird",
          "event.deleted": "eine Veranstaltung wegfällt",
          "event.published": "eine Veranstaltung veröffentlicht wird",
          "event.canceled": "eine Veranstaltung abgesagt wird",
          "venue.created": "ein Ort hinzukommt",
          "venue.updated": "ein Ort geändert wird",
          "venue.deleted": "ein Ort wegfällt",
          "organizer.created": "ein Veranstalter hinzukommt",
          "organizer.updated": "ein Veranstalter geändert wird",
          "organizer.deleted": "ein Veranstalter wegfällt",
          "webhook.test": "Test"
        }
      },
      "filters": {
        "label": "Nur manche davon",
        "help": "Zum Beispiel „categories=musik“ oder „categories=musik&featured=true“. Leer lassen für alles, was öffentlich ist."
      },
      "active": {
        "label": "Eingeschaltet"
      },
      "secret": {
        "label": "Geheimnis"
      }
    }
  },
  "history": {
    "webhook": "Anderer Dienst"
  }
}
}
