export default function () {
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
    "agreeKeep": "Si vous êtes d’accord, la lecture continue. Les événements disparus là-bas restent ici.",
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
    "undoText_one": "L’événement de {{name}} qui a été ajouté va dans la corbeille. Le lieu et les organisateurs aussi, s’ils ont été ajoutés avec lui et ne servent nulle part ailleurs ; les catégories et étiquettes dans ce cas sont supprimées.",
    "undoText_other": "Les {{n}} événements de {{name}} qui ont été ajoutés vont dans la corbeille. Les lieux et les organisateurs aussi, s’ils ont été ajoutés avec eux et ne servent nulle part ailleurs ; les catégories et étiquettes dans ce cas sont supprimées.",
    "undone": "annulé, {{n}} dans la corbeille",
    "undoing": "Les événements vont dans la corbeille, ce qui prend quelques minutes.",
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
