export default function () {
  return {
  "announcement": {
    "title": "Pegar un texto",
    "link": "Pegar un texto",
    "lead": "Pegue lo que ha enviado una asociación o un teatro, como un correo, un cartel o un mensaje. El formulario se rellena con lo que dice. No se guarda nada antes de que usted lo guarde.",
    "text": "Texto",
    "read": "Rellenar el formulario",
    "none": "En este texto no se encontró ningún evento. Hace falta un día sin dudas: una fecha o «este sábado».",
    "pasted": "El texto",
    "check": "Compruebe cada valor: lo que el texto no dice con seguridad queda vacío.",
    "position": "{{at}} de {{n}}:",
    "several": "Se han encontrado {{n}} eventos. Guárdelos uno tras otro: cada uno se abre en una pestaña nueva, y esta página se queda aquí para el siguiente.",
    "isSaved": "Guardado:",
    "canceled": "El texto dice que no se celebra. El formulario crea un evento que sí se celebra: cancélelo después de guardarlo, o no lo guarde.",
    "otherWeekday": "El día de la semana del texto no es el de esta fecha.",
    "isChecked": "He comprobado la fecha",
    "start": "Inicio",
    "end": "Fin"
  }
}
}
