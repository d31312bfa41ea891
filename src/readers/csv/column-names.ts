import type { ReadColumn } from '../../kit/lib/csv.ts'
import type { Language } from '../../kit/lib/languages.ts'

// What programs and people call the columns of a spreadsheet.

/**
 * Names of columns in other versions of the importer, and in files of Google Calendar and Outlook, separated
 * by commas.
 */
export const NAMES_OF_PROGRAMS: Partial<Record<ReadColumn, string>> = {
  title: 'subject, summary, event type name',
  description: 'description html',
  timezone: 'time zone',
  venue: 'location name',
  event_status: 'publish status, publication status',
  province: 'venue state, venue province',
  latitude: 'latitude, lat',
  longitude: 'longitude, lng, lon',
  organizers: 'organizer names or ids',
  email: 'email, e-mail',
  image: 'featured image, image url',
  hide_from_listings:
    'hide from listings, hide event from event listings, hide event from upcoming, hide from upcoming',
  sticky: 'sticky',
  featured: 'featured, featured event',
  uid: 'external id',
  id: 'id',
  currency_symbol: 'currency symbol',
  currency_position: 'currency position',
  currency_code: 'iso currency code, currency code',
}

/**
 * What people call columns, separated by commas. Case, spaces and punctuation don't count, nor does "Event"
 * before a name. The compiler demands a line for each language.
 */
export const COLUMN_NAMES: Partial<Record<ReadColumn, Record<Language, string>>> = {
  title: {
    en: 'title, name, event, what, activity, programme item',
    de: 'titel, bezeichnung, name, veranstaltung, veranstaltungstitel, titel der veranstaltung, name der veranstaltung, was, betreff, programmpunkt, aktivität, anlass',
    es: 'título, nombre, evento, título del evento, nombre del evento, qué, asunto, actividad, acto',
    fr: 'titre, nom, événement, titre de l’événement, nom de l’événement, quoi, objet, intitulé, manifestation, activité, animation',
  },
  description: {
    en: 'description, details, text',
    de: 'beschreibung, beschreibungstext',
    es: 'descripción',
    fr: 'détails',
  },
  excerpt: { en: 'short description', de: 'kurzbeschreibung', es: 'resumen', fr: 'résumé' },
  all_day: {
    en: 'all day',
    de: 'ganztägig, ganztägiges ereignis',
    es: 'todo el día',
    fr: 'journée entière, toute la journée',
  },
  timezone: { en: 'zone', de: 'zeitzone', es: 'zona horaria', fr: 'fuseau horaire' },
  venue: {
    en: 'venue, location, place, where, where does it take place, where is it',
    de: 'ort, wo, veranstaltungsort, spielort, lokal, lokalität, wo findet sie statt, wo findet es statt, wo findet die veranstaltung statt',
    es: 'lugar, sitio, dónde, ubicación, dónde tiene lugar, dónde se celebra',
    fr: 'lieu, endroit, où, salle, emplacement, où a-t-il lieu, où a lieu l’événement',
  },
  room: { en: 'room, stage', de: 'raum, bühne', es: 'escenario', fr: 'scène' },
  address: { en: 'address, street', de: 'adresse, straße, anschrift', es: 'dirección, calle', fr: 'rue' },
  city: { en: 'city, town', de: 'stadt', es: 'ciudad', fr: 'ville' },
  province: { en: 'state, province, region', de: 'region', es: 'provincia', fr: 'région' },
  zip: {
    en: 'zip, postal code, postcode',
    de: 'plz, postleitzahl',
    es: 'código postal',
    fr: 'code postal',
  },
  country: { en: 'country', de: 'land', es: 'país', fr: 'pays' },
  organizers: {
    en: 'organizer, organizers, organiser, host',
    de: 'veranstalter, veranstalterin',
    es: 'organizador',
    fr: 'organisateur',
  },
  categories: {
    en: 'category, categories',
    de: 'kategorie, kategorien, rubrik',
    es: 'categoría, categorías',
    fr: 'catégorie, catégories',
  },
  tags: { en: 'tags, tag', de: 'schlagwörter, schlagworte', es: 'etiquetas', fr: 'étiquettes' },
  cost: {
    en: 'cost, price, ticket price, admission, how much does it cost',
    de: 'eintritt, eintrittspreis, ticketpreis, preis, kosten, was kostet es',
    es: 'precio, entrada, cuánto cuesta',
    fr: 'prix, tarif, combien ça coûte',
  },
  website: {
    en: 'website, url, link, web',
    de: 'webseite, internet',
    es: 'sitio web, enlace',
    fr: 'site web, lien',
  },
  image: { en: 'image', de: 'bild', es: 'imagen', fr: 'image' },
  private: {
    en: 'private, is private, confidential, internal, internal only, members only, hidden, is hidden, not public, secret',
    de: 'privat, vertraulich, intern, nur intern, nur für mitglieder, nicht öffentlich, versteckt, verborgen, geheim',
    es: 'privado, es privado, confidencial, interno, solo miembros, oculto, no público, secreto',
    fr: 'privé, est privé, confidentiel, interne, réservé aux membres, masqué, caché, non public',
  },
  sensitivity: {
    en: 'sensitivity, visibility, privacy',
    de: 'vertraulichkeit, sichtbarkeit',
    es: 'carácter, confidencialidad, sensibilidad, visibilidad, privacidad',
    fr: 'critère de diffusion, confidentialité, sensibilité, visibilité',
  },
  public: {
    en: 'public, is public, published, is published, visible, is visible, visible to public, visible to the public, publicly visible',
    de: 'öffentlich, veröffentlicht, sichtbar, öffentlich sichtbar, ist öffentlich',
    es: 'público, publicado, visible al público, es público',
    fr: 'public, publié, visible au public, est public',
  },
  event_status: {
    en: 'status, post status',
    de: 'status, zustand',
    es: 'estado, estatus',
    fr: 'statut, état',
  },
  currency_code: { en: 'currency', de: 'währung', es: 'moneda', fr: 'devise' },
}

/** The columns of days and times. */
export const MOMENT_COLUMNS = ['start_date', 'start_time', 'end_date', 'end_time'] as const

export type MomentColumn = (typeof MOMENT_COLUMNS)[number]

/**
 * Names of columns of days and times. The cells show whether a column has days or times: `Beginn` and `Start`
 * may be either.
 */
export const MOMENT_NAMES: Record<MomentColumn, Record<Language, string>> = {
  start_date: {
    en: 'date, start, starts, day, from, begin, begins, beginning, when, event date, start day, date time, datetime, date and time, start datetime, start date time',
    de: 'datum, tag, beginn, beginnt, beginnt am, anfang, startdatum, datum von, von, ab, vom, wann, termin, veranstaltungsdatum, veranstaltungsbeginn, anfangsdatum, beginndatum, datum uhrzeit, datum und uhrzeit, datum zeit, start am',
    es: 'fecha, fecha inicio, fecha de inicio, inicio, comienzo, comienza, empieza, fecha de comienzo, desde, de, cuándo, día, fecha y hora, fecha hora, fecha inicial, data',
    fr: 'date de début, date début, début, commence, du, quand, jour, date et heure, date heure, le, à partir de',
  },
  start_time: {
    en: 'time, start time, starting time, times, hour, hours, begin time, from time, show time, show, kick off, ko',
    de: 'uhrzeit, zeit, startzeit, beginnzeit, anfangszeit, uhrzeit beginn, uhrzeit von, uhrzeit start, beginn uhrzeit, zeit von, von uhrzeit, beginnt um, start um, startuhrzeit, uhr, anfang uhrzeit, anpfiff, spielbeginn',
    es: 'hora, hora inicio, hora de inicio, horario, hora de comienzo, hora inicial',
    fr: 'heure, heure de début, heure début, horaire, horaires, heures, coup d’envoi',
  },
  end_date: {
    en: 'end, ends, to, until, till, finish, finishes, end day, through, end datetime, end date time, thru',
    de: 'ende, endet, endet am, enddatum, datum bis, bis, schluss, bis zum, veranstaltungsende',
    es: 'fin, termina, final, fecha fin, fecha de fin, fecha final, fecha de finalización, finalización, hasta, a, al',
    fr: 'date de fin, date fin, jusque, jusqu’à, jusqu’au, au, finit, termine',
  },
  end_time: {
    en: 'end time, ending time, to time, finish time, until time',
    de: 'endzeit, uhrzeit ende, uhrzeit bis, ende uhrzeit, zeit bis, bis uhrzeit, endet um, enduhrzeit, schlusszeit',
    es: 'hora fin, hora de fin, hora final, hora de finalización, hora de término',
    fr: 'heure de fin, heure fin',
  },
}

/** Names of columns that have days or times of something else. */
export const NOT_READ: Record<Language, string> = {
  en: 'timestamp, submitted at, submission date, created time, created on, creation date, last edited time, last modified time, modified at, date modified, published, published at, changed, reminder date, reminder time, reminder, created, created at, date created, modified, updated, last modified, updated at, doors, doors open, door time, admission time, created date time, deadline, registration deadline, duration',
  de: 'zeitstempel, eingegangen am, erstellungsdatum, zuletzt geändert, veröffentlicht, veröffentlicht am, erinnerung am, erinnerung um, erstellt, erstellt am, geändert, geändert am, aktualisiert, einlass, einlasszeit, anmeldeschluss, anmeldung bis, dauer, abendkasse',
  es: 'marca temporal, fecha de creación, última modificación, publicado, fecha del aviso, hora del aviso, creado, modificado, apertura, apertura de puertas, duración',
  fr: 'horodateur, horodatage, date de création, dernière modification, publié, publié le, date de rappel, heure du rappel, créé, créé le, modifié, modifié le, ouverture, ouverture des portes, durée',
}
