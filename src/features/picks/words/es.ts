export default function () {
  return {
  "pages": {
    "picks": "Mi selección",
    "picksShared": "Una selección compartida",
    "pickName": "Guardar: {{name}}",
    "pick": "Guardar",
    "pickDates": "Guardar todas las fechas",
    "picksLead": "Guardada en este navegador, sin cuenta. Compártala para verla en otro dispositivo o para quedar con amigos.",
    "picksSharedLead": "Eventos que alguien ha reunido.",
    "picksNone": "Todavía no hay nada. Pulse el corazón de un evento y aparecerá aquí.",
    "picksNoScripts": "Solo se pueden guardar eventos con JavaScript.",
    "picksChanged": "Han cambiado desde entonces",
    "pickWas": "antes {{when}}",
    "picksPast_one": "{{n}} evento pasado",
    "picksPast_other": "{{n}} eventos pasados",
    "picksGone_one": "{{n}} más ya no está en este calendario.",
    "picksGone_other": "{{n}} más ya no están en este calendario.",
    "picksAllDates": "Todas las fechas",
    "picksSubscribe": "Su selección en su propio calendario. Si algo se aplaza o se cancela, también cambia allí. La dirección es solo suya: quien la tiene ve lo que usted guarda.",
    "picksAdd": "Añadir todo a mi selección",
    "picksForget": "Olvidar todo",
    "picksForgotten": "Se ha olvidado todo, y la suscripción termina en cuanto siga adelante.",
    "picksUndo": "Deshacer",
    "picksFull": "No se pueden guardar más de {{n}}.",
    "picksFailed": "No ha funcionado. Inténtelo de nuevo más tarde."
  }
}
}
