export default { en, de, es, fr }

function en() {
  return {
  "pages": {
    "picks": "Your picks",
    "picksShared": "A shared selection",
    "pickName": "Pick: {{name}}",
    "pick": "Pick",
    "pickDates": "Pick all dates",
    "picksLead": "Saved in this browser, without an account. To see your picks on another device, or to plan an outing with friends, share them.",
    "picksSharedLead": "Events that somebody has put together.",
    "picksNone": "Nothing picked yet. Tap the heart on an event to pick it.",
    "picksNoScripts": "Events can only be picked with JavaScript switched on.",
    "picksChanged": "Changed since you picked them",
    "picksOff": "Moved or cancelled",
    "pickWas": "was {{when}}",
    "picksPast_one": "{{n}} past event",
    "picksPast_other": "{{n}} past events",
    "picksGone_one": "{{n}} more is no longer in this calendar.",
    "picksGone_other": "{{n}} more are no longer in this calendar.",
    "picksAllDates": "All dates",
    "picksSubscribe": "Your picks in your own calendar. When one moves or is cancelled, it changes there too. Keep this address to yourself: anyone who has it can see your picks.",
    "picksAdd": "Add all to your picks",
    "picksForget": "Forget all",
    "picksForgotten": "Your picks have been forgotten. If you subscribed to them, that ends when you leave this page.",
    "picksUndo": "Undo",
    "picksFull": "No more than {{n}} can be picked.",
    "picksFailed": "This did not work. Please try again later.",
    "picksUnkept": "This browser can’t save your picks: its storage is full or switched off."
  }
} as const
}

function de() {
  return {
  "pages": {
    "picks": "Merkliste",
    "picksShared": "Eine geteilte Auswahl",
    "pickName": "Merken: {{name}}",
    "pick": "Merken",
    "pickDates": "Alle Termine merken",
    "picksLead": "In diesem Browser gemerkt, ohne Konto. Teilen Sie die Liste, um sie auf einem anderen Gerät zu sehen oder sich zu verabreden.",
    "picksSharedLead": "Veranstaltungen, die jemand zusammengestellt hat.",
    "picksNone": "Noch nichts gemerkt. Tippen Sie bei einer Veranstaltung auf das Herz, dann steht sie hier.",
    "picksNoScripts": "Veranstaltungen lassen sich nur mit JavaScript merken.",
    "picksChanged": "Seitdem geändert",
    "picksOff": "Verlegt oder abgesagt",
    "pickWas": "vorher {{when}}",
    "picksPast_one": "{{n}} vergangene Veranstaltung",
    "picksPast_other": "{{n}} vergangene Veranstaltungen",
    "picksGone_one": "{{n}} weitere ist nicht mehr in diesem Kalender.",
    "picksGone_other": "{{n}} weitere sind nicht mehr in diesem Kalender.",
    "picksAllDates": "Alle Termine",
    "picksSubscribe": "Ihre Merkliste im eigenen Kalender. Wird etwas verlegt oder abgesagt, ändert es sich auch dort. Behalten Sie die Adresse für sich: Wer sie hat, sieht, was Sie sich merken.",
    "picksAdd": "Alle auf meine Merkliste",
    "picksForget": "Alle vergessen",
    "picksForgotten": "Alles Gemerkte ist gelöscht. Ein Abo davon endet, sobald Sie diese Seite verlassen.",
    "picksUndo": "Rückgängig",
    "picksFull": "Mehr als {{n}} lassen sich nicht merken.",
    "picksFailed": "Das hat nicht geklappt. Bitte versuchen Sie es später noch einmal.",
    "picksUnkept": "Dieser Browser kann es sich nicht merken: Sein Speicher ist voll oder abgeschaltet."
  }
}
}

function es() {
  return {
  "pages": {
    "picks": "Mi selección",
    "picksShared": "Una selección compartida",
    "pickName": "Seleccionar: {{name}}",
    "pick": "Seleccionar",
    "pickDates": "Seleccionar todas las fechas",
    "picksLead": "Guardada en este navegador, sin cuenta. Compártala para verla en otro dispositivo o para quedar con amigos.",
    "picksSharedLead": "Eventos que alguien ha reunido.",
    "picksNone": "Su selección está vacía. Pulse el corazón de un evento para añadirlo.",
    "picksNoScripts": "Solo se puede hacer una selección con JavaScript.",
    "picksChanged": "Han cambiado desde entonces",
    "picksOff": "Con otra fecha o cancelados",
    "pickWas": "antes {{when}}",
    "picksPast_one": "{{n}} evento pasado",
    "picksPast_other": "{{n}} eventos pasados",
    "picksGone_one": "{{n}} más ya no está en este calendario.",
    "picksGone_other": "{{n}} más ya no están en este calendario.",
    "picksAllDates": "Todas las fechas",
    "picksSubscribe": "Su selección en su propio calendario. Si algo se aplaza o se cancela, también cambia allí. No comparta esta dirección: quien la tenga verá su selección.",
    "picksAdd": "Añadir todo a mi selección",
    "picksForget": "Olvidar todo",
    "picksForgotten": "Se ha olvidado todo. Si se había suscrito, la suscripción termina en cuanto salga de esta página.",
    "picksUndo": "Deshacer",
    "picksFull": "La selección admite como máximo {{n}}.",
    "picksFailed": "No ha funcionado. Inténtelo de nuevo más tarde.",
    "picksUnkept": "Este navegador no puede guardar su selección: el almacenamiento está lleno o desactivado."
  }
}
}

function fr() {
  return {
  "pages": {
    "picks": "Ma sélection",
    "picksShared": "Une sélection partagée",
    "pickName": "Sélectionner : {{name}}",
    "pick": "Sélectionner",
    "pickDates": "Sélectionner toutes les dates",
    "picksLead": "Enregistrée dans ce navigateur, sans compte. Pour la retrouver sur un autre appareil ou sortir à plusieurs, partagez-la.",
    "picksSharedLead": "Des événements que quelqu’un a réunis.",
    "picksNone": "Votre sélection est vide. Appuyez sur le cœur d’un événement pour l’ajouter.",
    "picksNoScripts": "Composer une sélection n’est possible qu’avec JavaScript.",
    "picksChanged": "Modifiés depuis",
    "picksOff": "Déplacés ou annulés",
    "pickWas": "auparavant {{when}}",
    "picksPast_one": "{{n}} événement passé",
    "picksPast_other": "{{n}} événements passés",
    "picksGone_one": "{{n}} autre ne figure plus dans cet agenda.",
    "picksGone_other": "{{n}} autres ne figurent plus dans cet agenda.",
    "picksAllDates": "Toutes les dates",
    "picksSubscribe": "Votre sélection dans votre propre agenda. Tout report et toute annulation y apparaissent aussi. Gardez cette adresse pour vous : quiconque l’a voit votre sélection.",
    "picksAdd": "Tout ajouter à ma sélection",
    "picksForget": "Tout oublier",
    "picksForgotten": "Tout est oublié. Si vous y étiez abonné, l’abonnement prend fin dès que vous quittez cette page.",
    "picksUndo": "Annuler",
    "picksFull": "La sélection compte {{n}} événements au plus.",
    "picksFailed": "Cela n’a pas fonctionné. Veuillez réessayer plus tard.",
    "picksUnkept": "Ce navigateur ne peut pas enregistrer votre sélection : son espace de stockage est plein ou désactivé."
  }
}
}
