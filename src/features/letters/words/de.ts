export default function () {
  return {
  "letter": {
    "title": "Rundbriefe",
    "lead": "Kommende Veranstaltungen einmal pro Woche per E-Mail an eine Adresse: am besten die einer Mailingliste, in die man sich selbst ein- und austrägt. Anders ist es mit den Neuigkeiten: Die bestellen Besucher selbst, und zwar das, was sie auswählen.",
    "none": "Es gibt noch keinen Rundbrief.",
    "add": "Neuer Rundbrief",
    "unconfirmed": "wartet auf Bestätigung",
    "paused": "pausiert",
    "next": "nächster: {{date}}",
    "asked": "Gespeichert. Ein Link wurde an {{email}} gesendet: Der erste Rundbrief kommt, sobald die Adresse bestätigt ist.",
    "notAsked": "Gespeichert, aber der Link an {{email}} konnte nicht gesendet werden. Bitte versuchen Sie es später noch einmal.",
    "ask": "Link noch einmal senden",
    "askText": "{{email}} ist noch nicht bestätigt. Vorher wird nichts gesendet.",
    "preview": "Vorschau",
    "previewText": "So würde er jetzt gesendet, mit den gespeicherten Angaben.",
    "plain": "Als reiner Text",
    "test": "Jetzt an mich senden",
    "testText": "Sendet ihn an {{email}}.",
    "testNeeds": "Um ihn an sich selbst zu senden, bestätigen Sie zuerst Ihre eigene Adresse auf der Seite Ihres Kontos.",
    "tested": "Er ist unterwegs zu Ihnen.",
    "failedNow": "Er wurde nicht gesendet. {{reason}}",
    "resume": "Wieder einschalten",
    "pauseText": "Nichts wird gesendet, bis Sie ihn wieder einschalten.",
    "resumed": "Er ist wieder eingeschaltet.",
    "wasPaused": "Er ist pausiert.",
    "removeText": "Es wird nichts mehr gesendet. Das lässt sich nicht rückgängig machen.",
    "removed": "Der Rundbrief ist entfernt.",
    "deliveries": "Was gesendet wurde",
    "noDeliveries": "Es wurde noch nichts gesendet.",
    "sent_one": "gesendet, mit 1 Veranstaltung",
    "sent_other": "gesendet, mit {{count}} Veranstaltungen",
    "sending": "wird gesendet",
    "unknown": "unklar, ob er gesendet wurde",
    "unknownText": "Das Senden wurde unterbrochen. Sehen Sie nach, ob er angekommen ist, und senden Sie ihn sonst noch einmal.",
    "waiting": "nächster Versuch {{date}}",
    "failed": "nicht gesendet",
    "emptied": "nicht gesendet: keine Veranstaltung",
    "late": "nicht gesendet: es wäre zu spät gewesen",
    "forMe": "an Sie oder jemand anderen aus der Redaktion",
    "tries": "Versuche: {{n}}",
    "retry": "Noch einmal senden",
    "retryNamed": "Noch einmal senden: {{name}}",
    "retried": "Er wurde gesendet.",
    "reasonText": "Der Rundbrief ließ sich nicht erstellen.",
    "reasonSender": "Die Adresse dieses Kalenders ist nicht zum Senden eingerichtet.",
    "reasonRecipient": "Der E-Mail-Dienst sendet nicht an diese Adresse.",
    "reasonLimit": "Der E-Mail-Dienst nimmt gerade nichts mehr an.",
    "reasonUnknown": "Der E-Mail-Dienst hat nicht eindeutig geantwortet.",
    "reasonOther": "Der E-Mail-Dienst hat ihn abgelehnt ({{code}})."
  },
  "fields": {
    "letter": {
      "name": {
        "label": "Name",
        "help": "Wie er hier heißt."
      },
      "filters": {
        "label": "Nur bestimmte Veranstaltungen",
        "help": "Kreuzen Sie an, was darin steht. Wo nichts angekreuzt ist, ist alles gemeint.",
        "options": {
          "rest": "Weitere Bedingungen, als Abfrage"
        }
      },
      "days": {
        "label": "Zeitraum in Tagen",
        "help": "Von 1 bis 62. Wird er nach 12 Uhr gesendet, kommt der Rest dieses Tages dazu."
      },
      "weekday": {
        "label": "Wochentag"
      },
      "hour": {
        "label": "Uhrzeit"
      },
      "language": {
        "label": "Sprache"
      },
      "subject": {
        "label": "Betreff",
        "help": "Die Betreffzeile der E-Mail. Bleibt das Feld leer, steht dort der Name."
      },
      "intro": {
        "label": "Einleitung",
        "help": "Steht vor den Veranstaltungen. Reiner Text, freiwillig."
      },
      "to": {
        "label": "An",
        "help": "Eine Adresse. Sie erhält zuerst einen Link zur Bestätigung."
      },
      "empty": {
        "label": "Wenn es keine Veranstaltung gibt",
        "options": {
          "skip": "Nichts senden",
          "say": "Einen Rundbrief senden, der das sagt"
        }
      },
      "active": {
        "label": "Eingeschaltet"
      }
    },
    "subscriber": {
      "email": {
        "label": "E-Mail-Adresse",
        "help": "Die Adresse, die den Newsletter bekommt oder angemeldet wurde."
      }
    }
  },
  "history": {
    "letter": "Rundbrief",
    "subscriber": "Newsletter-Adresse"
  },
  "mail": {
    "confirmLetter": "{{login}} möchte, dass {{site}} den Rundbrief „{{name}}“ mit kommenden Veranstaltungen einmal pro Woche an diese Adresse schickt."
  },
  "account": {
    "confirmLetter": "{{site}} schickt den Rundbrief „{{name}}“ einmal pro Woche an {{email}}, sobald Sie das bestätigen."
  },
  "news": {
    "consent": "Ich möchte von {{site}} an diese Adresse Neues über kommende Veranstaltungen bekommen, höchstens einmal in der Woche, bis ich mich abmelde. Die Adresse wird nur dafür aufbewahrt und niemandem weitergegeben; ob ich lese, wird nicht gemessen. Über den Link in jeder E-Mail kann ich das jederzeit ändern oder mich abmelden.",
    "mailSubject": "Bitte bestätigen: Neues von {{site}}",
    "mailAsk": "Jemand, vermutlich Sie, möchte an dieser Adresse Neues von {{site}} bekommen. Bevor Sie zustimmen, kommt nichts:",
    "mailHow": "Um zuzustimmen, öffnen Sie diese Adresse und drücken Sie dort den Knopf:",
    "mailIgnore": "Waren Sie das nicht, tun Sie nichts: Nach drei Tagen wird die Adresse gelöscht.",
    "mailKnownSubject": "Ihr Newsletter von {{site}}",
    "mailKnown": "Jemand, vermutlich Sie, hat diese Adresse gerade für Neues von {{site}} angemeldet. Sie bekommt es schon. Hier können Sie ändern, was kommt, oder sich abmelden:",
    "mailKnownEnd": "Waren Sie das nicht, tun Sie nichts: Alles bleibt, wie es ist.",
    "subject": "{{name}}, {{days}}",
    "change": "Auswahl ändern",
    "leave": "Abmelden",
    "title": "Neues per E-Mail",
    "lead": "Einmal in der Woche, was in den nächsten zehn Tagen los ist – nur das, was Sie ankreuzen. Ist davon nichts los, kommt keine E-Mail.",
    "what": "Was",
    "where": "Wo",
    "who": "Von wem",
    "chooseHelp": "Kreuzen Sie jeweils bis zu zehn an. Wo nichts angekreuzt ist, ist alles gemeint.",
    "day": "An welchem Tag",
    "email": "Ihre E-Mail-Adresse",
    "send": "Bestätigungsmail schicken",
    "promise": "Sie bekommen zuerst eine E-Mail mit einem Link; ohne den Knopf dort kommt nichts weiter. In jeder E-Mail steht ein Link zum Abmelden. Wir messen nicht, ob Sie lesen, und geben Ihre Adresse niemandem.",
    "privacy": "Datenschutz",
    "lookTitle": "Sehen Sie in Ihre Mails",
    "look": "Kann diese Adresse E-Mails bekommen, ist in ein paar Minuten eine mit einem Link da. Eine Adresse bekommt höchstens eine am Tag. Fehlt sie, sehen Sie im Spam nach.",
    "tooMany": "Im Moment haben sich zu viele angemeldet. Bitte versuchen Sie es später noch einmal.",
    "dayLimit": "Der Kalender hat seine Grenze für heute erreicht. Bitte versuchen Sie es morgen noch einmal.",
    "busy": "Das hat gerade nicht geklappt. Bitte versuchen Sie es gleich noch einmal.",
    "line": "Neues von {{site}} per E-Mail bekommen",
    "link": "Newsletter",
    "sample": "So sähe sie heute aus",
    "confirmTitle": "Bitte bestätigen",
    "everything": "Alles",
    "confirm": "Ja, schickt mir Neues",
    "notMe": "Haben nicht Sie diese Adresse angemeldet? Dann tun Sie nichts, oder löschen Sie sie gleich.",
    "erase": "Diese Adresse löschen",
    "yours": "Ihr Newsletter",
    "confirmed": "Bestätigt: Ab jetzt schickt Ihnen {{site}} am gewählten Tag, was los ist.",
    "saved": "Ihre Auswahl ist gespeichert.",
    "save": "Auswahl speichern",
    "leaveText": "Es kommt keine E-Mail mehr, und Ihre Adresse und Auswahl werden sofort gelöscht.",
    "left": "Sie sind abgemeldet",
    "leftText": "Ihre Adresse und Ihre Auswahl sind gelöscht. Es kommt nichts mehr.",
    "ended": "Dieser Link gilt nicht mehr",
    "endedText": "Entweder ist die Adresse schon gelöscht, oder niemand hat sie binnen drei Tagen bestätigt, oder es gibt eine neuere E-Mail mit einem anderen Link.",
    "subscribers": "Abonnenten der Neuigkeiten",
    "subscribersLead": "Wer sich unter /news/ eingetragen hat. Eine Liste sieht niemand, und kein Backup enthält die Adressen.",
    "subscribersOff": "Zurzeit kann sich niemand eintragen: Das braucht E-Mail (bei Cloudflare den bezahlten Tarif), ein Impressum in den Einstellungen und NEWS_FIRST_MAILS über 0.",
    "numbers": "Bekommen Neuigkeiten: {{confirmed}}. Noch nicht bestätigt: {{unconfirmed}}. Verschiedene Auswahlen: {{choices}}. Warten auf den Versand: {{waiting}}. In den letzten sieben Tagen leer ausgegangen, soweit bekannt: {{left_out}}.",
    "lookUpTitle": "Eine Adresse",
    "lookUpText": "Wenn Ihnen jemand schreibt. Dass Sie nachgesehen haben, steht im Verlauf, ohne die Adresse.",
    "lookUp": "Nachsehen",
    "foundNone": "Diese Adresse bekommt keine Neuigkeiten.",
    "foundConfirmed": "Diese Adresse bekommt Neuigkeiten am {{day}}; eingetragen {{asked}}, bestätigt {{confirmed}} (UTC).",
    "foundUnconfirmed": "Diese Adresse wurde {{asked}} (UTC) für {{day}} eingetragen und nicht bestätigt.",
    "erased": "Die Adresse und ihre Auswahl sind gelöscht."
  }
}
}
