export default { en, de, es, fr }

function en() {
  return {
  "announcement": {
    "title": "Paste a text",
    "link": "Paste a text",
    "lead": "Paste what a club or a theatre has sent, such as an e-mail, a poster or a message. The form is filled in with what it says. Nothing is saved until you save it.",
    "text": "Text",
    "read": "Fill the form",
    "none": "No event was found in this text. It has to name a day clearly: a date, or “this Saturday”.",
    "pasted": "The text",
    "check": "Check each value: what the text doesn’t say clearly is left empty.",
    "position": "{{at}} of {{n}}:",
    "several": "{{n}} events were found. Save them one after the other: each opens in a new tab, and this page stays here for the next.",
    "hasMore": "The text announces more than these {{n}} events. Paste what is left of it once these are saved.",
    "hasMoreRows": "The table has more rows than these {{n}} events. Go on with the others once these are saved.",
    "otherRows": "Go on with the other rows",
    "noDay": "Rows of the table were left out, because they have no day that can be read: {{rows}}",
    "isSaved": "Saved:",
    "isSavedAs": "“{{name}}” was saved as",
    "isOff": "The text says that it does not take place as planned. The form says so, too: “{{status}}”. If the event is already in the calendar, change it there instead of saving another.",
    "otherWeekday": "The weekday in the text is not that of this date.",
    "isChecked": "I have checked the date",
    "assumed_evening": "The text doesn’t say whether the start is in the morning or in the evening. The form assumes the evening.",
    "assumed_first_date": "The text names a repetition without an end, and the form has its first date. You can choose under “Repeats” how it goes on.",
    "start": "Start",
    "end": "End"
  }
} as const
}

function de() {
  return {
  "announcement": {
    "title": "Text einfügen",
    "link": "Text einfügen",
    "lead": "Fügen Sie ein, was ein Verein oder ein Theater geschickt hat, etwa eine E-Mail, ein Plakat oder eine Nachricht. Das Formular wird mit dem ausgefüllt, was darin steht. Gespeichert wird erst, wenn Sie es speichern.",
    "text": "Text",
    "read": "Formular ausfüllen",
    "none": "In diesem Text wurde keine Veranstaltung gefunden. Es braucht einen eindeutigen Tag: ein Datum oder „diesen Samstag“.",
    "pasted": "Der Text",
    "check": "Prüfen Sie jeden Wert: Was der Text nicht sicher sagt, bleibt leer.",
    "position": "{{at}} von {{n}}:",
    "several": "{{n}} Veranstaltungen wurden gefunden. Speichern Sie eine nach der anderen: Jede öffnet sich in einem neuen Tab, und diese Seite bleibt für die nächste hier.",
    "hasMore": "Der Text kündigt mehr als diese {{n}} Veranstaltungen an. Fügen Sie seinen Rest ein, wenn diese gespeichert sind.",
    "hasMoreRows": "Die Tabelle hat mehr Zeilen als diese {{n}} Veranstaltungen. Machen Sie mit den übrigen weiter, wenn diese gespeichert sind.",
    "otherRows": "Mit den übrigen Zeilen weitermachen",
    "noDay": "Zeilen der Tabelle sind nicht dabei, weil kein Tag darin zu lesen ist: {{rows}}",
    "isSaved": "Gespeichert:",
    "isSavedAs": "„{{name}}“ wurde gespeichert als",
    "isOff": "Der Text sagt, dass sie nicht wie geplant stattfindet. Auch im Formular steht: „{{status}}“. Wenn die Veranstaltung schon im Kalender ist, ändern Sie sie dort, statt noch eine zu speichern.",
    "otherWeekday": "Der Wochentag im Text ist nicht der dieses Datums.",
    "isChecked": "Ich habe das Datum geprüft",
    "assumed_evening": "Der Text sagt nicht, ob der Beginn am Morgen oder am Abend ist. Das Formular geht vom Abend aus.",
    "assumed_first_date": "Der Text nennt eine Wiederholung ohne Ende, und im Formular steht ihr erster Termin. Wie es weitergeht, können Sie unter „Wiederholung“ wählen.",
    "start": "Beginn",
    "end": "Ende"
  }
}
}

function es() {
  return {
  "announcement": {
    "title": "Pegar un texto",
    "link": "Pegar un texto",
    "lead": "Pegue lo que ha enviado una asociación o un teatro, como un correo, un cartel o un mensaje. El formulario se rellena con lo que dice. No se guarda nada antes de que usted lo guarde.",
    "text": "Texto",
    "read": "Rellenar el formulario",
    "none": "En este texto no se encontró ningún evento. Tiene que indicar un día con claridad: una fecha o «este sábado».",
    "pasted": "El texto",
    "check": "Compruebe cada valor: lo que el texto no dice con seguridad queda vacío.",
    "position": "{{at}} de {{n}}:",
    "several": "Se han encontrado {{n}} eventos. Guárdelos uno tras otro: cada uno se abre en una pestaña nueva, y esta página se queda aquí para el siguiente.",
    "hasMore": "El texto anuncia más que estos {{n}} eventos. Pegue lo que falta cuando estos estén guardados.",
    "hasMoreRows": "La tabla tiene más filas que estos {{n}} eventos. Siga con las demás cuando estos estén guardados.",
    "otherRows": "Seguir con las demás filas",
    "noDay": "Faltan filas de la tabla que no tienen un día que se pueda leer: {{rows}}",
    "isSaved": "Guardado:",
    "isSavedAs": "«{{name}}» se ha guardado como",
    "isOff": "El texto dice que no se celebra como estaba previsto. El formulario también lo dice: «{{status}}». Si el evento ya está en el calendario, cámbielo allí en lugar de guardar otro.",
    "otherWeekday": "El día de la semana del texto no es el de esta fecha.",
    "isChecked": "He comprobado la fecha",
    "assumed_evening": "El texto no dice si empieza por la mañana o por la tarde. El formulario supone que por la tarde.",
    "assumed_first_date": "El texto habla de una repetición sin final, y el formulario tiene la primera fecha. En «Repetición» puede elegir cómo continúa.",
    "start": "Inicio",
    "end": "Fin"
  }
}
}

function fr() {
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
    "hasMore": "Le texte annonce plus que ces {{n}} événements. Collez la suite une fois ceux-ci enregistrés.",
    "hasMoreRows": "Le tableau a plus de lignes que ces {{n}} événements. Continuez avec les autres une fois ceux-ci enregistrés.",
    "otherRows": "Continuer avec les autres lignes",
    "noDay": "Des lignes du tableau ont été laissées de côté, car aucun jour ne peut y être lu : {{rows}}",
    "isSaved": "Enregistré :",
    "isSavedAs": "« {{name}} » a été enregistré sous le titre",
    "isOff": "Le texte dit qu’il n’a pas lieu comme prévu. Le formulaire le dit aussi : « {{status}} ». Si l’événement est déjà dans l’agenda, modifiez-le là au lieu d’en enregistrer un autre.",
    "otherWeekday": "Le jour de la semaine dans le texte n’est pas celui de cette date.",
    "isChecked": "J’ai vérifié la date",
    "assumed_evening": "Le texte ne dit pas si le début est le matin ou le soir. Le formulaire suppose le soir.",
    "assumed_first_date": "Le texte parle d’une répétition sans fin, et le formulaire contient la première date. Vous pouvez choisir la suite sous « Répétition ».",
    "start": "Début",
    "end": "Fin"
  }
}
}
