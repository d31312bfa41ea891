export default function () {
  return {
  "webhook": {
    "title": "Otros servicios",
    "lead": "Avisa enseguida a un chat, un sitio o un boletín cuando algo cambia aquí. El servicio le da para ello una dirección, a menudo llamada «webhook».",
    "none": "Todavía no se avisa a nadie de los cambios.",
    "add": "Añadir un servicio",
    "new": "aún no se ha enviado nada",
    "ok": "funciona",
    "failing": "tiene problemas",
    "paused": "en pausa",
    "gone": "desactivado: el otro servicio ya no existe",
    "stopped": "desactivado: falló durante cinco días",
    "since": "desde el {{date}}",
    "waiting": "se enviarán de nuevo: {{n}}",
    "test": "Enviar una prueba",
    "testText": "Envía un mensaje enseguida y muestra la respuesta.",
    "accepted": "El otro servicio lo ha aceptado ({{status}}).",
    "notAccepted": "El otro servicio no lo ha aceptado. {{reason}}",
    "secret": "Secreto",
    "secretText": "Con él, el otro servicio comprueba que los mensajes vienen de aquí. Tras un cambio, el anterior sirve un día más.",
    "secretButton": "Crear un secreto nuevo",
    "secretTitle": "El secreto para este servicio",
    "secretOnce": "Déselo al otro servicio. Solo se muestra ahora.",
    "resume": "Volver a activar",
    "pauseText": "Lo que cambie mientras tanto se enviará después.",
    "resumed": "Vuelve a estar activo. Se está enviando todo lo que faltaba.",
    "wasPaused": "Está en pausa.",
    "removeText": "No se enviará nada más y se eliminarán todos los mensajes. No se puede deshacer.",
    "removed": "El servicio se ha eliminado.",
    "deliveries": "Mensajes",
    "noDeliveries": "Aún no se ha enviado nada.",
    "delivered": "aceptado",
    "waits": "próximo intento: {{date}}",
    "failed": "no aceptado",
    "replaced": "sustituido por uno más nuevo",
    "tries": "intentos: {{n}}",
    "details": "Mensaje y respuesta",
    "message": "Mensaje",
    "response": "Respuesta",
    "noResponse": "La respuesta estaba vacía.",
    "retry": "Enviar de nuevo",
    "retryNamed": "Enviar de nuevo: {{name}}",
    "reasonPrivate": "La dirección lleva a una red privada.",
    "reasonTimeout": "No hubo respuesta en 15 segundos.",
    "reasonConnection": "No hubo conexión, o se cortó.",
    "reasonInternal": "El calendario no pudo enviarlo: el motivo está en su registro.",
    "reasonRedirect": "Redirige a otra dirección ({{status}}), que no se sigue.",
    "reasonStatus": "Respondió con {{status}}."
  },
  "fields": {
    "webhook": {
      "url": {
        "label": "Dirección",
        "help": "Adónde van los mensajes. El otro servicio le da esta dirección."
      },
      "events": {
        "label": "Avisar cuando",
        "options": {
          "event.created": "se añade un evento",
          "event.updated": "cambia un evento",
          "event.deleted": "desaparece un evento",
          "event.published": "se publica un evento",
          "event.canceled": "se cancela un evento",
          "venue.created": "se añade un lugar",
          "venue.updated": "cambia un lugar",
          "venue.deleted": "desaparece un lugar",
          "organizer.created": "se añade un organizador",
          "organizer.updated": "cambia un organizador",
          "organizer.deleted": "desaparece un organizador",
          "webhook.test": "Prueba"
        }
      },
      "filters": {
        "label": "Solo algunos",
        "help": "Por ejemplo, «categories=musica» o «categories=musica&featured=true». Déjelo vacío para todo lo que es público."
      },
      "active": {
        "label": "Activado"
      },
      "secret": {
        "label": "Secreto"
      }
    }
  },
  "history": {
    "webhook": "Otro servicio"
  }
}
}
