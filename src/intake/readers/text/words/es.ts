import type { Words } from './language.ts'

export const es: Words = {
  small: 'el los las y en con del al un una de a para por',
  coming: 'este esta',
  next: 'proximo proxima',
  every: 'cada todos',
  eachTime: 'cada funciones diario todos dias',
  notTheBeginning:
    'taquilla puertas apertura cocina barra inscripcion inscripciones apuntarse clase horario abierta abierto abre boletos segunda convocatoria permanencia antes acceso montaje ultimo ultima montar expositores',
  beginning: 'comienzo empieza inicio primera comienza concierto',
  notTheDay:
    'preventa antes hasta plazo limite salvo excepto acta cuentas ultima ultimo inscripcion domiciliada actualizado reabre no reservas precios tarifas',
  otherMatters:
    'cerrado cerrada cierre cerrara foto fotos tasa cuota horario atados vacaciones devolvera tarifas colecta caritas gracias obras reabre consulta cesped escribio buscamos',
  cancelled: 'cancelado cancelada cancela cancelados canceladas suspendido suspendida suspende suspenden anulado anulada suspension cancelacion suspendidas suspendidos',
  calledOff: 'no tendra lugar|no se celebrara|no se realizara|no habra',
  postponed: 'aplazado aplazada aplaza pospuesto pospuesta pospone postergado postergada posterga trasladado trasladada traslada',
  newDate: 'nueva',
  noDateYet: 'posteriormente nueva nuevo',
  but: 'sino',
  conditional: 'si|en caso|podria|podran|podra|caso de',
  negations: 'no nunca',
  full: 'agotado agotadas completo completa',
  free: 'gratuito gratuita gratuitas gratuitos libre',
  unpriced: 'parking aparcamiento',
  collected: 'colecta donativo donativos',
  admission: 'entrada entradas adultos adulto ninos anticipada taquilla general socios reducida precio coste matricula jubilados abonados empadronados',
  notAdmission:
    'premio premios senal puesto puestos fianza expositores metro mesa alquiler rifa tombola papeleta boletos cuota socio descuento cafe tarta bocadillo bocata bebida bebidas comida aparcamiento vale bicicleta consumicion tasa sorteo colecta camisetas recaudado chocolate',
  greetings: 'hola buenos buenas estimado estimada estimados estimadas gente queridos queridas querido querida',
  numbers:
    'una=1 dos=2 tres=3 cuatro=4 cinco=5 seis=6 siete=7 ocho=8 nueve=9 diez=10 once=11 doce=12 trece=13 catorce=14 quince=15 dieciseis=16 diecisiete=17 dieciocho=18 diecinueve=19 veinte=20',
  ordinals: 'primer=1 primero=1 segundo=2 tercer=3 tercero=3 cuarto=4 ultimo=-1',
  ofMonth: 'mes meses',
  fortnight: 'cada dos semanas|cada quince dias|cada 15 dias|semanas alternas',
  meetings: 'sesiones tardes clases encuentros semanas talleres',
  places: 'foro club bodega albergue salon teatro centro casa biblioteca pabellon sala parroquia patio iglesia auditorio museo colegio polideportivo',
  houses: 'cafe bar restaurante hotel ermita escuela instituto hostal meson taberna hospital',
  streets: 'calle avenida plaza paseo avda camino carretera',
  sheets: 'boletin hoja numero fundada fundado agenda programa asunto actualizado proximas desde rectificacion aviso organiza',
  verbs: 'ofrece ofrecen es son sera tendra convoca presenta organiza invita invitamos estrena acoge celebra paso previsto prevista hacemos celebrara esta queda ha han comienza empieza espero',
  leads: 'lamentamos olvideis comunicar recordamos rumores suspende cancela',
  noTitles: 'excepto gusto sesiones semanas atencion debido causa saludo saludos abrazo atentamente esperamos cumplimos chicos chicas entre final cambio tardes sesion besos proximas proximos',
  bodies: 'ayuntamiento asociacion parroquia sociedad concejalia cofradia',
  presenting: 'ofrece ofrecen convoca presenta organiza invita invitamos estrena acoge celebra',
}
