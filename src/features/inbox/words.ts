export default { en, de, es, fr }

function en() {
  return {
  "inbox": {
    "takenSubject": "Your e-mail to {{site}}",
    "taken": "{{site}} has received your e-mail. We look at it before anything in it is published.",
    "takenLinks": "Here you can see, change or withdraw what you sent, with one link per event:",
    "takenNext": "Once we have decided, you get another e-mail. If we have a question, it appears only there. Please don’t reply to this one.",
    "isPrivate": "Private according to its calendar file: {{titles}}.",
    "corrects": "Perhaps a correction of what the same sender has sent before: {{titles}}.",
    "callsOff": "Called off or postponed according to its text: {{texts}}.",
    "inCalendar": "In the calendar on that day: {{titles}}.",
    "noDay": "Left out, because the text does not say the day for certain: {{texts}}.",
    "doubted": "Please check what the text says: {{texts}}.",
    "leftOut": "Left out, because the text does not say it for certain: {{texts}}.",
    "isOff": "Called off according to its calendar file, and left out: {{titles}}.",
    "isLeftOut": "Left out of its calendar file: “{{what}}”. {{why}}"
  }
} as const
}

function de() {
  return {
  "inbox": {
    "takenSubject": "Ihre E-Mail an {{site}}",
    "taken": "{{site}} hat Ihre E-Mail erhalten. Wir sehen sie an, bevor etwas daraus veröffentlicht wird.",
    "takenLinks": "Hier können Sie sehen, ändern oder zurückziehen, was Sie geschickt haben, unter einer Adresse je Termin:",
    "takenNext": "Sobald wir entschieden haben, erhalten Sie noch eine E-Mail. Haben wir eine Frage, steht sie nur dort. Bitte antworten Sie nicht auf diese.",
    "isPrivate": "Laut Kalenderdatei privat: {{titles}}.",
    "corrects": "Vielleicht eine Korrektur dessen, was dieselbe Person schon geschickt hat: {{titles}}.",
    "callsOff": "Laut Text abgesagt oder verschoben: {{texts}}.",
    "inCalendar": "An diesem Tag im Kalender: {{titles}}.",
    "noDay": "Nicht dabei, weil der Text den Tag nicht sicher sagt: {{texts}}.",
    "doubted": "Bitte prüfen, was der Text sagt: {{texts}}.",
    "leftOut": "Weggelassen, weil der Text es nicht sicher sagt: {{texts}}.",
    "isOff": "Laut Kalenderdatei abgesagt und deshalb nicht dabei: {{titles}}.",
    "isLeftOut": "Aus der Kalenderdatei ausgelassen: „{{what}}“. {{why}}"
  }
}
}

function es() {
  return {
  "inbox": {
    "takenSubject": "Su correo a {{site}}",
    "taken": "{{site}} ha recibido su correo. Lo miramos antes de publicar nada.",
    "takenLinks": "Aquí puede ver, cambiar o retirar lo que ha enviado, una dirección por evento:",
    "takenNext": "En cuanto hayamos decidido, recibirá otro correo. Si tenemos una pregunta, aparecerá solo allí. Por favor, no responda a este.",
    "isPrivate": "Privado según el archivo de calendario: {{titles}}.",
    "corrects": "Quizá una corrección de lo que la misma persona envió antes: {{titles}}.",
    "callsOff": "Cancelado o aplazado según el texto: {{texts}}.",
    "inCalendar": "Ese día en el calendario: {{titles}}.",
    "noDay": "No se incluye, porque el texto no dice el día con seguridad: {{texts}}.",
    "doubted": "Compruebe lo que dice el texto: {{texts}}.",
    "leftOut": "Se ha omitido, porque el texto no lo dice con seguridad: {{texts}}.",
    "isOff": "Cancelado según el archivo de calendario y por eso no incluido: {{titles}}.",
    "isLeftOut": "No se ha incluido del archivo de calendario: «{{what}}». {{why}}"
  }
}
}

function fr() {
  return {
  "inbox": {
    "takenSubject": "Votre e-mail à {{site}}",
    "taken": "{{site}} a bien reçu votre e-mail. Nous le lisons avant de publier quoi que ce soit.",
    "takenLinks": "Vous pouvez voir, modifier ou retirer ici ce que vous avez envoyé, une adresse par événement :",
    "takenNext": "Dès que nous aurons décidé, vous recevrez un autre e-mail. Si nous avons une question, elle n’apparaîtra que là. Merci de ne pas répondre à celui-ci.",
    "isPrivate": "Privé selon le fichier de calendrier : {{titles}}.",
    "corrects": "Peut-être une correction de ce que la même personne a déjà envoyé : {{titles}}.",
    "callsOff": "Annulé ou reporté selon son texte : {{texts}}.",
    "inCalendar": "Ce jour-là dans l’agenda : {{titles}}.",
    "noDay": "Laissé de côté, car le texte ne dit pas le jour avec certitude : {{texts}}.",
    "doubted": "À vérifier dans le texte : {{texts}}.",
    "leftOut": "Omis, car le texte ne le dit pas avec certitude : {{texts}}.",
    "isOff": "Annulé selon le fichier de calendrier et donc laissé de côté : {{titles}}.",
    "isLeftOut": "Laissé de côté dans le fichier de calendrier : « {{what}} ». {{why}}"
  }
}
}
