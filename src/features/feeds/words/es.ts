export default function () {
  return {
  "pages": {
    "subscribeAll": "Todos los eventos de este calendario, siempre al día.",
    "subscribeTo": "{{name}}: todos los eventos, siempre al día.",
    "subscribeSeries": "{{name}}: todas las fechas, siempre al día.",
    "feedDescription": "Qué hay, cuándo y dónde."
  }
}
}
