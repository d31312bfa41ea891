export default function () {
  return {
  "pages": {
    "subscribeAll": "Tous les événements de cet agenda, toujours à jour.",
    "subscribeTo": "{{name}} : tous les événements, toujours à jour.",
    "subscribeSeries": "{{name}} : toutes les dates, toujours à jour.",
    "feedDescription": "Ce qui se passe, quand et où."
  }
}
}
