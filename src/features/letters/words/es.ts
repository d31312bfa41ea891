export default function () {
  return {
  "letter": {
    "title": "Boletines",
    "lead": "Los próximos eventos por correo, una vez por semana, a una dirección: mejor la de una lista de correo, en la que cada cual se da de alta y de baja. Las novedades, en cambio, las piden los propios visitantes, cada uno según sus preferencias.",
    "none": "Aún no hay ningún boletín.",
    "add": "Nuevo boletín",
    "unconfirmed": "espera confirmación",
    "paused": "en pausa",
    "next": "próximo: {{date}}",
    "asked": "Guardado. Se ha enviado un enlace a {{email}}: el primer boletín saldrá cuando la dirección esté confirmada.",
    "notAsked": "Guardado, pero no se pudo enviar el enlace a {{email}}. Inténtelo más tarde.",
    "ask": "Enviar el enlace otra vez",
    "askText": "{{email}} aún no está confirmada. Hasta entonces no se enviará nada.",
    "preview": "Vista previa",
    "previewText": "Tal como se enviaría ahora, con lo guardado.",
    "plain": "Como texto sin formato",
    "test": "Enviármelo ahora",
    "testText": "Lo envía a {{email}}.",
    "testNeeds": "Para enviárselo a usted, confirme antes su propia dirección en la página de su cuenta.",
    "tested": "Va de camino a su buzón.",
    "failedNow": "No se ha enviado. {{reason}}",
    "resume": "Volver a activar",
    "pauseText": "No se envía nada hasta que lo vuelva a activar.",
    "resumed": "Vuelve a estar activo.",
    "wasPaused": "Está en pausa.",
    "removeText": "No se enviará nada más. No se puede deshacer.",
    "removed": "El boletín se ha eliminado.",
    "deliveries": "Lo enviado",
    "noDeliveries": "Aún no se ha enviado nada.",
    "sent_one": "enviado, con 1 evento",
    "sent_other": "enviado, con {{count}} eventos",
    "sending": "se está enviando",
    "unknown": "no se sabe si se envió",
    "unknownText": "El envío se interrumpió. Compruebe si ha llegado y, si no, envíelo otra vez.",
    "waiting": "próximo intento {{date}}",
    "failed": "no enviado",
    "emptied": "no enviado: no había eventos",
    "late": "no enviado: habría sido demasiado tarde",
    "forMe": "a usted o a otra persona de la redacción",
    "tries": "intentos: {{n}}",
    "retry": "Enviar otra vez",
    "retryNamed": "Enviar otra vez: {{name}}",
    "retried": "Se ha enviado.",
    "reasonText": "El boletín no se ha podido crear.",
    "reasonSender": "La dirección de este calendario no está configurada para enviar.",
    "reasonRecipient": "El servicio de correo no envía a esta dirección.",
    "reasonLimit": "El servicio de correo no acepta más por ahora.",
    "reasonUnknown": "El servicio de correo no ha respondido con claridad.",
    "reasonOther": "El servicio de correo lo ha rechazado ({{code}})."
  },
  "fields": {
    "letter": {
      "name": {
        "label": "Nombre",
        "help": "Cómo se llama aquí."
      },
      "filters": {
        "label": "Solo algunos eventos",
        "help": "Marque lo que anuncia. Donde no hay nada marcado, se entiende todo.",
        "options": {
          "rest": "Otras condiciones, como consulta"
        }
      },
      "days": {
        "label": "Días que abarca",
        "help": "De 1 a 62. Si se envía después de mediodía, se añade el resto de ese día."
      },
      "weekday": {
        "label": "Día de la semana"
      },
      "hour": {
        "label": "Hora"
      },
      "language": {
        "label": "Idioma"
      },
      "subject": {
        "label": "Asunto",
        "help": "El asunto del correo. Si queda vacío, se usa el nombre."
      },
      "intro": {
        "label": "Texto inicial",
        "help": "Antes de los eventos. Texto sin formato, opcional."
      },
      "to": {
        "label": "Para",
        "help": "Una dirección. Primero recibirá un enlace para confirmarla."
      },
      "empty": {
        "label": "Si no hay eventos",
        "options": {
          "skip": "No enviar nada",
          "say": "Enviar un boletín que lo diga"
        }
      },
      "active": {
        "label": "Activado"
      }
    },
    "subscriber": {
      "email": {
        "label": "Dirección de correo",
        "help": "La dirección que recibe el boletín o que se ha dado de alta."
      }
    }
  },
  "history": {
    "letter": "Boletín",
    "subscriber": "Suscripción"
  },
  "mail": {
    "confirmLetter": "{{login}} quiere que {{site}} envíe a esta dirección, una vez por semana, el boletín «{{name}}» con los próximos eventos."
  },
  "account": {
    "confirmLetter": "{{site}} enviará el boletín «{{name}}» a {{email}} una vez por semana en cuanto lo confirme."
  },
  "news": {
    "consent": "Quiero que {{site}} me envíe a esta dirección novedades sobre los próximos eventos, como mucho una vez por semana, hasta que me dé de baja. La dirección se guarda solo para eso y no se entrega a nadie; no se mide si las leo. Con el enlace de cada correo puedo cambiarlo o darme de baja en cualquier momento.",
    "mailSubject": "Confirme, por favor: novedades de {{site}}",
    "mailAsk": "Alguien, probablemente usted, quiere recibir en esta dirección las novedades de {{site}}. No se envía nada hasta que usted acepte:",
    "mailHow": "Para aceptar, abra esta dirección y pulse allí el botón:",
    "mailIgnore": "Si no ha sido usted, no haga nada: la dirección se borra a los tres días.",
    "mailKnownSubject": "Sus novedades de {{site}}",
    "mailKnown": "Alguien, probablemente usted, acaba de dar de alta esta dirección para las novedades de {{site}}. Ya las recibe. Aquí puede cambiar lo que llega o darse de baja:",
    "mailKnownEnd": "Si no ha sido usted, no haga nada: todo queda como está.",
    "subject": "{{name}}, {{days}}",
    "change": "Cambiar la selección",
    "leave": "Darse de baja",
    "title": "Novedades por correo",
    "lead": "Una vez por semana, lo que hay en los próximos diez días: solo lo que usted marque. Si no hay nada de eso, no llega ningún correo.",
    "what": "Qué",
    "where": "Dónde",
    "who": "De quién",
    "chooseHelp": "Marque hasta diez de cada clase. Donde no se marca nada, se entiende todo.",
    "day": "Qué día",
    "email": "Su dirección de correo",
    "send": "Enviarme el correo de confirmación",
    "promise": "Primero recibe un correo con un enlace; si no pulsa el botón que hay allí, no llega nada más. Cada correo lleva un enlace para darse de baja. No medimos si lee ni damos su dirección a nadie.",
    "privacy": "Privacidad",
    "lookTitle": "Mire su correo",
    "look": "Si esta dirección puede recibir correo, en unos minutos llega uno con un enlace. Una dirección recibe como mucho uno al día. Si no está, mire en el correo no deseado.",
    "tooMany": "Ahora mismo se ha dado de alta demasiada gente. Inténtelo más tarde.",
    "dayLimit": "El calendario ha llegado a su límite de hoy. Inténtelo mañana.",
    "busy": "No ha funcionado. Inténtelo de nuevo en un momento.",
    "line": "Recibir por correo las novedades de {{site}}",
    "link": "Boletín",
    "sample": "Cómo sería hoy",
    "confirmTitle": "Confirme, por favor",
    "everything": "Todo",
    "confirm": "Sí, envíenme novedades",
    "notMe": "¿No ha dado usted de alta esta dirección? No haga nada, o bórrela ahora mismo.",
    "erase": "Borrar esta dirección",
    "yours": "Sus novedades",
    "confirmed": "Confirmado: desde ahora, {{site}} le escribe el día que ha elegido.",
    "saved": "Su selección se ha guardado.",
    "save": "Guardar mi selección",
    "leaveText": "No llegan más correos, y su dirección y su selección se borran en el acto.",
    "left": "Se ha dado de baja",
    "leftText": "Su dirección y su selección se han borrado. No llega nada más.",
    "ended": "Este enlace ya no es válido",
    "endedText": "O la dirección ya se ha borrado, o nadie la confirmó en tres días, o hay un correo más reciente con otro enlace.",
    "subscribers": "Suscriptores de novedades",
    "subscribersLead": "Quienes se han apuntado en /news/. Nadie ve una lista, y ninguna copia de seguridad contiene sus direcciones.",
    "subscribersOff": "Ahora mismo nadie puede apuntarse: hacen falta el correo (en Cloudflare, el plan de pago), un aviso legal en los ajustes y NEWS_FIRST_MAILS mayor que 0.",
    "numbers": "Reciben novedades: {{confirmed}}. Sin confirmar: {{unconfirmed}}. Selecciones distintas: {{choices}}. Pendientes de envío: {{waiting}}. Se quedaron sin novedades en los últimos siete días, que se sepa: {{left_out}}.",
    "lookUpTitle": "Una dirección",
    "lookUpText": "Para alguien que le escribe. En el historial consta que ha mirado, sin la dirección.",
    "lookUp": "Buscar",
    "foundNone": "Esta dirección no recibe novedades.",
    "foundConfirmed": "Esta dirección recibe novedades el {{day}}; pedidas {{asked}}, confirmadas {{confirmed}} (UTC).",
    "foundUnconfirmed": "Esta dirección se apuntó para el {{day}}, {{asked}} (UTC), y no se ha confirmado.",
    "erased": "La dirección y su selección se han borrado."
  }
}
}
