import type { AllFieldWords } from './all.ts'

const statuses = {
  publish: 'Öffentlich',
  future: 'Öffentlich ab einem Datum',
  draft: 'Entwurf',
  pending: 'Zur Prüfung',
  private: 'Nur für die Redaktion',
  trash: 'Im Papierkorb',
}

const content = {
  author: ['Angelegt von'],
  date: [
    'Öffentlich seit oder ab',
    'In der Zeitzone des Kalenders. Liegt das Datum in der Zukunft, erscheint es dann von selbst.',
  ],
  status: ['Wer es sehen kann', undefined, statuses],
  slug: ['Adresse', 'Das Ende der Webadresse. Bleibt das Feld leer, entsteht sie aus dem Namen.'],
  description: ['Beschreibung', 'Eine leere Zeile beginnt einen neuen Absatz. HTML geht auch.'],
  image: ['Bild'],
  external_id: ['Kennung anderswo', 'Die Kennung in einem anderen System, falls es eine gibt.'],
} as const

const show_map = ['Karte zeigen'] as const
const show_map_link = ['Link zur Karte zeigen'] as const
const website = ['Website'] as const

export const de: AllFieldWords = {
  event: {
    ...content,
    title: ['Titel'],
    start_date: ['Beginn'],
    end_date: ['Ende', 'Ist das Ende offen, bleibt die Uhrzeit leer.'],
    all_day: ['Ganztägig'],
    recurrence: ['Wiederholung'],
    timezone: ['Zeitzone', 'Wo es stattfindet, etwa Europe/Rome.'],
    venue: ['Ort'],
    organizer: ['Veranstalter'],
    categories: ['Kategorien'],
    tags: ['Schlagwörter'],
    excerpt: [
      'Kurzfassung',
      'Ein, zwei Sätze für Listen. Bleibt das Feld leer, zeigen Listen den Anfang der Beschreibung.',
    ],
    cost: ['Eintritt', 'So, wie es dastehen soll: „Frei“, „12“, „10 bis 25“.'],
    website: ['Website', 'Wo es mehr zu lesen oder Tickets gibt.'],
    ticketed: ['Es gibt Tickets', 'Die Website wird dann als Weg dorthin gezeigt.'],
    featured: ['Empfohlen', 'Wird im Kalender hervorgehoben.'],
    virtual_event_type: [
      'Wo es stattfindet',
      undefined,
      { '': 'Vor Ort', virtual: 'Nur online', hybrid: 'Vor Ort und online' },
    ],
    virtual_url: ['Link zum Teilnehmen'],
    virtual_video_source: ['Dienst', 'Das Programm oder die Seite, die es überträgt.'],
    event_status: [
      'Findet es statt?',
      'Eine abgesagte Veranstaltung bleibt im Kalender und sagt es.',
      {
        scheduled: 'Ja, wie angekündigt',
        canceled: 'Abgesagt',
        postponed: 'Verschoben, neuer Termin offen',
        rescheduled: 'Auf den Termin oben verlegt',
      },
    ],
    event_status_reason: ['Grund', 'Für alle zu sehen.'],
    show_map,
    show_map_link,
    hide_from_listings: ['Nicht in Listen zeigen', 'Nur wer die Adresse hat, findet es.'],
    sticky: ['In Monatsansichten zuerst'],
    post_parent: ['Gehört zu Veranstaltung', 'Die Nummer einer anderen Veranstaltung.'],
    custom_fields: ['Eigene Felder', 'Was es sonst noch gibt. Beides leeren, um eines zu entfernen.'],
  },
  venue: {
    ...content,
    venue: ['Name'],
    address: ['Straße und Hausnummer'],
    city: ['Ort'],
    country: ['Land'],
    province: ['Provinz'],
    state: ['Bundesland'],
    stateprovince: ['Bundesland oder Provinz'],
    zip: ['Postleitzahl'],
    phone: ['Telefon'],
    website,
    show_map,
    show_map_link,
    geo_lat: ['Breitengrad', 'In Grad, etwa 53.27. Mit dem Längengrad nötig für die Suche in der Nähe.'],
    geo_lng: ['Längengrad', 'In Grad, etwa -9.05.'],
  },
  organizer: { ...content, organizer: ['Name'], phone: ['Telefon'], website, email: ['E-Mail'] },
  category: {
    name: ['Name'],
    parent: ['Gehört zu'],
    description: ['Beschreibung'],
    slug: content.slug,
  },
  tag: { name: ['Name'], description: ['Beschreibung'], slug: content.slug },
  image: {
    alt_text: ['Was es zeigt', 'Für Menschen, die es nicht sehen: Ein Satz genügt.'],
    title: ['Titel', 'Der Name, unter dem Sie es hier finden.'],
    caption: ['Bildunterschrift', 'Etwa, von wem es ist.'],
  },
  source: {
    name: ['Name', 'Er steht bei den Veranstaltungen.'],
    url: ['Adresse'],
    every: [
      'Wie oft gelesen wird',
      undefined,
      {
        hour: 'Jede Stunde',
        '6 hours': 'Alle sechs Stunden',
        day: 'Jeden Tag',
        week: 'Jede Woche',
        '': 'Nur, wenn ich es sage',
      },
    ],
    status: [
      'Neue Veranstaltungen',
      undefined,
      { publish: 'Erscheinen sofort', pending: 'Warten auf Prüfung', draft: 'Werden Entwürfe' },
    ],
    categories: ['Kategorien, die sie bekommen'],
    tags: ['Schlagwörter, die sie bekommen'],
    venue: ['Ort', 'Für Veranstaltungen, die keinen nennen.'],
    organizer: ['Veranstalter', 'Für Veranstaltungen, die keinen nennen.'],
    search: ['Nur Veranstaltungen mit einem dieser Wörter', 'Leer lassen für alle.'],
    mirror: [
      'Alles genau wie dort',
      'Was Sie hier ändern, wird zurückgenommen, und was dort wegfällt, kommt hier in den Papierkorb. Sonst bleibt, was Sie hier ändern.',
    ],
    rights: [
      'Rechte',
      'Falls der andere Kalender einen Hinweis bei seinen Veranstaltungen verlangt.',
      { text: 'Wortlaut, etwa „CC BY 4.0“', url: 'Link zu den Bedingungen' },
    ],
  },
}
