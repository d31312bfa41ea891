// What an amount or a name in a text is of: each case is one of a kind, in a text of its own.

import { describe, expect, it } from 'vitest'
import { readAnnouncement } from '../../../src/readers/texts/drafts.ts'

const named = (...names: string[]) => names.map((name, i) => ({ id: i + 1, name }))

const read = (text: string) =>
  readAnnouncement(text, {
    venues: named(
      'Ashbury Village Hall',
      'Turnhalle Steinach',
      'Salle du Moulin',
      'Winter Gardens',
      'Church Rooms',
    ),
    organizers: named('Ashbury Arts', 'Ashbury Credit Union', 'Ashbury Film Society', 'Brass Band Wyke'),
    today: '2027-01-14',
    timezone: 'Europe/Berlin',
    currency: '€',
  }).drafts

const CONCERTS = {
  en: 'Concert on Saturday 20 March at 7.30pm.',
  de: 'Konzert am Samstag, 20. März, um 20 Uhr.',
  fr: 'Concert le samedi 20 mars à 20h.',
  es: 'Concierto el sábado 20 de marzo a las 20:00.',
}

describe('the cost of an event', () => {
  it.each([
    // Amounts without a currency beside another one
    ['fr', '2 € pour les membres, 3 pour les autres.', '2 - 3'],
    // What comes on top, and numbers of tickets
    ['de', 'Karten 14 €, ermäßigt 10 €, an der Abendkasse jeweils 2 € mehr.', '10 - 14'],
    ['en', 'Tickets 14 €, 2 € more on the door.', '14'],
    ['fr', 'Entrée 14 €, 2 € de plus sur place.', '14'],
    ['es', 'Entrada 14 €, 2 € más en taquilla.', '14'],
    ['es', 'Entrada 5 € más gastos de gestión.', '5'],
    ['en', 'Cost: 72 €, plus about 5 € for paper.', '72'],
    ['fr', 'Tarif 4 € le carton / 10 € les 3 / 18 € les 6', '4 - 18'],
    ['en', 'Entry €4 each, 6 for €20.', '4 - 20'],
    ['en', 'Entry €12 in advance, 15 for guests.', '12 - 15'],
    ['fr', 'Entrée 4 €, gratuit pour les adhérents (carte annuelle 25 €).', '0 - 4'],
    ['de', 'Eintritt CHF 15 / Legi 10', 'CHF 10 - CHF 15'],
    ['en', 'Tickets 10 euro at the door, 8 in advance.', '8 - 10'],
    ['en', 'Tickets 5 pounds.', '£5'],
    ['de', 'Eintritt 12,50 €, ermäßigt 8 €.', '8 - 12.50'],
    ['de', 'Eintritt 10, Fr 12 €.', '10 - 12'],
    ['en', '€22 / €18 conc. / students €5.', '5 - 22'],
    ['de', 'Kostet nix.', '0'],
    ['fr', 'Places de 12 à 25 €.', '12 - 25'],
    ['es', 'La entrada cuesta 5 euros; con carné joven, 3.', '3 - 5'],
    ['en', 'Tickets 10 euro (closes 2/5).', '10'],
    ['fr', 'Entrée 7 €, gratuit -12 ans', '7'],
    ['de', 'Karten: Vorverkauf 8 Euro, Abendkasse 10.', '8 - 10'],
    ['es', 'Entradas: anticipada 8 euros (Librería Trazos), en taquilla 10.', '8 - 10'],
    ['de', 'Karten: € 26 / 19, Jugendliche bis 19 € 10', '10 - 26'],
    ['fr', '1er prix : 800 €.', undefined],
    ['en', '€3 drafts and half price wings all night.', undefined],
    ['fr', 'Livres en vente à la sortie (19 €).', undefined],
    ['en', 'Feel free to bring a friend.', undefined],
    ['en', 'You are free to tour the art rooms.', undefined],
    ['en', 'You’re free to tour the art rooms.', undefined],
    ['en', 'We look forward to seeing you. Free admission.', '0'],
    ['en', 'See you! Free entry', '0'],
    ['en', 'Bring a friend and you are free to attend.', '0'],
    ['es', 'Todas las funciones son gratuitas. Premio del público: 200 €.', '0'],
    ['en', 'Teams of up to six, €5 a head.', '5'],
    // What a question is about that the amount answers
    ['en', 'Entry €2. Fancy a table? €12, or €15 with power.', '2'],
    ['de', 'Lust auf einen Stand? 12 €, mit Strom 15 €.', undefined],
    ['fr', 'Envie d’un stand ? 12 €, ou 15 € avec électricité.', undefined],
    ['es', '¿Quieres un puesto? 12 €, o 15 € con luz.', undefined],
    ['en', 'Want to come? €5, or €4 for members.', '4 - 5'],
    ['es', 'Plazas: 12. Precio: 20 € (empadronados, 12 €).', '12 - 20'],
    // In words
    ['en', 'Fourteen pounds a head.', '£14'],
    ['de', 'Eintritt fünf Euro.', '5'],
    ['fr', 'Entrée : dix euros.', '10'],
    ['es', 'Entrada cinco euros.', '5'],
    ['es', 'Entrada S/ 10, escolares S/ 5', '5 - 10'],
    // Who pays them
    ['en', 'Tickets €9 (under-16s €4).', '4 - 9'],
    ['de', 'Erwachsene 8 €, bis 12 Jahre 4 €.', '4 - 8'],
    ['de', 'Startgeld 12 €, wer nachmeldet, zahlt 15 €.', '12 - 15'],
    ['es', '40 € el curso completo (socios, 25).', '25 - 40'],
    ['es', 'Butaca 14 € · Anfiteatro 9 €', '9 - 14'],
    ['de', 'Parkett 18 €, Rang 12 €.', '12 - 18'],
    ['de', '65 € inkl. Material, bitte 20 € anzahlen.', '65'],
    // What is free
    ['en', 'Free entry, hardbacks €2.', '0'],
    ['es', 'Entrada libre, y ejemplares a 12 €.', '0'],
    ['en', 'Free to play, pizza €2 a slice.', '0'],
    ['es', 'No cuesta nada y hay café.', '0'],
    ['es', 'Totalmente gratis.', '0'],
    ['es', 'No se cobra entrada.', '0'],
    ['es', 'Sin coste.', '0'],
    ['de', 'Es wird kein Eintritt verlangt.', '0'],
    ['en', 'No entry fee.', '0'],
    ['en', 'No entry after 8pm.', undefined],
    ['fr', 'Sans frais.', '0'],
    ['de', 'Der Hut geht rum.', '0'],
    ['fr', 'Délai entre deux dons : huit semaines.', undefined],
    ['es', 'Entrada libre.', '0'],
    ['es', 'Es al aire libre.', undefined],
    ['de', 'Freie Platzwahl.', undefined],
    ['de', 'Wir haben noch Plätze frei für das Konzert.', undefined],
    ['fr', 'Navette gratuite depuis la gare.', undefined],
    ['en', 'This event is free and open to all.', '0'],
    ['en', 'Pay what you can.', '0'],
    ['es', 'Aportación voluntaria.', '0'],
    ['fr', 'Gratuit pour les moins de 12 ans, 6 € pour les adultes.', '6'],
    // “Nothing”, and who pays in brackets or behind a comma
    ['de', 'Das Ganze kostet nichts.', '0'],
    ['de', 'Kaffee kostet nichts.', undefined],
    ['en', 'It costs nothing.', '0'],
    ['fr', 'Ça ne coûte rien.', '0'],
    ['es', 'No cuesta nada.', '0'],
    ['es', 'Entrar es gratis, como siempre.', '0'],
    ['es', 'Las entradas, a 7 euros (5,50 para socios), están a la venta.', '5.50 - 7'],
    ['de', 'Karten zu 7 Euro (5,50 für Mitglieder) gibt es ab sofort.', '5.50 - 7'],
    ['es', 'Las entradas cuestan 15 euros en taquilla y 12 en venta anticipada.', '12 - 15'],
    ['en', 'Tickets 12 euro in advance, 15 on the door.', '12 - 15'],
    ['fr', 'Tarifs : 10 € / 6 € (12-18 ans)', '6 - 10'],
    // Meals
    ['es', 'Caldereta (tickets a 9 €, niños 5 €). Entrar es gratis.', '0'],
    ['fr', "Repas (tickets à 9 €, enfants 5 €). L'entrée est gratuite.", '0'],
    ['en', 'Lunch (tickets 9 euro, children 5 euro). Entry is free.', '0'],
    ['fr', 'Assiette les jours de concert (12 €), pensez à réserver.', undefined],
    // Bundles, of which the number is no amount
    ['fr', '1 carton 4 €, 3 cartons 10 € / 7 cartons 20 €', '4 - 20'],
    ['en', 'Tickets 5 euro / 3 tickets 12 euro', '5 - 12'],
    // What those pay who are not named before, and their age
    ['de', '16 € für Mitglieder, Gäste zahlen 19.', '16 - 19'],
    ['fr', '5 € pour les adhérents, les autres paient 8.', '5 - 8'],
    ['es', 'Platea, 18 €; anfiteatro, 14 €; menores de 26 y mayores de 65, 10 €.', '10 - 18'],
    ['en', 'Tickets €12; under 26 and over 65, €8.', '8 - 12'],
    ['es', 'Precios: de 10, 15 y 20 €.', '10 - 20'],
    // Of days, with cards, of others, and beside a number of people
    ['en', 'Weekend €40, day €15. Camping €9 a night.', '15 - 40'],
    ['en', 'Parking for the day €5.', undefined],
    ['de', '9 €, mit Leseausweis 7 €.', '7 - 9'],
    ['de', 'Mitglieder 6 €, sonst 9.', '6 - 9'],
    ['fr', 'Membres 6.–, autres 9.–, enfants gratis.', '6 - 9'],
    ['es', '35 € (socios del taller, 25).', '25 - 35'],
    ['fr', '40 € matériel compris, 7 personnes au maximum.', '40'],
    ['es', 'Gratis. La miel, a 9 € el medio kilo.', '0'],
    ['es', 'Precio: la voluntad.', '0'],
    ['fr', 'Chacun donne ce qu’il veut.', '0'],
    // What is not admission
    ['de', 'Es singen die 3.-Klass-Kinder.', undefined],
    ['fr', 'Crêpes à commander (5 € la douzaine).', undefined],
    ['en', 'A short talk on “Peat-free and proud” follows.', undefined],
    ['en', 'The buffet is gluten-free.', undefined],
    ['en', 'Free wine at the concert.', undefined],
    ['en', 'Entry to the park is free as ever.', '0'],
    ['de', 'Motto: „Eintritt frei!“', '0'],
    ['de', 'Gespielt wird „Umsonst“.', undefined],
    ['de', 'Fahrtkosten 12 € für Nichtmitglieder.', undefined],
    ['de', 'Teilnahmegebühr 12 €.', '12'],
    ['en', 'Raffle tickets 1 euro each.', undefined],
    ['en', 'Coach from the square, 7 euro return.', undefined],
    ['en', 'Bus leaves the clubhouse at 12.45, 8 euro a seat.', undefined],
    ['en', 'Price: 38 euro for coach and lunch.', '38'],
    ['es', 'El libro cuesta 18 €.', undefined],
    ['es', '15 € los dos días.', '15'],
    ['de', 'Kollekte vom letzten Sonntag: 412,50 €.', undefined],
    ['es', '13 € anticipada, 16 € taquilla, guardarropa 2 €', '13 - 16'],
  ] as const)('in %s: %s', (language, text, cost) => {
    expect(read(`${CONCERTS[language]} ${text}`)[0]?.cost).toBe(cost)
  })
})

it('gives lines of a tour no town for a title', () => {
  const list =
    'Thu 11 Feb  WEXCOMBE  The Cellar  8pm\nFri 12 Feb  HALLOWBY  Corn Loft  8pm\nFri 19 Feb  PORT ELSIN  Students’ Union  8pm'
  expect(read(`Winter tour\n\n${list}`).map(({ title }) => title)).toEqual(Array(3).fill(undefined))
})

it('takes no price of a meal for admission', () => {
  const [draft] = read(
    'Kermesse le dimanche 13 juin\n10 h 30 : messe\n12 h 30 : repas champêtre – adultes 15 €, enfants 8 €\n14 h 00 : jeux\nEntrée libre.',
  )
  expect(draft?.cost).toBe('0')
})

it('a price list with a price for one kind of event is given to no event', () => {
  const list =
    'Fr 5.2. 20.00 Schwarze Löcher\nSo 7.2. 15.00 Der kleine Stern\nSa 20.2. 19.30 Konzert mit Harfe'
  expect(read(`${list}\n\nEintritt 14 €, Kinder 9 €; Konzert 28 €`).map(({ cost }) => cost)).toEqual(
    Array(3).fill(undefined),
  )
  expect(read(`${list}\n\nEintritt 14 €, Kinder 9 €`).map(({ cost }) => cost)).toEqual(
    Array(3).fill('9 - 14'),
  )
})

describe('a title that says “free”', () => {
  const titleAndCost = (heading: string) => {
    const [draft] = read(`${heading}\nSaturday 6 March 2027, 8 pm, Winter Gardens`)
    return [draft?.title, draft?.cost]
  }

  it.each([
    'Free Solo',
    'Film: Free Solo',
    'Free Spirits in concert',
    'Lesung: «Frei»',
    'Projection de « Libre »',
  ])('is no price: %s', heading => {
    expect(titleAndCost(heading)).toEqual([heading, undefined])
  })

  it.each([
    ['«Free Solo»', 'Free Solo'],
    ['“Free Spirits in concert”', 'Free Spirits in concert'],
  ])('is no price in quotation marks: %s', (heading, title) => {
    expect(titleAndCost(heading)).toEqual([title, undefined])
  })

  it.each([
    'Free concert',
    'Free Concert',
    'FREE CONCERT',
    'Free Event',
    'Free guided walk',
    'Free Jazz Concert – free entry',
    'Quiz night (free)',
    'Konzert – Eintritt frei',
    'Konzert, Eintritt «frei»',
    '“Free Spirits in concert”, free',
  ])('has a price where it says so: %s', heading => {
    expect(titleAndCost(heading)[1]).toBe('0')
  })
})

describe('the place of an event', () => {
  it('is neither who plays nor an issue of a bulletin', () => {
    expect(
      read('The Market House Players return with Lamplight on Wed 10th March at 8pm.')[0]?.venue,
    ).toBeUndefined()
    expect(
      read('Visita el 20 de marzo a las 11 h\n\nMuseo del Esparto · Boletín nº 118')[0]?.address,
    ).toBeUndefined()
  })

  it.each([
    [
      'not with the reason to come',
      'Wir laden am 20. März um 9 Uhr ein, unsere Schule kennenzulernen.',
      'Schule',
    ],
    [
      'not with what takes place there',
      'Se celebrará el sábado 20 de marzo a las once en la plaza Mayor la Matanza Popular, con baile.',
      'plaza Mayor',
    ],
    ['not with its town', 'Bal le samedi 20 mars à 20h, gymnase Jean-Petit à Vernay.', 'gymnase Jean-Petit'],
    [
      'with its town, where it has no name',
      'Konzert am 20. März, 20 Uhr, Turnhalle in Vernay',
      'Turnhalle in Vernay',
    ],
    ['not within the name of a play', 'Pièce « La maison du lac », samedi 20 mars à 20h', undefined],
    ['in quotation marks', 'Lesung im „Haus am See“, Samstag, 20. März, 20 Uhr', 'Haus am See'],
    ['beside the day', 'Concert\n20 March 2027, 7.30pm\nLong Barn, 12 Mill Street', 'Long Barn'],
    [
      'not an office in the signature',
      'Concert on 20 March 2027 at 7.30pm\n\nBring a friend.\n\nTea and cakes.\n\nYours,\nThe Long Office, 12 Mill Street',
      undefined,
    ],
    [
      'by a label, wherever it stands',
      'Concert on 20 March 2027 at 7.30pm\n\nTea.\n\nCake.\n\nOrt: Alte Mühle',
      'Alte Mühle',
    ],
    [
      'by a word of a known name, near the day',
      'Konzert am 20. März 2027, 20 Uhr, in der Turnhalle',
      'Turnhalle Steinach',
    ],
    [
      'not by a word of a known name that is misspelt',
      'Quiz on 20 March 2027 at 7pm. A cake for the winner.',
      undefined,
    ],
    [
      'not where it is if it rains',
      'Konzert am 20. März 2027, 20 Uhr, im Park (bei schlechter Witterung, Turnhalle Steinach)',
      'Park',
    ],
    [
      'as the house of a room',
      'Talk on 20 March 2027 at 7pm in the back room of the Winter Gardens',
      'Winter Gardens',
    ],
    [
      'as the house of a room, cut short',
      'Tanz am 20. März 2027, 20 Uhr, im Saal der Turnhalle',
      'Turnhalle Steinach',
    ],
    [
      'not up to where a parade goes',
      'Desfile el 20 de marzo a las 17:30 desde la Plaza Mayor hasta la carpa del recinto ferial.',
      'Plaza Mayor',
    ],
    [
      'not where one parks or gets money back',
      'Konzert am 20. März 2027, 20 Uhr, in der Alten Mühle. Parken am Wasserturm. Wer sein Geld zurück möchte, kommt in die Turnhalle Steinach.',
      'Alte Mühle',
    ],
    [
      'not where people go afterwards',
      'Konzert am 20. März 2027, 20 Uhr. Anschließend Umtrunk in der Turnhalle Steinach.',
      undefined,
    ],
    [
      'not where one signs up',
      'Taller el 20 de marzo de 2027 a las 10 h en el Teatro Real. Apuntaos antes del 1 de marzo en la Turnhalle Steinach.',
      'Teatro Real',
    ],
    [
      'not where one buys tickets in advance',
      'Konzert am 20. März 2027, 20 Uhr. Vorverkauf in der Buchhandlung Lauer.',
      undefined,
    ],
    [
      'not where one buys tickets in advance',
      'Concert le 20 mars 2027 à 20h, au lavoir. 15 € en prévente à la librairie Lauer, 18 € sur place.',
      'lavoir',
    ],
    ['without «as well»', 'Kurs am 20. März 2027, 20 Uhr, im Bootshaus ebenfalls', 'Bootshaus'],
    ['without «as well»', 'Taller el 20 de marzo de 2027 a las 10 h, en el pabellón también', 'pabellón'],
    [
      'not in the line of who holds it',
      'Kinderfest\n20. März 2027, 14 Uhr\nVeranstalter: Elternverein der Turnhalle Steinach',
      undefined,
    ],
    ['not as «our own»', 'Lesung am 20. März 2027, 20 Uhr, in der eigenen Werkstatt', undefined],
    ['not as «her own»', 'Pottery on 20 March 2027 at 7pm in her studio', undefined],
    ['not as the same', 'Clase de prueba el 20 de marzo a las 18:00, en la misma aula', undefined],
    [
      'not as «or by Zoom»',
      'Vortrag am 20. März 2027, 19 Uhr, im Pfarrsaal und online per Zoom',
      'Pfarrsaal',
    ],
    [
      'not where people go afterwards',
      'Basteln am 20. März, 14 Uhr, anschließend Kaffee im Foyer.',
      undefined,
    ],
    ['not as what it is about', 'Charla sobre el molino y la fuente, 20 de marzo, 19 h', undefined],
    ['not as whom one remembers', 'Coffee morning 20 March 2027 10am in memory of the mill girls', undefined],
    ['not as a street with its number', 'Concert le 20 mars 2027 à 20h, rue Basse 14 à Orbey', undefined],
    ['without the price', 'Frühstück am 20. März 2027, 9 Uhr, im Bootshaus. 16 € für Gäste', 'Bootshaus'],
    ['with its room', 'Réunion le 20 mars 2027 à 19 heures, en mairie, salle du conseil.', 'mairie'],
    [
      'as the house that stands behind its room',
      'Talk on 20 March 2027 at 7pm, in the Committee Room, Winter Gardens.',
      'Winter Gardens',
    ],
    ['at a sign', 'Saturday 20 March 2027, 8pm: Quiz @ The Fox & Hounds', 'The Fox & Hounds'],
    ['across a line break', 'Vortrag am 20. März 2027, 20 Uhr, Turn-\nhalle Steinach', 'Turnhalle Steinach'],
    [
      'across a line break',
      'Conte le 20 mars 2027 à 15h, à la biblio-\nthèque du Lac',
      'bibliothèque du Lac',
    ],
    ['in its basic form', 'Vortrag am 20. März um 20 Uhr in der Alten Schmiede', 'Alte Schmiede'],
    ['up to a feast', 'Crêpes le 9 février 2027 à 15h à la salle Ravel le Mardi gras', 'salle Ravel'],
    ['not from a walk to it', 'Join the rangers round the old lighthouse, 20 March, 10am.', undefined],
    ['not as a subject', 'Quiz on 20 March at 8pm. The clubhouse is closed.', undefined],
    ['not as who holds it', 'Basar der Kita Lindach e. V. am 20. März, 10 Uhr', undefined],
    [
      'with its room behind its street',
      'Kurs am 20. März, 10 Uhr, VHS Lindach, Bergstr. 20, Werkraum',
      'VHS Lindach',
    ],
    [
      'not where one parks',
      'Konzert am 20. März, 20 Uhr, im Café Sperling (Parken bei der Turnhalle Steinach)',
      'Café Sperling',
    ],
    ['not where one parks', 'Konzert am 20. März um 20 Uhr. Parken: Turnhalle Steinach', undefined],
    ['in a car park', 'Markt am 20. März, 10 Uhr, auf dem Parkplatz Selm', 'Parkplatz Selm'],
    [
      'not where it is not, although that house signs',
      'The talk on 20 March at 7pm is not in Winter Gardens but in the village hall. Ann, Winter Gardens',
      'Ashbury Village Hall',
    ],
    [
      'not at the house that writes if it is online',
      'Webinaire en visio le 20 mars à 20h.\nAssociation du Lac, Salle du Moulin, 3 rue Basse',
      undefined,
    ],
    [
      'in spite of a livestream',
      'Konzert\n20. März, 20 Uhr\nTurnhalle Steinach\nLivestream gratis',
      'Turnhalle Steinach',
    ],
    ['in its basic form', 'Vortrag am 20. März um 20 Uhr im Alten Rathaus', 'Altes Rathaus'],
    ['in its basic form', 'Sitzung am 20. März, 20 Uhr, im Kleinen Saal', 'Kleiner Saal'],
    ['as it is', 'Vortrag am 20. März um 20 Uhr in den Alten Stuben', 'Alten Stuben'],
    [
      'without what one does there',
      'Am 20. März um 19 Uhr lädt der Chor ins Pfarrheim zum Mitsingen ein',
      'Pfarrheim',
    ],
    ['with the name of an inn', 'Konzert am 20. März um 19 Uhr im Gasthaus zum Raben', 'Gasthaus zum Raben'],
    ['not as who plays', '20. März, 19 Uhr: Eröffnung mit der Stadtkapelle, Marktplatz', undefined],
    ['not as who plays', '20. März, 15 Uhr Kindertheater Flunker, Kurhaus', 'Kurhaus'],
    ['as a chapel', 'Konzert am 20. März um 20 Uhr in der Marienkapelle', 'Marienkapelle'],
    ['not as a kind of café', 'Samedi 20 mars, 15h-17h – Café tricot', undefined],
    ['not within a kind of café', 'Repair-Café im Bürgerhaus: 20. März, 15 Uhr', undefined],
    ['as a café', 'Concert le 20 mars à 20h, Café de la Gare', 'Café de la Gare'],
    ['not as a bare room', 'Fiesta el 20 de marzo a las 12 h en el patio', undefined],
    ['with its house', 'Fiesta el 20 de marzo a las 12 h en el patio de la escuela', 'patio de la escuela'],
    ['not as a reason', "En raison du chauffage de l'église, le bal du 20 mars à 20h est annulé", undefined],
    ['without «our»', 'Loto le 20 mars à 14h dans notre salle polyvalente', 'salle polyvalente'],
  ])('is read %s', (_, text, venue) => {
    expect(read(text)[0]?.venue?.venue).toBe(venue)
  })
})

it('takes the house that writes for the venue only where no other place is named', () => {
  const known = named('Biblioteca Quiroga', 'Club Ferroviario')
  const venueOf = (place: string) =>
    readAnnouncement(
      `BIBLIOTECA QUIROGA\n\nEl sábado 20 de marzo a las 20:30 h Nelly Roca presenta «Los trenes». ${place}`,
      {
        venues: known,
        organizers: known,
        today: '2027-01-14',
        timezone: 'Europe/Madrid',
        currency: '€',
      },
    ).drafts[0]?.venue?.venue
  expect(venueOf('Será en el salón del Club Ferroviario.')).toBe('Club Ferroviario')
  expect(venueOf('Al final, brindis.')).toBe('Biblioteca Quiroga')
})

it.each([
  ['Bake sale Friday 19 March at 3pm at the Miller’s', 'The Miller’s Arms'],
  ['CORBURY PARISH NEWS\n\nBrass making: Parish Room, Friday 19 March, 3pm', 'Corbury Parish Room'],
  ['Ciné-club, vendredi 19 mars, 20h30 · Le Rex · 5 €', 'Cinéma Le Rex'],
  ['Concert vendredi 19 mars, 20h30, église de Lorcy', 'Église Saint-Martin de Lorcy'],
  ['Milonga el 19 de marzo a las 22:00, en el patio del CLUB UNIÓN SUREÑA', 'Club Social Unión Sureña'],
  ['Craft fair at the Corn Exchange, Friday 19 March, 3pm', 'Lorbury Corn Exchange'],
  ['Bal le 19 mars à 20h, collège des Mûriers, salle 12, Vernay', undefined],
  ['Charla el 19 de marzo a las 20:00 en la sala 2 de La Dehesa', 'Centro Vecinal La Dehesa'],
  ['Quiz, Friday 19 March, Corn Exchange. 7pm', 'Lorbury Corn Exchange'],
  ['MILL LANE MARKET\nFriday 19 March, 3pm\nMill Ln Arts Ctr', 'Mill Lane Arts Centre'],
  [
    'Lesung am 19. März um 19 Uhr, Gemeindebücherrei Lorach. – Förderverein Gemeindebücherei',
    'Gemeindebücherei Lorach',
  ],
  // In other endings and abbreviations
  ['Schach am 19. März um 19 Uhr, Gasthof Goldener Hirsch', 'Gasthof Zum Goldenen Hirschen'],
  ['Schach am 19. März um 19 Uhr, Goldener Hirsch, Saal', 'Gasthof Zum Goldenen Hirschen'],
  ['Schach am 19. März um 19 Uhr im Goldenen Löwen', undefined],
  ['Ensayo el 19 de marzo a las 20 h en la ermita de S. Roque.', 'Ermita de San Roque'],
  ['Soirée jeux le 19 mars à 20h, maison des assos', 'Maison des associations'],
  ['Forum des assos le 19 mars à 20h', undefined],
  // Alone between marks, unless the word says what takes place
  ['19 de marzo · 17:30 · Derbi · Pabellón · 2 €', 'Pabellón Polideportivo'],
  ['Konzert, Theater, Tanz: 19. März, 20 Uhr', undefined],
])('finds a place of the calendar that is cut short: %s', (text, venue) => {
  const known = named(
    'The Miller’s Arms',
    'Corbury Parish Room',
    'Cinéma Le Rex',
    'Église Saint-Martin de Lorcy',
    'Club Social Unión Sureña',
    'Lorbury Corn Exchange',
    'Salle communale de Vernay',
    'Centro Vecinal La Dehesa',
    'Mill Lane Arts Centre',
    'Gemeindebücherei Lorach',
    'Gasthof Zum Goldenen Hirschen',
    'Ermita de San Roque',
    'Maison des associations',
    'Pabellón Polideportivo',
    'Theater am Markt',
  )
  const [draft] = readAnnouncement(text, {
    venues: known,
    organizers: [],
    today: '2027-01-14',
    timezone: 'Europe/Berlin',
    currency: '€',
  }).drafts
  expect(known.find(({ id }) => id === draft?.venue?.id)?.name).toBe(venue)
})

it.each([
  ['Pub quiz: Friday 19 March, 7pm, the Copper Kettle on Mill Rd. Bring a friend.', 'Copper Kettle'],
  // Moved from another place
  ['The talk on 17 February at 7pm has been moved from the town hall to the library.', 'library'],
  ['The talk on 17 February at 7pm: venue changed from the old school to the library.', 'library'],
  ['The talk on 17 February at 7pm is now in the library instead of the town hall.', 'library'],
  ['Der Vortrag am 17. Februar um 19 Uhr wird in die Bücherei verlegt.', 'Bücherei'],
  ['Der Vortrag am 17. Februar um 19 Uhr wird vom Pfarrheim in den Gasthof Linde verlegt.', 'Gasthof Linde'],
  ['La conférence du 17 février à 19h aura lieu à la médiathèque et non à la mairie.', 'médiathèque'],
  ['La conférence du 17 février à 19h se tiendra à la médiathèque au lieu de la mairie.', 'médiathèque'],
  ['La conférence du 17 février à 19h est déplacée de la mairie à la médiathèque.', 'médiathèque'],
  ['La charla del 17 de febrero a las 19 h será en la biblioteca y no en el ayuntamiento.', 'biblioteca'],
  ['La charla del 17 de febrero a las 19 h pasa del ayuntamiento a la biblioteca.', 'biblioteca'],
  ['Umzug vom Rathaus zum Festplatz am Samstag, 20. März, 14 Uhr', undefined],
  ['Village fete Saturday 12 June. 2pm dog show, 4pm tug of war, 7pm barn dance.', undefined],
  ['Platzkonzert am 23. Mai um 11 Uhr. Trachtenmusikkapelle Oberwiesing', undefined],
  ['Treff am 23. Mai um 11 Uhr, Marienkapelle Oberwiesing', 'Marienkapelle Oberwiesing'],
  ['Carols on Sunday 17 January at 4pm, then to the orchard at half past.', 'orchard'],
  ['Walk from the church to the castle on Saturday 20 March at 10am, meet at the station.', 'station'],
  ['5K run, Sunday 14 March, 10am. Number pick-up Friday 12 March 5-8pm at the gym.', undefined],
  ['The railway museum’s toy fair is on Saturday 20 March, 10am to 4pm.', undefined],
  ['L’école du Lac organise sa kermesse le samedi 20 mars à 14h.', 'école du Lac'],
  ['Charla en El Molino, miércoles 3 de marzo a las 18:30.', 'El Molino'],
  ['Cena el viernes 19 de marzo a las 21 h en nuestra sede.', undefined],
  ['Charla por videollamada, miércoles 3 de marzo a las 18:30 (una hora menos en Canarias).', undefined],
  ['Da der Saal belegt ist, ist der Vortrag am Dienstag, 9. März, um 19 Uhr.', undefined],
  [
    'Carrera el 7 de marzo a las 10 h en la plaza Mayor. Los dorsales se retiran en la Casa del Lago.',
    'plaza Mayor',
  ],
  ['Badefest am Waldteich, Samstag, 20. März, 14 Uhr.', 'Waldteich'],
  ['Visite guidée du château de Vernay, samedi 20 mars à 15h', 'château de Vernay'],
  ['Coach trip to Kew Gardens, Saturday 20 March, 8am.', undefined],
  ['Concert at the Lantern, 19 March, 7pm.\n\nKind regards, Mary\nArts Club, 41 Bridge Street', 'Lantern'],
  ['Taller el 6 de marzo a las 10 h. Galpón de la calle Ombú 771, Villa Sauce.', 'Galpón'],
  ['Auditions samedi 6 mars à 14h à l’église Sainte-Marie ou au bureau du Vent.', undefined],
  ['Concert: Saturday 6 March, 7pm, band room. Parking at the Mill School.', undefined],
])('the venue is where something takes place: %s', (text, venue) => {
  expect(read(text)[0]?.venue?.venue).toBe(venue)
})

it.each([
  [
    'Taller el 6 de marzo a las 10 h. Galpón de la calle Ombú 771, Villa Sauce.',
    'calle Ombú 771',
    'Villa Sauce',
  ],
  ['Taller el 6 de marzo a las 10 h en La Nube, Cra. 7 # 12-40.', 'Cra. 7 # 12-40', undefined],
  ['Jungwein beim Winzer, Kellergasse 7! Freitag, 19. März, 17 Uhr.', 'Kellergasse 7', undefined],
  ['Quilting bee, 12a Orchard Lane, Friday 19 March, 7pm.', '12a Orchard Lane', undefined],
  ['Treffen am 19. März um 19 Uhr im Sternen, Dorfgasse 11, 9999 Wiesen statt.', 'Dorfgasse 11', 'Wiesen'],
  [
    'Konzert am 19. März um 19 Uhr auf dem Gelände des Freibads in Lindach (Am Anger 9).',
    'Am Anger 9',
    'Lindach',
  ],
  ['Wanderung am 19. März, Treffpunkt 8.30 Uhr beim Bahnhof, Dauer ca. 5 Stunden', undefined, undefined],
  [
    'Concert at the Lantern, 19 March, 7pm.\n\nKind regards, Mary\nArts Club, 41 Bridge Street',
    undefined,
    undefined,
  ],
])('a draft has the street and the town: %s', (text, address, city) => {
  const [draft] = read(text)
  expect([draft?.address, draft?.city]).toEqual([address, city])
})

it('takes the address of a web page in capitals', () => {
  expect(read('Concert on 19 March at 7pm\nRUSTYGATE.COM')[0]?.website).toMatch(/rustygate\.com$/i)
})

it('takes no address by which one leaves a newsletter', () => {
  for (const leave of ['unsubscribe', 'newsletter-abmelden', 'se-desabonner', 'baja?id=7'])
    expect(read(`Concert on 19 March at 7pm\nhttps://hall.example/${leave}`)[0]?.website).toBeUndefined()
  for (const page of ['planta-baja', 'unsubscribed-tour', 'anmeldung'])
    expect(read(`Concert on 19 March at 7pm\nhttps://hall.example/${page}`)[0]?.website).toContain(page)
})

it('finds a house whose number the text has in digits', () => {
  const houses = { venues: named('Gasthof Drei Eichen', 'Salle des Trois-Chênes'), organizers: [] }
  const context = { ...houses, today: '2027-01-14', timezone: 'Europe/Berlin', currency: '€' }
  const venueOf = (text: string) => readAnnouncement(text, context).drafts[0]?.venue?.venue
  expect(venueOf('Treffen am 19. Januar, 19 Uhr, Gasthof zu den 3 Eichen')).toBe('Gasthof Drei Eichen')
  expect(venueOf('Réunion le 19 janvier à 19h, salle des 3 Chênes')).toBe('Salle des Trois-Chênes')
  expect(venueOf('Réunion le 19 janvier à 19h. Il reste 3 places')).toBeUndefined()
})

describe('the places of several events', () => {
  it.each([
    [
      'short for one that is named in full',
      'Quiz on Friday 22 January at 8pm in the Winter Gardens.\n\nTalk on Friday 29 January at 7pm in the Gardens.',
      ['Winter Gardens', 'Winter Gardens'],
    ],
    [
      'no word with which another name begins',
      'Coffee on Friday 22 January at 10am in the Church Rooms.\n\nTalk on Friday 29 January at 7pm in the church.',
      ['Church Rooms', 'church'],
    ],
    [
      'those of the items, before the house above them',
      'WINTER GARDENS\nProgramme\n\nQuiz\nFriday 22 January, 8pm\nChurch Rooms\n\nTalk\nFriday 29 January, 7pm\nUpstairs studio',
      ['Church Rooms', 'Winter Gardens'],
    ],
    [
      'what an item says, before the house above the list',
      'WINTER GARDENS\nProgramme\n\nQuiz\nFriday 22 January, 8pm\n\nTalk\nFriday 29 January, 7pm at the Old Mill',
      ['Winter Gardens', 'Old Mill'],
    ],
    [
      'not what a heading above a list looks like',
      'Ostseebad Steinach\nProgramm\n\nQuiz\nFreitag, 22. Januar, 20 Uhr\n\nVortrag\nFreitag, 29. Januar, 19 Uhr',
      [undefined, undefined],
    ],
    [
      'where the time stands, below its day',
      'Fr\n22\nJan\nKonzert im Advent\n16:00 Uhr | Turnhalle Steinach\nEintritt frei\n\nSa\n23\nJan\nLesung\n15:00 Uhr | Turnhalle Steinach\nEintritt frei',
      ['Turnhalle Steinach', 'Turnhalle Steinach'],
    ],
    [
      'not those for which something is collected',
      "Sale for Church Rooms' roof on Friday 22 January at 10am.\n\nTalk on Friday 29 January at 7pm in the Church Rooms.",
      [undefined, 'Church Rooms'],
    ],
    [
      'the house of a room that is said by its kind',
      'Le vendredi 22 janvier à 20h, concert à la Salle du Moulin.\n\nLe vendredi 29 janvier à 19h, réunion au foyer de la salle.',
      ['Salle du Moulin', 'Salle du Moulin'],
    ],
  ])('are %s', (_, text, venues) => {
    expect(read(text).map(({ venue }) => venue?.venue)).toEqual(venues)
  })
})

describe('the organizer of an event', () => {
  it.each([
    ['who presents it', 'Presented by Ashbury Arts.', 'Ashbury Arts'],
    ['who organizes it', 'A run for Ashbury Arts, organised by Brass Band Wyke.', 'Brass Band Wyke'],
    ['not who brings the books', 'The bookstall is run by Ashbury Arts.', undefined],
    ['not who plays against another', 'Tug of war: the Plough v. Ashbury Arts.', undefined],
    ['who stands below a label', 'Brass Band Wyke\n\nOrganiser\nAshbury Arts', 'Ashbury Arts'],
    ['not who serves', 'Coffee will be served, courtesy of Ashbury Arts.', undefined],
    ['who organizes music', 'An evening of music, organised by Ashbury Arts.', 'Ashbury Arts'],
    ['not who plays', 'There will be music by Brass Band Wyke.', undefined],
    [
      'nobody of whose name a street is a part',
      'In the Scout Den, Ashbury, Kilkenny, and at the Ashbury.',
      undefined,
    ],
    ['not a sponsor', 'Supported by Ashbury Credit Union.', undefined],
    ['nobody else where it is said', 'Brass Band Wyke\nOrganised by the Friends of the Organ', undefined],
  ])('is %s', (_, text, organizer) => {
    expect(read(`${CONCERTS.en} ${text}`)[0]?.organizer?.organizer).toBe(organizer)
  })

  it('is the one whose name is whole within another', () => {
    const [draft] = readAnnouncement(
      'Maskenball der Freiwilligen Musikkapelle Oberkranz am 6. Februar um 20 Uhr',
      {
        venues: [],
        organizers: named('Musikkapelle Oberkranz', 'Freiwillige Feuerwehr Oberkranz'),
        today: '2027-01-14',
        timezone: 'Europe/Berlin',
        currency: '€',
      },
    ).drafts
    expect(draft?.organizer?.organizer).toBe('Musikkapelle Oberkranz')
  })

  it.each([
    ['Professor Ada Ridge of Wyke University will speak.', undefined],
    ['Ada Ridge teaches at Wyke University.', undefined],
    ['A concert of Wyke University.', 'Wyke University'],
  ])('is not the university of who speaks: %s', (text, organizer) => {
    const [draft] = readAnnouncement(`${CONCERTS.en} ${text}`, {
      venues: [],
      organizers: named('Wyke University'),
      today: '2027-01-14',
      timezone: 'Europe/Berlin',
      currency: '€',
    }).drafts
    expect(draft?.organizer?.organizer).toBe(organizer)
  })

  it('is not the town of its name', () => {
    const [draft] = readAnnouncement(`${CONCERTS.en} We are back in Marden Bridge.`, {
      venues: named('Marden Bridge Hall'),
      organizers: named('Marden Bridge WI'),
      today: '2027-01-14',
      timezone: 'Europe/Berlin',
      currency: '€',
    }).drafts
    expect(draft?.organizer).toBeUndefined()
  })

  it('is not one whose name begins that of an event', () => {
    expect(read(`ASHBURY FILM FESTIVAL\n${CONCERTS.en}`)[0]?.organizer).toBeUndefined()
  })

  it('stands above a list, unless an item names another one', () => {
    const list = (item: string) =>
      read(
        `Ashbury Arts\n\n- 5 March, 7pm: Poetry reading\n- 12 March, 7pm: ${item}\n- 19 March, 7pm: Film night`,
      )
    expect(list('Open stage').map(({ organizer }) => organizer?.organizer)).toEqual(
      Array(3).fill('Ashbury Arts'),
    )
    expect(list('Concert of Brass Band Wyke').map(({ organizer }) => organizer?.organizer)).toEqual([
      undefined,
      'Brass Band Wyke',
      undefined,
    ])
  })
})

it('an event online is at no house below it, by the time of any zone', () => {
  const [draft] = read('Lecture on 23 February, 12 noon ET, Zoom only.\n\nHistory Society\nStauffer Hall 214')
  expect(draft).not.toHaveProperty('venue')
})

it('an event online is not at the house that writes', () => {
  const letter = [
    'News of Ashbury Library',
    'Talk “Light” on 2 February, 7.30pm, online by Zoom.',
    'Concert on 11 February at 6pm.',
    'Ashbury Library, 1 High Street',
  ]
  const { drafts } = readAnnouncement(letter.join('\n\n'), {
    venues: named('Ashbury Library'),
    organizers: [],
    today: '2027-01-14',
    timezone: 'Europe/London',
    currency: '£',
  })
  expect(drafts.map(({ venue }) => venue?.venue)).toEqual([undefined, 'Ashbury Library'])
})

describe('the title of an event', () => {
  it.each([
    ['Titel: Party\nDatum: 20.3.2027, 20 Uhr', 'Party'],
    ['Titel: Abend der Vereine\nDatum: 20.3.2027, 20 Uhr', 'Abend der Vereine'],
    ['Event name: Jazz\nStart: 20/03/2027 20:00', 'Jazz'],
    ["Titre de l'événement : Nuit des musées\nDate de début : 20/03/2027", 'Nuit des musées'],
    ['Event: 20 March 2027, 8pm\nQuiz night', 'Quiz night'],
  ])('is what a form says it is: %s', (text, title) => {
    expect(read(text)).toMatchObject([{ title }])
  })

  it.each([
    'GIRA "DIEZ AÑOS DE RUIDO"\nSÁBADO 20 DE MARZO, 22:30, Bar El Trasiego',
    'Konzert am 20. März um 20 Uhr, Tournee „Zehn Jahre Lärm“, mit den Perdigones',
    'Sat 20 March – Caller: Wren Halloran, 7.30pm',
  ])('is neither a tour nor who leads: %s', text => {
    expect(read(text)[0]?.title ?? '').not.toMatch(/ruido|lärm|caller/i)
  })

  it.each([
    [
      'You are invited to a celebration of Jim’s life on Saturday 20 March at 11am.',
      'celebration of Jim’s life',
    ],
    ["Talk on Britain's birds on Saturday 20 March at 7pm.", "Talk on Britain's birds"],
    ['Wir laden am 20. März um 20 Uhr zum Vortrag ins Bürgerhaus.', 'Vortrag'],
  ])('has what belongs to somebody, and no preposition at its end: %s', (text, title) => {
    expect(read(text)).toMatchObject([{ title }])
  })

  it.each([
    ['SPECIAL SCREENING\nTurf & Thunder\nFriday 5 March, 8pm', 'Turf & Thunder'],
    ['CINÉ-GOÛTER\nPanique au poulailler\nDimanche 7 mars, 15h', 'Panique au poulailler'],
    ['Another date for your diary: the spring gala, 14 March at 9.30am.', undefined],
    ['Date night: Titanic, 5 March, 8pm', 'Date night: Titanic'],
    ['Weiterer Termin zum Vormerken: das Frühlingsturnier am 14. März um 9.30 Uhr.', 'Frühlingsturnier'],
  ])('is no genre and no reminder: %s', (text, title) => {
    expect(read(text)[0]?.title).toBe(title)
  })

  it.each([
    [
      'below a house',
      'MUSEO DEL VINO\n\nTinta y papel\nDel 4 de febrero al 16 de mayo de 2027',
      'Tinta y papel',
    ],
    [
      'below a house',
      'STADTBÜCHEREI LINDE\n\nVorlesen mit Hund\nFr, 5. Februar 2027, 15 Uhr',
      'Vorlesen mit Hund',
    ],
    ['a question', 'Charla: ¿De quién es el río?\nviernes 5 de marzo, 20:00', 'Charla: ¿De quién es el río?'],
    ['no reason', 'Demasiados resfriados: se suspende la cena del sábado 6 de marzo.', 'cena'],
    [
      'not what there is not',
      'Pluie = pas de marché dimanche 7 mars, il reprend le 14 mars à 9h.',
      undefined,
    ],
    ['no number of a course', 'Kurs 22B07\nKörbe flechten\nSamstag, 6. März, 10 Uhr', 'Körbe flechten'],
    ['behind a heading', 'GEMEINDE INFO - Seniorentreff am 3. März, 14 Uhr', 'Seniorentreff'],
    [
      'no room of a house',
      'El viernes 5 de marzo a las 19 h en el Salón de Plenos de la Casa Consistorial.',
      undefined,
    ],
    ['not the weekday', 'Sprachcafé, jeden zweiten Mittwoch, ab 3. März, 19 Uhr', 'Sprachcafé'],
    ['not beside a premiere', 'DER BLAUE KOFFER\nPremiere: Fr 5. März, 20 Uhr', 'DER BLAUE KOFFER'],
    ['with its letters, from a scan', 'GRAND TRAlN FAIR\nSaturday 6 March, 10am', 'GRAND TRAIN FAIR'],
    ['with its letters, from a scan', 'FEUERWEHRBA11\nSamstag, 6. März, 20 Uhr', 'FEUERWEHRBALL'],
    ['with its letters, from a scan', 'GRAN BA1LE DE OTOÑO\nsábado 6 de marzo, 22 h', 'GRAN BAILE DE OTOÑO'],
    ['with its letters, from a scan', 'LE FI1M DE MARS\nlundi 8 mars, 20 h', 'LE FILM DE MARS'],
    ['between pictures', 'VEN 5 MARS 2027 ▸ Trio Bricole + DJ Mousse ▸ 20h30', 'Trio Bricole + DJ Mousse'],
    ['far from its kind', 'Lecture | 11 March | 7.30pm | Ada Ridge, "Why Moss Matters"', 'Why Moss Matters'],
    [
      'not in the first person',
      'Je présenterai Paul à l’assemblée générale, lundi 8 février à 20h.',
      'assemblée générale',
    ],
    ['a name with a place', 'Jazz in the Park\nwith The Larks\nSaturday 6 February, 2pm', 'Jazz in the Park'],
    [
      'no nickname',
      'El sábado 30 de enero, a las 22 h, cante de Carmen «la Rubia» en la peña',
      'cante de Carmen «la Rubia»',
    ],
    ['a name with an article', 'Oper „die Sturmnacht“, Freitag, 5. Februar, 20 Uhr', 'Oper „die Sturmnacht“'],
    [
      'not what «this month» begins',
      'Este mes leemos a ciegas. El viernes 29 de enero a las 20:30',
      undefined,
    ],
    [
      'not up to its verb',
      'Le festival du livre s’installe samedi 24 avril à 16 h au foyer.',
      'Le festival du livre',
    ],
    [
      'not up to its verb',
      'El torneo de ajedrez se disputa el domingo 21 de febrero a las 9:30',
      'El torneo de ajedrez',
    ],
    ['a name with its verb', 'Film : Elle se lève, samedi 6 février à 20h', 'Film : Elle se lève'],
    ['a name with its verb', "Le petit roi s'ennuie, samedi 6 février à 20h", "Le petit roi s'ennuie"],
    [
      'a name with a place',
      'Obra de teatro «La casa roja», viernes 5 de febrero, 20 h',
      'Obra de teatro «La casa roja»',
    ],
    [
      'a name with a place',
      'Pièce « La maison du lac », vendredi 5 février à 20h',
      'Pièce « La maison du lac »',
    ],
    ['no length', '90 minutos sin descanso\nNos vemos el sábado 6 de marzo a las 20:00 h', undefined],
    ['no length', '30 años\nNos vemos el sábado 6 de marzo a las 14:00 h en el Mesón', undefined],
    ['no genre', 'jeu. 4 mars 20h30 | THÉÂTRE', undefined],
    ['not that it is sold out', 'Vendredi 26 mars — La Tannerie, Aubessac — 20h — COMPLET', undefined],
    ['no number of a course', 'Kurs-Nr. A204-17\nDienstag, 23. Februar, 19.00 Uhr', undefined],
    ['no feast beside its day', 'DOMINGO DE RAMOS, 21 de marzo, 11:30', undefined],
    ['no greeting', 'Helau beinand!\n\nAm 7. Februar um 13.33 Uhr geht’s los.', undefined],
    [
      'no invitation',
      'Ven al Café de Idiomas de la biblioteca, el miércoles 3 de febrero a las 18:30 h.',
      undefined,
    ],
    ['no «first session»', 'First session: Tuesday 19 January at 7pm', undefined],
    ['not that it is put off', 'REPORT\n\nNouvelle date : dimanche 7 février à 16h', undefined],
    ['no label', 'Dónde: locales de la parroquia\nSábado 6 de marzo, 10:00 h', undefined],
    ['no «next meeting»', 'Next meeting: Friday 5 March, 8pm', undefined],
    ['no number of meetings', 'Cuatro encuentros: lunes 1, 8, 15 y 22 de marzo, de 18 a 20 h', undefined],
    ['no genre for all', 'CONTE TOUT PUBLIC\nsamedi 6 mars, 15h00', undefined],
    ['no greeting of parents', 'Apreciados padres:\n\nEl sábado 6 de marzo a las 9 h.', undefined],
    [
      'what a genre stands above',
      'CONFERENCIA\nLas fuentes y lavaderos de Lora\nsábado 6 de marzo, 19:00 h',
      'Las fuentes y lavaderos de Lora',
    ],
    ['below whom it is for', 'KINDER\nDer kleine Bär\nSo 7. Februar, 15 Uhr', 'Der kleine Bär'],
    [
      'below «new exhibition»',
      'NEW EXHIBITION\nThreads of the Fen\n30 January to 16 May',
      'Threads of the Fen',
    ],
    ['a question below a genre', 'LUNCHTIME TALK\nWho wore it?\nFri 5 February, 1pm', 'Who wore it?'],
    ['below «sold out»', 'Fr 26.02.\nKONZERT\nAUSVERKAUFT\nTrio Sauerland\n20:30 Uhr', 'Trio Sauerland'],
    ['below a kind in capitals', 'Sa 13.02.\nPARTY\nSchwof mit Wolle\n21:00 Uhr', 'Schwof mit Wolle'],
    [
      'above the day, a word for whom it is for, and a request',
      'Familiengottesdienst\nSonntag, 7. März, 10 Uhr\nKinder\nBringt eure Eltern mit',
      'Familiengottesdienst',
    ],
    ['a kind above coffee and cake', 'FLOHMARKT\nKaffee und Kuchen\nSamstag, 6. März, 10 Uhr', 'FLOHMARKT'],
    [
      'not a genre, if its name may stand below the day',
      'CONFÉRENCE\nMardi 2 février, 18h30\nLes étudiantes de 1900, pionnières malgré elles',
      undefined,
    ],
    ['below a tile', 'Sa\n6\nMär\nFeuerwehrball\n20:30 Uhr, Mehrzwecksaal', 'Feuerwehrball'],
    [
      'below the day and a line with its time',
      'VIERNES 05/03/2027\n20:00 h\nCuentacuentos: La ballena dormida\nLugar: Biblioteca',
      'Cuentacuentos: La ballena dormida',
    ],
    [
      'below the day and a genre',
      'SAM\n06\nMARS\nMusique\nBal folk avec le Trio Sarcelle\n20h00 | Salle du Patronage',
      'Bal folk avec le Trio Sarcelle',
    ],
    [
      'above the day and a line with its time',
      'Spring fair\nSaturday 6 March\n2pm\nCakes and plants for sale',
      'Spring fair',
    ],
    ['a genre above the day and seats', 'KONZERT\nSamstag, 6. März, 20 Uhr\nFreie Platzwahl', 'KONZERT'],
    [
      'no drinks below a genre',
      'VORTRAG\nSa 6. März, 20 Uhr\nAnschließend Diskussion und Umtrunk',
      undefined,
    ],
    [
      'quoted, with its author, below a genre',
      "RENCONTRE D'AUTEUR\n\nLine Roux, « Les Marées »\n\nsamedi 6 mars, 15h00",
      'Line Roux, « Les Marées »',
    ],
    ['a genre above a place', 'KONZERT\nKirche St. Paul\nSamstag, 6. März, 20 Uhr', 'KONZERT'],
    ['a genre above who speaks', 'Vortrag\nSamstag, 6. März, 20 Uhr\nReferent: Jo Huber', 'Vortrag'],
    ['not who posted it', 'Tess Oyelaran ▸ Cedar Neighbors\n\nWednesday 27 January, 6:30pm', undefined],
    ['not who speaks', '13.04.2027 Prof. Dr. Mira Tönnies (Ahrenfeld)\n18 Uhr', undefined],
    ['a name of two', 'Dr. Jekyll und Mr. Hyde\n13.04.2027, 18 Uhr', 'Dr. Jekyll und Mr. Hyde'],
    ['no number of a term', 'TERM 1\nMonday 1 March, 9.30am', undefined],
    [
      'not the book of an author',
      'Author visit: Dana Whitlock\nWed, Feb 3, 6:30 PM\nThe author of "The Ice Harvest Murders" talks about it.',
      'Author visit: Dana Whitlock',
    ],
    [
      'not the cycle that it is one of',
      'Dentro del ciclo "Noches de invierno" os invitamos al cante de Rocío Molina el viernes 26 de febrero a las 22:00 h',
      undefined,
    ],
    [
      'what a kind stands above, directly above the day',
      'CUENTACUENTOS\nLa ballena despistada\nSábado 6 de marzo, 12:00 h',
      'La ballena despistada',
    ],
    [
      'a kind above what there is to eat',
      'FLOHMARKT\nKaffee und Kuchen\nSamstag, 6. März, 10 Uhr',
      'FLOHMARKT',
    ],
    [
      'no reason',
      'Bonsoir : notre guide étant souffrante, le loto aura lieu le samedi 6 mars à 14h.',
      'loto',
    ],
    ['no reason', 'Faute de neige, la balade du samedi 6 mars (14 h) aura lieu à pied.', 'balade'],
    ['no reason', 'Suite à la neige, le loto aura lieu le samedi 6 mars à 14h.', 'loto'],
    [
      'no request to note the day',
      'Et notez déjà : le grand feu, ce sera le 20 mars à 19h30 dans la prairie.',
      'grand feu',
    ],
    [
      'no request to note the day',
      'Apuntad en la agenda: la chocolatada, el 6 de marzo a las 17 h.',
      'chocolatada',
    ],
    ['a name like a reason', 'La Faute à Voltaire\nSamedi 6 mars à 20h30', 'La Faute à Voltaire'],
    [
      'no «save the date»',
      'SAVE THE DATE 📌 Unser Dorffest steigt am Samstag, 6. März, um 15 Uhr.',
      'Dorffest',
    ],
    ['no reason', 'As Monday is Labour Day, the garden club meets on Tuesday 9 March at 7pm.', undefined],
    [
      'not who informs',
      'LA ALCALDÍA INFORMA: la feria del libro será el 6 de marzo a las 11 h.',
      'feria del libro',
    ],
    ['not who presents it', 'The Larks present The Tempest on Friday 5 March at 7.30pm.', 'The Tempest'],
    [
      'not who presents it',
      'La troupe du Lac présente Le Malade imaginaire, vendredi 5 mars à 20h30.',
      'Le Malade imaginaire',
    ],
    ['no house above it', 'BRASS BAND WYKE\n\nWinter Concert, Sat 6 March, 7pm', 'Winter Concert'],
    ['no line that goes on', 'Les Dindes\ncomédie de Luc Morel\nvendredi 5 mars à 20h30', 'Les Dindes'],
    [
      'below the hour',
      'KINO IN DER TURNHALLE STEINACH\nMi 17. Feb. | 20.15\nDIE STILLE NACHT\nSpielfilm',
      'DIE STILLE NACHT',
    ],
    [
      'with its kind',
      'Freitag, 5. März, 19 Uhr Filmabend „Der weite Weg“ im Pfarrhaus',
      'Filmabend „Der weite Weg“',
    ],
    [
      'with what is behind a point',
      '«Sal y hierro. Fotos de ayer»\nviernes 5 de marzo, 19 h',
      'Sal y hierro. Fotos de ayer',
    ],
    [
      'a name with capitals',
      'La tocada de Los Sin Rumbo es el 5 de marzo a las 21 h.',
      'tocada de Los Sin Rumbo',
    ],
    ['a name with its article', 'Ciné-club : on projette « L’été », vendredi 5 mars à 20h30', 'L’été'],
    ['a name with its article', 'Théâtre : « L’Avare », vendredi 5 mars à 20h30', 'L’Avare'],
    ['a name with a length', '24 Stunden von Steinach\nSamstag, 6. März, 10 Uhr', '24 Stunden von Steinach'],
  ])('is %s: %s', (_, text, title) => {
    expect(read(text)[0]?.title).toBe(title)
  })

  it('may stand in a line that begins with a short weekday below a long one', () => {
    const list = `vie 5 · 22:00 · NURIA VALL QUARTET · 12 € anticipada / 15 € taquilla
sáb 13 · 22:00 · LOS HERMANOS · 10 €
vie 19 · 21:30 · TRÍO PEREGRINO · 12 €`
    expect(read(`CLUB DE JAZZ · FEBRERO\n\n${list}`).map(({ start_date }) => start_date)).toEqual([
      '2027-02-05 22:00:00',
      '2027-02-13 22:00:00',
      '2027-02-19 21:30:00',
    ])
  })
})

it('takes no number of the next line for that of a street', () => {
  const [draft] = read('Carrera\nSábado 20 de marzo\n10:00 h · Plaza de la Constitución\n9,4 km')
  expect(draft?.address).toBeUndefined()
})

describe('the town of an event', () => {
  it.each([
    'Concert, Saturday 20 March, 8pm, Presentation Hall, Horseleap Slip, Kilkenny',
    'Concert, Saturday 20 March, 8pm, Village Hall, Little Snoring, Norfolk',
  ])('is left open where the next part of a place may be a street: %s', text => {
    expect(read(text)[0]?.city).toBeUndefined()
  })

  it('is no abbreviation of a street', () => {
    expect(read('Comida el 20 de marzo a las 13 h, local comunal, Mz. F Lt. 12')[0]?.city).toBeUndefined()
  })

  it.each([
    'Konzert am Samstag, 20. März, um 20 Uhr\nBürgerhaus, Kastanienallee 41, Hinterhof, Steinach',
    'Konzert am Samstag, 20. März, um 20 Uhr\nBürgerhaus, Kastanienallee 41, Rückgebäude links, Steinach',
    'Concert on Saturday 20 March at 8pm\nThe Old Mill, 14 Water Street, First Floor, Steinach',
    'Concert samedi 20 mars à 20h\nMaison des associations, 12 rue des Lilas, Bâtiment B, Steinach',
    'Concierto el sábado 20 de marzo a las 20 h\nCentro Cívico, calle Mayor 12, Bajo, Steinach',
  ])('is not where in the house it is: %s', text => {
    expect(read(text)).toMatchObject([{ city: 'Steinach' }])
  })

  it.each([
    'Loto le samedi 20 mars à 20h, salle des fêtes à Steinach. 3 € le carton.',
    'Concert on Saturday 20 March at 8pm at the Old Mill in Steinach',
    'Yoga le samedi 20 mars à 18h, Maison de la Source, salle 2, Steinach',
    'Tanz am Samstag, 20. März, um 20 Uhr in der Krone in Steinach',
  ])('is that behind a place: %s', text => {
    expect(read(text)).toMatchObject([{ city: 'Steinach' }])
  })

  it.each([
    ['Taller el 20 de marzo a las 10 en calle Mayor 4, Vernay.', 'calle Mayor 4', 'Vernay'],
    ['Feria el 20 de marzo, 9 AM, Centro Comunal, Carr. 123 km 4.5, Lares', 'Carr. 123 km 4.5', 'Lares'],
    ['Torneo el 20 de marzo. Ronda 1: 16:30 en punto', undefined, undefined],
    ['Kurs am 20. März, 10 Uhr, VHS Lindach, Bergstr. 20, Werkraum', 'Bergstr. 20', undefined],
  ])('stands behind what leads to a street: %s', (text, address, city) => {
    const [draft] = read(text)
    expect([draft?.address, draft?.city]).toEqual([address, city])
  })

  it('stands behind a street whose number is at its end, or one without a word for it', () => {
    expect(read('Bal samedi 20 mars à 20h, La Grange, rue Basse 14 à Vernay')).toMatchObject([
      { address: 'rue Basse 14', city: 'Vernay' },
    ])
    expect(read('Charla el 20 de marzo a las 19 h\nLibrería Sol, Olivo 22, Vernay')).toMatchObject([
      { venue: { venue: 'Librería Sol' }, address: 'Olivo 22', city: 'Vernay' },
    ])
  })

  it.each([
    'Konzert am Samstag, 20. März, um 20 Uhr\nBürgerhaus, Kastanienallee 41, Erdgeschoss',
    'Concert on Saturday 20 March at 8pm\nThe Old Mill, 14 Water Street, Basement',
    'Meeting on Saturday 20 March at 8pm, laundry room, Alder House',
    'Vorlesung am Samstag, 20. März, um 18 Uhr, Hörsaal 3, Uni Steinach',
    'Suppentag am Samstag, 20. März, ab 11 Uhr im Pfarrsaal, Brot und ein Kuchen',
  ])('is left empty where only that or what else is there follows the place: %s', text => {
    expect(read(text)[0]?.city).toBeUndefined()
  })
})

describe('a heading', () => {
  it.each([
    'WEEKEND AHEAD AT THE KETTLE\n\nFriday 15 January: The Low Tides, 9.30pm',
    'THIS WEEK AT THE KETTLE\n\nFriday 15 January: The Low Tides, 9.30pm',
    'DIESE WOCHE IM KESSEL\n\nFreitag, 15. Januar: The Low Tides, 21.30 Uhr',
    'CE WEEK-END AU CHAUDRON\n\nVendredi 15 janvier : The Low Tides, 21h30',
    'ESTE FIN DE SEMANA EN EL CALDERO\n\nViernes 15 de enero: The Low Tides, 21:30 h',
  ])('is no title if it says which week it is: %s', text => {
    expect(read(text)).toMatchObject([{ title: 'The Low Tides' }])
  })

  it.each([
    'Aushang im Treppenhaus\n\nAm Sonntag, dem 25. April um 11 Uhr, sind in der Turnhalle Steinach die Hofflohmärkte.',
    'EINWOHNERGEMEINDE STEINACH\n\nEinladung zur Gemeindeversammlung\nDonnerstag, 11. Februar 2027, 19.30 Uhr, Turnhalle',
    'TOWN OF WYKE\n\nPublic hearing\nThursday 11 February 2027, 7:30pm, Town Hall',
    'PLANNING BOARD\n\nPublic hearing\nThursday 11 February 2027, 7:30pm, Town Hall',
  ])('is no title if it says who writes, or that it is a notice: %s', text => {
    const [heading] = text.split('\n')
    expect(read(text)[0]?.title).not.toBe(heading)
  })

  it.each([
    ['Weekend of Baroque Music', 'Saturday 13 February 2027, 7:30pm, Town Hall'],
    ['Semana de la Ciencia', 'jueves 11 de febrero de 2027 a las 19:30 h, Casa de Cultura'],
    ['Board Game Night', 'Thursday 11 February 2027, 7:30pm, Town Hall'],
  ])('is a title if it only resembles such a heading: %s', (title, below) => {
    expect(read(`${title}\n${below}`)).toMatchObject([{ title }])
  })
})

it('takes a room for meetings for the venue, and not its first word for the title', () => {
  expect(
    read('The Board meets on Tuesday, February 9, at 7:00 p.m. in the Meeting Room of the Town Hall.'),
  ).toMatchObject([{ venue: { venue: 'Meeting Room of the Town Hall' } }])
  expect(
    read('Choir practice on Tuesday, February 9, at 7 p.m. in the Rehearsal Room of the Town Hall.'),
  ).toMatchObject([{ title: 'Choir practice' }])
})

it('takes no shared meal for a venue', () => {
  expect(read('Soirée jeux : vendredi 21 mai à 19 h, gratuit, auberge espagnole.')[0]).not.toHaveProperty(
    'venue',
  )
})

it.each([
  ['FE DE ERRATAS. El taller de poda es el sábado 6 de marzo, de 10:00 a 13:00.', 'taller de poda'],
  ['Chorkonzert\nMusikalische Leitung: Anna Klein\nFreitag, 5. März, 20 Uhr', 'Chorkonzert'],
  ['Concert du chœur\nDirection : Anne Petit\nVendredi 5 mars à 20h', 'Concert du chœur'],
  [
    'La Coral ofrecerá su tradicional Concierto de la Candelaria el 5 de marzo a las 20 h.',
    'Concierto de la Candelaria',
  ],
  ['El recital de órgano se ofrecerá el 5 de marzo a las 20 h.', 'recital de órgano'],
  ['Der Kinderfasching des TSV fällt NICHT aus! Freitag, 5. März, 15 Uhr.', 'Kinderfasching des TSV'],
  ['La cena SÍ se celebra: sábado 6 de marzo, 21 h.', 'cena'],
  ['CONCERT ANNULÉ\n\nLe concert d’hiver prévu le 5 mars à 20h n’aura pas lieu.', 'concert d’hiver'],
  ['BAL FOLK ANNULÉ\n\nLe bal prévu le 5 mars à 20h n’aura pas lieu.', 'BAL FOLK'],
  ['„Der Geizige“ von Molière, 5. März, 20 Uhr', 'Der Geizige'],
])('the title is what takes place, without what is around it: %s', (text, title) => {
  expect(read(text)[0]?.title).toBe(title)
})

it('takes no work of a programme for the title', () => {
  expect(
    read('Am 5. März um 20 Uhr singt der Chor „Messias“ von Händel, „Gloria“ von Vivaldi.')[0]?.title,
  ).toBeUndefined()
})

it.each([
  ['Quilts, 5 March, 6 pm, Fellowship Hall, 1200 N. Elm, Buckner Springs.', '1200 N. Elm'],
  ['Konzert am 5. März um 20 Uhr. Karten 8 Euro, an der Abendkasse 10.', undefined],
  ['Schach am 5. März um 20 Uhr\nGasthof Hirsch, Saal im 1. Stock', undefined],
  ['Treffen am 5. März um 20 Uhr, Gasthof Hirsch, Am Anger 10.', 'Am Anger 10'],
])('the address is the street alone: %s', (text, address) => {
  expect(read(text)[0]?.address).toBe(address)
})
