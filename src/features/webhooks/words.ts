export default { en, de, es, fr }

function en() {
  return {
  "webhook": {
    "title": "Other services",
    "lead": "Tells a chat, a website or a newsletter at once when something changes here. Such a service gives you an address for this, often called a “webhook”.",
    "none": "No service is notified of changes yet.",
    "add": "Add a service",
    "new": "nothing sent yet",
    "ok": "works",
    "filters": "sends no events: visitors can’t see what it is limited to, or it is no longer there",
    "failing": "has problems",
    "paused": "paused",
    "gone": "switched off: the other service is gone",
    "stopped": "switched off: it failed for five days",
    "since": "since {{date}}",
    "waiting": "waiting to be sent again: {{n}}",
    "behind": "changes still to look at: {{n}}",
    "test": "Send a test",
    "testText": "Sends a message at once and shows the response.",
    "accepted": "The other service has accepted it ({{status}}).",
    "notAccepted": "The other service has not accepted it. {{reason}}",
    "secret": "Secret",
    "secretText": "The other service uses it to check that messages come from here. After a change, the old one works for another day.",
    "secretButton": "Create a new secret",
    "secretTitle": "The secret for this service",
    "secretOnce": "Give it to the other service. It is shown only once.",
    "resume": "Switch on again",
    "pauseText": "What changes in the meantime is sent afterwards.",
    "resumed": "It is on again. Everything that was missed is being sent.",
    "wasPaused": "It is paused.",
    "removeText": "Nothing more will be sent, and all messages are deleted. This can’t be undone.",
    "removed": "The service has been removed.",
    "deliveries": "Messages",
    "noDeliveries": "Nothing has been sent yet.",
    "delivered": "accepted",
    "waits": "next attempt {{date}}",
    "failed": "not accepted",
    "replaced": "replaced by a newer one",
    "tries": "attempts: {{n}}",
    "details": "Message and response",
    "message": "Message",
    "response": "Response",
    "noResponse": "The response was empty.",
    "retry": "Send again",
    "retryNamed": "Send again: {{name}}",
    "reasonPrivate": "The address leads into a private network.",
    "reasonTimeout": "There was no response within 15 seconds.",
    "reasonConnection": "The connection failed or was interrupted.",
    "reasonInternal": "The calendar could not send it; its log says why.",
    "reasonRedirect": "It redirects to another address ({{status}}), which is not followed.",
    "reasonStatus": "It responded with {{status}}."
  },
  "fields": {
    "webhook": {
      "url": {
        "label": "Address",
        "help": "Where messages are sent. The other service tells you this address."
      },
      "events": {
        "label": "Notify it when",
        "options": {
          "event.created": "an event is added",
          "event.updated": "an event is changed",
          "event.deleted": "an event is removed",
          "event.published": "an event is published",
          "event.canceled": "an event is cancelled",
          "venue.created": "a venue is added",
          "venue.updated": "a venue is changed",
          "venue.deleted": "a venue is removed",
          "organizer.created": "an organizer is added",
          "organizer.updated": "an organizer is changed",
          "organizer.deleted": "an organizer is removed",
          "webhook.test": "Test"
        }
      },
      "filters": {
        "label": "Only some of them",
        "help": "For example “categories=music” or “categories=music&featured=true”. Leave this empty for everything that is public."
      },
      "active": {
        "label": "Switched on"
      },
      "secret": {
        "label": "Secret"
      }
    }
  },
  "history": {
    "webhook": "Other service"
  }
} as const
}

function de() {
  return {
  "webhook": {
    "title": "Andere Dienste",
    "lead": "Gibt einem Chat, einer Website oder einem Newsletter sofort Bescheid, wenn sich hier etwas ändert. Der Dienst nennt Ihnen dafür eine Adresse, oft „Webhook“ genannt.",
    "none": "Noch wird kein Dienst benachrichtigt.",
    "add": "Dienst hinzufügen",
    "new": "noch nichts gesendet",
    "ok": "funktioniert",
    "filters": "meldet keine Veranstaltungen: Besucher können nicht sehen, worauf er beschränkt ist, oder es ist nicht mehr da",
    "failing": "hat Probleme",
    "paused": "pausiert",
    "gone": "abgeschaltet: den anderen Dienst gibt es nicht mehr",
    "stopped": "abgeschaltet: fünf Tage lang fehlgeschlagen",
    "since": "seit {{date}}",
    "waiting": "wird noch einmal gesendet: {{n}}",
    "behind": "Änderungen, die noch an die Reihe kommen: {{n}}",
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

function es() {
  return {
  "webhook": {
    "title": "Otros servicios",
    "lead": "Avisa enseguida a un chat, un sitio o un boletín cuando algo cambia aquí. El servicio le da para ello una dirección, a menudo llamada «webhook».",
    "none": "Todavía no se avisa a nadie de los cambios.",
    "add": "Añadir un servicio",
    "new": "aún no se ha enviado nada",
    "ok": "funciona",
    "filters": "no avisa de ningún evento: los visitantes no pueden ver aquello a lo que se limita, o ya no existe",
    "failing": "tiene problemas",
    "paused": "en pausa",
    "gone": "desactivado: el otro servicio ya no existe",
    "stopped": "desactivado: falló durante cinco días",
    "since": "desde el {{date}}",
    "waiting": "se enviarán de nuevo: {{n}}",
    "behind": "cambios que aún esperan su turno: {{n}}",
    "test": "Enviar una prueba",
    "testText": "Envía un mensaje enseguida y muestra la respuesta.",
    "accepted": "El otro servicio lo ha aceptado ({{status}}).",
    "notAccepted": "El otro servicio no lo ha aceptado. {{reason}}",
    "secret": "Secreto",
    "secretText": "Con él, el otro servicio comprueba que los mensajes vienen de aquí. Tras un cambio, el anterior sirve un día más.",
    "secretButton": "Crear un secreto nuevo",
    "secretTitle": "El secreto para este servicio",
    "secretOnce": "Déselo al otro servicio. Solo se muestra ahora.",
    "resume": "Volver a activar",
    "pauseText": "Lo que cambie mientras tanto se enviará después.",
    "resumed": "Vuelve a estar activo. Se está enviando todo lo que faltaba.",
    "wasPaused": "Está en pausa.",
    "removeText": "No se enviará nada más y se eliminarán todos los mensajes. No se puede deshacer.",
    "removed": "El servicio se ha eliminado.",
    "deliveries": "Mensajes",
    "noDeliveries": "Aún no se ha enviado nada.",
    "delivered": "aceptado",
    "waits": "próximo intento: {{date}}",
    "failed": "no aceptado",
    "replaced": "sustituido por uno más nuevo",
    "tries": "intentos: {{n}}",
    "details": "Mensaje y respuesta",
    "message": "Mensaje",
    "response": "Respuesta",
    "noResponse": "La respuesta estaba vacía.",
    "retry": "Enviar de nuevo",
    "retryNamed": "Enviar de nuevo: {{name}}",
    "reasonPrivate": "La dirección lleva a una red privada.",
    "reasonTimeout": "No hubo respuesta en 15 segundos.",
    "reasonConnection": "No hubo conexión, o se cortó.",
    "reasonInternal": "El calendario no pudo enviarlo: el motivo está en su registro.",
    "reasonRedirect": "Redirige a otra dirección ({{status}}), que no se sigue.",
    "reasonStatus": "Respondió con {{status}}."
  },
  "fields": {
    "webhook": {
      "url": {
        "label": "Dirección",
        "help": "Adónde van los mensajes. El otro servicio le da esta dirección."
      },
      "events": {
        "label": "Avisar cuando",
        "options": {
          "event.created": "se añade un evento",
          "event.updated": "cambia un evento",
          "event.deleted": "desaparece un evento",
          "event.published": "se publica un evento",
          "event.canceled": "se cancela un evento",
          "venue.created": "se añade un lugar",
          "venue.updated": "cambia un lugar",
          "venue.deleted": "desaparece un lugar",
          "organizer.created": "se añade un organizador",
          "organizer.updated": "cambia un organizador",
          "organizer.deleted": "desaparece un organizador",
          "webhook.test": "Prueba"
        }
      },
      "filters": {
        "label": "Solo algunos",
        "help": "Por ejemplo, «categories=musica» o «categories=musica&featured=true». Déjelo vacío para todo lo que es público."
      },
      "active": {
        "label": "Activado"
      },
      "secret": {
        "label": "Secreto"
      }
    }
  },
  "history": {
    "webhook": "Otro servicio"
  }
}
}

function fr() {
  return {
  "webhook": {
    "title": "Autres services",
    "lead": "Avertit aussitôt un chat, un site ou une lettre d’information quand quelque chose change ici. Le service vous donne pour cela une adresse, souvent appelée « webhook ».",
    "none": "Aucun service n’est encore averti des modifications.",
    "add": "Ajouter un service",
    "new": "rien envoyé pour l’instant",
    "ok": "fonctionne",
    "filters": "n’annonce aucun événement : les visiteurs ne peuvent pas voir ce à quoi il se limite, ou cela n’existe plus",
    "failing": "a des problèmes",
    "paused": "en pause",
    "gone": "désactivé : l’autre service n’existe plus",
    "stopped": "désactivé : échecs pendant cinq jours",
    "since": "depuis le {{date}}",
    "waiting": "à renvoyer : {{n}}",
    "behind": "modifications encore à traiter : {{n}}",
    "test": "Envoyer un essai",
    "testText": "Envoie un message aussitôt et montre la réponse.",
    "accepted": "L’autre service l’a accepté ({{status}}).",
    "notAccepted": "L’autre service ne l’a pas accepté. {{reason}}",
    "secret": "Secret",
    "secretText": "Il permet à l’autre service de vérifier que les messages viennent d’ici. Après un changement, l’ancien vaut encore un jour.",
    "secretButton": "Créer un nouveau secret",
    "secretTitle": "Le secret pour ce service",
    "secretOnce": "Donnez-le à l’autre service. Il n’est montré que maintenant.",
    "resume": "Réactiver",
    "pauseText": "Ce qui change entre-temps est envoyé ensuite.",
    "resumed": "Il est réactivé. Tout ce qui manquait est en cours d’envoi.",
    "wasPaused": "Il est en pause.",
    "removeText": "Plus rien n’est envoyé, et tous les messages sont supprimés. Cela ne peut pas être annulé.",
    "removed": "Le service est supprimé.",
    "deliveries": "Messages",
    "noDeliveries": "Rien n’a encore été envoyé.",
    "delivered": "accepté",
    "waits": "prochain essai : {{date}}",
    "failed": "non accepté",
    "replaced": "remplacé par un plus récent",
    "tries": "essais : {{n}}",
    "details": "Message et réponse",
    "message": "Message",
    "response": "Réponse",
    "noResponse": "La réponse était vide.",
    "retry": "Renvoyer",
    "retryNamed": "Renvoyer : {{name}}",
    "reasonPrivate": "L’adresse mène à un réseau privé.",
    "reasonTimeout": "Pas de réponse en 15 secondes.",
    "reasonConnection": "Pas de connexion, ou elle s’est interrompue.",
    "reasonInternal": "Le calendrier n’a pas pu l’envoyer : son journal en donne la raison.",
    "reasonRedirect": "Il redirige vers une autre adresse ({{status}}), qui n’est pas suivie.",
    "reasonStatus": "Il a répondu {{status}}."
  },
  "fields": {
    "webhook": {
      "url": {
        "label": "Adresse",
        "help": "Où vont les messages. L’autre service vous donne cette adresse."
      },
      "events": {
        "label": "Avertir quand",
        "options": {
          "event.created": "un événement est ajouté",
          "event.updated": "un événement est modifié",
          "event.deleted": "un événement disparaît",
          "event.published": "un événement est publié",
          "event.canceled": "un événement est annulé",
          "venue.created": "un lieu est ajouté",
          "venue.updated": "un lieu est modifié",
          "venue.deleted": "un lieu disparaît",
          "organizer.created": "un organisateur est ajouté",
          "organizer.updated": "un organisateur est modifié",
          "organizer.deleted": "un organisateur disparaît",
          "webhook.test": "Essai"
        }
      },
      "filters": {
        "label": "Seulement certains",
        "help": "Par exemple « categories=musique » ou « categories=musique&featured=true ». Laissez vide pour tout ce qui est public."
      },
      "active": {
        "label": "Activé"
      },
      "secret": {
        "label": "Secret"
      }
    }
  },
  "history": {
    "webhook": "Autre service"
  }
}
}
