export default function () {
  return {
  "source": {
    "lead": "El teatro, el club deportivo, la parroquia: lo que anuncian en sus propios calendarios aparece aquí por sí solo y se mantiene al día.",
    "add": "Añadir un calendario",
    "none": "Todavía no se lee ningún calendario.",
    "steps": "Solo necesita su dirección. Verá lo que hay antes de que nada aparezca en su calendario.",
    "addressHint": "Copie la dirección de la página con los eventos o la de su enlace «Suscribirse». A menudo termina en .ics. Todo el mundo puede verla junto a los eventos: use la dirección pública, no una secreta.",
    "look": "Echar un vistazo",
    "lookNote": "Puede tardar unos segundos. Todavía no se importa nada.",
    "found": "Estos son sus eventos",
    "found_one": "Un evento.",
    "found_other": "{{n}} eventos. Los próximos:",
    "foundNone": "Se puede leer, pero ahora mismo no se anuncia nada.",
    "foundOver": "{{n}} eventos, todos ya pasados:",
    "foundFilters": "La dirección tiene filtros, que se conservan. Solo se leen estos eventos: {{filters}}",
    "settingsNew": "Ajustes de la importación",
    "addNow": "Añadir este calendario",
    "anotherAddress": "Otra dirección",
    "new": "se está leyendo por primera vez",
    "byHand": "aún sin leer",
    "running": "se está leyendo",
    "ok": "al día",
    "failing": "no se puede leer",
    "asking": "requiere una decisión",
    "paused": "en pausa",
    "page": "Su página",
    "last": "Última lectura",
    "next": "Próxima vez",
    "never": "todavía no",
    "soon": "en unos minutos",
    "onlyByHand": "solo a mano",
    "whileAsking": "cuando usted decida o vuelvan los eventos",
    "events": "Eventos allí",
    "everyHour": "cada hora",
    "every6Hours": "cada seis horas",
    "everyDay": "cada día",
    "everyWeek": "cada semana",
    "onDemand": "solo a mano",
    "seeEvents": "Sus eventos aquí",
    "sync": "Leer ahora",
    "resume": "Continuar",
    "wasPaused": "Está en pausa. Sus eventos se quedan como están.",
    "resumed": "Continúa y se leerá en unos minutos.",
    "begun": "Se está leyendo. Lo que falta llegará en unos minutos.",
    "done": "Se ha leído: {{what}}.",
    "failed": "No se puede leer. {{why}}",
    "wrong": "Qué ocurre",
    "detail": "Para quienes llevan el otro sitio",
    "question": "¿Se ha vaciado el otro calendario?",
    "questionText": "Al menos la mitad de sus próximos eventos ha desaparecido. Puede ser intencionado o un error del otro sitio. Aquí no se ha cambiado nada todavía.",
    "agreeMirror": "Si está de acuerdo, los eventos que faltan allí irán aquí a la papelera.",
    "agreeKeep": "Si está de acuerdo, se sigue leyendo. Los eventos que faltan allí se quedan aquí.",
    "agree": "Sí, es intencionado",
    "refuse": "No, esperar por ahora",
    "runs": "Importaciones",
    "noRuns": "Todavía no se ha leído nada.",
    "created": "{{n}} nuevos",
    "updated": "{{n}} cambiados",
    "unchanged": "{{n}} sin cambios",
    "trashed": "{{n}} en la papelera",
    "joined": "{{n}} unidos",
    "asked": "{{n}} por decidir",
    "skipped": "{{n}} omitidos",
    "guessed": "{{n}} supuestos",
    "times": "{{n}} veces",
    "nothing": "nada nuevo",
    "halfGone": "faltaba al menos la mitad, así que no se cambió nada",
    "notWhole": "No se ha podido leer todo, así que no se ha quitado ningún evento que falte allí.",
    "stopped": "fallido",
    "skippedTitle": "Qué se ha omitido y por qué",
    "guessedTitle": "Qué se ha supuesto",
    "deleteText": "Ya no se leerá. ¿Qué debe pasar con los eventos que vinieron de él?",
    "keepEvents": "Se quedan aquí, como si los hubiera introducido usted.",
    "trashEvents": "Van a la papelera en unos minutos. Los lugares, organizadores y categorías que solo ellos usan también desaparecen.",
    "deleteNow": "Eliminar este calendario",
    "card_one": "Una cosa espera su decisión.",
    "card_other": "{{n}} cosas esperan su decisión.",
    "cardFailing": "No se pueden leer: {{names}}"
  },
  "upload": {
    "lead": "Los eventos de una hoja de cálculo o de otro calendario. Verá lo que contiene el archivo antes de que se importe nada.",
    "fileHelp": "Un archivo CSV o .ics, o una página web guardada, de 2 MB como máximo, elegido o arrastrado hasta aquí. Guarde antes como CSV la hoja de Excel, LibreOffice, Numbers o Google Sheets.",
    "another": "Otro archivo",
    "replaced": "Ya se importó un archivo con este nombre: los eventos con el mismo título y comienzo son los mismos, y no se repiten.",
    "events": "Eventos",
    "stayPrivate_one": "Uno de ellos queda privado.",
    "stayPrivate_other": "{{n}} de ellos quedan privados.",
    "newVenue": "{{name}} (lugar nuevo)",
    "columns": "Columnas",
    "columnsText": "Qué contiene cada columna. Cambie lo que no se haya reconocido bien.",
    "example": "Por ejemplo: {{text}}",
    "nameless": "Columna {{n}}",
    "notRead": "(no se importa)",
    "start_date": "Día de comienzo",
    "start_time": "Hora de comienzo",
    "end_date": "Día de finalización",
    "end_time": "Hora de finalización",
    "currency_symbol": "Símbolo de la moneda",
    "currency_position": "Posición de la moneda",
    "currency_code": "Moneda",
    "private": "Es privado",
    "sensitivity": "Confidencialidad",
    "public": "Es público",
    "id": "Número en el archivo",
    "dates": "¿Qué significa 5/6/2027 en este archivo?",
    "dmy": "5 de junio: primero el día",
    "mdy": "6 de mayo: primero el mes",
    "apply": "Mostrar así",
    "problems": "Lo que no se puede importar",
    "line": "Línea {{n}}",
    "lines": "{{n}} líneas ({{all}}):",
    "moreProblems": "… y {{n}} más",
    "leaveOut": "Omitir esto e importar el resto",
    "correct": "Corrija el archivo y vuelva a elegirlo, u omita esto.",
    "asDraft": "Serán borradores que podrá publicar más tarde",
    "asPublic": "Se publican de inmediato",
    "importNow": "Importar",
    "imported": "importado",
    "waits": "sin importar",
    "goOn": "Ver e importar",
    "uploaded": "Archivo subido",
    "progress": "Se han importado {{n}} de {{all}}. El resto continúa por sí solo, aunque salga de esta página.",
    "continue": "Continuar ahora",
    "done": "Importado: {{what}}.",
    "undo": "Deshacer la importación",
    "undoText_one": "El evento de {{name}} que se añadió irá a la papelera. También irán el lugar y los organizadores que se añadieron con él y que no se usan en ningún otro sitio; las categorías y etiquetas en ese caso se eliminarán.",
    "undoText_other": "Los {{n}} eventos de {{name}} que se añadieron irán a la papelera. También irán los lugares y los organizadores que se añadieron con ellos y que no se usan en ningún otro sitio; las categorías y etiquetas en ese caso se eliminarán.",
    "undone": "deshecho, {{n}} en la papelera",
    "undoing": "Los eventos irán a la papelera en unos minutos.",
    "noFileLeft": "Este archivo ya se importó, o se borró al cabo de un día. Elíjalo de nuevo para importarlo."
  },
  "fields": {
    "source": {
      "kind": {
        "label": "Formato"
      },
      "state": {
        "label": "En pausa"
      },
      "name": {
        "label": "Nombre",
        "help": "Aparece en sus eventos."
      },
      "url": {
        "label": "Dirección"
      },
      "every": {
        "label": "Con qué frecuencia se lee",
        "options": {
          "hour": "Cada hora",
          "6 hours": "Cada seis horas",
          "day": "Cada día",
          "week": "Cada semana",
          "": "Solo a mano"
        }
      },
      "status": {
        "label": "Eventos nuevos",
        "help": "Si el calendario es suyo, pueden aparecer enseguida; si es de otra persona, conviene que esperen revisión.",
        "options": {
          "publish": "Aparecen enseguida",
          "pending": "Esperan revisión",
          "draft": "Quedan como borradores"
        }
      },
      "categories": {
        "label": "Categorías para sus eventos"
      },
      "tags": {
        "label": "Etiquetas para sus eventos"
      },
      "venue": {
        "label": "Lugar",
        "help": "Para los eventos sin lugar."
      },
      "organizer": {
        "label": "Organizador",
        "help": "Para los eventos sin organizador."
      },
      "search": {
        "label": "Solo eventos con una de estas palabras",
        "help": "Déjelo vacío para todos."
      },
      "mirror": {
        "label": "Copia exacta del otro calendario",
        "help": "Lo que cambie aquí se sobrescribe, y los eventos que desaparecen allí van aquí a la papelera. Sin esta opción, lo que cambie aquí se queda."
      },
      "rights": {
        "label": "Derechos",
        "help": "Si el otro calendario pide una nota en sus eventos.",
        "options": {
          "text": "Texto, como «CC BY 4.0»",
          "url": "Enlace a las condiciones"
        }
      },
      "reading": {
        "label": "Lectura del archivo"
      },
      "file": {
        "label": "Archivo"
      },
      "undoing": {
        "label": "Deshacer la importación"
      }
    }
  }
}
}
