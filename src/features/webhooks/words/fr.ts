export default function () {
  return {
  "webhook": {
    "title": "Autres services",
    "lead": "Avertit aussitôt un chat, un site ou une lettre d’information quand quelque chose change ici. Le service vous donne pour cela une adresse, souvent appelée « webhook ».",
    "none": "Aucun service n’est encore averti des modifications.",
    "add": "Ajouter un service",
    "new": "rien envoyé pour l’instant",
    "ok": "fonctionne",
    "failing": "a des problèmes",
    "paused": "en pause",
    "gone": "désactivé : l’autre service n’existe plus",
    "stopped": "désactivé : échecs pendant cinq jours",
    "since": "depuis le {{date}}",
    "waiting": "à renvoyer : {{n}}",
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
