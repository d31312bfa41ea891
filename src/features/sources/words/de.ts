export default function () {
  return {
  "source": {
    "lead": "Das Theater, der Sportverein, die Gemeinde: Was sie in ihren eigenen Kalendern ankündigen, erscheint hier von selbst und bleibt aktuell.",
    "add": "Kalender hinzufügen",
    "none": "Noch wird kein Kalender gelesen.",
    "steps": "Sie brauchen nur seine Adresse. Sie sehen, was es dort gibt, bevor irgendetwas in Ihrem Kalender erscheint.",
    "addressHint": "Kopieren Sie die Adresse der Seite mit den Veranstaltungen oder die des Links „Abonnieren“. Oft endet sie auf .ics. Alle können sie bei den Veranstaltungen sehen: Nehmen Sie die öffentliche Adresse, keine geheime.",
    "look": "Ansehen",
    "lookNote": "Das kann einige Sekunden dauern. Noch wird nichts importiert.",
    "found": "Diese Veranstaltungen gibt es dort",
    "found_one": "Eine Veranstaltung.",
    "found_other": "{{n}} Veranstaltungen. Die nächsten:",
    "foundNone": "Der Kalender lässt sich lesen, aber zurzeit ist dort nichts angekündigt.",
    "foundOver": "{{n}} Veranstaltungen, alle schon vorbei:",
    "foundFilters": "Die Adresse hat Filter, und sie bleiben erhalten. Gelesen werden nur solche Veranstaltungen: {{filters}}",
    "settingsNew": "Einstellungen für den Import",
    "addNow": "Diesen Kalender hinzufügen",
    "anotherAddress": "Andere Adresse",
    "new": "wird zum ersten Mal gelesen",
    "byHand": "noch nicht gelesen",
    "running": "wird gerade gelesen",
    "ok": "aktuell",
    "failing": "nicht lesbar",
    "asking": "braucht eine Entscheidung",
    "paused": "pausiert",
    "page": "Seine Seite",
    "last": "Zuletzt gelesen",
    "next": "Nächstes Mal",
    "never": "noch nie",
    "soon": "in wenigen Minuten",
    "onlyByHand": "nur von Hand",
    "whileAsking": "sobald Sie entschieden haben oder die Veranstaltungen wieder da sind",
    "events": "Veranstaltungen dort",
    "everyHour": "jede Stunde",
    "every6Hours": "alle sechs Stunden",
    "everyDay": "jeden Tag",
    "everyWeek": "jede Woche",
    "onDemand": "nur von Hand",
    "seeEvents": "Seine Veranstaltungen hier",
    "sync": "Jetzt lesen",
    "resume": "Weitermachen",
    "wasPaused": "Der Kalender ist pausiert. Seine Veranstaltungen bleiben, wie sie sind.",
    "resumed": "Es geht weiter: Der Kalender wird in wenigen Minuten gelesen.",
    "begun": "Der Kalender wird gelesen. Was noch fehlt, folgt in wenigen Minuten.",
    "done": "Der Kalender wurde gelesen: {{what}}.",
    "failed": "Der Kalender lässt sich nicht lesen. {{why}}",
    "wrong": "Was nicht stimmt",
    "detail": "Für die Betreiber der anderen Seite",
    "question": "Wurde im anderen Kalender aufgeräumt?",
    "questionText": "Mindestens die Hälfte der kommenden Veranstaltungen ist dort verschwunden. Das kann Absicht oder ein Versehen sein. Hier wurde noch nichts geändert.",
    "agreeMirror": "Wenn Sie zustimmen, kommen die Veranstaltungen, die dort verschwunden sind, hier in den Papierkorb.",
    "agreeKeep": "Wenn Sie zustimmen, wird weiter gelesen. Was dort verschwunden ist, bleibt hier.",
    "agree": "Ja, das ist Absicht",
    "refuse": "Nein, erst einmal warten",
    "runs": "Importe",
    "noRuns": "Es wurde noch nichts gelesen.",
    "created": "{{n}} neu",
    "updated": "{{n}} geändert",
    "unchanged": "{{n}} unverändert",
    "trashed": "{{n}} im Papierkorb",
    "joined": "{{n}} zusammengelegt",
    "asked": "{{n}} zu entscheiden",
    "skipped": "{{n}} übersprungen",
    "guessed": "{{n}} geraten",
    "times": "{{n}}-mal",
    "nothing": "nichts Neues",
    "halfGone": "mindestens die Hälfte war verschwunden, deshalb wurde nichts geändert",
    "notWhole": "Nicht alles ließ sich lesen. Deshalb wurde nichts entfernt, was dort fehlt.",
    "stopped": "fehlgeschlagen",
    "skippedTitle": "Was übersprungen wurde, und warum",
    "guessedTitle": "Was geraten wurde",
    "deleteText": "Der Kalender wird nicht mehr gelesen. Was soll mit den Veranstaltungen geschehen, die von dort kamen?",
    "keepEvents": "Sie bleiben hier, als hätten Sie sie eingetragen.",
    "trashEvents": "Sie kommen in wenigen Minuten in den Papierkorb. Orte, Veranstalter und Kategorien, die nur sie brauchen, verschwinden ebenfalls.",
    "deleteNow": "Diesen Kalender löschen",
    "card_one": "Eine Sache wartet auf Ihre Entscheidung.",
    "card_other": "{{n}} Dinge warten auf Ihre Entscheidung.",
    "cardFailing": "Nicht lesbar: {{names}}"
  },
  "upload": {
    "lead": "Die Veranstaltungen einer Tabelle oder eines anderen Kalenders. Sie sehen, was in der Datei steht, bevor etwas importiert wird.",
    "fileHelp": "Eine CSV- oder .ics-Datei oder eine gespeicherte Webseite mit höchstens 2 MB, ausgewählt oder hierher gezogen. Speichern Sie ein Blatt aus Excel, LibreOffice, Numbers oder Google Tabellen vorher als CSV.",
    "another": "Andere Datei",
    "replaced": "Eine Datei dieses Namens wurde schon importiert: Veranstaltungen mit gleichem Titel und Beginn sind dieselben und bleiben einmal da.",
    "events": "Veranstaltungen",
    "stayPrivate_one": "Eine davon bleibt privat.",
    "stayPrivate_other": "{{n}} davon bleiben privat.",
    "newVenue": "{{name}} (neuer Ort)",
    "columns": "Spalten",
    "columnsText": "Was in jeder Spalte steht. Ändern Sie, was nicht richtig erkannt wurde.",
    "example": "Zum Beispiel: {{text}}",
    "nameless": "Spalte {{n}}",
    "notRead": "(wird nicht importiert)",
    "start_date": "Tag des Beginns",
    "start_time": "Uhrzeit des Beginns",
    "end_date": "Tag des Endes",
    "end_time": "Uhrzeit des Endes",
    "currency_symbol": "Währungszeichen",
    "currency_position": "Position der Währung",
    "currency_code": "Währung",
    "private": "Ist privat",
    "sensitivity": "Vertraulichkeit",
    "public": "Ist öffentlich",
    "id": "Nummer in der Datei",
    "dates": "Wie ist 5/6/2027 in dieser Datei gemeint?",
    "dmy": "5. Juni: zuerst der Tag",
    "mdy": "6. Mai: zuerst der Monat",
    "apply": "So anzeigen",
    "problems": "Was nicht importiert werden kann",
    "line": "Zeile {{n}}",
    "lines": "{{n}} Zeilen ({{all}}):",
    "moreProblems": "… und {{n}} weitere",
    "leaveOut": "Das weglassen und den Rest importieren",
    "correct": "Berichtigen Sie die Datei und wählen Sie sie noch einmal aus, oder lassen Sie das weg.",
    "asDraft": "Werden Entwürfe, die Sie später veröffentlichen können",
    "asPublic": "Werden sofort veröffentlicht",
    "importNow": "Importieren",
    "imported": "importiert",
    "waits": "noch nicht importiert",
    "goOn": "Ansehen und importieren",
    "uploaded": "Hochgeladene Datei",
    "progress": "{{n}} von {{all}} sind importiert. Der Rest folgt von selbst, auch wenn Sie diese Seite verlassen.",
    "continue": "Jetzt weitermachen",
    "done": "Importiert: {{what}}.",
    "undo": "Import rückgängig machen",
    "undoText_one": "Die Veranstaltung aus {{name}}, die hinzugekommen ist, kommt in den Papierkorb. Ort und Veranstalter kommen mit, wenn sie dabei entstanden sind und sonst nirgends gebraucht werden; ebensolche Kategorien und Schlagwörter werden gelöscht.",
    "undoText_other": "Die {{n}} Veranstaltungen aus {{name}}, die hinzugekommen sind, kommen in den Papierkorb. Orte und Veranstalter kommen mit, wenn sie dabei entstanden sind und sonst nirgends gebraucht werden; ebensolche Kategorien und Schlagwörter werden gelöscht.",
    "undone": "rückgängig gemacht, {{n}} im Papierkorb",
    "undoing": "Die Veranstaltungen kommen in den Papierkorb, was einige Minuten dauert.",
    "noFileLeft": "Diese Datei ist importiert oder wurde nach einem Tag gelöscht. Wählen Sie sie noch einmal aus, um sie zu importieren."
  },
  "fields": {
    "source": {
      "kind": {
        "label": "Format"
      },
      "state": {
        "label": "Angehalten"
      },
      "name": {
        "label": "Name",
        "help": "Er steht bei den Veranstaltungen."
      },
      "url": {
        "label": "Adresse"
      },
      "every": {
        "label": "Wie oft gelesen wird",
        "options": {
          "hour": "Jede Stunde",
          "6 hours": "Alle sechs Stunden",
          "day": "Jeden Tag",
          "week": "Jede Woche",
          "": "Nur von Hand"
        }
      },
      "status": {
        "label": "Neue Veranstaltungen",
        "help": "Ist es Ihr eigener Kalender, können sie sofort erscheinen; ist es ein fremder, sollten sie auf Prüfung warten.",
        "options": {
          "publish": "Erscheinen sofort",
          "pending": "Warten auf Prüfung",
          "draft": "Werden Entwürfe"
        }
      },
      "categories": {
        "label": "Kategorien für seine Veranstaltungen"
      },
      "tags": {
        "label": "Schlagwörter für seine Veranstaltungen"
      },
      "venue": {
        "label": "Ort",
        "help": "Für Veranstaltungen ohne Ort."
      },
      "organizer": {
        "label": "Veranstalter",
        "help": "Für Veranstaltungen ohne Veranstalter."
      },
      "search": {
        "label": "Nur Veranstaltungen mit einem dieser Wörter",
        "help": "Leer lassen für alle."
      },
      "mirror": {
        "label": "Genaue Kopie des anderen Kalenders",
        "help": "Was Sie hier ändern, wird überschrieben, und was dort verschwindet, kommt hier in den Papierkorb. Ohne diese Einstellung bleibt, was Sie hier ändern."
      },
      "rights": {
        "label": "Rechte",
        "help": "Falls der andere Kalender einen Hinweis bei seinen Veranstaltungen verlangt.",
        "options": {
          "text": "Wortlaut, etwa „CC BY 4.0“",
          "url": "Link zu den Bedingungen"
        }
      },
      "reading": {
        "label": "Lesen der Datei"
      },
      "file": {
        "label": "Datei"
      },
      "undoing": {
        "label": "Rückgängigmachen des Imports"
      }
    }
  }
}
}
