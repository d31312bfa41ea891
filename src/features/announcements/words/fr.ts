export default function () {
  return {
  "announcement": {
    "title": "Coller un texte",
    "link": "Coller un texte",
    "lead": "Collez ce qu’une association ou un théâtre a envoyé, par exemple un courriel, une affiche ou un message. Le formulaire est rempli avec ce qui s’y trouve. Rien n’est enregistré avant que vous ne l’enregistriez.",
    "text": "Texte",
    "read": "Remplir le formulaire",
    "none": "Aucun événement n’a été trouvé dans ce texte. Il faut un jour sans équivoque : une date ou « ce samedi ».",
    "pasted": "Le texte",
    "check": "Vérifiez chaque valeur : ce que le texte ne dit pas avec certitude reste vide.",
    "position": "{{at}} sur {{n}} :",
    "several": "{{n}} événements ont été trouvés. Enregistrez-les l’un après l’autre : chacun s’ouvre dans un nouvel onglet, et cette page reste ici pour le suivant.",
    "isSaved": "Enregistré :",
    "canceled": "Le texte dit qu’il n’a pas lieu. Le formulaire crée un événement qui a lieu : annulez-le après l’avoir enregistré, ou ne l’enregistrez pas.",
    "otherWeekday": "Le jour de la semaine dans le texte n’est pas celui de cette date.",
    "isChecked": "J’ai vérifié la date",
    "start": "Début",
    "end": "Fin"
  }
}
}
