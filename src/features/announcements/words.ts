export default { en, de, es, fr }

function en() {
  return {
  "announcement": {
    "title": "Paste a text",
    "lead": "Paste what a club or a theatre has sent, such as an e-mail, a poster or a message. The form is filled in with what it says. Nothing is saved until you save it.",
    "text": "Text",
    "sentTo": "The text is sent to a language model, which takes some seconds: {{model}}.",
    "datesOnly": "This calendar has no language model, so it reads only one plain date and one plain time. The first line becomes the title, the text the description. Whoever runs the calendar can connect a model with the setting AI or AI_URL.",
    "reading": "The language model is reading the text. This can take up to a minute.",
    "read": "Fill the form",
    "none": "No event was found in this text.",
    "usedUp": "The language model reads no more texts today. Only the plain date and time were read.",
    "failed": "The language model gave no usable answer. Only the plain date and time were read.",
    "again": "Ask the language model again",
    "pasted": "The text",
    "check": "Check each value. While you are in a field, the words that say its value are marked here.",
    "position": "{{at}} of {{n}}:",
    "several": "{{n}} events were found. Save them one after the other: each opens in a new tab, and this page stays here for the next.",
    "hasMore": "The text announces more than these {{n}} events. Paste what is left of it once these are saved.",
    "ignored": "Left empty, because the text does not say it for certain:",
    "doubted": "Please look at this again:",
    "take": "Use “{{value}}”",
    "isOff": "The text says that it does not take place as planned. The form says so, too: “{{status}}”. If the event is already in the calendar, change it there instead of saving another.",
    "reason_not_in_text": "these words are not in the text",
    "reason_not_in_quote": "the words in the text say something else",
    "reason_no_such_date": "this date or time does not exist, or is too far away",
    "reason_ends_early": "it would end before it begins",
    "reason_weekday": "the weekday in the text is another one",
    "reason_half_of_day": "the text doesn’t say whether it is in the morning or in the evening",
    "reason_called_off": "the text has words that call something off"
  }
} as const
}

function de() {
  return {
  "announcement": {
    "title": "Text einfügen",
    "lead": "Fügen Sie ein, was ein Verein oder ein Theater geschickt hat, etwa eine E-Mail, ein Plakat oder eine Nachricht. Das Formular wird mit dem ausgefüllt, was darin steht. Gespeichert wird erst, wenn Sie es speichern.",
    "text": "Text",
    "sentTo": "Der Text geht an ein Sprachmodell, was einige Sekunden dauert: {{model}}.",
    "datesOnly": "Dieser Kalender hat kein Sprachmodell. Gelesen werden nur ein eindeutiges Datum und eine eindeutige Uhrzeit; die erste Zeile wird zum Titel, der Text zur Beschreibung. Wer den Kalender betreibt, kann mit der Einstellung AI oder AI_URL ein Modell anschließen.",
    "reading": "Das Sprachmodell liest den Text. Das kann bis zu einer Minute dauern.",
    "read": "Formular ausfüllen",
    "none": "In diesem Text wurde keine Veranstaltung gefunden.",
    "usedUp": "Das Sprachmodell liest heute keine weiteren Texte. Gelesen wurden nur Datum und Uhrzeit, soweit sie eindeutig sind.",
    "failed": "Das Sprachmodell hat keine brauchbare Antwort gegeben. Gelesen wurden nur Datum und Uhrzeit, soweit sie eindeutig sind.",
    "again": "Das Sprachmodell noch einmal fragen",
    "pasted": "Der Text",
    "check": "Prüfen Sie jeden Wert. Während Sie in einem Feld sind, ist hier markiert, welche Worte seinen Wert nennen.",
    "position": "{{at}} von {{n}}:",
    "several": "{{n}} Veranstaltungen wurden gefunden. Speichern Sie eine nach der anderen: Jede öffnet sich in einem neuen Tab, und diese Seite bleibt für die nächste hier.",
    "hasMore": "Der Text kündigt mehr als diese {{n}} Veranstaltungen an. Fügen Sie seinen Rest ein, wenn diese gespeichert sind.",
    "ignored": "Leer gelassen, weil der Text es nicht sicher sagt:",
    "doubted": "Bitte sehen Sie sich das noch einmal an:",
    "take": "„{{value}}“ übernehmen",
    "isOff": "Der Text sagt, dass sie nicht wie geplant stattfindet. Auch im Formular steht: „{{status}}“. Wenn die Veranstaltung schon im Kalender ist, ändern Sie sie dort, statt noch eine zu speichern.",
    "reason_not_in_text": "diese Worte stehen nicht im Text",
    "reason_not_in_quote": "die Worte im Text sagen etwas anderes",
    "reason_no_such_date": "dieses Datum oder diese Uhrzeit gibt es nicht, oder es liegt zu weit entfernt",
    "reason_ends_early": "das Ende läge vor dem Beginn",
    "reason_weekday": "im Text steht ein anderer Wochentag",
    "reason_half_of_day": "der Text sagt nicht, ob morgens oder abends",
    "reason_called_off": "der Text sagt, dass etwas abgesagt ist"
  }
}
}

function es() {
  return {
  "announcement": {
    "title": "Pegar un texto",
    "lead": "Pegue lo que ha enviado una asociación o un teatro, como un correo, un cartel o un mensaje. El formulario se rellena con lo que dice. No se guarda nada antes de que usted lo guarde.",
    "text": "Texto",
    "sentTo": "El texto se envía a un modelo de lenguaje, que tarda unos segundos: {{model}}.",
    "datesOnly": "Este calendario no tiene modelo de lenguaje, así que solo lee una fecha clara y una hora clara. La primera línea pasa a ser el título y el texto, la descripción. Quien gestiona el calendario puede conectar un modelo con el ajuste AI o AI_URL.",
    "reading": "El modelo de lenguaje está leyendo el texto. Puede tardar hasta un minuto.",
    "read": "Rellenar el formulario",
    "none": "En este texto no se encontró ningún evento.",
    "usedUp": "El modelo de lenguaje ya no lee más textos hoy. Solo se han leído la fecha y la hora, si están claras.",
    "failed": "El modelo de lenguaje no dio una respuesta útil. Solo se han leído la fecha y la hora, si están claras.",
    "again": "Preguntar de nuevo al modelo de lenguaje",
    "pasted": "El texto",
    "check": "Compruebe cada valor. Mientras está en un campo, aquí se marcan las palabras que dan su valor.",
    "position": "{{at}} de {{n}}:",
    "several": "Se han encontrado {{n}} eventos. Guárdelos uno tras otro: cada uno se abre en una pestaña nueva, y esta página se queda aquí para el siguiente.",
    "hasMore": "El texto anuncia más que estos {{n}} eventos. Pegue lo que falta cuando estos estén guardados.",
    "ignored": "Queda vacío, porque el texto no lo dice con seguridad:",
    "doubted": "Mire esto otra vez, por favor:",
    "take": "Usar «{{value}}»",
    "isOff": "El texto dice que no se celebra como estaba previsto. El formulario también lo dice: «{{status}}». Si el evento ya está en el calendario, cámbielo allí en lugar de guardar otro.",
    "reason_not_in_text": "estas palabras no están en el texto",
    "reason_not_in_quote": "las palabras del texto dicen otra cosa",
    "reason_no_such_date": "esta fecha u hora no existe o está demasiado lejos",
    "reason_ends_early": "terminaría antes de empezar",
    "reason_weekday": "el día de la semana del texto es otro",
    "reason_half_of_day": "el texto no dice si es por la mañana o por la tarde",
    "reason_called_off": "el texto dice que algo se cancela"
  }
}
}

function fr() {
  return {
  "announcement": {
    "title": "Coller un texte",
    "lead": "Collez ce qu’une association ou un théâtre a envoyé, par exemple un courriel, une affiche ou un message. Le formulaire est rempli avec ce qui s’y trouve. Rien n’est enregistré avant que vous ne l’enregistriez.",
    "text": "Texte",
    "sentTo": "Le texte est envoyé à un modèle de langue, ce qui prend quelques secondes : {{model}}.",
    "datesOnly": "Cet agenda n’a pas de modèle de langue : il ne lit qu’une date et une heure sans équivoque. La première ligne devient le titre, le texte la description. La personne qui gère l’agenda peut connecter un modèle avec le réglage AI ou AI_URL.",
    "reading": "Le modèle de langue lit le texte. Cela peut prendre jusqu’à une minute.",
    "read": "Remplir le formulaire",
    "none": "Aucun événement n’a été trouvé dans ce texte.",
    "usedUp": "Le modèle de langue ne lit plus de textes aujourd’hui. Seules la date et l’heure ont été lues, si elles sont sans équivoque.",
    "failed": "Le modèle de langue n’a pas donné de réponse utilisable. Seules la date et l’heure ont été lues, si elles sont sans équivoque.",
    "again": "Interroger de nouveau le modèle de langue",
    "pasted": "Le texte",
    "check": "Vérifiez chaque valeur. Quand vous êtes dans un champ, les mots qui donnent sa valeur sont marqués ici.",
    "position": "{{at}} sur {{n}} :",
    "several": "{{n}} événements ont été trouvés. Enregistrez-les l’un après l’autre : chacun s’ouvre dans un nouvel onglet, et cette page reste ici pour le suivant.",
    "hasMore": "Le texte annonce plus que ces {{n}} événements. Collez la suite une fois ceux-ci enregistrés.",
    "ignored": "Laissé vide, car le texte ne le dit pas avec certitude :",
    "doubted": "À vérifier, s’il vous plaît :",
    "take": "Utiliser « {{value}} »",
    "isOff": "Le texte dit qu’il n’a pas lieu comme prévu. Le formulaire le dit aussi : « {{status}} ». Si l’événement est déjà dans l’agenda, modifiez-le là au lieu d’en enregistrer un autre.",
    "reason_not_in_text": "ces mots ne sont pas dans le texte",
    "reason_not_in_quote": "les mots du texte disent autre chose",
    "reason_no_such_date": "cette date ou cette heure n’existe pas, ou elle est trop lointaine",
    "reason_ends_early": "la fin précéderait le début",
    "reason_weekday": "le jour de la semaine est un autre dans le texte",
    "reason_half_of_day": "le texte ne dit pas si c’est le matin ou le soir",
    "reason_called_off": "le texte dit que quelque chose est annulé"
  }
}
}
