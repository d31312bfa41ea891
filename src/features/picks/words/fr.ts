export default function () {
  return {
  "pages": {
    "picks": "Ma sélection",
    "picksShared": "Une sélection partagée",
    "pickName": "Garder : {{name}}",
    "pick": "Garder",
    "pickDates": "Garder toutes les dates",
    "picksLead": "Gardée dans ce navigateur, sans compte. Pour la retrouver sur un autre appareil ou sortir à plusieurs, partagez-la.",
    "picksSharedLead": "Des événements que quelqu’un a réunis.",
    "picksNone": "Rien pour l’instant. Appuyez sur le cœur d’un événement pour le retrouver ici.",
    "picksNoScripts": "Garder des événements n’est possible qu’avec JavaScript.",
    "picksChanged": "Modifiés depuis",
    "pickWas": "auparavant {{when}}",
    "picksPast_one": "{{n}} événement passé",
    "picksPast_other": "{{n}} événements passés",
    "picksGone_one": "{{n}} autre ne figure plus dans cet agenda.",
    "picksGone_other": "{{n}} autres ne figurent plus dans cet agenda.",
    "picksAllDates": "Toutes les dates",
    "picksSubscribe": "Votre sélection dans votre propre agenda. Tout report et toute annulation y apparaissent aussi. L’adresse n’est qu’à vous : qui l’a voit ce que vous gardez.",
    "picksAdd": "Tout ajouter à ma sélection",
    "picksForget": "Tout oublier",
    "picksForgotten": "Tout est oublié, et l’abonnement prend fin dès que vous continuez.",
    "picksUndo": "Annuler",
    "picksFull": "Impossible d’en garder plus de {{n}}.",
    "picksFailed": "Cela n’a pas fonctionné. Veuillez réessayer plus tard."
  }
}
}
