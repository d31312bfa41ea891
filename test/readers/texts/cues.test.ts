import { describe, expect, it } from 'vitest'
import { readAnnouncement } from '../../../src/readers/texts/drafts.ts'

// The same event beside all the usual words for what is not its day, its time or its taking place. A word
// that the reader does not know must not make it false.

const named = (names: readonly string[]) => names.map((name, i) => ({ id: i + 1, name }))

const draftsOf = (text: string, venues: string[] = [], organizers: string[] = []) =>
  readAnnouncement(text, {
    venues: named(venues),
    organizers: named(organizers),
    today: '2027-01-14',
    timezone: 'Europe/Berlin',
    currency: '€',
  }).drafts

const read = (text: string): string[] =>
  draftsOf(text).map(({ start_date, dates, event_status }) =>
    [start_date.slice(0, 16), event_status, dates?.length].filter(Boolean).join(' '),
  )

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

const AT_EIGHT = '2027-03-06 20:00'

/** Sentences with the day or the hour for which the concert was planned. */
const MOVED = [
  'The concert is postponed until 6 March at 8pm.',
  'El concierto se aplaza hasta el 6 de marzo a las 20 h.',
  'Le concert est reporté jusqu’au samedi 6 mars à 20 h.',
  'El concierto previsto para el 12 de febrero se traslada al 6 de marzo, 20:00 h.',
  'Our concert moves from 27 February to Saturday 6 March at 8pm.',
  'Le concert du 27 février passe au samedi 6 mars à 20 h.',
  'Correction: Saturday 27 February should read Saturday 6 March: concert at 8pm.',
  'The concert on Saturday 27 February has been moved to Saturday 6 March at 8pm.',
  'New date: the concert planned for 27 February is now on 6 March at 8pm.',
  'The concert will be a week later than announced: Saturday 6 March at 8pm instead of 27 February.',
  'The concert on 6 March has been moved from 7pm to 8pm.',
  'The concert on 27 February cannot go ahead. It has been moved to 6 March at 8pm.',
  'Le concert du 27 février ne pourra pas avoir lieu. Il est reporté au 6 mars à 20h.',
  'El concierto del 27 de febrero se suspende. Se traslada al 6 de marzo a las 20 h.',
  'Concert Saturday 6 March: new time 8pm (was 7pm).',
  'Das für den 27. Februar geplante Konzert findet nun am 6. März um 20 Uhr statt.',
  'Neuer Termin: Das Konzert am 27. Februar wird am 6. März um 20 Uhr nachgeholt.',
  'Das Konzert am 6. März beginnt um 20 Uhr statt um 19 Uhr.',
  'Nouvelle date : le concert du 27 février se tiendra finalement le 6 mars à 20h.',
  'Le concert du 6 mars est décalé de 19h à 20h.',
  'Le concert du 27 février à 19h est remis au samedi 6 mars à 20h.',
  'El concierto previsto para el 27 de febrero será el 6 de marzo a las 20 h.',
  'Le concert du 27 février aura lieu le samedi 6 mars à 20h.',
  'Das Konzert vom 27. Februar findet am Samstag, 6. März, um 20 Uhr statt.',
  'El concierto del 6 de marzo pasa de las 19 a las 20 h.',
  'El concierto del 27 de febrero se pasa al 6 de marzo a las 20 h.',
  'El concierto del 27 de febrero se cambia al 6 de marzo a las 20 h, porque el 27 hay partido.',
  'El concierto del 13 de marzo se adelanta al 6 de marzo a las 20 h.',
  'The concert on 13 March is brought forward to 6 March, 8pm.',
  'Das Konzert vom 13. März wird auf den 6. März, 20 Uhr, vorgezogen.',
  'Das Konzert am 27. Februar rückt auf den 6. März, 20 Uhr.',
  'Le concert du 13 mars est avancé au 6 mars à 20h.',
  'Because of the match on 27 February, the concert is on 6 March at 8pm.',
  'Wegen des Spiels am 27. Februar ist das Konzert erst am 6. März um 20 Uhr.',
  'En raison du match du 27 février, le concert aura lieu le 6 mars à 20h.',
  'Debido al partido del 27 de febrero, el concierto será el 6 de marzo a las 20 h.',
  'Como el viernes 5 de marzo es festivo, el concierto será el sábado 6 de marzo a las 20 h.',
  'Because of the holidays on 4 and 5 March, the concert is on 6 March at 8pm.',
  'Hemos tenido que retrasar el concierto del 27 de febrero al 6 de marzo, a las 20 h.',
  'Terminverschiebung: Das Konzert (bisher 27.2.) ist neu am 6.3., 20 Uhr.',
]

/** Sentences with a new day beside the other one, or an hour from which to another. */
const NOT_MOVED: [text: string, event: string][] = [
  ['The choir moves to a new hall on Saturday 6 March. Concert at 7pm there.', '2027-03-06 19:00'],
  ['New! Concerts on 5 March and now also on 6 March at 8pm.', '2027-03-05 20:00 1'],
  ['Der Kurs vom 5. März findet auch am 6. März um 20 Uhr statt.', '2027-03-05 20:00 1'],
  ['Neuer Kurs am 5. und 12. März, jetzt auch am 19. März, um 20 Uhr.', '2027-03-05 20:00 2'],
  ['Konzert für Kinder ab 6 (mit Eltern), Samstag, 20. Februar, 15 Uhr.', '2027-02-20 15:00'],
  ['Vortrag am 6. März, 19 Uhr c.t - 21 Uhr, Aula.', '2027-03-06 19:15'],
  ['Spectacle samedi 6 mars à 15h pour les enfants, 20h pour les adultes.', '2027-03-06 15:00'],
  ['Concert et bal samedi 6 mars : bal 19h, concert 20h.', '2027-03-06 19:00'],
  ['Rando dimanche 7 mars, rdv 8h45 pour un départ à 9h.', '2027-03-07 09:00'],
  ['Ausstellung 20. Februar bis 2. Mai, geöffnet Samstag und Sonntag 14–17 Uhr.', '2027-02-20'],
  ['Basar am 14. März um 13 Uhr. Verkäufernummern gibt’s ab 15. Februar, 20 Uhr.', '2027-03-14 13:00'],
  ['We look forward to Saturday 6 March: concert at 8pm.', '2027-03-06 20:00'],
  ['Como siempre: viernes 5 de marzo concierto, sábado 6 de marzo teatro, a las 20 h.', '2027-03-05 20:00'],
  [
    'Con motivo de las fiestas, el 5 de marzo concierto y el 6 de marzo baile, a las 20 h.',
    '2027-03-05 20:00',
  ],
  ['Wegen des Jubiläums am 5. März Konzert, am 6. März Tanzabend, jeweils 20 Uhr.', '2027-03-05 20:00'],
  ['Due to popular demand, on 5 March a concert and on 6 March a quiz, both at 8pm.', '2027-03-05 20:00'],
  ['Due to popular demand: concert on 5 March and concert on 6 March, 8pm.', '2027-03-05 20:00 1'],
  ['Wegen des Erfolgs am 5. und 6. März je ein Konzert um 20 Uhr.', '2027-03-05 20:00 1'],
  ['Con motivo del Día de la Mujer, el 8 de marzo, concierto a las 20 h.', '2027-03-08 20:00'],
  ['Planned: talks on 5 March, 12 March and 19 March at 8pm.', '2027-03-05 20:00 2'],
  ['Das Training von 19 bis 20 Uhr am 6. März wird verlegt in die Turnhalle.', '2027-03-06 19:00'],
  [
    'Börse am Samstag, 6. März\nVerkauf: Samstag, 9–11.30 Uhr\nAuszahlung und Rückgabe: Samstag, 14–14.30 Uhr',
    '2027-03-06 09:00',
  ],
]

/** Sentences of each word in which it must not be taken for the event, and those words. */
const UNRELATED_WORDS: [what: string, sentences: (words: string) => string[], words: string][] = [
  [
    'what is before a concert',
    words => [
      `Concert Saturday 6 March, ${words} 7pm, concert 8pm, €5.`,
      `Concert on Saturday 6 March at 8pm, ${words} from 7pm.`,
      `Concert on Saturday 6 March at 8pm. ${capital(words)} at 7pm.`,
    ],
    'doors|gates open|box office|ticket desk|bar|food|supper|buffet|welcome drinks|reception|registration|check-in|soundcheck|rehearsal|warm-up|setting up|support act|pre-concert talk|shuttle bus|coach|café',
  ],
  [
    'was vor einem Konzert ist',
    words => [
      `Konzert Samstag, 6. März, ${words} 19 Uhr, Konzert 20 Uhr, 5 €.`,
      `Konzert am Samstag, 6. März, um 20 Uhr, ${words} ab 19 Uhr.`,
      `Konzert am Samstag, 6. März, um 20 Uhr. ${words} um 19 Uhr.`,
    ],
    'Einlass|Saalöffnung|Abendkasse|Kassa|Barbetrieb|Bewirtung|Abendessen|Sektempfang|Aufbau|Soundcheck|Generalprobe|Treffpunkt der Helfer|Garderobe|Shuttle|Vorprogramm|Werkeinführung',
  ],
  [
    'ce qui précède un concert',
    words => [
      `Concert samedi 6 mars, ${words} 19h, concert 20h, 5 €.`,
      `Concert samedi 6 mars à 20h, ${words} à 19h.`,
      `Concert samedi 6 mars à 20h. ${capital(words)} dès 19h.`,
    ],
    'ouverture des portes|guichet|caisse|billetterie|buvette|accueil du public|petite restauration|apéritif|dîner|répétition|balances|échauffement|retrait des dossards|vestiaire|navette|première partie',
  ],
  [
    'lo que hay antes de un concierto',
    words => [
      `Concierto el sábado 6 de marzo, ${words} 19 h, concierto 20 h, 5 €.`,
      `Concierto el sábado 6 de marzo a las 20 h, ${words} a las 19 h.`,
      `Concierto el sábado 6 de marzo a las 20 h. ${capital(words)} desde las 19 h.`,
    ],
    'apertura de puertas|taquilla|barra|cena|merienda|vermut|recepción|recogida de dorsales|ensayo general|prueba de sonido|montaje|autobús|teloneros|entrada de público',
  ],
  [
    'what is after a concert',
    words => [
      `Concert Saturday 6 March 8pm, ${words} 10pm.`,
      `Concert on Saturday 6 March at 8pm. ${capital(words)} at 10.30pm.`,
    ],
    'drinks|dancing|fireworks|prizegiving|raffle draw|last orders|last bus|carriages|after-party|interval',
  ],
  [
    'was nach einem Konzert ist',
    words => [`Konzert am Samstag, 6. März, 20 Uhr, ${words} 22 Uhr.`],
    'Umtrunk|Tanz|Feuerwerk|Siegerehrung|Verlosung|Sperrstunde|letzter Bus|Abbau|Pause',
  ],
  [
    'ce qui suit un concert',
    words => [`Concert samedi 6 mars à 20h, ${words} à 22h.`],
    "verre de l'amitié|bal|feu d'artifice|remise des prix|fermeture|dernier bus|rangement",
  ],
  [
    'lo que hay después de un concierto',
    words => [`Concierto el sábado 6 de marzo a las 20 h, ${words} a las 22 h.`],
    'vino español|fuegos artificiales|sorteo|entrega de premios|cierre|último autobús|chocolatada|descanso',
  ],
  [
    'other days',
    words => [
      `Concert on Saturday 6 March at 8pm. ${words} 27 February.`,
      `${words} 27 February. Concert on Saturday 6 March at 8pm.`,
    ],
    'Book by|Bookings close on|RSVP by|Please reply by|Tickets on sale from|Early bird until|Deadline:|Entries close|Please let us know before|Names to Mary by|Refunds until|Last updated|Postponed from|Rearranged from|instead of|not',
  ],
  [
    'andere Tage',
    words => [
      `Konzert am Samstag, 6. März, um 20 Uhr. ${words} 27. Februar.`,
      `${words} 27. Februar. Konzert am Samstag, 6. März, um 20 Uhr.`,
    ],
    'Anmeldung bis|Digital unterschrieben am|Anmeldeschluss ist der|Karten gibt es ab|Vorverkauf ab|Rückmeldung bis|Bitte meldet euch bis|Zahlung bis|Verkaufsstart ist der|Redaktionsschluss|Stand|Zuletzt geändert am|Verschoben vom|nicht am',
  ],
  [
    "d'autres jours",
    words => [
      `Concert samedi 6 mars à 20h. ${words} 27 février.`,
      `${words} 27 février. Concert samedi 6 mars à 20h.`,
    ],
    "Inscription avant le|Réservations jusqu'au|Réponse souhaitée avant le|Date limite :|Merci de vous inscrire pour le|Billets en vente dès le|Prévente jusqu'au|Mis à jour le|Publié le|Signé électroniquement le|Reporté du|au lieu du|et non le",
  ],
  [
    'otros días',
    words => [
      `Concierto el sábado 6 de marzo a las 20 h. ${words} 27 de febrero.`,
      `${words} 27 de febrero. Concierto el sábado 6 de marzo a las 20 h.`,
    ],
    'Inscripciones hasta el|Documento firmado electrónicamente el|Fecha límite:|El plazo termina el|Apúntate antes del|Entradas a la venta desde el|Confirmar asistencia antes del|Publicado el|Actualizado el|Aplazado del|en lugar del|y no el',
  ],
]

/** Sentences that call an event off, and the words that do. */
const CALLED_OFF: [sentences: (words: string) => string[], words: string][] = [
  [
    words => [
      `The concert on Saturday 6 March at 8pm ${words}.`,
      `Due to illness, the concert on Saturday 6 March at 8pm ${words}.`,
    ],
    "is cancelled|is off|will not take place|won't be taking place|has had to be cancelled|is postponed|has been called off|will not be going ahead|cannot take place|is not happening|has been pulled|won't now happen|had to be abandoned|has been scrapped|is being put off|has been put back to a later date|is suspended|will no longer go ahead|can't happen|is unfortunately not able to go ahead",
  ],
  [
    words => [
      `Das Konzert am Samstag, 6. März, um 20 Uhr ${words}.`,
      `Wegen Krankheit: Konzert am Samstag, 6. März, 20 Uhr, ${words}.`,
    ],
    'fällt aus|wurde abgesagt|entfällt|muss leider ausfallen|findet nicht statt|kann nicht stattfinden|muss verschoben werden|ist gestrichen|fällt leider ins Wasser|müssen wir absagen|findet leider doch nicht statt|kommt nicht zustande',
  ],
  [
    words => [
      `Le concert du samedi 6 mars à 20h ${words}.`,
      `Pour cause de maladie, le concert du samedi 6 mars à 20h ${words}.`,
    ],
    "est annulé|n'aura pas lieu|est reporté à une date ultérieure|est remis|est remis à plus tard|a dû être remis|a dû être annulé|ne pourra pas avoir lieu|ne se tiendra pas|est supprimé|est suspendu|est ajourné|a été déprogrammé|n'aura finalement pas lieu|ne peut être maintenu|tombe à l'eau",
  ],
  [
    words => [
      `El concierto del sábado 6 de marzo a las 20 h ${words}.`,
      `Por enfermedad, el concierto del sábado 6 de marzo a las 20 h ${words}.`,
    ],
    'se cancela|ha sido cancelado|se suspende|queda aplazado hasta nuevo aviso|no se celebrará|no tendrá lugar|no podrá celebrarse|se pospone|no se podrá celebrar|se anula|ha tenido que suspenderse|no va a poder ser',
  ],
]

/** Sentences that say in other ways that it is called off. */
const DECISIONS = [
  'The only concert this month, on Saturday 6 March, is cancelled; tickets for Saturday are refunded.',
  'Only the concert on Saturday 6 March is off, all else takes place.',
  'Nur das Konzert am 6. März ist abgesagt, alles andere findet statt.',
  'Concierto solo para socios: se suspende la función del viernes 5 de marzo a las 20 h.',
  'Solo se cancela el concierto del viernes, 5 de marzo, a las 20 h.',
  'La carrera suspendida del sábado 6 de marzo se hará en otra fecha.',
  'El partido suspendido no se jugará el sábado 6 de marzo.',
  'The AGM, last held last year, is cancelled on Saturday 6 March.',
  'Le concert du 6 mars est annulé, comme l’an dernier.',
  'Spielabsage: Das Spiel am Samstag, 6. März, 20 Uhr, wird neu angesetzt.',
  'Am Samstag, 6. März, 20 Uhr, findet keine Probe statt.',
  'We have had to scrap the plant sale on Saturday 6 March, 8pm.',
  'Heute Abend kein Training! Die Halle ist gesperrt.',
  'El concierto suspendido por la lluvia no se celebrará el 6 de marzo.',
  'Only the concert on Saturday 6 March at 8pm is cancelled.',
  'Das Konzert am 6. März, 20 Uhr, wird wie im letzten Jahr abgesagt.',
  'Aus dem Konzert am Samstag, 6. März, 20 Uhr, wird leider nichts.',
  'El concierto del sábado 6 de marzo, 20 h, queda sin efecto.',
  'We made the hard call to CANCEL the fun run on Saturday 6 March at 8pm.',
  'The committee was forced to cancel the fun run on Saturday 6 March, 8pm.',
  'It is with regret that we have to cancel our fun run on Saturday 6 March, 8pm.',
]

/** Sentences that ask for an event to be taken off a list. */
const TAKEN_OFF = [
  'Can you take the concert off the website for Saturday 6 March, 8pm?',
  'Please remove the concert on Saturday 6 March at 8pm from the listings.',
  'Could you delete the concert on 6 March, 8pm, from your calendar?',
  'Bitte nehmt das Konzert am 6. März um 20 Uhr aus dem Kalender.',
  'Bitte das Konzert am 6. März um 20 Uhr von der Website nehmen.',
  'Bitte streicht das Konzert am Samstag, 6. März, 20 Uhr aus dem Programm.',
  'Merci de retirer de l’agenda le concert du 6 mars à 20h.',
  'Pouvez-vous enlever de votre site le concert du 6 mars à 20h ?',
  'Por favor, retirad de la agenda el concierto del 6 de marzo a las 20 h.',
  '¿Podéis quitar de la web el concierto del 6 de marzo a las 20 h?',
]

/** Sentences with words that are cues elsewhere. */
const TAKING_PLACE = [
  'Cancelled last year, the concert is back on Saturday 6 March at 8pm.',
  'El partido suspendido contra el Norte se jugará el sábado 6 de marzo a las 20 h.',
  'Konzert am Samstag, 6. März, um 20 Uhr. Es findet keine Abendkasse statt Vorverkauf.',
  'Hay concierto el sábado 6 de marzo a las 20 h. No hay entradas en taquilla.',
  'Only the disco is off; the quiz takes place on Saturday 6 March at 8pm.',
  'Nur der Umzug ist abgesagt, das Konzert am Samstag, 6. März, um 20 Uhr findet statt.',
  'Seul le bal est annulé ; le concert aura bien lieu le samedi 6 mars à 20h.',
  'Solo se cancela la paellada; el concierto es el sábado 6 de marzo a las 20 h.',
  'After last year’s cancellation the concert is back: Saturday 6 March, 8pm.',
  'Tras la suspensión del año pasado, vuelve el concierto: sábado 6 de marzo, 20 h.',
  'Film night on Saturday 6 March at 8pm, ring Joe to cancel the booking.',
  'Concierto el sábado 6 de marzo a las 20 h. Se suspende por lluvia.',
  'Please put the concert on Saturday 6 March at 8pm on the website.',
  'Please remove your boots before the concert on Saturday 6 March at 8pm.',
  'N’oubliez pas : le concert a lieu le samedi 6 mars à 20h.',
  'Ne pas oublier : le concert aura lieu samedi 6 mars à 20h.',
  'Don’t forget the concert taking place on Saturday 6 March at 8pm.',
  'No tickets needed: the concert will take place on Saturday 6 March at 8pm.',
  'Don’t miss bingo, it is on Saturday 6 March at 8pm.',
  'Town v City, Saturday 6 March, kick-off 8pm.',
  'Hot dogs and cold beer on Saturday 6 March at 8pm.',
  'Concert by the Smithville Band on Saturday 6 March at 8pm.',
  'Concert hosted by the Friends on Saturday 6 March at 8pm.',
  'Exhibition of photos by Jim Doe opens Saturday 6 March at 8pm.',
  'A not-to-be-missed concert on Saturday 6 March at 8pm.',
  'Prices and prizes: bingo on Saturday 6 March at 8pm.',
  'Photo walk on Saturday 6 March at 8pm.',
  'Closing concert on Saturday 6 March at 8pm.',
  'Open mic night on Saturday 6 March in the bar at 8pm.',
  'As the Town Hall is closed, the concert on Saturday 6 March at 8pm is in the Grange.',
  'Konzert vor der Kirche am Samstag, 6. März, um 20 Uhr.',
  'Konzert ohne Anmeldung am Samstag, 6. März, um 20 Uhr.',
  'Ein Abend nicht nur für Kinder am Samstag, 6. März, um 20 Uhr.',
  'Verpasst nicht das Konzert am Samstag, 6. März, um 20 Uhr.',
  'Spectacle pas comme les autres samedi 6 mars à 20h.',
  'Concert hors les murs samedi 6 mars à 20h.',
  'Fiesta no apta para cardíacos el sábado 6 de marzo a las 20 h.',
  'Último concierto de la temporada el sábado 6 de marzo a las 20 h.',
  'Taller sin inscripción el sábado 6 de marzo a las 20 h.',
  'Das Konzert am Samstag, 6. März, um 20 Uhr fällt nicht aus.',
  'Konzert am Samstag, 6. März, 20 Uhr. Bei Absage bekommt ihr euer Geld zurück.',
  'Konzert am Samstag, 6. März, 20 Uhr, nicht nur für Kinder, findet statt.',
  'The concert on Saturday 6 March at 8pm is not cancelled.',
  'The concert on Saturday 6 March at 8pm goes ahead as planned.',
  'Concert on Saturday 6 March at 8pm, with pulled pork and a suspended sculpture.',
  'Concert Saturday 6 March at 8pm. If cancelled, we will refund tickets.',
  'Concert Saturday 6 March at 8pm (rearranged from November, when it was cancelled).',
  'Concert on Saturday 6 March at 8pm. There will be no interval.',
  "Le concert du samedi 6 mars à 20h n'est pas annulé.",
  "Concert samedi 6 mars à 20h, près du pont suspendu. Il n'y aura pas de repas.",
  "Le concert du samedi 6 mars n'aura lieu qu'à 20h.",
  'Concert samedi 6 mars à 20h. La recette sera remise au foyer.',
  'El concierto del sábado 6 de marzo a las 20 h no se suspende.',
  'Concierto el sábado 6 de marzo a las 20 h. No habrá aparcamiento.',
]

/** Sentences that announce nothing, or whose month nobody can read: their weekday alone is no day. */
const NOTICES = [
  'We are shut from Monday 18 to Friday 22 January.',
  'Bonne année ! Nous serons en congés du 18 au 22 janvier.',
  'Bürgerbus sucht Fahrer!\n\nUnser Bus rollt montags und mittwochs zwischen 8 und 13 Uhr.',
  'Wir suchen Verstärkung!\n\nUnser Bus rollt montags und mittwochs zwischen 8 und 13 Uhr.',
  'Drivers wanted!\n\nOur bus runs on Mondays and Wednesdays from 8am to 1pm.',
  'On cherche des chauffeurs !\n\nNotre minibus roule les lundis et mercredis de 8h à 13h.',
  'Se buscan conductores\n\nNuestro autobús sale los lunes y miércoles de 8 a 13 h.',
  'Hofladen Wiesner – unsere Winteröffnungszeiten\n\nMittwoch 14–18 Uhr\nFrisches Brot jeden Freitag ab 10 Uhr.',
  'Am Dienstag, 26. Jänner, wird von 8.00 bis 13.00 Uhr in der Kirchengasse das Wasser abgesperrt.',
  'Haus in Neu Barnitz zu verkaufen\nFrei ab 1. Juni 2027. Tel. ab 18 Uhr',
  'LOST & FOUND\nA grey scarf. All with Nuala in the office, Tuesdays and Thursdays between 10 and 12.',
  'Konzert am Mittwoch, 24. Merz, um 20 Uhr.',
  'Concert, Wednesday, Febuary 24, 8pm',
  'Inscripciones del 18 al 27 de febrero en la Casa de Cultura de 17:00 a 20:00.',
  'Registration from 18 to 27 February in the library from 5pm to 8pm.',
  'The library is closed on Monday 1 March.',
  'The road will be closed from 1 to 5 March between 9am and 3pm.',
  'Your water will be off on Tuesday 2 March from 10am to 2pm.',
  'Bin collection moves to Saturday 6 March because of the holiday.',
  'School term begins on Monday 1 March at 8.45am.',
  'We need volunteers to man the stall on Saturday 6 March.',
  'No dogs on the beach between 1 May and 30 September.',
  'Am Dienstag, 2. März, wird von 10 bis 14 Uhr das Wasser abgestellt.',
  'Die Müllabfuhr kommt erst am Samstag, 6. März.',
  'Die Praxis ist am Samstag, 6. März, von 9 bis 12 Uhr geöffnet.',
  'La rue sera barrée du 1er au 5 mars de 9h à 15h.',
  'Coupure d’eau mardi 2 mars de 10h à 14h.',
  'Le ramassage des ordures aura lieu le samedi 6 mars.',
  'La calle estará cortada del 1 al 5 de marzo de 9 a 15 h.',
  'Corte de agua el martes 2 de marzo de 10 a 14 h.',
  'Concours « Balcons fleuris »\nRÈGLEMENT\n\nArt. 1. Ouvert à tous.\nArt. 2. Le jury passe le 6 mars à 18h.',
  'Fotowettbewerb „Unser Wald“\nTEILNAHMEBEDINGUNGEN\n\n1. Alle dürfen.\n2. Die Jury tagt am 6. März um 18 Uhr.',
  'Le bulletin doit parvenir au secrétariat le samedi 6 mars à 12h au plus tard.',
  'The form must be handed in on Saturday 6 March at noon at the latest.',
  'Das Formular muss am Samstag, 6. März, spätestens um 12 Uhr im Rathaus sein.',
  'La recogida de basura pasa al sábado 6 de marzo.',
  'Your second council tax instalment is payable by noon on Monday 1 March at the Town Hall.',
  'Bürgerbüro: Der Bescheid zur Grundsteuer ist am Montag, 15. Februar, fällig. Fragen von 8 bis 12 Uhr.',
  'Mairie : la taxe foncière et la facture d’eau sont à régler le lundi 15 février avant 17h.',
  'Ayuntamiento: cobro del impuesto de vehículos y de la tasa de basuras el lunes 1 de marzo, de 9 a 14 h.',
  'Danke an alle Helfer! Unsere Kleiderkammer im Pfarrheim ist mittwochs von 14 bis 17 Uhr besetzt.',
  'Amber warning: snow and gusts of 60 mph from 6pm on Friday 22 January.',
  // What somebody has or awaits
  'Your order will arrive on Friday 22 January between 1pm and 5pm. You can track it online.',
  'Ihre Bestellung trifft am Freitag, 22. Januar, zwischen 13 und 17 Uhr bei Ihnen ein.',
  'Votre commande sera livrée vendredi 22 janvier entre 13h et 17h.',
  'Tu paquete llegará el viernes 22 de enero entre las 13 y las 17 h.',
  // Where somebody goes
  'I am away from 1 to 12 February and back at my desk on Monday 15 February.',
  'Ich bestätige den Termin am 3. Februar um 11 Uhr in Ihrem Büro.',
  'Je rentre samedi à 21h, tu viens me chercher ?',
  'Estoy fuera y vuelvo a la oficina el lunes 15 de febrero a las 9 h.',
  // From when on something is so
  'From Monday 1 February smoking is banned in the yard.',
  'Ab dem 1. Februar gelten bei uns neue Preise: Schnitt 28 €, Färben 45 €.',
  'À partir du lundi 1er février, la coupe passe à 28 € et la couleur à 45 €.',
  'La sentencia entra en vigor el lunes 8 de febrero a las 9 h.',
  // Whom somebody looks for
  'The bakery is looking for an assistant from 5am to 11am, starting on Saturday 6 March.',
  'Die Bäckerei sucht ab 1. März eine Aushilfe, samstags von 5 bis 11 Uhr.',
  'La boulangerie cherche une vendeuse le samedi de 5h à 11h, à partir du 6 mars.',
  'La panadería busca dependienta los sábados de 5 a 11 h, a partir del 6 de marzo.',
  // What begins to be sold
  'Tickets for the new season go on sale to members at 10am on Monday 1 March.',
  'Der Vorverkauf für die nächste Spielzeit beginnt am Montag, 1. März, um 9 Uhr.',
  'La billetterie du festival de conte ouvrira le lundi 1er mars à 10h.',
  'La preventa para el concierto de la banda arranca el lunes 1 de marzo a las 10 h.',
  // What ends, or was
  'The lease on the hall expires on 31 March at noon.',
  'Die Meldefrist für die Liga endet am 15. Februar um 18 Uhr.',
  'Deadline: midnight, Sunday 28 February. Send us your poems!',
  'We won 3–1 at Redhill on Saturday.',
  'Am Pfingstsonntag 1962 weihte unsere Wehr das Haus ein. Um 10 Uhr war Messe.',
  'Viernes Santo de 1975, a las 12 h: ardió la caseta.',
  'Am Karfreitag 1975 brannte die Hütte ab.',
  // A sentence about a day that says nothing of an event
  'Your doctor will retire on 31 March after many years.',
  'Der Jahresbeitrag wird am 1. Februar abgebucht.',
  'Le nouveau catalogue sera dans vos boîtes le 8 février.',
  'La oficina estará cerca; las listas se publican el lunes 19 de abril.',
]

const VENUES = [
  'Town Hall',
  'Grange Centre',
  'Pfarrheim',
  'Stadthalle',
  'Salle Molière',
  'Foyer rural',
  'Casa de Cultura',
  'Teatro Principal',
]

/** Sentences with a place where the event is not, by that where it is. */
const ELSEWHERE: [venue: string, text: string][] = [
  [
    'Grange Centre',
    'The concert on Saturday 6 March at 8pm is not in the Town Hall but in the Grange Centre.',
  ],
  ['Grange Centre', 'Concert Saturday 6 March 8pm, now in the Grange Centre instead of the Town Hall.'],
  ['Grange Centre', 'Concert Saturday 6 March 8pm, Grange Centre (behind the Town Hall).'],
  [
    'Grange Centre',
    'Concert Saturday 6 March 8pm at the Grange Centre, followed by drinks in the Town Hall.',
  ],
  [
    'Stadthalle',
    'Das Konzert am 6. März um 20 Uhr findet nicht im Pfarrheim, sondern in der Stadthalle statt.',
  ],
  [
    'Stadthalle',
    'Konzert am 6. März um 20 Uhr, anders als angekündigt nicht im Pfarrheim, sondern in der Stadthalle.',
  ],
  ['Stadthalle', 'Konzert am 6. März, 20 Uhr, Stadthalle, gegenüber dem Pfarrheim.'],
  ['Pfarrheim', 'Das Konzert am 6. März um 20 Uhr findet statt im Pfarrheim.'],
  // Where something is damaged or rebuilt
  ['Stadthalle', 'Wegen Umbaus des Pfarrheims: Konzert am 6. März um 20 Uhr in der Stadthalle.'],
  [
    'Grange Centre',
    'The flood damage at the Town Hall is worse than we thought.\n\nThe concert on 6 March at 8pm is in the Grange Centre.',
  ],
  [
    'Foyer rural',
    'La Salle Molière est fermée pour travaux.\n\nLe concert du 6 mars à 20h aura lieu au Foyer rural.',
  ],
  [
    'Teatro Principal',
    'La Casa de Cultura sigue en obras.\n\nEl concierto será el 6 de marzo a las 20 h en el Teatro Principal.',
  ],
  ['Town Hall', 'Concert 6 March 8pm. Town Hall, raising money for flood victims.'],
  ['Foyer rural', 'Le concert du 6 mars à 20h n’aura pas lieu à la Salle Molière mais au Foyer rural.'],
  ['Foyer rural', 'Concert samedi 6 mars à 20h, au Foyer rural et non à la Salle Molière.'],
  ['Foyer rural', 'Concert samedi 6 mars à 20h, Foyer rural (derrière la Salle Molière).'],
  ['Salle Molière', 'Le concert du 6 mars à 20h a lieu à la Salle Molière.'],
  [
    'Teatro Principal',
    'El concierto del 6 de marzo a las 20 h no será en la Casa de Cultura sino en el Teatro Principal.',
  ],
  [
    'Teatro Principal',
    'Concierto el 6 de marzo a las 20 h en el Teatro Principal, en lugar de la Casa de Cultura.',
  ],
]

/** Sentences by the title that they are about. */
const TITLES: [title: string, text: string][] = [
  ['Flohmarkt rund ums Kind', 'Am 6. März um 20 Uhr findet hier unser Flohmarkt rund ums Kind statt.'],
  [
    'Wanderung auf den Hochberg',
    'Am 6. März um 10 Uhr ist wieder Wanderung auf den Hochberg. Treffpunkt: Rathaus.',
  ],
  ['Ruta por la sierra', 'Ruta por la sierra el sábado 6 de marzo a las 10 h.'],
  ['Sommerkonzert', 'Guten Morgen,\n\nnach der 9-Uhr-Messe am 6. März ist um 10 Uhr Sommerkonzert.'],
  ['concierto de primavera', 'No lo olvidéis: concierto de primavera este sábado a las 20 h.'],
  ['vide-greniers', 'Les écoliers organisent un vide-greniers le dimanche 7 mars à 9h.'],
  ['Flohmarkt', 'Die Pfadfinder veranstalten einen Flohmarkt am 6. März um 10 Uhr.'],
  ['concierto', 'Los vecinos invitan a todos los aficionados a un concierto el 6 de marzo a las 20 h.'],
  ['loto de l’école', 'N’oubliez pas : loto de l’école samedi à 20h !'],
]

/** Who does not hold the event. */
const HELPERS: string[] = [
  'Concert Saturday 6 March 8pm. All proceeds to Hospice Friends.',
  'Concert Saturday 6 March 8pm. Guests from Hospice Friends will speak.',
  'Concert Saturday 6 March 8pm. Teas by Hospice Friends.',
  'Konzert am 6. März, 20 Uhr. Der Erlös geht an die Hospice Friends.',
  'Konzert am 6. März, 20 Uhr. Kaffee und Kuchen von den Hospice Friends.',
  'Concert samedi 6 mars à 20h au profit de Hospice Friends.',
  'Concierto el 6 de marzo a las 20 h. La recaudación irá a Hospice Friends.',
  'Concierto el 6 de marzo a las 20 h. Barra a cargo de Hospice Friends.',
]

/** What people agree on in a chat or in e-mails, and what looks like that. */
const AGREED: [text: string, events: string][] = [
  [
    'Mia: Kino morgen?\nBen: Morgen kann ich nicht, Samstag?\nMia: Passt, Samstag 20 Uhr im Capitol.',
    '2027-01-16 20:00',
  ],
  [
    'Ana n°12 : crêpes mardi 2 février, 18h dans la cour ?\nMehdi : 18h je serai pas là\nLuc 3e étage : 18h30 ?\nAna n°12 : allez 18h30',
    '2027-02-02 18:30',
  ],
  [
    'Tom: Training am Freitag 18 Uhr?\nUli: Freitag ist die Halle belegt. Samstag 10 Uhr?\nTom: ok, Samstag.',
    '2027-01-16 10:00',
  ],
  [
    '[14/01, 08:12] Ann: Table quiz is on Fri 29th at 8 in the Forge\n[14/01, 08:31] Mark: the 29th is no good\n[14/01, 08:40] Ann: So SATURDAY 30th, 8.30pm.',
    '2027-01-30 20:30',
  ],
  [
    '– On fait la rando samedi ou dimanche ?\n– Dimanche, il fera beau.\n– D’accord, dimanche 9 h devant la gare.',
    '2027-01-17 09:00',
  ],
  [
    '—¿Jugamos el lunes?\n—El lunes no puedo. ¿El martes a las 8 de la tarde?\n—Vale, martes a las 8 en el polideportivo.',
    '2027-01-19 20:00',
  ],
  [
    'Liebe Karin, bleibt es beim Lesekreis am Dienstag, 26. Januar, um 19 Uhr bei mir? Georg\n\nLieber Georg, am Dienstag bin ich verreist. Mittwoch, 27. Januar, gleiche Zeit? Karin\n\nGern, dann Mittwoch. Georg',
    '2027-01-27 19:00',
  ],
  [
    'Anna: Konzert am Samstag, 6. März, 20 Uhr in der Aula!\nBen: Super!\nAnna: Und am 5. März ist Flohmarkt um 10 Uhr.',
    '2027-03-06 20:00, 2027-03-05 10:00',
  ],
  ['Anna: Kino am Freitag um 20 Uhr?\nBen: Ja!\nAnna: Super, ich bringe Samstag Kuchen mit.', ''],
  ['Wann: Samstag, 6. März, 20 Uhr\nWo: Stadthalle\nEintritt: 5 €', '2027-03-06 20:00'],
  ['– Concert le 6 mars à 20h\n– Bal le 13 mars à 21h', '2027-03-06 20:00, 2027-03-13 21:00'],
]

/** Sentences with a feast in place of a date. */
const FEASTS: [text: string, start: string][] = [
  ['Pancake supper on Shrove Tuesday, 6 pm, in the church room.', '2027-02-09 18:00'],
  ['Gottesdienst am Aschermittwoch um 18 Uhr in der Pfarrkirche.', '2027-02-10 18:00'],
  ['Chasse aux œufs le lundi de Pâques à 10 h dans le parc du château.', '2027-03-29 10:00'],
  ['Procesión el Viernes Santo a las 21 h.', '2027-03-26 21:00'],
  ['Party on New Year’s Eve, 8pm till late, Rugby Club.', '2027-12-31 20:00'],
  ['Karfreitag, 15 Uhr: Kreuzweg in der Kirche.', '2027-03-26 15:00'],
  ['Messe du jeudi de l’Ascension à 10h30.', '2027-05-06 10:30'],
]

/** Sentences that say of a day that there is nothing on it. */
const NOTHING_ON_IT = [
  // Other hours than usual
  'Hallenbad im Fasching\nSamstag, 6. Februar: 9 bis 14 Uhr\nMontag, 8. Februar: geschlossen\nMittwoch, 10. Februar: normale Öffnungszeiten',
  'Pool: half-term\nSaturday 13 February: 9am to 1pm\nMonday 15 February: closed\nWednesday 17 February: usual hours',
  'Am Mittwoch kein Training.',
  'Am Heiligabend kein Training.',
  'Mercredi 24 mars : pas de répétition.',
  'Miércoles 24 de marzo: sin clase.',
  'Mi 24.3. kein Kurs',
  'No rehearsal on Good Friday.',
  'Am Rosenmontag bleibt die Bücherei geschlossen.',
]
const SOMETHING_ON_IT = [
  'Concert on 6 March 2027 at 8pm. The café is closed that evening; usual hours on Sunday.',
  'Samstag, 6. März, 20 Uhr, in den Ferien kein Training.',
  'Samedi 6 mars à 20h (pas de rencontre en mai).',
  'Saturday 6 March, 8pm: no ordinary concert.',
  'Samstag, 6. März, 20 Uhr: Kein Konzert wie jedes andere.',
  'Concert samedi 6 mars à 20h, pas de bal.',
  'Film on 6 March at 8pm, no booking.',
]

/** Sentences whose words or forms say another hour or day elsewhere. */
const PLAIN: [text: string, event: string][] = [
  ['Kurs am Samstag, 6. März, von 9 bis ca. 12 Uhr.', '2027-03-06 09:00'],
  ['Curso el sábado 6 de marzo de 9 a aprox. 12 h.', '2027-03-06 09:00'],
  ['Parents’ evening on Saturday 6 March between 4.30 and 7.30 pm.', '2027-03-06 16:30'],
  ['Open house between 5 and 7 on Saturday 6 March.', '2027-03-06 17:00'],
  ['Story time, Saturday 6 March from 9.30 to 11.', '2027-03-06 09:30'],
  ['Meeting on Saturday 6 March, 9.30 to 11.', '2027-03-06'],
  ['Quiz on Saturday 6 March, 9.30 to 11.', '2027-03-06 21:30'],
  // What has a date looks for nobody
  ['Ostereier suchen im Stadtpark\n\nSamstag, 6. März, 14 Uhr', '2027-03-06 14:00'],
  ['Sechs Personen suchen einen Autor\nTheater am Samstag, 6. März, 20 Uhr', '2027-03-06 20:00'],
  ['Most Wanted\nSaturday 6 March, 8pm', '2027-03-06 20:00'],
  ['Cherche homme désespérément\nSamedi 6 mars, 20h30', '2027-03-06 20:30'],
  // What is offered or invites is announced, whatever else its words are
  ['Die nächste Schlachtplatte gibt es am Samstag, 6. März.', '2027-03-06'],
  ['Our next pie and peas is on Saturday 6 March.', '2027-03-06'],
  ['Venez planter des arbres le samedi 6 mars !', '2027-03-06'],
  ['Los bomberos abren el parque al público el sábado 6 de marzo.', '2027-03-06'],
  ['Ab Samstag, 6. März, zeigt das Museum Bilder von Hanna Reuter.', '2027-03-06'],
  ['Ab Samstag, 6. März, hängen in der Alten Mühle Bilder von Hanna Reuter.', '2027-03-06'],
  ['A day with bees is on Saturday 6 March.', '2027-03-06'],
  ['From 6pm on Saturday 6 March: waffles and punch on the green.', '2027-03-06 18:00'],
  ['Dès le 6 mars, chaque samedi à 19h, on chante ensemble.', '2027-03-06 19:00'],
  ['I’m back! Songs and stories on Saturday 6 March at 8pm.', '2027-03-06 20:00'],
  ['Votre rendez-vous bien-être : samedi 6 mars de 10h à 17h.', '2027-03-06 10:00'],
  ['Valentine’s coffee on the village green on Saturday 6 March', '2027-03-06'],
  ['Tarde de magia para los más pequeños el 6 de marzo', '2027-03-06'],
  ['Tickets £5: the play starts on Saturday 6 March at 8pm.', '2027-03-06 20:00'],
  ['Busca tu árbol, ruta guiada el sábado 6 de marzo a las 10:00', '2027-03-06 10:00'],
  // In the morning, and in the evening
  ['Churchyard working party, Saturday 6 March, 9.30', '2027-03-06 09:30'],
  ['Bingo at the Working Men’s Club, Saturday 6 March, 8.30', '2027-03-06 20:30'],
  ['Merci d’annoncer notre bal folk du samedi 6 mars, de 21h à 1h.', '2027-03-06 21:00'],
  ['Merci à tous pour le bal du samedi 6 mars.', ''],
  ['Merci d’avance pour votre aide samedi 6 mars à 9h.', ''],
  ['Cáritas organiza su rastrillo el sábado 6 de marzo, de 11 a 14 h.', '2027-03-06 11:00'],
  [
    'Carrera\n\nCerralba, sábado 6 de marzo de 2027\nSalida: 10:30 h\nInscripción hasta el 1 de marzo.',
    '2027-03-06 10:30',
  ],
  ['Flea market, every Sunday, 8 AM. (No market Easter Sunday, March 28.)', '2027-01-17 08:00'],
  ['Feuerwehrball, Samstag, 6. März\nEinlass 19:30 Uhr, Eröffnung 20:30 Uhr', '2027-03-06 20:30'],
  ['Fête de la ferme, samedi 6 mars, de 10h à 18h.\nToute la journée : balades', '2027-03-06 10:00'],
  ['JUMBLE SALE SAT 6TH MARCH 1.30 ENTRY 50P', '2027-03-06 13:30'],
  ['Clothes swap Saturday 6 March 2-4 upstairs in the café', '2027-03-06 14:00'],
  ['Film, Samstag, 6. März: «Der Uhrmacher» (OV), 20.15 im Kino', '2027-03-06 20:15'],
  ['Bingo, Saturday 6 March. Doors 6.45, eyes down 7.30', '2027-03-06 19:30'],
  ['Conférence samedi 6 mars à 18h30, durée environ une heure et demie', '2027-03-06 18:30'],
  ['Eintrittspreise ab 6. März: Erwachsene 17 €, Kinder 11 €', ''],
  ['Flohmarkt in der Halle 4, Sa. 6. März, 8-15 h', '2027-03-06 08:00'],
  ['Touren Februar–April\n\n07.02. (So) Wanderung, Treffpunkt 10.00 Uhr', '2027-02-07 10:00'],
  ['our conversation cafe is on every tuesday 10-11.30am (not half term)', '2027-01-19 10:00'],
  ['Nouveaux horaires d’accueil à compter du 18 janvier : 14h-18h', ''],
  ['Putzete: Wir treffen uns am Samstag (6. März) um 9 Uhr beim Bauhof.', '2027-03-06 09:00'],
  ['Le collectif Demain Vaubrune organise une réunion ce soir à 19 h.', '2027-01-14 19:00'],
  ['Concert samedi 6 mars, 21 h – 12, 18 et 24 €', '2027-03-06 21:00'],
  ['coffee morning every wednesday 9.30 to 11 in the hall', '2027-01-20 09:30'],
  ['desayuno de familias todos los lunes de 9.15 a 10.30', '2027-01-18 09:15'],
  ['Winter skills on the hill, 6 March, meet 8:00 at the car park.', '2027-03-06 08:00'],
  ['Volkslauf, Samstag, 6. März\n14.45 Hauptlauf Fr. 30.–\n15.00 Walking', '2027-03-06 14:45'],
  [
    'Jam-making workshop on 5 March at 11am, and quiz night on 6 March at 8pm.',
    '2027-03-05 11:00,2027-03-06 20:00',
  ],
  [
    'Am 5. März um 14 Uhr ist Veredelungskurs, am 6. März um 9 Uhr Pflanzentauschbörse.',
    '2027-03-05 14:00,2027-03-06 09:00',
  ],
  [
    'Le club propose un loto le 5 mars à 20h et une randonnée le 6 mars à 9h.',
    '2027-03-05 20:00,2027-03-06 09:00',
  ],
  ['Concert on 5 March at 8pm and concert for children on 6 March at 3pm.', '2027-03-05 20:00'],
  ['Festival with a concert on 5 March at 8pm and a walk on 6 March at 10am.', '2027-03-05 20:00'],
  ['Umzug am 6. März um 17 Uhr vor dem Rathaus.', '2027-03-06 17:00'],
  ['Samstag, 6. März, 9 Uhr Messe in Sankt Vitus.', '2027-03-06 09:00'],
  ['The service is at the war memorial on 14 November at 10.45 am.', '2027-11-14 10:45'],
  ['Das Fest am 14. November war ein Erfolg.', ''],
  ['Baile, un sábado sí y otro no desde el 23 de enero, a las 19 h.', '2027-01-23 19:00'],
  ['Spanisch für den Urlaub: donnerstags 18.30 Uhr, ab 18. Februar.', '2027-02-18 18:30'],
  ['Die Bücherei ist vom 1. bis 5. März wegen Urlaub geschlossen.', ''],
  ['La course, d’abord annoncée pour le 7 mars, se courra le 14 mars à 9 h 30.', '2027-03-14 09:30'],
  ['The race first announced for 7 March will be run on 14 March at 9.30am.', '2027-03-14 09:30'],
  ['The talks announced for 7 March and 14 March start at 7pm.', '2027-03-07 19:00 1'],
]

/** Sentences with a place or who plays in quotation marks, and the title and the venue. */
const QUOTED: [text: string, title: string | undefined, venue: string | undefined][] = [
  [
    'Der Stammtisch am 6. März, 20 Uhr im „Grünen Kranz“ findet wie geplant statt.',
    'Stammtisch',
    'Grünen Kranz',
  ],
  ['Der Chor trifft sich am Samstag, 6. März, 20 Uhr in der „Krone“.', undefined, 'Krone'],
  ['Table quiz on Saturday 6 March at 8pm in "The Forge".', 'Table quiz', 'The Forge'],
  ['Loto samedi 6 mars à 20h au « Relais ». Buvette.', 'Loto', undefined],
  ['Loto samedi 6 mars à 20h à la salle « Les Tilleuls ».', 'Loto', 'salle « Les Tilleuls »'],
  ['Bingo el sábado 6 de marzo a las 20 h en «El Molino».', 'Bingo', 'El Molino'],
  [
    'Am 6. März, 20 Uhr: Film „Im Westen nichts Neues“ im „Capitol“.',
    'Film „Im Westen nichts Neues“',
    'Capitol',
  ],
  ['Ball on Saturday 6 March at 8pm, music by "The Tweed Boys".', 'Ball', undefined],
  ['Baile: sábado 6 de marzo a las 22 h con la orquesta «Nueva Luna».', 'Baile', undefined],
  ['Die Gruppe liest aus „Effi Briest“, am 6. März, 20 Uhr.', 'Effi Briest', undefined],
  ['Sa, 6.3., 20 Uhr: „Die Ärzte“ in der Stadthalle.', 'Die Ärzte', 'Stadthalle'],
  [
    'In „Der Vorname“ streiten sich Freunde. Samstag, 6. März, 20 Uhr, Stadthalle.',
    'Der Vorname',
    'Stadthalle',
  ],
  ['Musikverein Hausen: Samstag, 6. März, 20 Uhr, Frühjahrskonzert in der Halle.', undefined, 'Halle'],
  ['Kehraus: Samstag, 6. März, 20 Uhr, im Schützenhaus.', 'Kehraus', 'Schützenhaus'],
  ['Nächster Termin: Samstag, 6. März, 20 Uhr, im Schützenhaus.', undefined, 'Schützenhaus'],
  ['Thank you for adding the concert on Saturday 6 March at 8pm.', undefined, undefined],
  ['Führung am 6. März um 11 Uhr, bei Regen Vortrag.', undefined, undefined],
  ['Concert à l’église « Musique sacrée », samedi 6 mars à 20h.', 'Concert', 'église « Musique sacrée »'],
]

describe('words around an event', () => {
  it.each(UNRELATED_WORDS)('leave its day and time alone: %s', (_, sentences, words) => {
    const texts = words.split('|').flatMap(sentences)
    const misread = texts.filter(text => read(text).join() !== AT_EIGHT)
    expect(misread.map(text => [text, ...read(text)])).toEqual([])
  })

  it.each(MOVED)('give way to the new day and hour: %s', text => {
    expect(read(text)).toEqual([AT_EIGHT])
  })

  it.each(NOT_MOVED)('move nothing: %s', (text, event) => {
    expect(read(text)).toEqual([event])
  })

  it.each(CALLED_OFF)('call it off (%#)', (sentences, words) => {
    const texts = words.split('|').flatMap(sentences)
    const announced = texts.filter(text => read(text).some(event => !/canceled|postponed/.test(event)))
    expect(announced).toEqual([])
  })

  it.each(DECISIONS)('call it off: %s', text => {
    expect(draftsOf(text)[0]).toMatchObject({ event_status: 'canceled' })
  })

  it.each(TAKEN_OFF)('call off what is taken off a list: %s', text => {
    expect(
      draftsOf(text).map(({ start_date, event_status }) => [start_date.slice(0, 16), event_status]),
    ).toEqual([[AT_EIGHT, 'canceled']])
  })

  it.each(TAKING_PLACE)('don’t call it off: %s', text => {
    expect(read(text)).toEqual([AT_EIGHT])
  })

  it.each(NOTICES)('make no event of a notice: %s', text => {
    expect(read(text)).toEqual([])
  })

  it.each(ELSEWHERE)('leave %s as the venue: %s', (venue, text) => {
    expect(draftsOf(text, VENUES).map(draft => draft.venue?.venue)).toEqual([venue])
  })

  it.each(HELPERS)('name no organizer: %s', text => {
    expect(
      draftsOf(text, [], ['Hospice Friends', 'Choral Society']).map(({ organizer }) => organizer),
    ).toEqual([undefined])
  })

  it.each(TITLES)('are no part of a title, and cut none: %s', (title, text) => {
    expect(draftsOf(text).map(draft => draft.title)).toEqual([title])
  })

  it('leave each event its own street and town', () => {
    const hall = 'Concert on Saturday 6 March at 8pm in the Town Hall, 1 High Street, Kilkenny.'
    const library = 'Reading on Sunday 7 March at 4pm in the County Library, Thomastown.'
    const places = (text: string) => draftsOf(text).map(({ address, city }) => [address, city])
    const streets = [
      ['1 High Street', 'Kilkenny'],
      [undefined, 'Thomastown'],
    ]
    expect(places(`${hall}\n\n${library}`)).toEqual(streets)
    expect(places(`${library}\n\n${hall}`)).toEqual(streets.toReversed())
    const all = 'Sat 6 March, 8pm: concert\nSun 7 March, 5pm: reading\n\nTown Hall, 1 High Street, Kilkenny'
    expect(places(all)).toEqual([streets[0], streets[0]])
  })

  it.each([
    ['Skifahrt am 20. Februar. Abfahrt 5.45 Uhr, Rückkunft gegen 19 Uhr.', '05:45', '19:00'],
    ['Sortie ski le 20 février. Départ à 5h30 place du marché, retour vers 19h.', '05:30', '19:00'],
    ['Excursión el 20 de febrero. Salida a las 5:30 de la plaza, regreso a las 20:00.', '05:30', '20:00'],
    ['Coach trip on 20 February. Coach departs 8am, return 6pm.', '08:00', '18:00'],
  ])('say when an outing leaves and is back: %s', (text, start, end) => {
    const [draft] = draftsOf(text)
    expect(draft).toMatchObject({
      start_date: `2027-02-20 ${start}:00`,
      end_date: `2027-02-20 ${end}:00`,
    })
  })

  it.each([
    ['Feria el 10 de abril.\n11:00 Apertura de la feria\n12:30 Taller\n19:30 Concierto', '11:00'],
    ['Marché le 10 avril : 10h00 ouverture du marché, 19h30 concert.', '10:00'],
    ['Concierto el 10 de abril. 20:00 Apertura de puertas, 21:00 concierto.', '21:00'],
    ['Concert le 10 avril. Ouverture de la salle 19h30, début 20h.', '20:00'],
  ])('tell the opening of an event from that of its doors: %s', (text, start) => {
    expect(draftsOf(text)[0]).toMatchObject({ start_date: `2027-04-10 ${start}:00` })
  })

  it('leave a day without the hour of another weekday', () => {
    const text = 'The play opens on Thursday 11 March, with a matinee on the Saturday at 2.30pm.'
    expect(draftsOf(text)[0]).toMatchObject({ start_date: '2027-03-11' })
  })

  it.each([
    'Das Konzert am Freitag, 22.1. um 20 Uhr fällt aus!\n\nQuiz am Mittwoch, 20.1. um 19.30 Uhr.',
    'The walk on Friday 22 January at 8am is cancelled.\n\nQuiz on Wednesday 20 January at 7.30pm.',
    'Le concert du vendredi 22 janvier à 20h est annulé.\n\nQuiz le mercredi 20 janvier à 19h30.',
    'El concierto del viernes 22 de enero a las 20:00 queda cancelado.\n\nCharla el miércoles 20 de enero a las 19:30.',
  ])('call off one of two events: %s', text => {
    expect(draftsOf(text)).toMatchObject([
      { start_date: expect.stringMatching(/^2027-01-22/), event_status: 'canceled' },
      { start_date: '2027-01-20 19:30:00' },
    ])
  })

  it('leave out a feast in brackets, and nothing else of the list', () => {
    const text = 'Kurs am 15. und 22. Februar (Rosenmontag fällt aus), jeweils um 19 Uhr.'
    expect(draftsOf(text)).toMatchObject([
      { start_date: '2027-02-15 19:00:00', dates: ['2027-02-22 19:00:00'] },
    ])
    expect(draftsOf(text)[0]).not.toHaveProperty('event_status')
  })

  it.each([
    'Spieleabend jeden Mittwoch um 19 Uhr. Am 20. Januar (Ferien) machen wir Pause.',
    'Club de ajedrez cada miércoles a las 19 h. El 20 de enero (Carnaval) descansamos.',
  ])('leave out a day whose feast stands in brackets: %s', text => {
    expect(draftsOf(text)).toMatchObject([{ start_date: '2027-01-27 19:00:00' }])
  })

  it('leave a day of a list out that is called off', () => {
    const text = 'Lesung: 5. Februar (fällt aus), 12. Februar und 19. Februar, jeweils 20 Uhr.'
    expect(draftsOf(text)).toMatchObject([
      { start_date: '2027-02-12 20:00:00', dates: ['2027-02-19 20:00:00'] },
    ])
  })

  it.each([
    'Ausstellung vom 6. Februar bis 14. März. Der Eintritt ist frei.\n\nAm 25. Februar um 19.30 Uhr Gespräch. Eintritt 5 Euro.',
    'Exhibition from 6 February to 14 March. Admission free.\n\nTalk on 25 February at 7pm, tickets €5.',
    'Exposition du 6 février au 14 mars. Entrée libre.\n\nConférence le 25 février à 19h, 5 €.',
    'Exposición del 6 de febrero al 14 de marzo. Entrada libre.\n\nCharla el 25 de febrero a las 19:00. Entrada: 5 €.',
  ])('leave an exhibition its own price: %s', text => {
    expect(draftsOf(text)[0]).toMatchObject({ start_date: '2027-02-06', cost: '0' })
  })

  it.each([
    'AGM on 17 February at 7.30pm. Subs are due on the night, €32 full and €12 associate.',
    'Jahreshauptversammlung am 17. Februar um 19 Uhr. Der Mitgliedsbeitrag von 30 € wird kassiert.',
    'Taller el 17 de febrero a las 18 hs. Arancel: $ 30.000 el taller completo. Socios $ 24.000.',
  ])('ask no admission for what members pay: %s', text => {
    expect(draftsOf(text)[0]).not.toHaveProperty('cost')
  })

  it.each([
    ['Das Konzert am 6. März um 20 Uhr fällt leider ins Wasser.', true],
    ['Le concert du 6 mars à 20h tombe malheureusement à l’eau.', true],
    ['Neujahrsschwimmen am 6. März: um 14 Uhr geht es ins Wasser.', false],
    ['Mise à l’eau des bateaux le 6 mars à 14h.', false],
    ['Le concert du 6 mars n’aura pas lieu à la salle des fêtes cette année.', true],
    ['Le concert du 6 mars n’aura pas lieu avant 21 h.', false],
    ['El concierto del 6 de marzo no tendrá lugar antes de las 21 h.', false],
    ['The concert on 6 March will not take place before 9pm.', false],
    ['The concert on 6 March will not take place until further notice.', true],
  ])('distinguish a cancellation from a swim or a later start: %s', (text, isOff) => {
    expect(draftsOf(text)[0]?.event_status === 'canceled').toBe(isOff)
  })

  it.each([
    'Flea market 6 February, 9am to 1pm. Set-up starts at 7.30.',
    'Flea market 6 February, 9am to 1pm.\nRegistration starts at 7.30.',
    'Flohmarkt am 6. Februar, 9 bis 13 Uhr. Der Aufbau beginnt um 7.30 Uhr.',
  ])('let an event begin after its set-up: %s', text => {
    expect(draftsOf(text)).toMatchObject([{ start_date: '2027-02-06 09:00:00' }])
  })

  it.each([
    'Basar am Samstag, 6. März, 20 Uhr.\n\nDie Tische vergeben wir am Montag, 1. Februar, ab 18 Uhr nur per Mail.',
    'Jumble sale on Saturday 6 March at 8pm.\n\nTables will be allocated on Monday 1 February at 6pm.',
    'Vide-grenier samedi 6 mars à 20h.\n\nLes emplacements seront attribués le lundi 1er février à 18h.',
    'Mercadillo el sábado 6 de marzo a las 20 h.\n\nLas mesas se asignan el lunes 1 de febrero a las 18 h.',
    'Concert on Saturday 6 March at 8pm.\n\nTickets are released on Monday 1 February at 10am.',
  ])('announce nothing where one gets a stall or a ticket: %s', text => {
    expect(read(text)).toEqual([AT_EIGHT])
  })

  it.each([
    'Junta general. 1.ª convocatoria: sábado 6 de marzo, 20:00 h; 2.ª convocatoria: domingo 7 de marzo, 20:00 h.',
    'Junta: el sábado 6 de marzo a las 20:00 en primera convocatoria y el domingo 7 de marzo a las 20:30 en segunda.',
    'Convocatoria: primera convocatoria el 6 de marzo a las 20:00, segunda convocatoria el 7 de marzo a las 20:30.',
  ])('make no date of a second call: %s', text => {
    expect(read(text)).toEqual([AT_EIGHT])
  })

  it.each([
    'GOTTESDIENSTE\nSo 7.2. 10.00 Andacht\nSo 14.2. 10.00 Taufe\nSo 21.2. Kein Gottesdienst hier! Um 11.00 in Steinach\nSo 28.2. 17.00 Vesper',
    'SERVICES\nSun 7 Feb 10.00 Communion\nSun 14 Feb 10.00 Baptism\nSun 21 Feb No service here! Join us at Ashbury at 11.00\nSun 28 Feb 17.00 Vespers',
    'MESSES\nDim 7 février 10h00 messe\nDim 14 février 10h00 baptême\nDim 21 février Pas de messe ici, on se retrouve à Lind à 11h00\nDim 28 février 17h00 vêpres',
  ])('give the line of a day without anything to no other day: %s', text => {
    expect(read(text)).toEqual(['2027-02-07 10:00', '2027-02-14 10:00', '2027-02-28 17:00'])
  })

  it.each([
    'Sa 6.2. 20 Uhr Konzert\nSa 13.2. 20 Uhr Lesung\nSa 20.2. 20 Uhr Quiz\n\nAUS DEN GRUPPEN\nDer Frauenkreis trifft sich am Donnerstag, 18. Februar, um 15 Uhr im Pfarrheim.',
    'Sat 6 Feb 8pm concert\nSat 13 Feb 8pm reading\nSat 20 Feb 8pm quiz\n\nOUR GROUPS\nThe lunch club meets on Thursday 18 February at 3pm in the Pfarrheim.',
  ])('leave what is below a heading its own day and place: %s', text => {
    const drafts = draftsOf(text, VENUES)
    expect(drafts.map(({ venue }) => venue?.venue)).toEqual([undefined, undefined, undefined, 'Pfarrheim'])
    expect(drafts[3]).toMatchObject({ start_date: '2027-02-18 15:00:00' })
    expect(drafts[3]?.title ?? '').not.toMatch(/GR/)
  })

  it('leave out no day for what is given out beside it', () => {
    const text = 'Am 5. März um 20 Uhr singt der Chor, am 6. März die Band, Karten gibt es im Rathaus.'
    expect(read(text)).toEqual(['2027-03-05 20:00 1'])
  })

  it.each([
    ['Führung am 6. Februar, 11 Uhr\nEintritt: 7,00 € / mit Kurkarte frei', '0 - 7'],
    ['Visite guidée le 6 février à 11h. Entrée : 7 € / gratuit avec la carte d’hôte', '0 - 7'],
    ['Concert 6 February, 8pm. Admission free but bring your library card.', '0'],
    ['Concert le 6 février à 20h. Entrée libre et petite restauration à la carte.', '0'],
    ['Cours de taille le 6 février à 18h\nPrix du cours complet : 150 €', '150'],
    ['Loto le 6 février à 20h\nPremier prix : 500 €', undefined],
    ['Vente le 6 février à 10h. 864 € ont été récoltés l’an dernier.', undefined],
  ])('say who pays: %s', (text, cost) => {
    expect(draftsOf(text)[0]?.cost).toBe(cost)
  })

  it.each([
    ['Talk 6 February 8pm at the village hall CANCELLED', 'village hall'],
    ['Concert le 6 février à 20h à la salle des fêtes ANNULÉ', 'salle des fêtes'],
  ])('end a place: %s', (text, venue) => {
    expect(draftsOf(text)[0]?.venue?.venue).toBe(venue)
  })

  it('leave each event its own price', () => {
    const text =
      'Quiz every Wednesday, 8.30pm. €2 a head.\n\nSat 23 Jan – The Weir Boys. From 9pm, no cover charge.\n\nSun 31 Jan – Wassail! 4pm.'
    expect(draftsOf(text).map(({ start_date, cost }) => [start_date, cost])).toEqual([
      ['2027-01-23 21:00:00', '0'],
      ['2027-01-31 16:00:00', undefined],
    ])
  })

  it('end at night what begins in the evening and ends at a smaller hour', () => {
    const endOf = (hours: string) =>
      draftsOf(`Disco on Saturday 6 March, ${hours}.`).map(({ end_date }) => end_date)
    expect(endOf('8pm–1:30')).toEqual(['2027-03-07 01:30:00'])
    expect(endOf('8pm to 12:30')).toEqual(['2027-03-07 00:30:00'])
    expect(endOf('1pm–4:30')).toEqual(['2027-03-06 16:30:00'])
    expect(endOf('12pm–1:30')).toEqual(['2027-03-06 13:30:00'])
  })

  it('say that an outing leaves in the morning', () => {
    const text =
      'Trip to Castle Marrow on Thursday 22 April. Coach leaves the car park at 8.30, back by 6.30pm.'
    expect(read(text)).toEqual(['2027-04-22 08:30'])
  })

  it('make one event of the days of a carnival, and not of its tickets', () => {
    const text =
      'FASNACHT CHRÄIEWIL 2027\n\nDonnerstag, 4.2.\n19.00 Guggenabend\n\nSamstag, 6.2.\n14.14 Grosser Umzug\n\nDienstag, 9.2.\n19.30 Verbrennen des Böögg'
    expect(read(text)).toEqual(['2027-02-04 19:00'])
    const play =
      'Schwank in 3 Akten\n\nSa 6. März 20.00\nSo 7. März 14.00\n\nKartenverkauf ab Samstag, 13. Februar, 9 Uhr'
    expect(read(play)).toEqual(['2027-03-06 20:00 1'])
  })

  it.each([
    'Sommerfest\n\nSommerfest, Sa, 15. Mai 2027, 15 bis 22 Uhr, Festwiese\nDisco, So, 16. Mai 2027, 18 bis 23 Uhr, Aula',
    'Summer fair\n\nSummer fair, Saturday 15 May 2027, 3pm to 10pm, Village Green\nBarn dance, Sunday 16 May 2027, 6pm to 11pm, Village Hall',
    'Fête du village\n\nFête du village, samedi 15 mai 2027, 15h à 22h\nBal, dimanche 16 mai 2027, 18h à 23h, salle des fêtes',
  ])('join no days if they are the title of the first one alone: %s', text => {
    const drafts = draftsOf(text)
    expect(drafts.map(({ start_date, end_date }) => [start_date, end_date])).toEqual([
      ['2027-05-15 15:00:00', '2027-05-15 22:00:00'],
      ['2027-05-16 18:00:00', '2027-05-16 23:00:00'],
    ])
  })

  it('make one event of the days of a festival below it', () => {
    const text =
      'FIESTAS DE SAN BLAS\ndel 2 al 7 de febrero\n\nMartes 2\n19:00 h Pregón\n\nSábado 6\n11:00 h Hinchables en la plaza\n\nDomingo 7\n18:00 h Traca'
    expect(read(text)).toEqual(['2027-02-02 19:00'])
    expect(read(text.replace('FIESTAS DE SAN BLAS', 'Misas'))).toHaveLength(3)
  })

  it('take no place and nobody who plays for the title', () => {
    const found = QUOTED.map(([text]) => draftsOf(text).map(({ title, venue }) => [title, venue?.venue]))
    expect(found).toEqual(QUOTED.map(([, ...expected]) => [expected]))
  })

  it('name a day by its feast', () => {
    expect(FEASTS.map(([text]) => read(text)[0])).toEqual(FEASTS.map(([, start]) => start))
    const notices =
      'Pancake supper on Shrove Tuesday, 6 pm, in the church room.\n\nThe club has a quiz on 5 March at 8pm.\n\nThe library is closed on Good Friday.'
    expect(read(notices)).toEqual(['2027-02-09 18:00', '2027-03-05 20:00'])
    expect(read('Karfreitag, 26. März, 15 Uhr: Kreuzweg')).toEqual(['2027-03-26 15:00'])
    expect(read('Happy Easter Sunday to all!\n\nConcert on 6 March at 8pm.')).toEqual([AT_EIGHT])
    // Easter is computed: these are the earliest and the latest of the century.
    expect(
      ['2008-01-01', '2038-01-01'].map(
        today =>
          readAnnouncement('Concert on Easter Sunday at 8pm', {
            venues: [],
            organizers: [],
            today,
            timezone: 'Europe/Berlin',
            currency: '€',
          }).drafts[0]?.start_date,
      ),
    ).toEqual(['2008-03-23 20:00:00', '2038-04-25 20:00:00'])
  })

  it.each(['Concert in 8 days at 7 pm.', 'Konzert in 15 Tagen um 19 Uhr.'])(
    'give no day where people do not count today as one: %s',
    text => {
      expect(draftsOf(text)).toEqual([])
    },
  )

  it('announce nothing as taking place of which there is none', () => {
    expect(
      NOTHING_ON_IT.flatMap(text => draftsOf(text)).filter(one => one.event_status !== 'canceled'),
    ).toEqual([])
    expect(SOMETHING_ON_IT.map(text => read(text))).toEqual(SOMETHING_ON_IT.map(() => [AT_EIGHT]))
  })

  it.each(PLAIN)('leave the day and the hour in «%s»', (text, event) => {
    expect(read(text).join()).toBe(event)
  })

  it.each(AGREED)('take what is agreed on in «%s»', (text, events) => {
    expect(read(text).join(', ')).toBe(events)
  })

  it.each([
    'Council meeting on 6 March 2027 at 8pm.\n\nAGENDA\n27/01 Apologies\n27/02 Precept\n27/03 Fete on 12 June, 2pm',
    'Sitzung am 6. März 2027 um 20 Uhr.\n\nTagesordnung\n27/11 Begrüßung\n27/12 Fest am 12. Juni\n27/13 Wege',
    'Council meeting on 6 March 2027 at 8pm.\n\n27/01 Apologies\n27/02 Precept\n27/03 Dog bins',
  ])('take no number of an item for a day: %s', text => {
    expect(read(text)).toEqual([AT_EIGHT])
  })

  it('take the days of a calendar for no numbers of items', () => {
    const calendar = 'Bulletin 12\n\nAGENDA\n27/01 Loto, 14h\n27/02 Concert, 20h30\n28/02 Carnaval, 15h'
    expect(read(calendar)).toEqual(['2027-01-27 14:00', '2027-02-27 20:30', '2027-02-28 15:00'])
  })

  it.each([
    // The weekdays say it, and not one of them alone.
    ['Rummage sale Sat. 3/6, 8 p.m.\n\nBook club Thurs. 2/25, 7 p.m.', [AT_EIGHT, '2027-02-25 19:00']],
    ['Order by 2/25. Concert Sat. 3/6, 8 p.m., in the gym.', [AT_EIGHT]],
    ['Quiz night Sat 6/3, 8pm.\n\nBingo Fri 12/2, 7pm.', [AT_EIGHT, '2027-02-12 19:00']],
    ['Craft fair Sat 4/10, 10am.', ['2027-10-04 10:00']],
  ])('take the month before the day where an English text does: %s', (text, events) => {
    expect(read(text)).toEqual(events)
  })

  it.each([
    [
      'All matches start at 3pm unless stated.\n\nSat 6 Feb  Rovers. Bus leaves the club at 1pm.\nSat 13 Feb  Town\nSat 20 Feb  United, 2pm',
      ['2027-02-06 15:00', '2027-02-13 15:00', '2027-02-20 14:00'],
    ],
    [
      'Alle Wanderungen beginnen um 10 Uhr.\n\nSo 7. Februar  Hochmoor\nSo 14. Februar  Talheim, Bus ab Markt 8.30 Uhr',
      ['2027-02-07 10:00', '2027-02-14 10:00'],
    ],
    // An hour that nobody knows the half of the day of is not that of all.
    [
      'All walks start at 10am unless stated.\n\nSun 7 Feb  Low Moor\nSun 14 Feb  High Moor. Meet at the car park, 9.15.\nSun 21 Feb  Long Moor. Meet at the car park, 9.15am (short day).',
      ['2027-02-07 10:00', '2027-02-14', '2027-02-21 09:15'],
    ],
  ])('leave the items of a list the hour of all, unless they have their own: %s', (text, events) => {
    expect(read(text)).toEqual(events)
  })

  it.each([
    ['Trip to Ely on Sunday 14 March. Coach from the market at 8.30.', '2027-03-14 08:30'],
    ['Coach trip to Ely on Sunday 14 March, concert at 7.30.', '2027-03-14 19:30'],
    ['Vortrag, Sonntag, 14. März, 19.30 (Einlass 19 Uhr)', '2027-03-14 19:30'],
  ])('read an hour beside a coach or brackets: %s', (text, event) => {
    expect(read(text)).toEqual([event])
  })

  it.each([
    'Choir\n\n[14/01/2027, 09:12] Gaz: is it on tonight?\n[14/01/2027, 09:14] Bev: not tonight, concert is Saturday 6 March, 8pm\n[14/01/2027, 09:15] Gaz: ok',
    'Ist heute Konzert? Nein, heute nicht, das Konzert ist am 6. März um 20 Uhr.',
    'Is there a concert tonight? No, not tonight, the concert is on 6 March at 8pm.',
    '¿Hay concierto hoy? Hoy no, el concierto es el 6 de marzo a las 20 h.',
    'Il y a un concert ce soir ? Non, pas ce soir : samedi 6 mars à 20h.',
  ])('take no day that is asked about and denied: %s', text => {
    expect(read(text)).toEqual([AT_EIGHT])
  })

  it('take a day that is denied of something else', () => {
    const text = 'No 6 March session. Concert on 6 March at 8pm. Session on 13 March at 8pm.'
    expect(read(text)).toEqual([AT_EIGHT, '2027-03-13 20:00'])
  })

  it.each([
    'The concert is on the *6th* of March at *8pm*.',
    'Das Konzert ist am **6.** März um *20.00* Uhr.',
    'Le concert est le _6_ mars à *20h*.',
    'El concierto es el *6* de marzo a las *20:00*.',
    'Concert 6 March* at 8pm (*no longer the 5th).',
  ])('read numbers that are made bold: %s', text => {
    expect(read(text)).toEqual([AT_EIGHT])
  })

  it.each([
    ['Fine, but can we make it 8pm rather than 7.30?', '2027-03-05 20:00:00'],
    ['Fine, but 8pm instead of 7.30pm please.', '2027-03-05 20:00:00'],
    ['Perfect. Call me on Thursday rather than Friday.', '2027-03-05 19:30:00'],
    ['Fine. I’ll be there at 5 rather than 6 to set up.', '2027-03-05 19:30:00'],
  ])(
    'take an hour or a day in place of that of the e-mail that an answer repeats: %s',
    (answer, start_date) => {
      const repeated = '\n\n> The talk is on Friday 5 March at 7.30 pm in the Memorial Hall.'
      expect(draftsOf(answer + repeated)).toMatchObject([{ start_date }])
    },
  )
  it.each([
    ['Aber nicht 19, sondern 20 Uhr, der Saal ist belegt.', '2027-02-25 20:00:00'],
    ['D’accord, mais plutôt à 20h30 qu’à 19h.', '2027-02-25 20:30:00'],
    ['Vale, pero mejor a las 20 que a las 19.', '2027-02-25 20:00:00'],
    ['Den Schlüssel hole ich am Freitag statt am Donnerstag.', '2027-02-25 19:00:00'],
    ['De acuerdo, pero el viernes 26 de febrero, a la misma hora.', '2027-02-26 19:00:00'],
  ])('replace the hour or day of a quoted e-mail in other languages, too: %s', (answer, start_date) => {
    const repeated = '\n\n> Die Lesung ist am Donnerstag, 25. Februar um 19 Uhr in der Kulturscheune.'
    expect(draftsOf(answer + repeated)).toMatchObject([{ start_date }])
  })

  it('complete an answer that moves the day with the e-mail that it repeats', () => {
    const repeated =
      '\n\n> Sent: 13 January 2027 21:14\n>\n> Talk "Canal Navvies", Friday 5 March at 7.30 pm to 9 pm\n> Memorial Hall, Cobden Street. £4.'
    const fieldsOf = (text: string) =>
      draftsOf(text).map(({ title, start_date, end_date, venue, cost }) => [
        title,
        start_date,
        end_date,
        venue?.venue,
        cost,
      ])
    const answer = 'Sorry, the talk is on Saturday 6 March, not Friday. Everything else stands.'
    expect(fieldsOf(answer + repeated)).toEqual([
      ['Talk "Canal Navvies"', '2027-03-06 19:30:00', '2027-03-06 21:00:00', 'Memorial Hall', '£4'],
    ])
    expect(fieldsOf(`${answer.replace('6 March', '6 March at 8pm')}${repeated}`)).toEqual([
      ['Talk "Canal Navvies"', '2027-03-06 20:00:00', undefined, 'Memorial Hall', '£4'],
    ])
    // Another event, and an answer that changes nothing
    expect(fieldsOf(`The jumble sale is on Saturday 6 March, not Friday.${repeated}`)).toEqual([
      ['jumble sale', '2027-03-06', undefined, undefined, undefined],
    ])
    expect(fieldsOf(`Thank you! There is a talk on Saturday 6 March as well.${repeated}`)[0]?.[1]).toBe(
      '2027-03-06',
    )
  })
})
