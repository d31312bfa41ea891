export default function () {
  return {
  "inbox": {
    "takenSubject": "Su correo a {{site}}",
    "taken": "{{site}} ha recibido su correo. Lo miramos antes de publicar nada.",
    "takenLinks": "Aquí puede ver, cambiar o retirar lo que ha enviado, una dirección por evento:",
    "takenNext": "En cuanto hayamos decidido, recibirá otro correo. Por favor, no responda a este.",
    "isPrivate": "Privado según el archivo de calendario: {{titles}}.",
    "isOff": "Cancelado según el archivo de calendario y por eso no incluido: {{titles}}.",
    "isLeftOut": "No se ha incluido del archivo de calendario: «{{what}}». {{why}}"
  }
}
}
