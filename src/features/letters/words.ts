export default { en, de, es, fr }

function en() {
  return {
  "letter": {
    "title": "Newsletters",
    "lead": "Upcoming events by e-mail, once a week, to one address. That of a mailing list works best: people can join and leave on their own. News is different: visitors sign up for it themselves, and each chooses what it has.",
    "none": "There is no newsletter yet.",
    "add": "New newsletter",
    "unconfirmed": "waiting for confirmation",
    "paused": "paused",
    "next": "next: {{date}}",
    "asked": "Saved. A link has been sent to {{email}}: the first newsletter is sent once the address is confirmed.",
    "notAsked": "Saved, but the link to {{email}} could not be sent. Please try again later.",
    "ask": "Send the link again",
    "askText": "{{email}} has not been confirmed yet. Nothing is sent before that.",
    "preview": "Preview",
    "previewText": "As it would be sent now, with what is saved.",
    "plain": "As plain text",
    "test": "Send to me now",
    "testText": "Sends it to {{email}}.",
    "testNeeds": "To send it to yourself, first confirm your own address on the page of your account.",
    "tested": "It is on its way to you.",
    "failedNow": "It was not sent. {{reason}}",
    "resume": "Switch on again",
    "pauseText": "Nothing is sent until you switch it on again.",
    "resumed": "It is on again.",
    "wasPaused": "It is paused.",
    "removeText": "Nothing more is sent. This can’t be undone.",
    "removed": "The newsletter has been removed.",
    "deliveries": "What was sent",
    "noDeliveries": "Nothing has been sent yet.",
    "sent_one": "sent, with 1 event",
    "sent_other": "sent, with {{count}} events",
    "sending": "being sent",
    "unknown": "may or may not have been sent",
    "unknownText": "Sending was interrupted. Check whether it has arrived, and send it again if not.",
    "waiting": "next attempt {{date}}",
    "failed": "not sent",
    "emptied": "not sent: there were no events",
    "late": "not sent: it would have been too late",
    "forMe": "to you or another editor",
    "tries": "attempts: {{n}}",
    "retry": "Send again",
    "retryNamed": "Send again: {{name}}",
    "retried": "It was sent.",
    "reasonText": "The newsletter could not be composed.",
    "reasonFilters": "Visitors can’t see what was ticked under its events, or it is no longer there. Tick something else, or publish it again.",
    "reasonSender": "The address of this calendar is not set up for sending.",
    "reasonRecipient": "The e-mail service does not send to this address.",
    "reasonLimit": "The e-mail service accepts no more at the moment.",
    "reasonUnknown": "The e-mail service did not respond clearly.",
    "reasonOther": "The e-mail service has refused it ({{code}})."
  },
  "fields": {
    "letter": {
      "name": {
        "label": "Name",
        "help": "What it is called here."
      },
      "filters": {
        "label": "Only some events",
        "help": "Tick what it announces. A group with nothing ticked includes everything.",
        "options": {
          "rest": "Further conditions, as a query"
        }
      },
      "days": {
        "label": "Days covered",
        "help": "From 1 to 62. If it is sent after noon, the rest of that day is added."
      },
      "weekday": {
        "label": "Weekday"
      },
      "hour": {
        "label": "Hour"
      },
      "language": {
        "label": "Language"
      },
      "subject": {
        "label": "Subject",
        "help": "The subject line of the e-mail. If left empty, the name is used."
      },
      "intro": {
        "label": "Opening text",
        "help": "Shown before the events. Plain text, optional."
      },
      "to": {
        "label": "To",
        "help": "One address. We first send it a link to confirm it."
      },
      "empty": {
        "label": "If there are no events",
        "options": {
          "skip": "Send nothing",
          "say": "Send a newsletter that says so"
        }
      },
      "active": {
        "label": "Switched on"
      }
    },
    "subscriber": {
      "email": {
        "label": "E-mail address",
        "help": "The address that gets news, or has been signed up."
      }
    }
  },
  "history": {
    "letter": "Newsletter",
    "subscriber": "Subscriber"
  },
  "mail": {
    "confirmLetter": "{{login}} wants {{site}} to send the newsletter “{{name}}” with upcoming events to this address, once a week."
  },
  "account": {
    "confirmLetter": "{{site}} sends the newsletter “{{name}}” to {{email}} once a week, as soon as you confirm this."
  },
  "news": {
    "consent": "I want {{site}} to send me news about coming events to this address, once a week at most, until I leave. The address is kept for that alone and passed on to nobody; it is not measured whether I read them. I can change this or leave at any time by the link in each e-mail.",
    "mailSubject": "Please confirm: news from {{site}}",
    "mailAsk": "Somebody, probably you, wants to get news from {{site}} at this address. Nothing is sent until you agree:",
    "mailHow": "To agree, open this address and press the button there:",
    "mailIgnore": "If this wasn’t you, do nothing: the address is deleted after three days.",
    "mailKnownSubject": "Your news from {{site}}",
    "mailKnown": "Somebody, probably you, has just signed this address up for news from {{site}}, which it already gets. Here you can change what you get, or unsubscribe:",
    "mailKnownEnd": "If this wasn’t you, do nothing: everything stays as it is.",
    "subject": "{{name}}, {{days}}",
    "change": "Change what you get",
    "leave": "Unsubscribe",
    "title": "News by e-mail",
    "lead": "Once a week, what is on in the next ten days: only what you tick. If nothing you chose is on, no e-mail is sent.",
    "what": "What",
    "where": "Where",
    "who": "By whom",
    "chooseHelp": "Tick up to ten in each group. A group with nothing ticked includes everything.",
    "day": "On which day",
    "email": "Your e-mail address",
    "send": "Send me the confirmation e-mail",
    "promise": "First you get an e-mail with a link; nothing else is sent unless you open it and press the button there. Every e-mail has a link to unsubscribe. We don’t track whether you read it, and we give your address to no one.",
    "privacy": "Privacy policy",
    "lookTitle": "Check your e-mail",
    "look": "If this address can receive e-mail, a message with a link will arrive in a few minutes. An address gets one a day at most. If nothing arrives, check the spam folder.",
    "tooMany": "Too many people have signed up recently. Please try again later.",
    "dayLimit": "The calendar has reached its limit for today. Please try again tomorrow.",
    "busy": "This did not work just now. Please try again in a moment.",
    "line": "Get news from {{site}} by e-mail",
    "link": "News by e-mail",
    "sample": "What it would look like today",
    "confirmTitle": "Please confirm",
    "everything": "Everything",
    "gone": "no longer in this calendar",
    "goneText": "Some of what you chose is no longer in this calendar. If it was all you chose in its group, no e-mails are sent until you change your choice or it is back.",
    "confirm": "Yes, send me news",
    "notMe": "Didn’t sign up? Do nothing, or delete this address now.",
    "erase": "Delete this address",
    "yours": "Your news",
    "confirmed": "Confirmed: from now on, {{site}} sends you news on the day that you chose.",
    "saved": "Your choice has been saved.",
    "save": "Save my choice",
    "leaveText": "You won’t get any more e-mails, and your address and choice are deleted at once.",
    "left": "You have unsubscribed",
    "leftText": "Your address and your choice have been deleted. You won’t get any more e-mails.",
    "ended": "This link is no longer valid",
    "endedText": "Either the address has already been deleted, or nobody confirmed it within three days, or a newer e-mail has another link.",
    "subscribers": "News subscribers",
    "subscribersLead": "People who have signed up at /news/. Nobody can see a list of them, and no backup contains their addresses.",
    "subscribersOff": "Nobody can sign up at the moment: that needs e-mail (on Cloudflare, the paid plan), an imprint in the settings, and NEWS_FIRST_MAILS above 0.",
    "numbers": "Get news: {{confirmed}}. Not confirmed yet: {{unconfirmed}}. Different choices: {{choices}}. Waiting to be sent: {{waiting}}. Not reached in the last seven days, as far as is known: {{left_out}}.",
    "lookUpTitle": "One address",
    "lookUpText": "For when somebody writes to you. The history notes that you looked, but not the address.",
    "lookUp": "Look it up",
    "foundNone": "This address gets no news.",
    "foundConfirmed": "This address gets news on {{day}}; asked for {{asked}}, confirmed {{confirmed}} (UTC).",
    "foundUnconfirmed": "This address has been signed up for {{day}}, {{asked}} (UTC), and has not been confirmed.",
    "erased": "The address and its choice have been deleted."
  }
} as const
}

function de() {
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
    "reasonFilters": "Was bei den Veranstaltungen angekreuzt ist, können Besucher nicht sehen, oder es ist nicht mehr da. Kreuzen Sie etwas anderes an, oder veröffentlichen Sie es wieder.",
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
        "help": "Kreuzen Sie an, was darin steht. Eine Gruppe ohne Kreuz enthält alles.",
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
        "help": "Die Adresse, die die Neuigkeiten bekommt oder angemeldet wurde."
      }
    }
  },
  "history": {
    "letter": "Rundbrief",
    "subscriber": "Abonnent der Neuigkeiten"
  },
  "mail": {
    "confirmLetter": "{{login}} möchte, dass {{site}} den Rundbrief „{{name}}“ mit kommenden Veranstaltungen einmal pro Woche an diese Adresse schickt."
  },
  "account": {
    "confirmLetter": "{{site}} schickt den Rundbrief „{{name}}“ einmal pro Woche an {{email}}, sobald Sie das bestätigen."
  },
  "news": {
    "consent": "Ich möchte von {{site}} an diese Adresse Neues über kommende Veranstaltungen bekommen, höchstens einmal in der Woche, bis ich mich abmelde. Die Adresse wird nur dafür aufbewahrt und niemandem weitergegeben; ob ich lese, wird nicht gemessen. Über den Link in jeder E-Mail kann ich das jederzeit ändern oder mich abmelden.",
    "mailSubject": "Bitte bestätigen: Neuigkeiten von {{site}}",
    "mailAsk": "Jemand, vermutlich Sie, möchte an dieser Adresse Neuigkeiten von {{site}} bekommen. Bevor Sie zustimmen, kommt nichts:",
    "mailHow": "Um zuzustimmen, öffnen Sie diese Adresse und drücken Sie dort den Knopf:",
    "mailIgnore": "Waren Sie das nicht, tun Sie nichts: Nach drei Tagen wird die Adresse gelöscht.",
    "mailKnownSubject": "Ihre Neuigkeiten von {{site}}",
    "mailKnown": "Jemand, vermutlich Sie, hat diese Adresse gerade für Neuigkeiten von {{site}} angemeldet. Sie bekommt sie schon. Hier können Sie ändern, was kommt, oder sich abmelden:",
    "mailKnownEnd": "Waren Sie das nicht, tun Sie nichts: Alles bleibt, wie es ist.",
    "subject": "{{name}}, {{days}}",
    "change": "Auswahl ändern",
    "leave": "Abmelden",
    "title": "Neuigkeiten per E-Mail",
    "lead": "Einmal in der Woche, was in den nächsten zehn Tagen los ist – nur das, was Sie ankreuzen. Ist davon nichts los, kommt keine E-Mail.",
    "what": "Was",
    "where": "Wo",
    "who": "Von wem",
    "chooseHelp": "Kreuzen Sie in jeder Gruppe bis zu zehn an. Eine Gruppe ohne Kreuz enthält alles.",
    "day": "An welchem Tag",
    "email": "Ihre E-Mail-Adresse",
    "send": "Bestätigungsmail schicken",
    "promise": "Sie bekommen zuerst eine E-Mail mit einem Link; ohne den Knopf dort kommt nichts weiter. In jeder E-Mail steht ein Link zum Abmelden. Wir messen nicht, ob Sie lesen, und geben Ihre Adresse niemandem.",
    "privacy": "Datenschutz",
    "lookTitle": "Schauen Sie in Ihr Postfach",
    "look": "Kann diese Adresse E-Mails bekommen, ist in ein paar Minuten eine mit einem Link da. Eine Adresse bekommt höchstens eine am Tag. Fehlt sie, sehen Sie im Spam nach.",
    "tooMany": "In letzter Zeit haben sich zu viele angemeldet. Bitte versuchen Sie es später noch einmal.",
    "dayLimit": "Der Kalender hat seine Grenze für heute erreicht. Bitte versuchen Sie es morgen noch einmal.",
    "busy": "Das hat gerade nicht geklappt. Bitte versuchen Sie es gleich noch einmal.",
    "line": "Neuigkeiten von {{site}} per E-Mail bekommen",
    "link": "Neuigkeiten per E-Mail",
    "sample": "So sähe sie heute aus",
    "confirmTitle": "Bitte bestätigen",
    "everything": "Alles",
    "gone": "nicht mehr in diesem Kalender",
    "goneText": "Ein Teil Ihrer Auswahl ist nicht mehr in diesem Kalender. Haben Sie in derselben Gruppe sonst nichts gewählt, kommt keine E-Mail, bis Sie die Auswahl ändern oder es wieder da ist.",
    "confirm": "Ja, schickt mir Neuigkeiten",
    "notMe": "Sie haben sich nicht angemeldet? Dann brauchen Sie nichts zu tun, oder Sie löschen die Adresse gleich.",
    "erase": "Diese Adresse löschen",
    "yours": "Ihre Neuigkeiten",
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

function es() {
  return {
  "letter": {
    "title": "Boletines",
    "lead": "Los próximos eventos por correo, una vez por semana, a una dirección: mejor la de una lista de correo, en la que cada cual se da de alta y de baja. Las novedades, en cambio, las piden los propios visitantes, cada uno según sus preferencias.",
    "none": "Aún no hay ningún boletín.",
    "add": "Nuevo boletín",
    "unconfirmed": "espera confirmación",
    "paused": "en pausa",
    "next": "próximo: {{date}}",
    "asked": "Guardado. Se ha enviado un enlace a {{email}}: el primer boletín saldrá cuando la dirección esté confirmada.",
    "notAsked": "Guardado, pero no se pudo enviar el enlace a {{email}}. Inténtelo más tarde.",
    "ask": "Enviar el enlace otra vez",
    "askText": "{{email}} aún no está confirmada. Hasta entonces no se enviará nada.",
    "preview": "Vista previa",
    "previewText": "Tal como se enviaría ahora, con lo guardado.",
    "plain": "Como texto sin formato",
    "test": "Enviármelo ahora",
    "testText": "Lo envía a {{email}}.",
    "testNeeds": "Para enviárselo a usted, confirme antes su propia dirección en la página de su cuenta.",
    "tested": "Va de camino a su buzón.",
    "failedNow": "No se ha enviado. {{reason}}",
    "resume": "Volver a activar",
    "pauseText": "No se envía nada hasta que lo vuelva a activar.",
    "resumed": "Vuelve a estar activo.",
    "wasPaused": "Está en pausa.",
    "removeText": "No se enviará nada más. No se puede deshacer.",
    "removed": "El boletín se ha eliminado.",
    "deliveries": "Lo enviado",
    "noDeliveries": "Aún no se ha enviado nada.",
    "sent_one": "enviado, con 1 evento",
    "sent_other": "enviado, con {{count}} eventos",
    "sending": "se está enviando",
    "unknown": "no se sabe si se envió",
    "unknownText": "El envío se interrumpió. Compruebe si ha llegado y, si no, envíelo otra vez.",
    "waiting": "próximo intento {{date}}",
    "failed": "no enviado",
    "emptied": "no enviado: no había eventos",
    "late": "no enviado: habría sido demasiado tarde",
    "forMe": "a usted o a otra persona de la redacción",
    "tries": "intentos: {{n}}",
    "retry": "Enviar otra vez",
    "retryNamed": "Enviar otra vez: {{name}}",
    "retried": "Se ha enviado.",
    "reasonText": "El boletín no se ha podido crear.",
    "reasonFilters": "Los visitantes no pueden ver lo que está marcado en los eventos, o ya no existe. Marque otra cosa o vuelva a publicarlo.",
    "reasonSender": "La dirección de este calendario no está configurada para enviar.",
    "reasonRecipient": "El servicio de correo no envía a esta dirección.",
    "reasonLimit": "El servicio de correo no acepta más por ahora.",
    "reasonUnknown": "El servicio de correo no ha respondido con claridad.",
    "reasonOther": "El servicio de correo lo ha rechazado ({{code}})."
  },
  "fields": {
    "letter": {
      "name": {
        "label": "Nombre",
        "help": "Cómo se llama aquí."
      },
      "filters": {
        "label": "Solo algunos eventos",
        "help": "Marque lo que anuncia. Si no marca nada en un grupo, se incluye todo.",
        "options": {
          "rest": "Otras condiciones, como consulta"
        }
      },
      "days": {
        "label": "Días que abarca",
        "help": "De 1 a 62. Si se envía después de mediodía, se añade el resto de ese día."
      },
      "weekday": {
        "label": "Día de la semana"
      },
      "hour": {
        "label": "Hora"
      },
      "language": {
        "label": "Idioma"
      },
      "subject": {
        "label": "Asunto",
        "help": "El asunto del correo. Si queda vacío, se usa el nombre."
      },
      "intro": {
        "label": "Texto inicial",
        "help": "Antes de los eventos. Texto sin formato, opcional."
      },
      "to": {
        "label": "Para",
        "help": "Una dirección. Primero recibirá un enlace para confirmarla."
      },
      "empty": {
        "label": "Si no hay eventos",
        "options": {
          "skip": "No enviar nada",
          "say": "Enviar un boletín que lo diga"
        }
      },
      "active": {
        "label": "Activado"
      }
    },
    "subscriber": {
      "email": {
        "label": "Dirección de correo",
        "help": "La dirección que recibe las novedades o que se ha dado de alta."
      }
    }
  },
  "history": {
    "letter": "Boletín",
    "subscriber": "Suscripción"
  },
  "mail": {
    "confirmLetter": "{{login}} quiere que {{site}} envíe a esta dirección, una vez por semana, el boletín «{{name}}» con los próximos eventos."
  },
  "account": {
    "confirmLetter": "{{site}} enviará el boletín «{{name}}» a {{email}} una vez por semana en cuanto lo confirme."
  },
  "news": {
    "consent": "Quiero que {{site}} me envíe a esta dirección novedades sobre los próximos eventos, como mucho una vez por semana, hasta que me dé de baja. La dirección se guarda solo para eso y no se entrega a nadie; no se mide si las leo. Con el enlace de cada correo puedo cambiarlo o darme de baja en cualquier momento.",
    "mailSubject": "Confirme, por favor: novedades de {{site}}",
    "mailAsk": "Alguien, probablemente usted, quiere recibir en esta dirección las novedades de {{site}}. No se envía nada hasta que usted acepte:",
    "mailHow": "Para aceptar, abra esta dirección y pulse allí el botón:",
    "mailIgnore": "Si no ha sido usted, no haga nada: la dirección se borra a los tres días.",
    "mailKnownSubject": "Sus novedades de {{site}}",
    "mailKnown": "Alguien, probablemente usted, acaba de dar de alta esta dirección para las novedades de {{site}}. Ya las recibe. Aquí puede cambiar lo que llega o darse de baja:",
    "mailKnownEnd": "Si no ha sido usted, no haga nada: todo queda como está.",
    "subject": "{{name}}, {{days}}",
    "change": "Cambiar la selección",
    "leave": "Darse de baja",
    "title": "Novedades por correo",
    "lead": "Una vez por semana, lo que hay en los próximos diez días: solo lo que usted marque. Si no hay nada de eso, no llega ningún correo.",
    "what": "Qué",
    "where": "Dónde",
    "who": "De quién",
    "chooseHelp": "Marque hasta diez en cada grupo. Si no marca nada en un grupo, se incluye todo.",
    "day": "Qué día",
    "email": "Su dirección de correo",
    "send": "Enviarme el correo de confirmación",
    "promise": "Primero recibe un correo con un enlace; si no pulsa el botón que hay allí, no llega nada más. Cada correo lleva un enlace para darse de baja. No medimos si lee ni damos su dirección a nadie.",
    "privacy": "Privacidad",
    "lookTitle": "Revise su correo",
    "look": "Si esta dirección puede recibir correo, en unos minutos llega uno con un enlace. Una dirección recibe como mucho uno al día. Si no está, mire en el correo no deseado.",
    "tooMany": "Se ha dado de alta demasiada gente en poco tiempo. Inténtelo más tarde.",
    "dayLimit": "El calendario ha llegado a su límite de hoy. Inténtelo mañana.",
    "busy": "No ha funcionado. Inténtelo de nuevo en un momento.",
    "line": "Recibir por correo las novedades de {{site}}",
    "link": "Novedades por correo",
    "sample": "Cómo sería hoy",
    "confirmTitle": "Confirme, por favor",
    "everything": "Todo",
    "gone": "ya no está en este calendario",
    "goneText": "Parte de lo que eligió ya no está en este calendario. Si no eligió nada más en el mismo grupo, no recibirá ningún correo hasta que cambie su selección o vuelva a estar.",
    "confirm": "Sí, envíenme novedades",
    "notMe": "¿No ha dado usted de alta esta dirección? No haga nada, o bórrela ahora mismo.",
    "erase": "Borrar esta dirección",
    "yours": "Sus novedades",
    "confirmed": "Confirmado: desde ahora, {{site}} le escribe el día que ha elegido.",
    "saved": "Su selección se ha guardado.",
    "save": "Guardar mi selección",
    "leaveText": "No recibirá más correos, y su dirección y su selección se borran en el acto.",
    "left": "Se ha dado de baja",
    "leftText": "Su dirección y su selección se han borrado. No recibirá nada más.",
    "ended": "Este enlace ya no es válido",
    "endedText": "O la dirección ya se ha borrado, o nadie la confirmó en tres días, o hay un correo más reciente con otro enlace.",
    "subscribers": "Suscriptores de novedades",
    "subscribersLead": "Quienes se han apuntado en /news/. Nadie ve una lista, y ninguna copia de seguridad contiene sus direcciones.",
    "subscribersOff": "Ahora mismo nadie puede apuntarse: hacen falta el correo (en Cloudflare, el plan de pago), un aviso legal en los ajustes y NEWS_FIRST_MAILS mayor que 0.",
    "numbers": "Reciben novedades: {{confirmed}}. Sin confirmar: {{unconfirmed}}. Selecciones distintas: {{choices}}. Pendientes de envío: {{waiting}}. Se quedaron sin novedades en los últimos siete días, que se sepa: {{left_out}}.",
    "lookUpTitle": "Una dirección",
    "lookUpText": "Para alguien que le escribe. En el historial consta que ha mirado, sin la dirección.",
    "lookUp": "Buscar",
    "foundNone": "Esta dirección no recibe novedades.",
    "foundConfirmed": "Esta dirección recibe novedades el {{day}}; pedidas {{asked}}, confirmadas {{confirmed}} (UTC).",
    "foundUnconfirmed": "Esta dirección se apuntó para el {{day}}, {{asked}} (UTC), y no se ha confirmado.",
    "erased": "La dirección y su selección se han borrado."
  }
}
}

function fr() {
  return {
  "letter": {
    "title": "Lettres d’information",
    "lead": "Les événements à venir par e-mail, une fois par semaine, à une adresse : de préférence celle d’une liste de diffusion, où chacun s’inscrit et se désinscrit. Les nouvelles, elles, sont demandées par les visiteurs eux-mêmes, chacun pour ce qu’il choisit.",
    "none": "Il n’y a pas encore de lettre d’information.",
    "add": "Nouvelle lettre d’information",
    "unconfirmed": "attend la confirmation",
    "paused": "en pause",
    "next": "prochaine : {{date}}",
    "asked": "Enregistré. Un lien a été envoyé à {{email}} : la première lettre partira une fois l’adresse confirmée.",
    "notAsked": "Enregistré, mais le lien à {{email}} n’a pas pu être envoyé. Merci de réessayer plus tard.",
    "ask": "Renvoyer le lien",
    "askText": "{{email}} n’est pas encore confirmée. Rien n’est envoyé avant.",
    "preview": "Aperçu",
    "previewText": "Telle qu’elle partirait maintenant, avec ce qui est enregistré.",
    "plain": "En texte brut",
    "test": "Me l’envoyer maintenant",
    "testText": "L’envoie à {{email}}.",
    "testNeeds": "Pour vous l’envoyer, confirmez d’abord votre propre adresse sur la page de votre compte.",
    "tested": "Elle est en route vers vous.",
    "failedNow": "Elle n’a pas été envoyée. {{reason}}",
    "resume": "Réactiver",
    "pauseText": "Rien n’est envoyé jusqu’à ce que vous la réactiviez.",
    "resumed": "Elle est de nouveau active.",
    "wasPaused": "Elle est en pause.",
    "removeText": "Plus rien n’est envoyé. Cela ne peut pas être annulé.",
    "removed": "La lettre a été supprimée.",
    "deliveries": "Ce qui a été envoyé",
    "noDeliveries": "Rien n’a encore été envoyé.",
    "sent_one": "envoyée, avec 1 événement",
    "sent_other": "envoyée, avec {{count}} événements",
    "sending": "en cours d’envoi",
    "unknown": "on ignore si elle est partie",
    "unknownText": "L’envoi a été interrompu. Vérifiez si elle est arrivée, et renvoyez-la sinon.",
    "waiting": "prochain essai {{date}}",
    "failed": "non envoyée",
    "emptied": "non envoyée : aucun événement",
    "late": "non envoyée : il aurait été trop tard",
    "forMe": "à vous ou à une autre personne de la rédaction",
    "tries": "essais : {{n}}",
    "retry": "Renvoyer",
    "retryNamed": "Renvoyer : {{name}}",
    "retried": "Elle a été envoyée.",
    "reasonText": "La lettre n’a pas pu être composée.",
    "reasonFilters": "Les visiteurs ne peuvent pas voir ce qui est coché dans les événements, ou cela n’existe plus. Cochez autre chose ou publiez-le à nouveau.",
    "reasonSender": "L’adresse de cet agenda n’est pas configurée pour l’envoi.",
    "reasonRecipient": "Le service d’e-mail n’envoie pas à cette adresse.",
    "reasonLimit": "Le service d’e-mail n’accepte plus rien pour le moment.",
    "reasonUnknown": "Le service d’e-mail n’a pas répondu clairement.",
    "reasonOther": "Le service d’e-mail l’a refusée ({{code}})."
  },
  "fields": {
    "letter": {
      "name": {
        "label": "Nom",
        "help": "Comment elle s’appelle ici."
      },
      "filters": {
        "label": "Certains événements seulement",
        "help": "Cochez ce qu’elle annonce. Si rien n’est coché dans un groupe, tout est inclus.",
        "options": {
          "rest": "Autres conditions, sous forme de requête"
        }
      },
      "days": {
        "label": "Jours couverts",
        "help": "De 1 à 62. Si elle part après midi, le reste de ce jour s’y ajoute."
      },
      "weekday": {
        "label": "Jour de la semaine"
      },
      "hour": {
        "label": "Heure"
      },
      "language": {
        "label": "Langue"
      },
      "subject": {
        "label": "Objet",
        "help": "L’objet de l’e-mail. Si le champ reste vide, le nom est utilisé."
      },
      "intro": {
        "label": "Texte d’introduction",
        "help": "Avant les événements. Texte brut, facultatif."
      },
      "to": {
        "label": "À",
        "help": "Une seule adresse. Elle reçoit d’abord un lien de confirmation."
      },
      "empty": {
        "label": "S’il n’y a aucun événement",
        "options": {
          "skip": "Ne rien envoyer",
          "say": "Envoyer une lettre qui le dit"
        }
      },
      "active": {
        "label": "Active"
      }
    },
    "subscriber": {
      "email": {
        "label": "Adresse e-mail",
        "help": "L’adresse qui reçoit les nouvelles ou qui a été inscrite."
      }
    }
  },
  "history": {
    "letter": "Lettre d’information",
    "subscriber": "Inscription aux nouvelles"
  },
  "mail": {
    "confirmLetter": "{{login}} souhaite que {{site}} envoie chaque semaine à cette adresse la lettre d’information « {{name}} » avec les événements à venir."
  },
  "account": {
    "confirmLetter": "{{site}} enverra la lettre d’information « {{name}} » à {{email}} chaque semaine, dès que vous l’aurez confirmé."
  },
  "news": {
    "consent": "Je souhaite recevoir de {{site}} à cette adresse des nouvelles des événements à venir, une fois par semaine au plus, jusqu’à ce que je me désinscrive. L’adresse ne sert qu’à cela et n’est transmise à personne ; on ne mesure pas si je lis. Le lien de chaque e-mail me permet à tout moment de changer cela ou de me désinscrire.",
    "mailSubject": "À confirmer : les nouvelles de {{site}}",
    "mailAsk": "Quelqu’un, sans doute vous, souhaite recevoir à cette adresse les nouvelles de {{site}}. Rien n’est envoyé avant votre accord :",
    "mailHow": "Pour donner votre accord, ouvrez cette adresse et appuyez sur le bouton :",
    "mailIgnore": "Si ce n’était pas vous, ne faites rien : l’adresse est supprimée au bout de trois jours.",
    "mailKnownSubject": "Vos nouvelles de {{site}}",
    "mailKnown": "Quelqu’un, sans doute vous, vient d’inscrire cette adresse aux nouvelles de {{site}}. Elle les reçoit déjà. Ici, vous pouvez changer ce qui arrive ou vous désinscrire :",
    "mailKnownEnd": "Si ce n’était pas vous, ne faites rien : tout reste comme avant.",
    "subject": "{{name}}, {{days}}",
    "change": "Changer mon choix",
    "leave": "Se désinscrire",
    "title": "Les nouvelles par e-mail",
    "lead": "Une fois par semaine, ce qui se passe dans les dix jours à venir : seulement ce que vous cochez. S’il n’y a rien de cela, aucun e-mail n’arrive.",
    "what": "Quoi",
    "where": "Où",
    "who": "Par qui",
    "chooseHelp": "Cochez jusqu’à dix cases par groupe. Si rien n’est coché dans un groupe, tout est inclus.",
    "day": "Quel jour",
    "email": "Votre adresse e-mail",
    "send": "M’envoyer l’e-mail de confirmation",
    "promise": "Vous recevez d’abord un e-mail avec un lien ; sans le bouton qui s’y trouve, rien d’autre n’arrive. Chaque e-mail contient un lien pour se désinscrire. Nous ne mesurons pas si vous lisez et ne donnons votre adresse à personne.",
    "privacy": "Confidentialité",
    "lookTitle": "Consultez votre messagerie",
    "look": "Si cette adresse peut recevoir des e-mails, un message avec un lien arrive dans quelques minutes. Une adresse en reçoit un par jour au plus. S’il manque, regardez parmi les indésirables.",
    "tooMany": "Trop de personnes se sont inscrites récemment. Réessayez plus tard.",
    "dayLimit": "Le calendrier a atteint sa limite pour aujourd’hui. Réessayez demain.",
    "busy": "Cela n’a pas fonctionné à l’instant. Réessayez dans un moment.",
    "line": "Recevoir les nouvelles de {{site}} par e-mail",
    "link": "Les nouvelles par e-mail",
    "sample": "À quoi il ressemblerait aujourd’hui",
    "confirmTitle": "À confirmer",
    "everything": "Tout",
    "gone": "n’est plus dans ce calendrier",
    "goneText": "Une partie de ce que vous avez choisi n’est plus dans ce calendrier. Si vous n’avez rien choisi d’autre dans le même groupe, vous ne recevrez aucun e-mail jusqu’à ce que vous changiez votre choix ou que cela revienne.",
    "confirm": "Oui, envoyez-moi les nouvelles",
    "notMe": "Ce n’est pas vous qui avez inscrit cette adresse ? Ne faites rien, ou supprimez-la tout de suite.",
    "erase": "Supprimer cette adresse",
    "yours": "Vos nouvelles",
    "confirmed": "C’est confirmé : désormais, {{site}} vous écrit le jour que vous avez choisi.",
    "saved": "Votre choix est enregistré.",
    "save": "Enregistrer mon choix",
    "leaveText": "Vous ne recevrez plus d’e-mails, et votre adresse et votre choix sont supprimés aussitôt.",
    "left": "Vous êtes désinscrit",
    "leftText": "Votre adresse et votre choix sont supprimés. Vous ne recevrez plus rien.",
    "ended": "Ce lien n’est plus valable",
    "endedText": "Soit l’adresse est déjà supprimée, soit personne ne l’a confirmée dans les trois jours, soit un e-mail plus récent contient un autre lien.",
    "subscribers": "Abonnés aux nouvelles",
    "subscribersLead": "Les personnes inscrites sur /news/. Personne n’en voit la liste, et aucune sauvegarde ne contient leurs adresses.",
    "subscribersOff": "Personne ne peut s’inscrire pour l’instant : il faut l’e-mail (chez Cloudflare, l’offre payante), des mentions légales dans les réglages et NEWS_FIRST_MAILS supérieur à 0.",
    "numbers": "Reçoivent les nouvelles : {{confirmed}}. Pas encore confirmées : {{unconfirmed}}. Choix différents : {{choices}}. En attente d’envoi : {{waiting}}. Privées de nouvelles ces sept derniers jours, à notre connaissance : {{left_out}}.",
    "lookUpTitle": "Une adresse",
    "lookUpText": "Pour une personne qui vous écrit. L’historique note que vous avez cherché, sans l’adresse.",
    "lookUp": "Chercher",
    "foundNone": "Cette adresse ne reçoit pas de nouvelles.",
    "foundConfirmed": "Cette adresse reçoit les nouvelles le {{day}} ; demandées {{asked}}, confirmées {{confirmed}} (UTC).",
    "foundUnconfirmed": "Cette adresse a été inscrite pour le {{day}}, {{asked}} (UTC), et n’a pas été confirmée.",
    "erased": "L’adresse et son choix sont effacés."
  }
}
}
