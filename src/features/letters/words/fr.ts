export default function () {
  return {
  "letter": {
    "title": "Lettres d’information",
    "lead": "Les événements à venir par e-mail, une fois par semaine, à une adresse : de préférence celle d’une liste de diffusion, où chacun s’inscrit et se désinscrit. Les actualités, elles, sont demandées par les visiteurs eux-mêmes, chacun pour ce qu’il choisit.",
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
        "help": "Cochez ce qu’elle annonce. Là où rien n’est coché, tout est compris.",
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
        "help": "L’adresse qui reçoit la lettre ou qui a été inscrite."
      }
    }
  },
  "history": {
    "letter": "Lettre d’information",
    "subscriber": "Inscription à la lettre"
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
    "chooseHelp": "Cochez jusqu’à dix cases de chaque sorte. Là où rien n’est coché, tout est compris.",
    "day": "Quel jour",
    "email": "Votre adresse e-mail",
    "send": "M’envoyer l’e-mail de confirmation",
    "promise": "Vous recevez d’abord un e-mail avec un lien ; sans le bouton qui s’y trouve, rien d’autre n’arrive. Chaque e-mail contient un lien pour se désinscrire. Nous ne mesurons pas si vous lisez et ne donnons votre adresse à personne.",
    "privacy": "Confidentialité",
    "lookTitle": "Consultez votre messagerie",
    "look": "Si cette adresse peut recevoir des e-mails, un message avec un lien arrive dans quelques minutes. Une adresse en reçoit un par jour au plus. S’il manque, regardez parmi les indésirables.",
    "tooMany": "Trop de personnes se sont inscrites en ce moment. Réessayez plus tard.",
    "dayLimit": "Le calendrier a atteint sa limite pour aujourd’hui. Réessayez demain.",
    "busy": "Cela n’a pas fonctionné à l’instant. Réessayez dans un moment.",
    "line": "Recevoir les nouvelles de {{site}} par e-mail",
    "link": "Lettre d’information",
    "sample": "À quoi il ressemblerait aujourd’hui",
    "confirmTitle": "À confirmer",
    "everything": "Tout",
    "confirm": "Oui, envoyez-moi les nouvelles",
    "notMe": "Ce n’est pas vous qui avez inscrit cette adresse ? Ne faites rien, ou supprimez-la tout de suite.",
    "erase": "Supprimer cette adresse",
    "yours": "Vos nouvelles",
    "confirmed": "C’est confirmé : désormais, {{site}} vous écrit le jour que vous avez choisi.",
    "saved": "Votre choix est enregistré.",
    "save": "Enregistrer mon choix",
    "leaveText": "Plus aucun e-mail n’arrive, et votre adresse et votre choix sont supprimés aussitôt.",
    "left": "Vous êtes désinscrit",
    "leftText": "Votre adresse et votre choix sont supprimés. Plus rien n’arrive.",
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
