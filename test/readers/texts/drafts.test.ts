import { describe, expect, it } from 'vitest'
import type { AnnouncedEvent, AnnouncementContext } from '../../../src/readers/texts/draft/event.ts'
import { readAnnouncement } from '../../../src/readers/texts/drafts.ts'
import { ANNOUNCEMENTS, ORGANIZERS, type Shown, VENUES } from './announcements.ts'

const named = (names: readonly string[]) => names.map((name, i) => ({ id: i + 1, name }))

/** A Thursday. */
const TODAY = '2027-01-14'
const KNOWN: AnnouncementContext = {
  venues: named(VENUES),
  organizers: named(ORGANIZERS),
  today: TODAY,
  timezone: 'Europe/Berlin',
  currency: '€',
}

const shown = ({ title, start_date, end_date, dates, venue, organizer, ...rest }: AnnouncedEvent): Shown => {
  const { address, city, cost, website, event_status } = rest
  const all = { title, address, city, cost, website, event_status, end: end_date?.slice(0, 16) }
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  return {
    ...given,
    start: start_date.slice(0, 16),
    ...(dates && { dates: dates.map(date => date.slice(0, 16)) }),
    ...(venue && { venue: venue.venue }),
    ...(organizer && { organizer: organizer.organizer }),
  }
}

/** The events of a text. Texts with dollars are American. */
const read = (text: string, known: Partial<AnnouncementContext> = {}) =>
  readAnnouncement(text, {
    ...KNOWN,
    ...(text.includes('$') && { timezone: 'America/New_York', currency: '$' }),
    ...known,
  })

describe('readAnnouncement', () => {
  it.each(ANNOUNCEMENTS)('%s', (text, events) => {
    expect(read(text).drafts.map(shown)).toEqual(events)
  })

  it('reads pieces of a text, from each of its words on', () => {
    for (const [text] of ANNOUNCEMENTS)
      for (const { index } of text.matchAll(/\S+/g))
        expect(() => read(text.slice(index, index + 60))).not.toThrow()
    expect(read('De 18 a 19 h, concierto el sábado 20 de febrero').drafts).toMatchObject([
      { start_date: '2027-02-20 18:00:00', end_date: '2027-02-20 19:00:00' },
    ])
  })

  it('says where each value stands, also in the HTML of a mail with entities', () => {
    const html =
      '<p>Hallo,</p><p><b>Gem&uuml;sefest</b><br>Sa 6.3., 14&ndash;17&nbsp;Uhr, B&uuml;rger\u00adhaus Steinach, 5&nbsp;&euro;</p>'
    const [draft] = read(html).drafts
    const evidenceOf = (field: keyof AnnouncedEvent['evidence']) =>
      html.slice(...(draft?.evidence[field] ?? [0, 0]))
    expect(draft).toMatchObject({ title: 'Gemüsefest', venue: { venue: 'Bürgerhaus Steinach' }, cost: '5' })
    expect(evidenceOf('title')).toBe('Gem&uuml;sefest')
    expect(evidenceOf('start_date')).toBe('Sa 6.3., 14&ndash;17&nbsp;Uhr')
    expect(evidenceOf('venue')).toBe('B&uuml;rger\u00adhaus Steinach')
    expect(evidenceOf('cost')).toBe('5&nbsp;&euro;')
  })

  it('takes a day that its weekday contradicts by its date, and names it', () => {
    // 5 March 2027 is a Friday.
    const text = 'Concert, Saturday 5 March, 8 pm'
    const { drafts, ignored } = read(text)
    expect(drafts).toMatchObject([{ start_date: '2027-03-05 20:00:00' }])
    expect(ignored).toEqual([{ field: 'start_date', evidence: [9, 25], reason: 'weekday' }])
    expect(text.slice(9, 25)).toBe('Saturday 5 March')
  })

  it.each([
    ['Lotto in the hall, Friday 5 March at 7.30', ['evening']],
    ['Lotto im Saal, Freitag, 5. März, um halb acht', ['evening']],
    ['Loto à la salle, vendredi 5 mars, sept heures et demie', ['evening']],
    ['Bingo en la sala, viernes 5 de marzo, a las siete y media', ['evening']],
    ['Lotto in the hall, Friday 5 March at 7.30 pm', undefined],
    ['Lotto im Saal, Freitag, 5. März, abends um halb acht', undefined],
    ['Bingo en la sala, viernes 5 de marzo, 7:30 de la tarde', undefined],
    ['Lotto in the hall, Friday 5 March at 2.30', undefined],
    ['Lotto im Saal, Freitag, 5. März, 19.30 Uhr', undefined],
  ])('says where it assumes an evening: %s', (text, assumed) => {
    const [draft] = read(text).drafts
    expect(draft?.start_date).toMatch(/^2027-03-05 (?:19:30|07:30|14:30):00$/)
    expect(draft?.assumed).toEqual(assumed)
  })

  it.each([
    ['Töpferkurs, jeden Donnerstag, 18 Uhr', '2027-01-14 18:00:00', ['first_date']],
    ['Flea market on the first Saturday of every month, 9 am', '2027-02-06 09:00:00', ['first_date']],
    ['Quiz every Tuesday at 8', '2027-01-19 20:00:00', ['evening', 'first_date']],
    ['Cours de poterie tous les jeudis à 18 h', '2027-01-14 18:00:00', ['first_date']],
    ['Taller de cerámica todos los jueves a las 18 h', '2027-01-14 18:00:00', ['first_date']],
    [
      'Repair-Café jeden ersten Samstag im Monat um 10 Uhr, Start 6. Februar',
      '2027-02-06 10:00:00',
      ['first_date'],
    ],
    ['Stammtisch jeden Mittwoch im Februar, 19 Uhr', '2027-02-03 19:00:00', undefined],
    ['Exposition du 3 au 28 mars, tous les samedis de 14 h à 17 h', '2027-03-03', undefined],
    ['The choir sings every Tuesday. Concert on Tuesday 2 March, 7 pm.', '2027-03-02 19:00:00', undefined],
  ])('says where it has the first date alone of what recurs: %s', (text, start_date, assumed) => {
    const [draft] = read(text).drafts
    expect([draft?.start_date, draft?.assumed]).toEqual([start_date, assumed])
  })

  it.each([
    ['Sorry, it starts at 8 pm, not 8.30.', '2027-01-29 20:00:00', undefined],
    ['The band has the flu. The new date is 19 February at 7 pm.', '2027-02-19 19:00:00', undefined],
    ['The band has the flu. The new date is 19 February, same time.', '2027-02-19 20:30:00', ['evening']],
    ['Sorry, it is on Saturday 30 January, not Friday.', '2027-01-30 20:30:00', ['evening']],
  ])('assumes nothing of an hour that an answer replaces: %s', (answer, start_date, assumed) => {
    const quoted = 'On Mon 11 Jan Jo Bell wrote:\n> Friday 29 January at 8.30, Village Hall: jazz'
    const [draft] = read(`${answer}\n\n${quoted}`).drafts
    expect([draft?.start_date, draft?.assumed]).toEqual([start_date, assumed])
  })

  it.each([
    ['Seed Day’s back at Hill Farm, Sunday 14 February, 10am.', 'Seed Day'],
    ['The Boys Are Back, Saturday 6 March, 8pm, the Lamp', 'Boys Are Back'],
  ])('ends a title before what is said of it: %s', (text, title) => {
    expect(read(text).drafts).toMatchObject([{ title: expect.stringMatching(new RegExp(`${title}$`)) }])
  })

  it('drafts nothing for the days on which a pool is open', () => {
    expect(read('PILETA MUNICIPAL. Abierta del 2 de enero al 28 de febrero.').drafts).toEqual([])
    expect(read('Exhibition open from 2 to 28 February.').drafts).toHaveLength(1)
  })

  it('leaves out what may be either of two Saturdays', () => {
    expect(read('Lecture, next Saturday, 8 pm').drafts).toEqual([])
  })

  it.each([
    ["Sorry folks – Thursday's talk about barn owls is off on 5 March.", 'talk about barn owls'],
    [
      "We're back! After two years, Larkfield Beer Festival returns on 7 March at 5pm.",
      'Larkfield Beer Festival',
    ],
    ['Liebe Nachbarn, am 13. Februar feiern wir ab 15 Uhr im Hof unser Winterfest.', 'Winterfest'],
    ['Die Volkshochschule bietet wieder einen Nähkurs an. Er beginnt am 2. März um 18.30 Uhr.', 'Nähkurs'],
    ['Der Ort ist noch nicht fest, der Tag ist der 5. März um 18 Uhr.', undefined],
    [
      'Petit rappel : l’assemblée générale de notre club se tiendra le 29 janvier à 20h30.',
      'assemblée générale',
    ],
    ['Le dernier match était beau. Nous serons là le 5 mars à 20h.', undefined],
    ['Comunicado: la cabalgata del 14 de enero se aplaza al 23 de enero a las 18 h.', 'cabalgata'],
    ['Chicos, la cena de antiguos alumnos es el 27 de febrero a las 21:30.', 'cena de antiguos alumnos'],
    ['Os recordamos que el 15 de febrero a las 19:00 tenemos club de lectura en la sede.', 'club de lectura'],
    ['The rowing club would like to see everybody on 5 June at 2pm', undefined],
  ])('takes for the title of %s what names a kind of event', (text, title) => {
    expect(read(text, { venues: [], organizers: [] }).drafts.map(draft => draft.title)).toEqual([title])
  })

  it.each([
    ['Gebühr: 68 €, für Mitglieder 61 €, Kopien 4 € extra', '61 - 68'],
    ['Es gibt Glühwein (2 €) und Waffeln', undefined],
    ['Eintritt 8 €. Halbe Hendl 9,50 €', '8'],
    ['£120 including clay, £20 deposit holds your place, materials about £15', '£120'],
    ['Subs (£40 juvenile) are overdue', undefined],
    ['Tarif : 190 €, étudiants 150 € + adhésion annuelle 15 €', '150 - 190'],
    ['Matrícula: 45 € (empadronados, 36 €). Dosier: 5 €.', '36 - 45'],
    ['El primer pago (60 €) debe ingresarse antes', undefined],
    ['Concurso (inscripción 20 € por equipo). Entrada gratuita.', '0'],
    ['VVK 12 / AK 15 / Maskierte 10', '10 - 15'],
    ['12 / 8 / 5 €', '5 - 12'],
    ['Emplacement : 3 €/m pour les riverains, 4 € pour les autres', undefined],
    ['Cotisation annuelle 180 €, étudiants 90 €', undefined],
    ['Fee: single-handers €40; add €15 after July 1', '40'],
    // What is beside it is not understood.
    ['Entry €5, ploughman’s €6', undefined],
    ['Maskierte frei, alle anderen zahlen 5 Euro', undefined],
    ['Festabzeichen 5 €, Kinder frei', undefined],
    // Who pays nothing counts, unless it is a child.
    ['8 €, gratuit pour les adhérents', '0 - 8'],
    ['Membres : gratuit – Non-membres : 5 €', '0 - 5'],
    ['Entrada 5 €, socios gratis', '0 - 5'],
    ['Entrada 3 €; socios, gratis', '0 - 3'],
    ['4 € (empadronados, gratis)', '0 - 4'],
    ['Vorverkauf 16, Abendkasse 19, ermäßigt 12 Euro', '12 - 19'],
    ['Gäste 5 Euro, Mitglieder zahlen nichts', '0 - 5'],
    ['8 €, les adhérents ne paient rien', '0 - 8'],
    ['Eintritt 8 €, sonst nichts', '8'],
    ['para familias, gratuito', '0'],
    ['Adults €9, under 5s free', '9'],
    ['Admission free, parking €5, programme €2', '0'],
    ['Free vintage bus from the station. Adults €9.', '9'],
    ['Free vintage bus from the station', undefined],
    ['Autobuses gratuitos desde los pueblos', undefined],
    ['Freier Eintritt', '0'],
    ['Karten zu 14, 18 und 22 Euro', '14 - 22'],
    ['Tickets €10 (plus booking fee of €1.50)', '10'],
    ['Plein tarif 14 €, réduit 10 €, -12 ans gratuit', '10 - 14'],
    ['Leihgebühr für Schläger 2 €', undefined],
    ['Nenngeld: € 15, Jugend U18 € 8', '8 - 15'],
    ['Todo gratuito salvo la degustación (4 €)', undefined],
    ['Eintritt: Fr. 18.–, Studenten Fr. 12.–, Kinder gratis', 'CHF 12 - CHF 18'],
    ['Tickets £14–22', '£14 - £22'],
    ['Fr 15-20, Sa/So 11-20 Uhr', undefined],
    ['Eintritt: Fr 15-20', 'CHF 15 - CHF 20'],
    ['Prévente : 10 €, sur place : 15 €', '10 - 15'],
    ['Prévente : $10, sur place : $15', '$10 - $15'],
    ['Prévente : 10 $, sur place : 15 $', '$10 - $15'],
    ['Anticipadas 6 € en la secretaría. En puerta 8 €.', '6 - 8'],
    ['8 € bis Mitternacht, danach 10', '8 - 10'],
    ['15 €, 10 places seulement', '15'],
    ['22 €, boissons comprises', '22'],
    ['£2 a head. £60 bar tab for the winners.', '£2'],
    ['Un puesto (mesa de 2 m) cuesta 8 €, para socios 5 €', undefined],
    ['Rents (£48 full plot, £26 half plot) may be paid', undefined],
    ["Kredit Schulhaus, Fr. 1'850'000.–", undefined],
    ['Catalogue (32 pages, 14 €). Entrée libre.', '0'],
    ['Ihre letzte Spende muss acht Wochen her sein', undefined],
    ['Early entry: $25\nRegular: $30', undefined],
    ['Equipo: 6 €, comida 3 €. El resto, gratis.', undefined],
    ['Entrada 4 €, socios 2,50 €. Bono de las tres: 10 €.', undefined],
    ['6 €. Abono febrero: 20 €.', undefined],
    ['Offrande de messe : 18 €', undefined],
    ['VVK 8 €. Abendkasse 10 €.', '8 - 10'],
    ['Eintritt 5 €. Karten für das Buffet 25 €.', undefined],
    ['Eintritt frei. Teilnahme 12 €', undefined],
    ['2 €', undefined],
    ['3 €/pers.', '3'],
    ['Visitors may try three of them before joining (£38 a year).', undefined],
    ['Kosten: 30 € pro Jahr', undefined],
    ['Mitgliedschaft 30 €/Jahr', undefined],
    ['25 € par année', undefined],
    ['20 € anuales', undefined],
    ['Eintritt 8 € (bisher 6 €)', '8'],
  ])('takes of %s only what is said of admission', (prices, cost) => {
    const [draft] = read(`Kurs\n5 March, 20:00\n${prices}`, {
      currency: '€',
      venues: [],
      organizers: [],
    }).drafts
    expect(draft?.cost).toBe(cost)
  })

  it.each([
    ['Reunión el próximo lunes, día 25 de enero, a las cinco de la tarde', ['2027-01-25 17:00']],
    ['Theater\nFr, 5. März, 20 Uhr\nReservation 079 555 01 23, Mo–Fr 18–20 Uhr', ['2027-03-05 20:00']],
    [
      'Das für den 22. Januar angekündigte Konzert muss verschoben werden. Neues Datum: 19. März, 20 Uhr.',
      ['2027-03-19 20:00'],
    ],
    [
      'Lesung am 23. Januar um 12 Uhr und Spieleabend am 27. Januar um 18 Uhr',
      ['2027-01-23 12:00', '2027-01-27 18:00'],
    ],
    [
      'FERIA\n5, 6 y 7 de marzo\nExplanada\n\nViernes 5\n12:00 h Inauguración\nSábado 6\n10:00 h Concurso\nDomingo 7\n9:00 h Carrera',
      ['2027-03-05 12:00'],
    ],
    [
      'Subject: Fwd: Talk\n\nPlease print this.\n\nFrom: Fergus\nSent: Tue 12 Jan 2027\n\nThe talk is on Monday 8 February at 8 pm.\n\n> Is the talk on Thursday 4 February at 7.30 pm?',
      ['2027-02-08 20:00'],
    ],
    [
      'Terres rouges\nDu 30 janvier au 11 avril, Galerie du Pressoir\nVernissage le 29 janvier à 18h30, avec buffet\nVisite guidée le 14 mars à 15h, sur inscription',
      ['2027-01-30'],
    ],
    ['Kurs\nKursnr. 27-1-4051\nam 5. März, 20 Uhr', ['2027-03-05 20:00']],
    // The bracket is beside what reservations are from.
    [
      'Comédie\nvendredi 26 février à 20h30\n\nRéservations : 07 00 55 12 34 (après 18h) à partir du 1er février',
      ['2027-02-26 20:30'],
    ],
    [
      'SOUP SUPPER\nTuesday, February 9\n4:30 to 7:00 pm\nAll proceeds to the youth trip, July 11-17',
      ['2027-02-09 16:30'],
    ],
    ['Regatta\nJuly 17, 2027, 10:30\nFee: $40; add $15 after July 1, noon', ['2027-07-17 10:30']],
    [
      'Wanderung\nSonntag, 31. Januar\nTreffpunkt 8.45, Busbahnhof\nBüro, dienstags bis freitags 9–12 Uhr',
      ['2027-01-31 08:45'],
    ],
    ['Trip to the lakes leaves at 8am on 6 March; back home at 6pm.', ['2027-03-06 08:00']],
    [
      'Fete\nSaturday 26 June, village green\n12.00 Welcome by the mayor\n12.30 Dog show\n14.00 Tug of war',
      ['2027-06-26 12:00'],
    ],
    ['Glen circular\nSun 7 Feb, meet 8.30, car park, back for 13.00', ['2027-02-07 08:30']],
    ['Sa 6.2. geschlossene Gesellschaft\nSa 13.2. Singen mit Kalle, 19 Uhr', ['2027-02-13 19:00']],
    ['Spectacle le mardi 2 mars. Les billets (de 9 à 22 €) restent valables.', ['2027-03-02']],
  ])('reads when each event of %s begins', (text, starts) => {
    const { drafts } = read(text, { venues: [], organizers: [] })
    const seconds = (start: string) => (start.length > 10 ? `${start}:00` : start)
    expect(drafts.map(({ start_date }) => start_date)).toEqual(starts.map(seconds))
  })

  it.each([
    'Por trabajos en la red, el martes 19 de enero, de 8:00 a 14:00 horas, se cortará el agua.',
    'Bonfires are only allowed between 1 November and 28 February, after 4pm.',
    'VACANCY: caretaker, part-time\nMornings 7.30–9.30. Interviews will be held on Thursday 11 February. Start date 1 March.',
    'OFFRE D’EMPLOI – cuisinier, camp de jour\nDu lundi au vendredi, 8 h à 16 h, du 28 juin au 20 août 2027.',
    'Committee minutes, Thursday 7 January 2027\n2. Hire rises from 1 February; hall to be left by 11pm.',
    'Se traspasa bar en la calle Mayor. Visitas lunes y martes de 10 a 12.',
    'Die Restmülltonne wird am 3. März geleert. Ab 6 Uhr bereitstellen.',
    'Die Ludothek hat ab 1. März neue Zeiten: dienstags 15 bis 18 Uhr, freitags 9 bis 12 Uhr. Am 8. März bleibt sie geschlossen.',
    'Le gymnase sera ouvert du lundi 1er au vendredi 5 mars, de 9 h à 12 h et de 14 h à 18 h. Fermeture à 17 h le mercredi.',
    'From 1 April the hut may be hired by the night. Keys are returned by noon. Closed on 4 April.',
    'Menus de la semaine du 18 au 22 janvier\nLundi 18 : carottes râpées, yaourt\nMardi 19 : velouté de potiron, riz',
  ])('drafts nothing of %s', text => {
    expect(read(text).drafts).toEqual([])
  })

  it.each([
    ['Mit »Drei Winter ohne Anna« kommt die Autorin am 25. Februar um 19.30 Uhr.', 'Drei Winter ohne Anna'],
    ['Come and see the plans on Wednesday 3 February, 3pm.', undefined],
    ['Recordad: hoy a las 18 charla del dietista en la biblio', 'charla del dietista'],
    ['Heute Abend Spieleabend im JuZ, 18 bis 22 Uhr', 'Spieleabend'],
    ['Jazz in the Park on Saturday 6 March at 3pm', 'Jazz in the Park'],
    ['5K charity run, Sunday 14 March, 9.30am', '5K charity run'],
    ['Carrera popular 10K, domingo 21 de marzo, 10:00 h', 'Carrera popular 10K'],
    ["The Ashford Singers present 'Songs of the Sea' on Saturday 13 March at 7pm.", 'Songs of the Sea'],

    ['PRESSEMITTEILUNG\n\nAm Samstag, 6. März, um 20 Uhr.', undefined],
    ['PRESS RELEASE – for immediate use\n\nSaturday 6 March, 8pm.', undefined],
    ['Nähen für Anfänger\nLeitung: Brigitte Söllner\nSamstag, 6. März, 10 Uhr', 'Nähen für Anfänger'],
    ['Fechas: sábado 6 de marzo, 20:00 h', undefined],
  ])('takes for the title of %s a name, and no rest of a sentence', (text, title) => {
    expect(read(text, { venues: [], organizers: [] }).drafts.map(draft => draft.title)).toEqual([title])
  })

  it('leaves out what is struck out, a deadline behind its time, and where something goes if it rains', () => {
    const starts = (text: string) => read(text).drafts.map(({ start_date }) => start_date)
    expect(starts('<p>Tree walk, <s>Saturday 16 January</s> <b>Saturday 30 January, 9 am</b></p>')).toEqual([
      '2027-01-30 09:00:00',
    ])
    expect(
      starts('Drop-in on 3 February at 3pm. Comments must reach us by 5pm on Friday 26 February.'),
    ).toEqual(['2027-02-03 15:00:00'])
    expect(
      starts('Marcha el 20 de febrero a las 19:00. En caso de alerta se aplazaría al 27 de febrero.'),
    ).toEqual(['2027-02-20 19:00:00'])
  })

  it('takes no header of a mail for a day, also in capitals', () => {
    const starts = (text: string) => read(text).drafts.map(({ start_date }) => start_date)
    expect(
      starts(
        'DE: LOS AMIGOS\nENVIADO: SÁBADO, 16 DE ENERO 2027 08:14\nPARA: SOCIOS\n23 de marzo: Noche de juegos, 18:30 h',
      ),
    ).toEqual(['2027-03-23 18:30:00'])
  })

  it('takes the price of children for that, and no age for one', () => {
    const [draft] = read('Brunch\n7 March, 9:30am\nAdults $9, kids 5-12 $4, under 5 free').drafts
    expect(draft?.cost).toBe('4 - 9')
  })

  it('splits a list by the days of its lines, also where a line has no time that is sure', () => {
    const text =
      'Live\nFri 5 Feb – THE PENNYWEIGHTS. £12 adv / £14 door\nSat 6 Feb – OPEN MIC with Gaz. 8pm\nSat 13 Feb – NORTHERN SOUL. 9pm'
    expect(read(text).drafts.map(({ start_date }) => start_date)).toEqual([
      '2027-02-05',
      '2027-02-06 20:00:00',
      '2027-02-13 21:00:00',
    ])
  })

  it('takes courses for events of their own, also where one lasts longer than the others are apart', () => {
    const { drafts } = read(
      'Aquarell für Anfänger\nMo 15.02.–22.03.2027, 18:30–20:45 Uhr\n\nBrot backen\nSa 27.02.2027, 10:00–15:00 Uhr',
    )
    expect(drafts.map(({ start_date, dates = [] }) => [start_date, dates.length])).toEqual([
      ['2027-02-15 18:30:00', 5],
      ['2027-02-27 10:00:00', 0],
    ])
  })

  it.each([
    'Kitchen assistant at the Mill Café, from 1 March, 8 am. Permanent, hourly wage £13. Send your CV; interviews on 22 February.',
    'Der Kindergarten Auwinkel braucht ab 1. März, 7.30 Uhr, Verstärkung in Teilzeit. Gehalt nach Tarif, befristet. Bewerbung mit Lebenslauf.',
    'La crèche des Lutins cherche du renfort dès le 1er mars à 8h. CDD, salaire brut selon barème. Candidature avec CV avant le 12 février.',
    'La guardería El Nido necesita refuerzo desde el 1 de marzo a las 8:00. Contrato y salario por convenio, jornada completa. Mandar CV.',
    'Allotment committee, 7 pm. Present: four. Apologies: two. Report of 3 March agreed. New hose proposed by Mr Lum, seconded by Ms Roy.',
    'Comité des jardins. Présences : quatre. Adoption du PV du 3 mars à 19h. Solde : 800 €. Levée à 21h.',
  ])('announces nothing in a text full of the words of vacancies and minutes: %s', text => {
    expect(read(text).drafts).toEqual([])
  })

  it('announces what stands beside such words with a day and a time, or invites', () => {
    const vacancy = 'Caretaker wanted: permanent, hourly wage £13. Send your CV; interviews in May.'
    const starts = read(
      `Spring concert on Saturday 6 March at 7 pm.\n\nCraft workshop on Friday 12 March at 10 am.\n\n${vacancy}`,
    ).drafts.map(({ start_date }) => start_date)
    expect(starts).toEqual(['2027-03-06 19:00:00', '2027-03-12 10:00:00'])
    const meeting =
      'You are invited to our annual meeting on Friday 12 March at 7 pm: apologies, minutes, the treasurer. All are welcome.'
    expect(read(meeting).drafts).toHaveLength(1)
  })

  it.each([
    'Dog show, Saturday 6 March, 2pm, the Green. Dogs must be on leads. Smoking prohibited. Glass not permitted.',
    'Weinfest, Samstag 5. Juni, 18 Uhr, Kirchplatz. Rauchen verboten, Hunde nicht erlaubt. Kaution 2 € je Glas.',
    'Fête du parc, samedi 5 juin à 15h. Chiens interdits, barbecues non autorisés. Caution pour les jeux.',
    'Feria del vino, sábado 5 de junio a las 18 h. Prohibido fumar, permitido bailar, obligatorio brindar.',
  ])('keeps an event whose poster has rules: %s', text => {
    expect(read(text).drafts).toHaveLength(1)
  })

  it('tells works of music from road works, and the time of an event from opening hours', () => {
    const starts = (text: string) => read(text).drafts.map(({ start_date }) => start_date)
    expect(starts('Concierto el viernes 5 de febrero a las 20 h con obras de Soler.')).toEqual([
      '2027-02-05 20:00:00',
    ])
    expect(starts('Cerrada por obras el viernes 5 de febrero a las 20 h.')).toEqual([])
    expect(starts('Noche de estrellas\nFecha: 11-02-2027\nHorario: 21:30 hrs')).toEqual([
      '2027-02-11 21:30:00',
    ])
    expect(starts('Museo del Mar\nHorario: lunes a viernes, 10:00 a 14:00')).toEqual([])
  })

  it('begins a festival with the first point below its weekday, also where that has two letters', () => {
    const text =
      'Dorffest Auwinkel 25.–27. Juni 2027\n\nFr: 19 Uhr Anstich\nSa: 14 Uhr Umzug\nSo: 9.30 Uhr Andacht'
    expect(read(text).drafts.map(({ start_date }) => start_date)).toEqual(['2027-06-25 19:00:00'])
  })

  it.each([
    ['Konzert im Kulturhaus, Am Markt 1, 12. Mai, 19 Uhr', '2027-05-12 19:00:00'],
    ['Concierto, calle del Molino 4, 12 de mayo, 19 h', '2027-05-12 19:00:00'],
    ['Lesung, Hauptstraße 5, 20. März, 19 Uhr', '2027-03-20 19:00:00'],
  ])('takes the number of a house for no day of a list: %s', (text, start) => {
    const { drafts } = read(text)
    expect(drafts.map(({ start_date, dates }) => [start_date, dates])).toEqual([[start, undefined]])
  })

  it('takes nothing that a mail which is passed on repeats', () => {
    const { drafts } = read(
      'Objet : TR: conférence\n\n> Finalement ce sera à 18 h, le vendredi 12 février, à la médiathèque.\n>\n>> Conférence, vendredi 12 février, 20h, salle du conseil.',
    )
    expect(drafts.map(({ start_date }) => start_date)).toEqual(['2027-02-12 18:00:00'])
  })

  it('takes the lines of each paragraph for events', () => {
    const { drafts } = read(
      'Gottesdienste\n07.02. 10 Uhr Messe mit Chor\n14.02. 18 Uhr Abendandacht\n\nIm Gemeindehaus\nMi, 10.02., 15 Uhr Seniorennachmittag\nFr, 26.02., 19.30 Uhr Kinoabend',
    )
    expect(drafts.map(({ start_date, dates }) => [start_date, dates])).toEqual([
      ['2027-02-07 10:00:00', undefined],
      ['2027-02-14 18:00:00', undefined],
      ['2027-02-10 15:00:00', undefined],
      ['2027-02-26 19:30:00', undefined],
    ])
  })

  it('takes no heading for an event whose days the lines below it have', () => {
    const { drafts } = read(
      'Ciclo de cine\nTodos los miércoles de febrero a las 18:00\n\n3 feb – Tierra de ceniza\n10 feb – La casa sin puertas\n17 feb – Cartas al río\n24 feb – Noche de cortos',
    )
    expect(drafts.map(({ start_date }) => start_date)).toEqual([
      '2027-02-03 18:00:00',
      '2027-02-10 18:00:00',
      '2027-02-17 18:00:00',
      '2027-02-24 18:00:00',
    ])
  })

  it('takes days in a row without times for one stretch', () => {
    const { drafts } = read('Feria costumbrista, sábado 23 y domingo 24 de enero, en la medialuna')
    expect(drafts).toMatchObject([{ start_date: '2027-01-23', end_date: '2027-01-24' }])
    expect(drafts[0]?.dates).toBeUndefined()
  })

  it('takes each item of a list for an event, also those with short names', () => {
    const text = '- Chess for all, 9 May, 7 pm\n- Open mic, 10 May, 7 pm\n- Big band, 11 May, 7 pm'
    expect(read(text).drafts.map(({ title }) => title)).toEqual(['Chess for all', 'Open mic', 'Big band'])
  })

  it('says the day alone where the time may be in the morning or in the evening', () => {
    const [draft] = read('Lecture on 5 March at 10').drafts
    expect(draft).toMatchObject({ start_date: '2027-03-05', all_day: false })
  })

  it('says of one event alone that it lasts all day', () => {
    const { drafts } = read(
      '- Flea market on the green, 5 June, all day\n- Tea dance for everybody, 6 June, 3 pm',
    )
    expect(drafts.map(({ start_date, all_day }) => [start_date, all_day])).toEqual([
      ['2027-06-05', true],
      ['2027-06-06 15:00:00', false],
    ])
  })

  it.each([
    ['Der Turnverein lädt ein zum Kinderfest am Samstag, 5. Juni, 14 Uhr', 'Kinderfest'],
    ['Wir laden herzlich ein zum Kinderfest am 5. Juni um 14 Uhr', 'Kinderfest'],
    ['The rowing club invites you to its open day on 5 June at 2pm', 'open day'],
  ])('takes for the title what somebody invites to: %s', (text, title) => {
    expect(read(text).drafts).toMatchObject([{ title }])
  })

  it.each([
    ['Bürgerfest\n24. Februar, Beginn: 17:00 Uhr\nHerzliche Grüße\nHans', 'Bürgerfest'],
    [
      'Wie jedes Jahr ist es wieder so weit.\n\nHerzliche Einladung zur Orgelvesper am 3. März um 20 Uhr.',
      'Orgelvesper',
    ],
    ['Nos prochains rendez-vous\n18 mai : Conférence sur les abeilles, 18h', 'Conférence sur les abeilles'],
    ['Venez nombreux au récital d’orgue le 11 mars à 17h30.', 'récital d’orgue'],
    ['El 26 de abril a las 17:00 h tendrá lugar en el centro la noche de juegos.', 'noche de juegos'],
    ['Loto\n3 mars, 18h\nBureau 204, 2e étage', 'Loto'],
    ['Os esperamos el 24 de agosto a las 12:00 h.', undefined],
    [
      'El recital de órgano se celebrará el 27 de julio a las 18:00 h. «No temáis» (Lucas 2, 10-12)',
      'recital de órgano',
    ],
  ])('takes no greeting and no verse for a title: %s', (text, title) => {
    expect(read(text).drafts.map(draft => draft.title)).toEqual([title])
  })

  it('reads other times on some weekdays of a run', () => {
    const [draft] = read('Fridays and Saturdays 7 pm, Sundays 2 pm, 5–14 March: Cinderella').drafts
    expect([draft?.start_date, ...(draft?.dates ?? []).slice(0, 2)]).toEqual([
      '2027-03-05 19:00:00',
      '2027-03-06 19:00:00',
      '2027-03-07 14:00:00',
    ])
  })

  it.each([
    [
      'Blutspende\nMittwoch, 17.02.2027, 15:30 Uhr\nTurnhalle der Schule, Schulstr. 5, 31999 Lindenrode',
      'Schulstr. 5',
    ],
    ['Taller, 6 de febrero, 11 h. Plazas limitadas: 20.', undefined],
    ['Vortrag am 30. Januar 2027 um 19 Uhr, Pfarreiheim Unterlachen, Saal 1', undefined],
  ])('tells streets from other words: %s', (text, address) => {
    expect(read(text).drafts.map(draft => draft.address)).toEqual([address])
  })

  it('knows a venue each time that a list names it, and takes no stop of a bus and no title for one', () => {
    const text =
      '- 9. April: Flohmarkt, 10 Uhr, Café Lichtblick\n- 15. April: Lesung mit Ana, 20 Uhr, Café Lichtblick'
    const venues = named(['Café Lichtblick'])
    expect(read(text, { venues }).drafts.map(({ venue }) => venue?.id)).toEqual([1, 1])
    for (const other of [
      'Stadtfest, 7. März, 14 Uhr. Bus 12, Haltestelle Rathaus, 5 Minuten zu Fuß.',
      '7 March, 6pm\nBARN DANCE',
    ])
      expect(
        read(other, { venues }).drafts.map(({ venue }) => venue),
        other,
      ).toEqual([undefined])
  })

  it.each([
    // A line above the day, or in it
    ['Waldbaden für Anfänger\nSamstag, 6. März 2027, 10 Uhr, Forsthaus', 'Waldbaden für Anfänger'],
    ['TSV Neustadt – SV Altdorf\nSonntag, 7. März, 15 Uhr', 'TSV Neustadt – SV Altdorf'],
    ['Fri 5 March, 8pm: Anne and the Owls, Town hall', 'Anne and the Owls'],
    ['5 mars, 20h – Mama Doro [afro-soul] 8€/6€', 'Mama Doro'],
    ['Neu: Spieleabend für Erwachsene\njeden Dienstag 19 Uhr ab 2. Februar', 'Spieleabend für Erwachsene'],
    ['Das Treffen der Gartenfreunde ist am 9. Februar um 18 Uhr.', 'Treffen der Gartenfreunde'],
    ['Samedi 6 mars, une balade en train à vapeur, départ 14h', 'balade en train à vapeur'],
    // What somebody says to whoever reads it, but not what sounds like it
    ["Tu peux annoncer notre loto ? C'est le samedi 6 mars à 20h à la salle des fêtes.", undefined],
    ['L’harmonie vous emmène dans les musiques du monde le samedi 6 mars à 20h.', undefined],
    ['We Will Rock You\nSaturday 6 March, 7.30pm, Playhouse', 'We Will Rock You'],
    ['Wir sind noch einmal davongekommen\n5. März, 20 Uhr', 'Wir sind noch einmal davongekommen'],
    ['Samstag, 6. März, 20 Uhr: Ich bin dann mal weg, Kino', 'Ich bin dann mal weg'],
    ['Rendez-vous contes\nSamedi 6 mars à 10h30, médiathèque', 'Rendez-vous contes'],
    ['Sorry all, the talk on Thursday 4 February at 7pm is cancelled.', 'talk'],
    ['Entschuldigung, das Konzert am Freitag, 5. März, beginnt um 20 Uhr.', 'Konzert'],
    ['El huerto abre el sábado 6 de marzo a las 11:00 con un taller de semillas.', 'taller de semillas'],
    // What is not understood
    ['Neues aus dem Kirchenchor\nAm Sonntag, 7. März, singen wir um 17 Uhr in der Kirche.', undefined],
    ['Fancy a dance?\nSunday 7 March, 2pm, at the school', undefined],
    ['Mary Miller, mayor of Newtown,\nSunday 7 March, 2pm', undefined],
    ['El jueves que viene (21 de enero) a las 20:00 probamos vinos en la bodega', undefined],
    ['Dear all, see below\nSunday 7 March, 2pm', undefined],
    ['Sunday 7 March, 2pm, after mass', undefined],
    ['12 March, 8pm, Northtown, Zeche Ernestine', undefined],
    ['Samstag, 6. März, 20 Uhr\nlive: »Tumbleweed Twins« aus Altdorf', 'Tumbleweed Twins'],
    [
      'Fireside tales for grown-ups, on 26.2.2027, 5.3.2027, each at 19:30, Old Dairy',
      'Fireside tales for grown-ups',
    ],
    ['Märchen am Kamin, am 26.2.2027 um 19:30 Uhr, Alte Mühle', 'Märchen am Kamin'],
  ])('takes for the title of %s only what surely names it', (text, title) => {
    expect(read(text).drafts[0]?.title).toBe(title)
  })

  it.each([
    ['Konzert am 5. März um 20 Uhr im Kreuzwirt.', 'Gasthof Kreuzwirt'],
    ['Concert on 5 March at 8pm at the Tollbridge', 'The Tollbridge Arms'],
    // A town, a club, something general, a way there
    ['Concert on 5 March at 8pm by the visiting choir of Marsh Baldon.', undefined],
    ['Concert on 5 March at 8pm. The Strathdoran Grassland Society', undefined],
    ["Concert on 5 March at 8pm at St Anne's School", "St Anne's School"],
    ['Konzert am 5. März um 20 Uhr auf dem Festplatz am Sportheim', 'Festplatz am Sportheim'],
    ['Konzert am 5. März um 20 Uhr, gesperrt ist das Centre', undefined],
    ['Concert le 5 mars à 20h pour les membres de la jeunesse', undefined],
    ['Concierto el 5 de marzo a las 20:00. Degustación de la cosecha.', undefined],
  ])('knows in %s a place by a part of its name only where the text leads there', (text, venue) => {
    const names = [
      'Gasthof Kreuzwirt',
      'The Tollbridge Arms',
      'Marsh Baldon Barn',
      'Strathdoran Mart',
      "St Anne's Church",
      'Centre Culturel Arlon',
      'Sportheim Hofen',
      'Auberge de jeunesse Les Myrtilles',
      'Théâtre de la Halle',
    ]
    const venues = names.map((name, i) => ({ id: i + 1, name }))
    expect(read(text, { venues, organizers: [], currency: '€' }).drafts[0]?.venue?.venue).toBe(venue)
  })

  it.each([
    ['Concert 5 March, 8pm\nVenue: The Old Forge, Market Lane', { venue: { venue: 'The Old Forge' } }],
    ['Konzert, 5. März, 20 Uhr\n📍 Wiese hinterm Deich', { venue: { venue: 'Wiese hinterm Deich' } }],
    ['Concierto, 5 de marzo, 20:00\nLugar: El Molino Viejo', { venue: { venue: 'El Molino Viejo' } }],
    ['Concert 5 March, 8pm\nVenue: TBC', {}],
    ['Konzert, 5. März, 20 Uhr\nOrt: bei Müllers', { venue: { venue: 'Müllers' } }],
    ['Concert, 5 mars, 20h\nPrix : 15 EUR en prévente, 20 EUR sur place', {}],
  ])('takes from %s the place that a label names', (text, place) => {
    const { venue, address } = read(text).drafts[0] ?? {}
    expect({ ...(venue && { venue }), ...(address && { address }) }).toEqual(place)
  })

  it.each([
    ['Talk on rivers, Friday 5 March, 7pm, Library', 'Library'],
    ['Vide-grenier dimanche 7 mars de 8h à 17h, place du Marché', 'place du Marché'],
    ['Randonnée dimanche 7 mars à 9h, place du Champ-de-Foire', 'place du Champ-de-Foire'],
    ['Wanderung am Samstag, 6. März, 9 Uhr, Parkplatz am Hallenbad', 'Parkplatz am Hallenbad'],
    ['Taller el sábado 6 de marzo a las 17:00 en el Centro Cívico Sur', 'Centro Cívico Sur'],
    ['Singin’ in the Rain, Saturday 6 March, 7.30pm, Town Hall', 'Town Hall'],
    ['Summer fete on Saturday 5 June at 2pm on the green. If it rains in the Village Hall.', 'green'],
    ['Yoga tous les mercredis à 18h45 au gymnase à partir du 20 janvier.', 'gymnase'],
    ['La conférence est reportée au vendredi 29 janvier, 20 h, toujours à la mairie.', 'mairie'],
    ['Concours de pétanque, sam. 15 mai, 14 h, boulodrome.', 'boulodrome'],
    ['Reunión de familias: lunes 1 de febrero, 16:30 h, aula 7.', 'aula 7'],
    ['Umzug am 6. März um 17 Uhr vor der Grundschule.', 'Grundschule'],
    ['Desfile el sábado 6 de febrero a las 17 h desde la plaza de España.', 'plaza de España'],
    ['Stage samedi 6 mars à 10h, samedi il y a le marché.', undefined],
    ['Open day at the fire station, Saturday 12 June, 10–3.', 'fire station'],
    ['Portes ouvertes au collège Les Peupliers, samedi 6 mars, 9 h–12 h.', 'collège Les Peupliers'],
    ['Coach trip to Kew Gardens on Saturday 6 March, leaving at 8am.', undefined],
    ['Film: Murder at the Vicarage, Saturday 6 March, 8pm.', undefined],
    ['"Night at the Museum", Saturday 6 March, 6pm.', undefined],
    ['Bingo in the Old Clubhouse this Saturday, 6 March, 8pm', 'Old Clubhouse'],
    ['Concierto, 6 de marzo, 20:00, Teatro Lope. Venta online.', 'Teatro Lope'],
    ['Konzert am 6. März um 20 Uhr im Kulturkeller. Am Klavier: Mia Lang.', 'Kulturkeller'],
    ['Stage le 6 mars à 10h. Places limitées.', undefined],
  ])('takes for the venue of %s where one goes', (text, venue) => {
    expect(read(text, { venues: [], organizers: [] }).drafts[0]?.venue?.venue).toBe(venue)
  })

  it('takes the street beside a known venue, and none in a signature', () => {
    const text = (street: string, office: string) =>
      `Konzert am 5. März um 20 Uhr im Bürgerhaus Steinach${street}.\n\nEs spielt das Quartett der Musikschule mit Werken aus drei Jahrhunderten und vielen Zugaben.\n\nMusikverein Steinach${office}`
    expect(read(text(', Lindenweg 4', ', Am Ziegelteich 40')).drafts[0]?.address).toBe('Lindenweg 4')
    expect(read(text('', ', Am Ziegelteich 40')).drafts[0]?.address).toBeUndefined()
  })

  it('gives each line of a list the place, the organizer and the price that stand above or below it', () => {
    const text =
      'Casona Larra\n\n14 ene 20:00  Dúo Aravena\n21 ene 20:00  Trío Nahuel\n\nEntrada 3 €. Organiza el Club Peña Blanca'
    const known = {
      currency: '€',
      venues: [{ id: 1, name: 'Casona Larra' }],
      organizers: [{ id: 2, name: 'Club Peña Blanca' }],
    }
    const one = { venue: { id: 1 }, organizer: { id: 2 }, cost: '3' }
    expect(read(text, known).drafts).toMatchObject([
      { ...one, title: 'Dúo Aravena' },
      { ...one, title: 'Trío Nahuel' },
    ])
  })

  it.each([
    // Where one books a place for one item, and for all
    [
      'Agenda\n\nVen 29 janvier, 20h, concert\nSam 30 janvier, 15h, conte, inscription : salle.example/conte\nDim 31 janvier, 14h, loto',
      [undefined, 'https://salle.example/conte', undefined],
    ],
    [
      'Agenda\n\nVen 29 janvier, 20h, concert\nSam 30 janvier, 15h, conte\nDim 31 janvier, 14h, loto\n\nRéservations : salle.example',
      ['https://salle.example', 'https://salle.example', 'https://salle.example'],
    ],
    // Links
    [
      '<p>Fri 29 January, 8pm: concert<br><a href="https://hall.example/1">Tickets</a></p><p>Sat 30 January, 3pm: puppet show</p><p>Sun 31 January, 2pm: bingo</p>',
      ['https://hall.example/1', undefined, undefined],
    ],
    [
      '<p>Fr 29. Januar, 20 Uhr: Konzert</p><p>Sa 30. Januar, 15 Uhr: Lesung</p><p><a href="https://saal.example/">Karten für alles</a></p>',
      ['https://saal.example/', 'https://saal.example/'],
    ],
  ])('gives an item no address that stands in another: %s', (text, websites) => {
    expect(read(text).drafts.map(({ website }) => website)).toEqual(websites)
  })

  it('takes no surcharge for admission', () => {
    expect(read('Konzert, 5. März, 20 Uhr. VVK 12 €, Abendkasse + 2 €.').drafts).toMatchObject([
      { cost: '12' },
    ])
  })

  it.each([
    'Lesung am 5. März um 20 Uhr, Gasthaus Krone, Am Markt 1',
    'Lesung am 5. März um 20 Uhr im Café Seeblick',
    'Lesung am 5. März um 20 Uhr. Die Halle ist geheizt.',
  ])('takes no venue by a part of its name that is that of something else: %s', text => {
    const venues = named(['Theater am Markt', 'Café Lichtblick', 'Halle am Anger'])
    expect(read(text, { venues }).drafts.map(({ venue }) => venue?.id)).toEqual([undefined])
  })

  it.each([
    ["Concert aujourd'hui à 20h, salle des fêtes", '2027-01-14 20:00:00'],
    ['Concert aujourd’hui à 20h, salle des fêtes', '2027-01-14 20:00:00'],
    ['Concert tonight at 8pm, town hall', '2027-01-14 20:00:00'],
    ['Konzert heute um 20 Uhr, Stadthalle', '2027-01-14 20:00:00'],
  ])('takes today for the day of today: %s', (text, start_date) => {
    expect(read(text).drafts).toMatchObject([{ start_date }])
  })

  it.each([
    // The next sentence takes no time away.
    ['Konzert am Samstag, 20. März, um 20 Uhr. Anmeldung nicht nötig.', '2027-03-20 20:00:00'],
    ['Concert on Saturday 20 March at 7.30pm. It lasts two hours.', '2027-03-20 19:30:00'],
    ['Concert le samedi 20 mars à 20h. Buvette.', '2027-03-20 20:00:00'],
    ['Concierto el sábado 20 de marzo a las 20:00. Inscripción en la biblioteca.', '2027-03-20 20:00:00'],
    ['Konzert morgen um 19.30 Uhr', '2027-01-15 19:30:00'],
    ['Concierto mañana a las 20 h', '2027-01-15 20:00:00'],
    ['Apéro vendredi en huit (le 22) à 19h', '2027-01-22 19:00:00'],
    ['Quiz this Thurs wk (28th), 8pm', '2027-01-28 20:00:00'],
    ['Concierto el 5 de marzo a las veinte horas', '2027-03-05 20:00:00'],
    ['Lesung am 5. März um elf', '2027-03-05 11:00:00'],
    ['Concert 5 March, Music 7.30–10.00', '2027-03-05 19:30:00'],
    ['Merienda el 5 de marzo de 5 a 7', '2027-03-05 17:00:00'],
    ['Königsball, 13. Februar, 1930 Uhr', '2027-02-13 19:30:00'],
    // Letters that a scan made of digits.
    ['Plant Sale\nSunday March 2lst, 10.3Oam', '2027-03-21 10:30:00'],
    ['Messe des familles\n8 mai, 13h3O', '2027-05-08 13:30:00'],
    ['Concert samedi 20 mars à 2Oh3O', '2027-03-20 20:30:00'],
    // Dates that look like telephone numbers, postcodes that look like times, ages and office hours.
    ['Bal folk\nMardi 06/04/2027 20h', '2027-04-06 20:00:00'],
    ['Service\n1 August, 10.30am\n20 High Street, LE15 7PM', '2027-08-01 10:30:00'],
    ['Lesung\n2. März\nAb 12 Jahren.', '2027-03-02'],
    ['Misa\n28 de febrero\nLa oficina abre los martes de 9:00 a 12:00.', '2027-02-28'],
    ['Barn dance on Saturday the tenth of April at 7pm', '2027-04-10 19:00:00'],
    ['Loto, 21 mai, midi et demi', '2027-05-21 12:30:00'],
    ['Taller\nDe hoy en una semana, 18:00 h', '2027-01-21 18:00:00'],
    // Lines are broken within dates.
    [
      'La comida vecinal prevista para el 29 de\nmarzo se traslada y tendrá lugar el 26 de\nmarzo a las 11:00 h.',
      '2027-03-26 11:00:00',
    ],
    // When and where something was written, and what opens again.
    ['Villaserena, a 16 de febrero de 2027\nTaller\n5 de marzo, 18:00 h', '2027-03-05 18:00:00'],
    ['Bürgerversammlung\n5. März, 17.30 Uhr\n(Das Freibad öffnet am 30. Juni.)', '2027-03-05 17:30:00'],
    // The points of a programme are no dates of a series.
    [
      'XII Jornadas – 22, 23 y 24 de octubre\nViernes 22, 19:00: charla\nSábado 23, 9:30: salida\nDomingo 24, 11:00: clausura',
      '2027-10-22 19:00:00',
    ],
    ['16.11 : Loto, 20h, salle des fêtes', '2027-11-16 20:00:00'],
    ['Coffee morning Saturday 13th February 10 - 12 noon', '2027-02-13 10:00:00'],
    ['Musical\nFreitag, 29. Januar, 20 Uhr 15 / Samstag, 30. Januar, 20 Uhr 15', '2027-01-29 20:15:00'],
    // What people are summoned to, or may drop in to.
    [
      'Members are summoned to the Highways Committee on Monday 25 January at 7.15 pm.\n1 Apologies\n2 Minutes\n3 Toilets in Mill Lane',
      '2027-01-25 19:15:00',
    ],
    [
      'Our engineers will be at Quarry Library on Monday 1 February between 2pm and 6.30pm, no appointment necessary.',
      '2027-02-01 14:00:00',
    ],
    // Of an old and a new date the new one counts, in whatever order.
    [
      'Se aplaza al 20 de febrero la cata prevista para este viernes. Misma hora (21 h).',
      '2027-02-20 21:00:00',
    ],
    ['Nicht vergessen: am 5. März um 19 Uhr Lauftreff!', '2027-03-05 19:00:00'],
  ])('finds when it begins: %s', (text, start_date) => {
    expect(read(text).drafts).toMatchObject([{ start_date }])
  })

  it.each([
    ['Tour am 5. März um 8 Uhr. Bei Lawinengefahr wird die Tour abgesagt.', undefined],
    ['Se suspende la carrera del sábado 20 de marzo', 'canceled'],
    ['Se cayó el concierto del sábado 20 de marzo.', 'canceled'],
    ['El concierto del 20 de marzo se cayó.', 'canceled'],
    ['Se cayó un árbol en el parque: paseo el sábado 20 de marzo a las 11 h.', undefined],
    ['Das Konzert am 20. März ist abgesagt, das Konzert im April findet statt.', 'canceled'],
    ['The fair on 20 March is cancelled, and so is that on 17 April; the June fair goes ahead.', 'canceled'],
    ['The concert on 20 March is cancelled and will not go ahead on 27 March either.', 'canceled'],
    ['After the November concert was cancelled, the one on 20 March goes ahead at 7pm.', undefined],
    ['Die Führung am 17. Februar wird auf 20 Uhr verschoben.', undefined],
    ['La conférence du 17 février est repoussée à 20h.', undefined],
    ['Le vernissage du 20 mars est reporté à 2028.', 'postponed'],
    ['La charla del 5 de marzo a las 19 h queda postergada hasta nuevo aviso', 'postponed'],
    ['The talk on 4 March has been postponed, no new date has been set.', 'postponed'],
    ['Concert on 5 March at 8 pm has been deferred until July 2028', 'postponed'],
    ['Das Konzert am 5. März um 20 Uhr fällt leider aus.', 'canceled'],
    ['Das Konzert am 5. März um 20 Uhr müssen wir leider streichen.', 'canceled'],
    ['Am 6. März ab 9 Uhr streichen wir beim Arbeitseinsatz den Zaun.', undefined],
    ['Der auf Freitag, 5. März, angesetzte Vortrag muss verschoben werden.', 'postponed'],
    ['Der Vortrag wird auf Freitag, 5. März, verschoben.', undefined],
    ['Sorry, but the walk on 7 March has had to be CANCELLED.', 'canceled'],
    ['The concert on Friday 5 March at 8 pm is cancelled, but the bar is open.', 'canceled'],
    ['The Saturday walk is cancelled but Sunday 7 March goes ahead at 2pm.', undefined],
    ['Le concert est annulé, mais remboursé. Prochain concert le 6 mars à 20h.', undefined],
    ['Letztes Jahr abgesagt, aber dieses Jahr wieder: Dorffest am Samstag, 6. März, 14 Uhr.', undefined],
    ['The walk on 7 March at 2pm is not cancelled but we meet at the station.', undefined],
    ['Das Konzert am 5. März um 20 Uhr fällt aus technischen Gründen aus.', 'canceled'],
    ['Heuer fällt das Fest auf den 5. März, 20 Uhr, mit Musik aus Irland.', undefined],
    ['Das Konzert am 5. März um 20 Uhr fällt nicht aus.', undefined],
    ['The concert on 5 March at 8 pm has not been cancelled.', undefined],
    ['Concert on 5 March at 8 pm. If it rains, it will be cancelled.', undefined],
    ['We have had to call off the walk on 7 March. Sorry!', 'canceled'],
    ["Could you take tomorrow's film off the calendar please? No new date yet.", 'canceled'],
    [
      'Nous devons reporter à une date ultérieure notre concert, prévu ce dimanche 17 janvier à 16 h.',
      'postponed',
    ],
    // Another day is called off, and this one is the new one, or begins at another time.
    [
      'The concert on Friday 5 March is cancelled. The quiz on Saturday 6 March at 7 pm goes ahead.',
      undefined,
    ],
    ['Das Konzert wird vom 5. März auf Freitag, 12. März, 19 Uhr verschoben.', undefined],
    [
      'La cata del viernes 5 se aplaza al viernes 12 de marzo. Las entradas valen para la nueva fecha.',
      undefined,
    ],
    ['The workshop on 5 March has been pushed back to 2.15pm.', undefined],
  ])('says what is called off or put off: %s', (text, status) => {
    expect(read(text).drafts.map(({ event_status }) => event_status)).toEqual([status])
  })

  it.each([
    ['Pancake races on Shrove Tuesday (9 February) at 11 am', 'Pancake races'],
    ['Easter egg hunt on Easter Monday, 29 March, 11am', 'Easter egg hunt'],
    ['Palm Sunday\n21 March, 10am, St Mary’s', 'Palm Sunday'],
    ["Children's craft session in the library on Sat 30 Jan, 10.30", "Children's craft session"],
    ["Ladies' Choir spring concert, 20 March, 7.30pm", "Ladies' Choir spring concert"],
    ['Coach trip to Kew Gardens, Saturday 8 May, 8am.', 'Coach trip to Kew Gardens'],
    ['Am 17. Januar lädt der Verein um 15 Uhr zur Führung durch das Museum ein.', 'Führung durch das Museum'],
    ['Das Konzert findet am 5. März um 19:30 Uhr im Vereinsheim statt.', 'Konzert'],
    ['Due to illness the talk on 4 February has been cancelled.', 'talk'],
    ['Narrenbaumstellen auf dem Platz\nSa 30.01.  16 Uhr', 'Narrenbaumstellen auf dem Platz'],
    ['Open studios, weekend of 5/6 June, 11am-5pm', 'Open studios'],
    ['Tag der offenen Tür am Wochenende 5./6. Juni, 11 bis 17 Uhr', 'Tag der offenen Tür'],
    ['Portes ouvertes le week-end des 5 et 6 juin de 11h à 17h', 'Portes ouvertes'],
    ['Feria del libro el fin de semana del 5 y 6 de junio, de 11 a 17 h', 'Feria del libro'],
    ['Jazz weekend 5-6 June, Town Hall', 'Jazz weekend'],
    ['Yoga-Wochenende 5./6. Juni, 11 bis 17 Uhr', 'Yoga-Wochenende'],
    ['Raumänderung: Vortrag am 17. Februar, 19 Uhr', 'Vortrag'],
    ['Neuer Termin: Konzert am 17. Februar, 20 Uhr', 'Konzert'],
    ['Neue Musik: Konzert am 17. Februar, 20 Uhr', 'Neue Musik: Konzert'],
    ['URGENT: quiz night on 17 February, 7pm', 'quiz night'],
    ['Hi Margaret\n\nWe meet on Saturday 6 March at 7pm.', undefined],
    ['Concert le samedi 6 mars à 20h, salle des fêtes, stationnement gratuit.', 'Concert'],
    ['Songs We Grew Up With\nSaturday 6 March, 8pm, town hall', 'Songs We Grew Up With'],
    ['Choir concert "The World I Dream Of", Saturday 6 March, 8pm', 'The World I Dream Of'],
    ['Soirée jeux au Dépôt samedi 13 mars à 20h', 'Soirée jeux au Dépôt'],
    ['Hello Dolly, musical, 6 March, 7.30pm', 'Hello Dolly, musical'],
    // Letters with blanks between them
    ['FREIWILLIGE FEUERWEHR AUDORF\n\nZ E L T F E S T\n11. Juni 2027, 20 Uhr, Festplatz', 'ZELTFEST'],
    ['S E E D   S W A P\nSunday 31 January, 11am, Scout Hut', 'SEED SWAP'],
    ['G R A N D   L O T O !\nDimanche 7 février à 14 h 30, salle polyvalente', 'GRAND LOTO'],
    ['C A R N A V A L   2 0 2 7\nSábado 6 de febrero, 17:00 h, Plaza Mayor', 'CARNAVAL'],
    ['Workshop on recycling bins, Tuesday 9 March at 7pm', 'Workshop on recycling bins'],
    // Letters that a scan took for digits
    ['0STERFEUER\nKarsamstag, 27. März, 18.30 Uhr, Festwiese', 'OSTERFEUER'],
    ['Barn Dance and Supper\nSaturday 6 March, 8pm. A11 we1come', 'Barn Dance and Supper'],
    ['Jazz Festival Studio1, Saturday 6 March, 8pm', 'Jazz Festival Studio1'],
    ['Annua1 Quilt Show, Saturday 6 March, 10am', 'Annual Quilt Show'],
    ['Rot13 Konzert mit Die3Tenöre, 5. März, 19h30', 'Rot13 Konzert mit Die3Tenöre'],
    ["The dance won't happen. We'll dance on Saturday, January 30, 7 to 10pm instead.", undefined],
    ['Frühaufsteher aufgepasst: Am 18. April, 6.30 Uhr, beginnt unsere Vogelwanderung.', 'Vogelwanderung'],
    // What leads to a place below a kind of event, a verb that begins a clause, and “this” before a day
    ['KANALFEST\nan der Alten Schleuse in Brakenfurt\n\nFr, 18. Juni, 18 Uhr', 'KANALFEST'],
    ['Leider fällt unser Winterrudern diesen Samstag (16.1.) aus.', undefined],
    ['La conférence de M. Vannier a lieu le mardi 9 février à 19h30.', 'La conférence de M. Vannier'],
    [
      'LUNCHTIME WEBINAR\nWarm Walls for Old Houses\nWednesday 10 March, 12.30pm, on Zoom',
      'Warm Walls for Old Houses',
    ],
    // No title rather than half of a place, or the word before a time
    ['Après-midi jeux jeudi 21 janvier à 14h au centre social', 'Après-midi jeux'],
    ['29. März: Emmausgang, Treffpunkt 6 Uhr an der Kirche.', undefined],
  ])('takes the title of %s from the words that name it', (text, title) => {
    expect(read(text).drafts.map(draft => draft.title)).toEqual([title])
  })

  it.each([
    [
      'Gottesdienste: So 17.1. 10 Uhr Hl. Messe, Mi 20.1. 18 Uhr Rosenkranz, So 24.1. 9 Uhr Familiengottesdienst',
      [
        ['2027-01-17 10:00:00', 'Hl. Messe'],
        ['2027-01-20 18:00:00', undefined],
        ['2027-01-24 09:00:00', 'Familiengottesdienst'],
      ],
    ],
    [
      'Agenda: viernes 5 de febrero, 20 h, concierto; sábado 6 de febrero, 17 h, títeres; domingo 7 de febrero, 12 h, charla.',
      [
        ['2027-02-05 20:00:00', undefined],
        ['2027-02-06 17:00:00', undefined],
        ['2027-02-07 12:00:00', undefined],
      ],
    ],
    // One play in two halls
    ['Play: Fri 5 Feb 8pm Town Hall, Sat 6 Feb 8pm Village Hall', [['2027-02-05 20:00:00', 'Play']]],
  ])('takes each item of a sentence for an event: %s', (text, expected) => {
    expect(read(text).drafts.map(draft => [draft.start_date, draft.title])).toEqual(expected)
  })

  it('takes the answer of an e-mail with its own headers for what was written', () => {
    const mail = (answer: string) =>
      `From: Clerk\nTo: What's On\nSubject: RE: meeting\n\n${answer}\n\n> Public meeting, Wednesday 20 January, 7pm, Memorial Hall.`
    const answer = 'Sorry, the public meeting has been put back to Wednesday 10 February. Same time.'
    expect(read(mail(answer)).drafts.map(draft => draft.start_date)).toEqual(['2027-02-10'])
    expect(read(mail('Please see below.')).drafts.map(draft => draft.start_date)).toEqual([
      '2027-01-20 19:00:00',
    ])
  })

  it('takes who gets the money for no organizer', () => {
    const text = 'Concierto a favor del Banco de Alimentos, 21 de marzo, 12:30 h'
    expect(read(text, { organizers: named(['Banco de Alimentos']) }).drafts[0]?.organizer).toBeUndefined()
    const party = 'Launch party, Saturday 6 March, 4pm. For every pint we give 20p to the Rotary Club.'
    expect(read(party, { organizers: named(['Rotary Club']) }).drafts[0]?.organizer).toBeUndefined()
    const concert = 'The Rotary Club gives a concert on Saturday 6 March at 7pm.'
    expect(read(concert, { organizers: named(['Rotary Club']) }).drafts[0]?.organizer?.id).toBe(1)
  })

  it('reads a number of evenings without those that are left out', () => {
    const [draft] = read(
      'Nähkurs: 4 Abende ab 19. Januar, jeweils dienstags 18.30 Uhr. Am 2.2. fällt er aus.',
    ).drafts
    expect(draft?.dates).toEqual(['2027-01-26 18:30:00', '2027-02-09 18:30:00', '2027-02-16 18:30:00'])
  })

  it.each([
    'Le carnaval de l’école aura lieu le vendredi 5 mars.\n\nLa réunion se tiendra le samedi 6 mars à 18h.',
    'Unser Flohmarkt ist am Freitag, 5. März.\n\nGeöffnet von 10 bis 16 Uhr.\n\nDas Konzert ist am 6. März um 18 Uhr.',
    '- Raclette-Abend am 5. März im Pfarrheim\n- Ausflug am 6. März um 18 Uhr, Treffpunkt Bahnhof',
  ])('reads what has no time beside what has one: %s', text => {
    const starts = read(text).drafts.map(({ start_date }) => start_date)
    expect(starts).toEqual(['2027-03-05', '2027-03-06 18:00:00'])
  })

  it('takes the weekdays of services in the week for no day of the calendar above them', () => {
    const list = 'MESSES\nsam. 16 janvier : 18 h à Lussan\ndim. 17 janvier : 10 h 30 à Saint-Marc'
    const starts = read(`${list}\n(en semaine : mardi et jeudi 9 h, oratoire)`).drafts.map(
      ({ start_date }) => start_date,
    )
    expect(starts).not.toContain('2027-01-17 09:00:00')
    expect(starts).toContain('2027-01-16 18:00:00')
  })

  it.each([
    'Soirée jeux\nSamedi 13 février, 19 h\n\nLecture de poèmes\nDimanche 14 février, 15 h\n\nExposition « Verre »\nDu 2 au 27 février',
    'Artist’s talk: Saturday 13 February, 7pm\nWorkshop: Sunday 14 February, 3pm\n\nExhibition: Glass\n2 to 27 February',
  ])('reads an exhibition below other events: %s', text => {
    expect(read(text).drafts.map(({ start_date }) => start_date)).toEqual([
      '2027-02-13 19:00:00',
      '2027-02-14 15:00:00',
      '2027-02-02',
    ])
  })

  it('leaves an exhibition alone below its opening', () => {
    const text =
      'Vernissage: Freitag, 5. Februar, 19 Uhr\nFührung: Samstag, 13. Februar, 18 Uhr\n\nAusstellung „Glas“\n5. bis 27. Februar'
    expect(read(text).drafts.map(({ start_date }) => start_date)).toEqual(['2027-02-05'])
  })

  it.each([
    ['Concert de jazz le 6 mars à 20h.\n\nJardins de papier\nDu 15 au 20 mars dans le hall', 2],
    ['Concert de jazz le 6 mars à 20h.\n\nFermeture annuelle\nDu 15 au 20 mars', 1],
  ])('reads what lasts for days below a name, but is not closed: %s', (text, count) => {
    expect(read(text).drafts).toHaveLength(count)
  })

  it('tells a venue from others of nearly the same name', () => {
    const venues = named(['Turnhalle Nord', 'Turnhalle Süd'])
    const venueAt = (place: string) => read(`Judo, 5. März, 19 Uhr, ${place}`, { venues }).drafts[0]?.venue
    expect(venueAt('Turnhalle Süd')).toEqual({ id: 2, venue: 'Turnhalle Süd' })
    expect(venueAt('in der Turnhalle')).toEqual({ venue: 'Turnhalle' })
  })

  const LONGEST = 20_000
  it.each([
    'a',
    ' ',
    '1,',
    '5. März ',
    '1.2.,',
    '20:00 ',
    '<b>',
    '<p ',
    '&amp;',
    '„',
    '"a" ',
    '(',
    'AAA ',
    'Halle ',
    '\u00ad',
    'ß',
    'a\u0301\u0301',
    '- 5. März 20 Uhr Konzert hier\n',
  ])('takes %j, over and over again, and gives at most 20 events', piece => {
    const { drafts } = read(piece.repeat(Math.ceil(LONGEST / piece.length)).slice(0, LONGEST))
    expect(drafts.length).toBeLessThanOrEqual(20)
  })
})
