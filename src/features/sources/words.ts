export default { en, de, es, fr }

function en() {
  return {
  "source": {
    "lead": "The theatre, the sports club, the church: what they announce in their own calendars appears here by itself, and stays up to date.",
    "add": "Add a calendar",
    "none": "No calendar is read yet.",
    "steps": "All you need is its address. You will see its events before anything appears in your calendar.",
    "addressHint": "Copy it from the page with the events, or from its link “Subscribe”. It often ends with .ics. Everybody can see it next to the events, so use the public address, not a secret one.",
    "look": "Have a look",
    "lookNote": "This can take a few seconds. Nothing is imported yet.",
    "found": "These are its events",
    "found_one": "One event.",
    "found_other": "{{n}} events. The next ones:",
    "foundNone": "It can be read, but nothing is announced there at the moment.",
    "foundOver": "{{n}} events, all of them over:",
    "foundFilters": "The address has filters, which are kept. Only such events are read: {{filters}}",
    "settingsNew": "Import settings",
    "addNow": "Add this calendar",
    "anotherAddress": "Another address",
    "new": "is being read for the first time",
    "byHand": "not read yet",
    "running": "is being read",
    "due": "is about to be read",
    "ok": "up to date",
    "failing": "can’t be read",
    "asking": "needs a decision",
    "paused": "paused",
    "page": "Its page",
    "last": "Last read",
    "next": "Next time",
    "never": "not yet",
    "soon": "within minutes",
    "onlyByHand": "only by hand",
    "whileAsking": "once you have decided, or the events are back",
    "events": "Events there",
    "everyHour": "every hour",
    "every6Hours": "every six hours",
    "everyDay": "every day",
    "everyWeek": "every week",
    "onDemand": "only by hand",
    "seeEvents": "Its events here",
    "sync": "Read it now",
    "resume": "Resume",
    "wasPaused": "It is paused. Its events stay as they are.",
    "resumed": "It is active again, and will be read within minutes.",
    "begun": "It is being read. The rest follows within minutes.",
    "done": "It was read: {{what}}.",
    "failed": "It can’t be read. {{why}}",
    "wrong": "What is wrong",
    "detail": "For the people who run the other site",
    "question": "Has the other calendar been cleared out?",
    "questionText": "At least half of its upcoming events are gone. That may be intended, or a mistake on the other site. Nothing has been changed here yet.",
    "agreeMirror": "If you agree, the events that are gone there go to the trash here.",
    "agreeKeep": "If you agree, reading goes on. The events that are gone there stay here, except for dates that a series no longer has.",
    "agree": "Yes, that is intended",
    "refuse": "No, wait for now",
    "runs": "Imports",
    "noRuns": "Nothing has been read yet.",
    "created": "{{n}} new",
    "updated": "{{n}} changed",
    "unchanged": "{{n}} unchanged",
    "trashed": "{{n}} in the trash",
    "joined": "{{n}} combined with others",
    "asked": "{{n}} to decide",
    "skipped": "{{n}} skipped",
    "guessed": "{{n}} guessed",
    "times": "{{n}} times",
    "nothing": "nothing new",
    "halfGone": "at least half was gone, so nothing was changed",
    "notWhole": "Not everything could be read, so no missing events were removed.",
    "stopped": "failed",
    "skippedTitle": "What was skipped, and why",
    "guessedTitle": "What was guessed",
    "deleteText": "It will no longer be read. What should happen to the events that came from it?",
    "keepEvents": "They stay here, as if you had entered them.",
    "trashEvents": "They go to the trash within minutes. Venues, organizers and categories that only they use go as well.",
    "deleteNow": "Delete this calendar",
    "card_one": "One thing is waiting for your decision.",
    "card_other": "{{n}} things are waiting for your decision.",
    "cardFailing": "Can’t be read: {{names}}"
  },
  "upload": {
    "lead": "The events of a spreadsheet or of another calendar. You will see what is in the file before anything is imported.",
    "noTitle": "No title",
    "fileHelp": "A CSV or .ics file, or a saved web page, of at most 2 MB, chosen or dropped here. Save a sheet of Excel, LibreOffice, Numbers or Google Sheets as CSV first.",
    "another": "Another file",
    "replaced": "A file of this name was imported before: events with the same title and start count as the same, and are not duplicated.",
    "events": "Events",
    "stayPrivate_one": "One of them stays private.",
    "stayPrivate_other": "{{n}} of them stay private.",
    "newVenue": "{{name}} (new venue)",
    "columns": "Columns",
    "columnsText": "What each column contains. Change what was not recognized correctly.",
    "example": "For example: {{text}}",
    "nameless": "Column {{n}}",
    "notRead": "(is not imported)",
    "start_date": "Start date",
    "start_time": "Start time",
    "end_date": "End date",
    "end_time": "End time",
    "currency_symbol": "Currency symbol",
    "currency_position": "Position of the currency symbol",
    "currency_code": "Currency",
    "private": "Is private",
    "sensitivity": "Confidentiality",
    "public": "Is public",
    "id": "Number in the file",
    "dates": "How is 5/6/2027 meant in this file?",
    "dmy": "June 5: the day comes first",
    "mdy": "May 6: the month comes first",
    "apply": "Show it like this",
    "problems": "What can’t be imported",
    "line": "Line {{n}}",
    "lines": "{{n}} lines ({{all}}):",
    "moreProblems": "… and {{n}} more",
    "leaveOut": "Leave this out and import the rest",
    "correct": "Correct the file and choose it again, or leave this out.",
    "asDraft": "Become drafts, which you can publish later",
    "asPublic": "Are published at once",
    "importNow": "Import",
    "imported": "imported",
    "waits": "not imported yet",
    "goOn": "Have a look and import it",
    "uploaded": "Uploaded file",
    "progress": "{{n}} of {{all}} are imported. The rest follows by itself, even if you leave this page.",
    "continue": "Continue now",
    "done": "It is imported: {{what}}.",
    "undo": "Undo the import",
    "undoText_one": "The event of {{name}} that was added goes to the trash, unless somebody has changed it since. So do its venue and organizers if they were added with it and nothing else uses them; such categories and tags are deleted.",
    "undoText_other": "The {{n}} events of {{name}} that were added go to the trash, except for those that somebody has changed since. So do their venues and organizers if they were added with them and nothing else uses them; such categories and tags are deleted.",
    "undone": "undone, {{n}} in the trash",
    "undoing": "The events go to the trash, which takes some minutes.",
    "afterUndo": "The last import is still being undone. Once that is finished, within minutes, this file is imported.",
    "noFileLeft": "This file has been imported, or was deleted after a day. Choose it again to import it."
  },
  "fields": {
    "source": {
      "kind": {
        "label": "Format"
      },
      "state": {
        "label": "Paused"
      },
      "name": {
        "label": "Name",
        "help": "Shown with its events."
      },
      "url": {
        "label": "Address"
      },
      "every": {
        "label": "How often it is read",
        "options": {
          "hour": "Every hour",
          "6 hours": "Every six hours",
          "day": "Every day",
          "week": "Every week",
          "": "Only by hand"
        }
      },
      "status": {
        "label": "New events",
        "help": "Let them appear at once if this is your own calendar, and wait for review if it is somebody else’s.",
        "options": {
          "publish": "Appear at once",
          "pending": "Wait for review",
          "draft": "Become drafts"
        }
      },
      "categories": {
        "label": "Categories for its events"
      },
      "tags": {
        "label": "Tags for its events"
      },
      "venue": {
        "label": "Venue",
        "help": "For events without a venue."
      },
      "organizer": {
        "label": "Organizer",
        "help": "For events without an organizer."
      },
      "search": {
        "label": "Only events with one of these words",
        "help": "Leave it empty for all."
      },
      "mirror": {
        "label": "Exact copy of the other calendar",
        "help": "Your changes here are overwritten, and events that disappear there go to the trash here. Without this, your changes stay."
      },
      "rights": {
        "label": "Rights",
        "help": "If the other calendar requires a notice on its events.",
        "options": {
          "text": "Wording, such as “CC BY 4.0”",
          "url": "Link to the terms"
        }
      },
      "reading": {
        "label": "Reading the file"
      },
      "file": {
        "label": "File"
      },
      "undoing": {
        "label": "Undoing the import"
      }
    }
  }
} as const
}

function de() {
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
    "due": "wird gleich gelesen",
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
    "agreeKeep": "Wenn Sie zustimmen, wird weiter gelesen. Was dort verschwunden ist, bleibt hier, außer Terminen, die eine Serie nicht mehr hat.",
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
    "noTitle": "Ohne Titel",
    "fileHelp": "Eine CSV- oder .ics-Datei oder eine gespeicherte Webseite mit höchstens 2 MB, ausgewählt oder hierher gezogen. Speichern Sie ein Blatt aus Excel, LibreOffice, Numbers oder Google Tabellen vorher als CSV.",
    "another": "Andere Datei",
    "replaced": "Eine Datei dieses Namens wurde schon importiert: Veranstaltungen mit gleichem Titel und Beginn gelten als dieselben und kommen nicht noch einmal dazu.",
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
    "undoText_one": "Die Veranstaltung aus {{name}}, die hinzugekommen ist, kommt in den Papierkorb, wenn sie seither niemand geändert hat. Ort und Veranstalter kommen mit, wenn sie dabei entstanden sind und sonst nirgends gebraucht werden; ebensolche Kategorien und Schlagwörter werden gelöscht.",
    "undoText_other": "Die {{n}} Veranstaltungen aus {{name}}, die hinzugekommen sind, kommen in den Papierkorb, außer denen, die seither jemand geändert hat. Orte und Veranstalter kommen mit, wenn sie dabei entstanden sind und sonst nirgends gebraucht werden; ebensolche Kategorien und Schlagwörter werden gelöscht.",
    "undone": "rückgängig gemacht, {{n}} im Papierkorb",
    "undoing": "Die Veranstaltungen kommen in den Papierkorb, was einige Minuten dauert.",
    "afterUndo": "Der letzte Import wird noch rückgängig gemacht. Sobald das in einigen Minuten fertig ist, wird diese Datei importiert.",
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

function es() {
  return {
  "source": {
    "lead": "El teatro, el club deportivo, la parroquia: lo que anuncian en sus propios calendarios aparece aquí por sí solo y se mantiene al día.",
    "add": "Añadir un calendario",
    "none": "Todavía no se lee ningún calendario.",
    "steps": "Solo necesita su dirección. Verá lo que hay antes de que nada aparezca en su calendario.",
    "addressHint": "Copie la dirección de la página con los eventos o la de su enlace «Suscribirse». A menudo termina en .ics. Todo el mundo puede verla junto a los eventos: use la dirección pública, no una secreta.",
    "look": "Echar un vistazo",
    "lookNote": "Puede tardar unos segundos. Todavía no se importa nada.",
    "found": "Estos son sus eventos",
    "found_one": "Un evento.",
    "found_other": "{{n}} eventos. Los próximos:",
    "foundNone": "Se puede leer, pero ahora mismo no se anuncia nada.",
    "foundOver": "{{n}} eventos, todos ya pasados:",
    "foundFilters": "La dirección tiene filtros, que se conservan. Solo se leen estos eventos: {{filters}}",
    "settingsNew": "Ajustes de la importación",
    "addNow": "Añadir este calendario",
    "anotherAddress": "Otra dirección",
    "new": "se está leyendo por primera vez",
    "byHand": "aún sin leer",
    "running": "se está leyendo",
    "due": "se leerá enseguida",
    "ok": "al día",
    "failing": "no se puede leer",
    "asking": "requiere una decisión",
    "paused": "en pausa",
    "page": "Su página",
    "last": "Última lectura",
    "next": "Próxima vez",
    "never": "todavía no",
    "soon": "en unos minutos",
    "onlyByHand": "solo a mano",
    "whileAsking": "cuando usted decida o vuelvan los eventos",
    "events": "Eventos allí",
    "everyHour": "cada hora",
    "every6Hours": "cada seis horas",
    "everyDay": "cada día",
    "everyWeek": "cada semana",
    "onDemand": "solo a mano",
    "seeEvents": "Sus eventos aquí",
    "sync": "Leer ahora",
    "resume": "Continuar",
    "wasPaused": "Está en pausa. Sus eventos se quedan como están.",
    "resumed": "Continúa y se leerá en unos minutos.",
    "begun": "Se está leyendo. Lo que falta llegará en unos minutos.",
    "done": "Se ha leído: {{what}}.",
    "failed": "No se puede leer. {{why}}",
    "wrong": "Qué ocurre",
    "detail": "Para quienes llevan el otro sitio",
    "question": "¿Se ha vaciado el otro calendario?",
    "questionText": "Al menos la mitad de sus próximos eventos ha desaparecido. Puede ser intencionado o un error del otro sitio. Aquí no se ha cambiado nada todavía.",
    "agreeMirror": "Si está de acuerdo, los eventos que faltan allí irán aquí a la papelera.",
    "agreeKeep": "Si está de acuerdo, se sigue leyendo. Los eventos que faltan allí se quedan aquí, salvo las fechas que una serie ya no tiene.",
    "agree": "Sí, es intencionado",
    "refuse": "No, esperar por ahora",
    "runs": "Importaciones",
    "noRuns": "Todavía no se ha leído nada.",
    "created": "{{n}} nuevos",
    "updated": "{{n}} cambiados",
    "unchanged": "{{n}} sin cambios",
    "trashed": "{{n}} en la papelera",
    "joined": "{{n}} unidos",
    "asked": "{{n}} por decidir",
    "skipped": "{{n}} omitidos",
    "guessed": "{{n}} supuestos",
    "times": "{{n}} veces",
    "nothing": "nada nuevo",
    "halfGone": "faltaba al menos la mitad, así que no se cambió nada",
    "notWhole": "No se ha podido leer todo, así que no se ha quitado ningún evento que falte allí.",
    "stopped": "fallido",
    "skippedTitle": "Qué se ha omitido y por qué",
    "guessedTitle": "Qué se ha supuesto",
    "deleteText": "Ya no se leerá. ¿Qué debe pasar con los eventos que vinieron de él?",
    "keepEvents": "Se quedan aquí, como si los hubiera introducido usted.",
    "trashEvents": "Van a la papelera en unos minutos. Los lugares, organizadores y categorías que solo ellos usan también desaparecen.",
    "deleteNow": "Eliminar este calendario",
    "card_one": "Una cosa espera su decisión.",
    "card_other": "{{n}} cosas esperan su decisión.",
    "cardFailing": "No se pueden leer: {{names}}"
  },
  "upload": {
    "lead": "Los eventos de una hoja de cálculo o de otro calendario. Verá lo que contiene el archivo antes de que se importe nada.",
    "noTitle": "Sin título",
    "fileHelp": "Un archivo CSV o .ics, o una página web guardada, de 2 MB como máximo, elegido o arrastrado hasta aquí. Guarde antes como CSV la hoja de Excel, LibreOffice, Numbers o Google Sheets.",
    "another": "Otro archivo",
    "replaced": "Ya se importó un archivo con este nombre: los eventos con el mismo título y comienzo son los mismos, y no se repiten.",
    "events": "Eventos",
    "stayPrivate_one": "Uno de ellos queda privado.",
    "stayPrivate_other": "{{n}} de ellos quedan privados.",
    "newVenue": "{{name}} (lugar nuevo)",
    "columns": "Columnas",
    "columnsText": "Qué contiene cada columna. Cambie lo que no se haya reconocido bien.",
    "example": "Por ejemplo: {{text}}",
    "nameless": "Columna {{n}}",
    "notRead": "(no se importa)",
    "start_date": "Día de comienzo",
    "start_time": "Hora de comienzo",
    "end_date": "Día de finalización",
    "end_time": "Hora de finalización",
    "currency_symbol": "Símbolo de la moneda",
    "currency_position": "Posición de la moneda",
    "currency_code": "Moneda",
    "private": "Es privado",
    "sensitivity": "Confidencialidad",
    "public": "Es público",
    "id": "Número en el archivo",
    "dates": "¿Qué significa 5/6/2027 en este archivo?",
    "dmy": "5 de junio: primero el día",
    "mdy": "6 de mayo: primero el mes",
    "apply": "Mostrar así",
    "problems": "Lo que no se puede importar",
    "line": "Línea {{n}}",
    "lines": "{{n}} líneas ({{all}}):",
    "moreProblems": "… y {{n}} más",
    "leaveOut": "Omitir esto e importar el resto",
    "correct": "Corrija el archivo y vuelva a elegirlo, u omita esto.",
    "asDraft": "Serán borradores que podrá publicar más tarde",
    "asPublic": "Se publican de inmediato",
    "importNow": "Importar",
    "imported": "importado",
    "waits": "sin importar",
    "goOn": "Ver e importar",
    "uploaded": "Archivo subido",
    "progress": "Se han importado {{n}} de {{all}}. El resto continúa por sí solo, aunque salga de esta página.",
    "continue": "Continuar ahora",
    "done": "Importado: {{what}}.",
    "undo": "Deshacer la importación",
    "undoText_one": "El evento de {{name}} que se añadió irá a la papelera, salvo que alguien lo haya modificado después. También irán el lugar y los organizadores que se añadieron con él y que no se usan en ningún otro sitio; las categorías y etiquetas en ese caso se eliminarán.",
    "undoText_other": "Los {{n}} eventos de {{name}} que se añadieron irán a la papelera, salvo los que alguien haya modificado después. También irán los lugares y los organizadores que se añadieron con ellos y que no se usan en ningún otro sitio; las categorías y etiquetas en ese caso se eliminarán.",
    "undone": "deshecho, {{n}} en la papelera",
    "undoing": "Los eventos irán a la papelera en unos minutos.",
    "afterUndo": "Todavía se está deshaciendo la última importación. En cuanto termine, en unos minutos, se importará este archivo.",
    "noFileLeft": "Este archivo ya se importó, o se borró al cabo de un día. Elíjalo de nuevo para importarlo."
  },
  "fields": {
    "source": {
      "kind": {
        "label": "Formato"
      },
      "state": {
        "label": "En pausa"
      },
      "name": {
        "label": "Nombre",
        "help": "Aparece en sus eventos."
      },
      "url": {
        "label": "Dirección"
      },
      "every": {
        "label": "Con qué frecuencia se lee",
        "options": {
          "hour": "Cada hora",
          "6 hours": "Cada seis horas",
          "day": "Cada día",
          "week": "Cada semana",
          "": "Solo a mano"
        }
      },
      "status": {
        "label": "Eventos nuevos",
        "help": "Si el calendario es suyo, pueden aparecer enseguida; si es de otra persona, conviene que esperen revisión.",
        "options": {
          "publish": "Aparecen enseguida",
          "pending": "Esperan revisión",
          "draft": "Quedan como borradores"
        }
      },
      "categories": {
        "label": "Categorías para sus eventos"
      },
      "tags": {
        "label": "Etiquetas para sus eventos"
      },
      "venue": {
        "label": "Lugar",
        "help": "Para los eventos sin lugar."
      },
      "organizer": {
        "label": "Organizador",
        "help": "Para los eventos sin organizador."
      },
      "search": {
        "label": "Solo eventos con una de estas palabras",
        "help": "Déjelo vacío para todos."
      },
      "mirror": {
        "label": "Copia exacta del otro calendario",
        "help": "Lo que cambie aquí se sobrescribe, y los eventos que desaparecen allí van aquí a la papelera. Sin esta opción, lo que cambie aquí se queda."
      },
      "rights": {
        "label": "Derechos",
        "help": "Si el otro calendario pide una nota en sus eventos.",
        "options": {
          "text": "Texto, como «CC BY 4.0»",
          "url": "Enlace a las condiciones"
        }
      },
      "reading": {
        "label": "Lectura del archivo"
      },
      "file": {
        "label": "Archivo"
      },
      "undoing": {
        "label": "Deshacer la importación"
      }
    }
  }
}
}

function fr() {
  return {
  "source": {
    "lead": "Le théâtre, le club de sport, la paroisse : ce qu’ils annoncent dans leurs propres agendas apparaît ici automatiquement, et reste à jour.",
    "add": "Ajouter un agenda",
    "none": "Aucun agenda n’est lu pour l’instant.",
    "steps": "Il ne vous faut que son adresse. Vous verrez ce qui s’y trouve avant que quoi que ce soit apparaisse dans votre agenda.",
    "addressHint": "Copiez l’adresse de la page des événements, ou celle de son lien « S’abonner ». Elle se termine souvent par .ics. Tout le monde peut la voir à côté des événements : prenez l’adresse publique, et non une adresse secrète.",
    "look": "Voir",
    "lookNote": "Cela peut prendre quelques secondes. Rien n’est encore importé.",
    "found": "Voici ses événements",
    "found_one": "Un événement.",
    "found_other": "{{n}} événements. Les prochains :",
    "foundNone": "Il est lisible, mais rien n’y est annoncé pour le moment.",
    "foundOver": "{{n}} événements, tous passés :",
    "foundFilters": "L’adresse contient des filtres, qui sont conservés. Seuls ces événements sont lus : {{filters}}",
    "settingsNew": "Réglages de l’import",
    "addNow": "Ajouter cet agenda",
    "anotherAddress": "Une autre adresse",
    "new": "première lecture en cours",
    "byHand": "pas encore lu",
    "running": "lecture en cours",
    "due": "sera lu dans un instant",
    "ok": "à jour",
    "failing": "ne peut pas être lu",
    "asking": "attend une décision",
    "paused": "en pause",
    "page": "Sa page",
    "last": "Dernière lecture",
    "next": "Prochaine fois",
    "never": "pas encore",
    "soon": "dans quelques minutes",
    "onlyByHand": "seulement à la main",
    "whileAsking": "dès que vous aurez décidé, ou que les événements seront revenus",
    "events": "Événements là-bas",
    "everyHour": "toutes les heures",
    "every6Hours": "toutes les six heures",
    "everyDay": "tous les jours",
    "everyWeek": "toutes les semaines",
    "onDemand": "seulement à la main",
    "seeEvents": "Ses événements ici",
    "sync": "Lire maintenant",
    "resume": "Reprendre",
    "wasPaused": "Il est en pause. Ses événements restent tels quels.",
    "resumed": "La lecture reprend d’ici quelques minutes.",
    "begun": "La lecture est en cours. Ce qui manque suivra dans quelques minutes.",
    "done": "L’agenda a été lu : {{what}}.",
    "failed": "L’agenda ne peut pas être lu. {{why}}",
    "wrong": "Ce qui ne va pas",
    "detail": "Pour les responsables de l’autre site",
    "question": "L’autre agenda a-t-il été vidé ?",
    "questionText": "Au moins la moitié de ses événements à venir a disparu. C’est peut-être voulu, ou une erreur de l’autre site. Rien n’a encore été changé ici.",
    "agreeMirror": "Si vous êtes d’accord, les événements disparus là-bas vont ici à la corbeille.",
    "agreeKeep": "Si vous êtes d’accord, la lecture continue. Les événements disparus là-bas restent ici, sauf les dates qu’une série n’a plus.",
    "agree": "Oui, c’est voulu",
    "refuse": "Non, attendre pour le moment",
    "runs": "Imports",
    "noRuns": "Rien n’a encore été lu.",
    "created": "{{n}} nouveaux",
    "updated": "{{n}} modifiés",
    "unchanged": "{{n}} inchangés",
    "trashed": "{{n}} à la corbeille",
    "joined": "{{n}} regroupés",
    "asked": "{{n}} à décider",
    "skipped": "{{n}} ignorés",
    "guessed": "{{n}} devinés",
    "times": "{{n}} fois",
    "nothing": "rien de nouveau",
    "halfGone": "au moins la moitié avait disparu, donc rien n’a été changé",
    "notWhole": "Tout n’a pas pu être lu : aucun événement manquant n’a donc été retiré.",
    "stopped": "échec",
    "skippedTitle": "Ce qui a été ignoré, et pourquoi",
    "guessedTitle": "Ce qui a été deviné",
    "deleteText": "Il ne sera plus lu. Que doivent devenir les événements qui en viennent ?",
    "keepEvents": "Ils restent ici, comme si vous les aviez saisis.",
    "trashEvents": "Ils vont à la corbeille dans quelques minutes. Les lieux, organisateurs et catégories qui ne servent qu’à eux disparaissent aussi.",
    "deleteNow": "Supprimer cet agenda",
    "card_one": "Une chose attend votre décision.",
    "card_other": "{{n}} choses attendent votre décision.",
    "cardFailing": "Ne peuvent pas être lus : {{names}}"
  },
  "upload": {
    "lead": "Les événements d’un tableur ou d’un autre calendrier. Vous verrez le contenu du fichier avant que quoi que ce soit soit importé.",
    "noTitle": "Sans titre",
    "fileHelp": "Un fichier CSV ou .ics, ou une page web enregistrée, de 2 Mo au maximum, choisi ou déposé ici. Enregistrez d’abord en CSV la feuille d’Excel, LibreOffice, Numbers ou Google Sheets.",
    "another": "Un autre fichier",
    "replaced": "Un fichier de ce nom a déjà été importé : les événements de même titre et de même début sont les mêmes et ne sont pas doublés.",
    "events": "Événements",
    "stayPrivate_one": "L’un d’eux reste privé.",
    "stayPrivate_other": "{{n}} d’entre eux restent privés.",
    "newVenue": "{{name}} (nouveau lieu)",
    "columns": "Colonnes",
    "columnsText": "Ce que contient chaque colonne. Modifiez ce qui n’a pas été bien reconnu.",
    "example": "Par exemple : {{text}}",
    "nameless": "Colonne {{n}}",
    "notRead": "(n’est pas importée)",
    "start_date": "Jour du début",
    "start_time": "Heure du début",
    "end_date": "Jour de la fin",
    "end_time": "Heure de la fin",
    "currency_symbol": "Symbole de la devise",
    "currency_position": "Position de la devise",
    "currency_code": "Devise",
    "private": "Est privé",
    "sensitivity": "Confidentialité",
    "public": "Est public",
    "id": "Numéro dans le fichier",
    "dates": "Que signifie 5/6/2027 dans ce fichier ?",
    "dmy": "5 juin : le jour d’abord",
    "mdy": "6 mai : le mois d’abord",
    "apply": "Afficher ainsi",
    "problems": "Ce qui ne peut pas être importé",
    "line": "Ligne {{n}}",
    "lines": "{{n}} lignes ({{all}}) :",
    "moreProblems": "… et {{n}} autres",
    "leaveOut": "Laisser cela de côté et importer le reste",
    "correct": "Corrigez le fichier et choisissez-le de nouveau, ou laissez cela de côté.",
    "asDraft": "Deviennent des brouillons que vous pourrez publier plus tard",
    "asPublic": "Sont publiés aussitôt",
    "importNow": "Importer",
    "imported": "importé",
    "waits": "pas encore importé",
    "goOn": "Voir et importer",
    "uploaded": "Fichier envoyé",
    "progress": "{{n}} sur {{all}} sont importés. Le reste suit tout seul, même si vous quittez cette page.",
    "continue": "Continuer maintenant",
    "done": "Importé : {{what}}.",
    "undo": "Annuler l’importation",
    "undoText_one": "L’événement de {{name}} qui a été ajouté va dans la corbeille, sauf si quelqu’un l’a modifié depuis. Le lieu et les organisateurs aussi, s’ils ont été ajoutés avec lui et ne servent nulle part ailleurs ; les catégories et étiquettes dans ce cas sont supprimées.",
    "undoText_other": "Les {{n}} événements de {{name}} qui ont été ajoutés vont dans la corbeille, sauf ceux que quelqu’un a modifiés depuis. Les lieux et les organisateurs aussi, s’ils ont été ajoutés avec eux et ne servent nulle part ailleurs ; les catégories et étiquettes dans ce cas sont supprimées.",
    "undone": "annulé, {{n}} dans la corbeille",
    "undoing": "Les événements vont dans la corbeille, ce qui prend quelques minutes.",
    "afterUndo": "La dernière importation est encore en cours d’annulation. Dès que ce sera fini, dans quelques minutes, ce fichier sera importé.",
    "noFileLeft": "Ce fichier a été importé, ou supprimé au bout d’un jour. Choisissez-le de nouveau pour l’importer."
  },
  "fields": {
    "source": {
      "kind": {
        "label": "Format"
      },
      "state": {
        "label": "En pause"
      },
      "name": {
        "label": "Nom",
        "help": "Il figure sur ses événements."
      },
      "url": {
        "label": "Adresse"
      },
      "every": {
        "label": "Fréquence de lecture",
        "options": {
          "hour": "Toutes les heures",
          "6 hours": "Toutes les six heures",
          "day": "Tous les jours",
          "week": "Toutes les semaines",
          "": "Seulement à la main"
        }
      },
      "status": {
        "label": "Nouveaux événements",
        "help": "Si c’est votre calendrier, ils peuvent apparaître aussitôt ; si c’est celui de quelqu’un d’autre, mieux vaut les relire d’abord.",
        "options": {
          "publish": "Apparaissent aussitôt",
          "pending": "Attendent une relecture",
          "draft": "Deviennent des brouillons"
        }
      },
      "categories": {
        "label": "Catégories pour ses événements"
      },
      "tags": {
        "label": "Mots-clés pour ses événements"
      },
      "venue": {
        "label": "Lieu",
        "help": "Pour les événements sans lieu."
      },
      "organizer": {
        "label": "Organisateur",
        "help": "Pour les événements sans organisateur."
      },
      "search": {
        "label": "Seulement les événements avec l’un de ces mots",
        "help": "Laissez vide pour tous."
      },
      "mirror": {
        "label": "Copie exacte de l’autre agenda",
        "help": "Ce que vous modifiez ici est écrasé, et les événements qui disparaissent là-bas vont ici à la corbeille. Sans cette option, vos modifications restent."
      },
      "rights": {
        "label": "Droits",
        "help": "Si l’autre agenda demande une mention sur ses événements.",
        "options": {
          "text": "Mention, comme « CC BY 4.0 »",
          "url": "Lien vers les conditions"
        }
      },
      "reading": {
        "label": "Lecture du fichier"
      },
      "file": {
        "label": "Fichier"
      },
      "undoing": {
        "label": "Annulation de l’importation"
      }
    }
  }
}
}
