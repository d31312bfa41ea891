import type { Words } from './language.ts'

export function es(): Words {
  return {
  small: 'el los las y en con del al un una de a para por',
  coming: 'este esta',
  next: 'proximo proxima',
  every: 'cada todos',
  eachTime: 'cada funciones diario todos dias',
  notTheBeginning:
    'acreditacion acreditaciones premiacion taquilla boleteria puertas apertura cocina barra inscripcion inscripciones apuntarse abierta abierto abre boletos segunda convocatoria permanencia antes acceso montaje ultimo ultima montar expositores recogida retirada acogida',
  beginning: 'arranca comienzo empieza inicio primera comienza concierto',
  notTheDay:
    'publican publicaran vence vencen firmado firmada electronicamente inicialmente originalmente enviado publicado publicada taquilla boleteria preventa antes hasta plazo limite salvo excepto acta cuentas ultima ultimo inscripcion matricula matriculas domiciliada actualizado reabre no reservas precios tarifas',
  otherMatters:
    'atendiendo atendemos cerrados cerradas candidaturas entrevistas salario solicitudes cerrado cerrada cierre cerrara foto fotos tasa cuota horario atados vacaciones devolvera tarifas colecta gracias obras reabre consulta cesped escribio buscamos arrienda alquila vendo corte cortara permitido disponible',
  cancelled: 'cancelado cancelada cancela cancelan cancelados canceladas cancelarse cancelar suspendido suspendida suspende suspenden suspenderse suspender anulado anulada anula anularse suspension cancelacion suspendidas suspendidos',
  calledOff: 'no va a poder ser|queda sin efecto|quedan sin efecto',
  takingPlace: 'tendra lugar|tiene lugar|tener lugar|celebra|celebran|celebrara|celebraran|celebrar|celebrarse|realizara|realizaran|realizar|realizarse|llevara a cabo|llevarse a cabo',
  postponed: 'aplazar posponer postergar aplazamos posponemos aplazado aplazada aplaza pospuesto pospuesta pospone postergado postergada posterga trasladado trasladada traslada recorre corrio retrasar retrasa retrasado retrasada aplazaria trasladaria pospondria',
  newDate: 'nueva nuevo finalmente recupera recuperara',
  noDateYet: 'posteriormente nueva nuevo',
  but: 'sino',
  conditional: 'si|en caso|podria|podran|podra|caso de|en caso de',
  negations: 'no nunca',
  full: 'agotado agotadas completo completa',
  free: 'gratuito gratuita gratuitas gratuitos libre liberada liberado voluntaria voluntario',
  collected: 'colecta donativo donativos',
  admission:
    'localidad localidades butaca butacas platea palco palcos anfiteatro arancel aranceles entrada entradas anticipada anticipadas puerta taquilla precio coste matricula inscripcion inscripciones donativo cover preventa aportacion bono abono contribucion dorsal dorsales aporte aportaciones costo inversion ingreso adhesion tarifa colaboracion preventas tique tiques tiquete tiquetes ticket tickets boleta boletas acceso entrar asistencia tarjeta tarjetas pase pases',
  audience:
    'demas socios disfraz disfrazados escolares peques amigos asistentes espectadores pers carne adultos adulto ninos general socios reducida jubilados abonados empadronados estudiantes jovenes menores mayores pensionistas parados persona personas cabeza publico familia infantil reducido joven resto invitados alumnos familias grupos vecinos nino nina ninas desempleados socias',
  notAdmission:
    'guardarropa docena premio premios senal puesto puestos fianza expositores metro mesa alquiler rifa tombola papeleta boletos cuota socio descuento cafe tarta bocadillo bocata bebida bebidas comida aparcamiento vale bicicleta consumicion tasa sorteo colecta camisetas recaudado chocolate equipo dosier material camiseta cena paella caldereta platillos valor taza alojamiento deposito ganador plato platos recargo suplemento estacionamiento autobus autocar bus transporte libro camisa bocadillos bocatas racion raciones cerveza cervezas',
  greetings: 'vecinos vecinas hola buenos buenas estimado estimada estimados estimadas gente queridos queridas querido querida apreciado apreciada apreciados apreciadas',
  numbers:
    'una=1 dos=2 tres=3 cuatro=4 cinco=5 seis=6 siete=7 ocho=8 nueve=9 diez=10 once=11 doce=12 trece=13 catorce=14 quince=15 dieciseis=16 diecisiete=17 dieciocho=18 diecinueve=19 veinte=20 veintiuna=21 veintiuno=21 veintidos=22 veintitres=23 veinticuatro=24 veinticinco=25 veintiseis=26 veintisiete=27 veintiocho=28 veintinueve=29 treinta=30 cuarenta=40 cincuenta=50',
  ordinals: 'primer=1 primero=1 segundo=2 tercer=3 tercero=3 cuarto=4 ultimo=-1',
  ofMonth: 'mes meses',
  fortnight: 'cada dos semanas|cada quince dias|cada 15 dias|semanas alternas',
  meetings: 'sesiones tardes clases encuentros semanas talleres',
  places: 'foro club bodega albergue salon teatro centro casa biblioteca pabellon sala parroquia patio iglesia auditorio museo colegio polideportivo',
  houses: 'cafe bar restaurante hotel ermita escuela instituto hostal meson taberna hospital',
  sites:
    'galpon casona ermita catedral basilica convento monasterio capilla templo salones parroquiales plaza plazuela plazoleta parque jardin jardines alameda rotonda explanada recinto ferial pradera campo cancha pista pistas estadio polideportivo fronton piscina gimnasio pabellon puerto playa embarcadero muelle malecon estacion terminal parking aparcamiento mercado lonja nave almacen fabrica molino finca hacienda rancho bodega granja castillo palacio torre muralla ayuntamiento concejo diputacion cuartel liceo ies ceip colegio escuela instituto facultad universidad campus aula aulario ateneo casino circulo circolo espacio galeria libreria tienda local sede hotel albergue refugio residencia hospital ambulatorio restaurante cafeteria bar pub sala salon teatro cine auditorio anfiteatro tablado tarima escenario carpa quiosco kiosco biblio ludoteca telecentro balneario puente fuente mirador faro galpon predio quincho playon estancia zocalo costanera rambla merendero lavadero cueva gruta bolera trinquete velodromo hipodromo hogar claustro atrio casona alcazar lagar almazara cortijo posada embalse mediateca ribera bulevar eras',
  streets: 'calle avenida plaza paseo avda camino carretera',
  sheets: 'fe erratas fechas horario horarios boletin hoja numero fundada fundado agenda programa asunto actualizado proximas desde rectificacion aviso organiza comunicado nota informacion anuncio recordatorio noticias cartelera novedades actualidad circular alerta',
  verbs: 'tiene tienen tenia tenian habia estara seguira abre abren es son sera tendra paso previsto prevista hacemos celebrara esta queda ha han comienza empieza espero fue fueron era actua actuan toca tocan canta cantan reune reunen aplaza aplazan suspende suspenden pospone posponen',
  leads: 'lamentamos olvideis comunicar recordamos rumores suspende cancela',
  noTitles: 'excepto gusto sesiones semanas atencion debido causa saludo saludos abrazo atentamente esperamos cumplimos chicos chicas entre final cambio tardes sesion besos proximas proximos recordad recuerda cambiado cambiada',
  bodies: 'ayuntamiento asociacion parroquia sociedad concejalia cofradia club pena hermandad comunidad comite colegio compania',
  presenting: 'ofrece ofrecera ofreceran presentara organizara acogera ofrecen convoca presenta organiza invita invitamos estrena acoge celebra presentan invitan organizan propone proponen acogen convocan celebran estrenan recibe reciben',
  kinds: 'bazar pollada recorrido webinario concierto recital funcion obra espectaculo show musical opera zarzuela comedia monologo monologos feria fiesta verbena romeria procesion cabalgata carnaval desfile pasacalles mercado mercadillo rastrillo rastro subasta bingo exposicion muestra inauguracion conferencia charla coloquio debate tertulia presentacion lectura cuentacuentos taller curso clase seminario congreso encuentro reunion asamblea junta pleno cena comida almuerzo merienda desayuno paella barbacoa chocolatada cata degustacion misa eucaristia vigilia peregrinacion ruta caminata marcha senderismo excursion visita carrera maraton torneo campeonato partido concurso certamen festival gala baile proyeccion pelicula ciclo ensayo audicion yoga pilates homenaje fandango posada kermes tianguis milonga donacion limpieza fogata quedada velada belen magosto manifestacion concentracion slam jam sardinada filloada calcotada actuacion cineforum vermut bicicletada trilla actividad titeres cuento tocada tamalada',
  occasions: 'noche tarde jornada jornadas dia club',
  kindEnds: '',
  links: 'de del para con y sobre la el las los e a',
  genres:
    'teatro exposicion exposiciones musica danza humor arte artes visuales literatura letras escena familia familias familiar ninos ninas infantil juvenil jovenes adultos mayores patrimonio naturaleza taller talleres clasica conciertos conferencias charlas espectaculos proyeccion funcion especial vacaciones',
  rules: 'reglamento normas ordenanza prohibido prohibida permitido obligatorio fianza tarifas deberan multa',
  minutes: 'acta saldo tesoreria aprueba aprueban aprobo aprobada levanta unanimidad asistentes siendo',
  vacancies: 'propinas turnos dependienta camarero salario sueldo jornada incorporacion curriculum cv vacante contrato brutos contratacion puesto postulaciones',
  notices:
    'tecnico fontanero deshollinador contador contadores examen cortada cortado corte cortes desvio trafico circulacion calzada aparcamiento estacionamiento grua suministro agua basura basuras contenedor contenedores reciclaje enseres recogida recibo recibos cobro ibi ivtm tasa tasas impuesto impuestos vados domiciliacion domiciliados recargo voluntario factura consulta consultas medico receta recetas farmacia guardia lectivo lectivos comedor parada paradas frecuencia salidas horarios billete encuesta votacion firmas urnas voto alerta rachas nevada cadenas alquiler alquilar fianza mensuales habitaciones rebajas descuento oferta existencias pedidos pedido perdido perdida encontrado encontrada recompensa collar fallecio fallecimiento esquela nacimiento elegido elegida directiva vinilo editorial estafa estafas timo subvencion subvenciones solicitud solicitudes plazo voluntarios cuota cuotas redaccion laborables',
  otherHeadings: 'vende vendo alquilo alquila empleo vacante acta traspasa traspaso',
  inviting: 'convoca convocados convocadas convocamos invita invitamos invitan esperamos ven vengan entrada entradas bienvenidos bienvenidas acompananos',
  buttons:
    'saltar al contenido|saltar al contenido principal|ir al contenido|ir al contenido principal|pasar al contenido principal|ir al menu|ir a la navegacion|volver arriba|ir arriba|anadir al calendario|anadir a mi calendario|agregar al calendario|descargar ics|compartir|compartir en facebook|compartir evento|imprimir pagina|comprar entradas|comprar entrada|reservar|reservar ahora|reserva tu plaza|mas info|mas informacion|ver mas|leer mas|cargar mas|mostrar mas|saber mas|ver todo|ver todos los eventos|todos los eventos|volver|volver a la agenda|volver al listado|suscribete a nuestro boletin|suscribirse al boletin|siguenos|aviso legal|politica de cookies|politica de privacidad|mapa web|mapa del sitio|configuracion de cookies|accesibilidad|declaracion de accesibilidad|iniciar sesion|acceder|mi cuenta|carrito|mi cesta|cesta|menu principal|abrir menu|cerrar menu|anterior|siguiente|evento anterior|evento siguiente|ver mapa|ver en el mapa|todos los derechos reservados|sede electronica|eventos anteriores|eventos siguientes|suscribirse al calendario|ver detalles|me interesa|asistire|invitar|aceptar todo|rechazar todo|aceptar todas|rechazar todas|personalizar|toda la agenda',
  menus:
    'hoy|manana|esta semana|este mes|este fin de semana|todo|todos|proximos|inicio|menu|buscar|busqueda|agenda|eventos|noticias|actualidad|visitanos|visita|tu visita|exposiciones|coleccion|tienda|contacto|contactar|quienes somos|sobre nosotros|conocenos|el municipio|ayuntamiento|tramites|turismo|cultura|programacion|programa|cartelera|entradas|taquilla|servicios|galeria|prensa|boletin|socios|hazte socio|facebook|instagram|youtube|imprimir|filtrar|filtros|categorias|archivo|faq|ayuda|mapa|lista|mes|calendario|horarios|tarifas',
  related:
    'tambien te puede interesar|tambien te puede gustar|quiza te interese|te puede interesar|eventos relacionados|otros eventos|mas eventos|eventos similares|proximos eventos|ver tambien|proximas actividades|otras actividades|mas actividades|actividades relacionadas|quizas te interese',
  opening:
    'abierto abierta abrimos apertura horario horarios taquilla atencion',
  consent:
    'aceptar acepta usamos utiliza utilizamos rechazar configurar ajustes',
}
}
