export default function () {
  return {
  "inbox": {
    "takenSubject": "Votre e-mail à {{site}}",
    "taken": "{{site}} a bien reçu votre e-mail. Nous le lisons avant de publier quoi que ce soit.",
    "takenLinks": "Vous pouvez voir, modifier ou retirer ici ce que vous avez envoyé, une adresse par événement :",
    "takenNext": "Dès que nous aurons décidé, vous recevrez un autre e-mail. Merci de ne pas répondre à celui-ci.",
    "isPrivate": "Privé selon le fichier de calendrier : {{titles}}.",
    "isOff": "Annulé selon le fichier de calendrier et donc laissé de côté : {{titles}}.",
    "isLeftOut": "Laissé de côté dans le fichier de calendrier : « {{what}} ». {{why}}"
  }
}
}
