import { script } from '../json-ld.ts'

// Tables and a page without a slip.

const ENGLISH = `Title,Start Date,Start Time,End Date,End Time,Venue,Status,Private,Description
Jazz in the cellar,2027-03-05,19:30,2027-03-05,22:00,Blue cellar,,No,"Doors at seven, music at half past"
"Reading, with wine",2027-03-13,18:00,2027-03-13,20:15,Town library,,No,Bring your own glass
Supper of the board,2027-03-14,17:00,2027-03-14,18:30,Town hall,,Yes,Members only
Winter market,2027-12-04,10:00,2027-12-05,19:00,Market square,Cancelled,No,Mulled wine
`

const GERMAN = `Titel;Beginn;Ende;Ganztägig;Ort;Status;Privat;Beschreibung
Führung durch das Schloß;05.03.2027 14:00;05.03.2027 15:30;Nein;Schloß Tiefenbrunn;Bestätigt;Nein;"Treffpunkt: Tor; bitte pünktlich"
Töpfermarkt;13.06.2027;14.06.2027;Ja;Marktplatz;Bestätigt;Nein;"Zwanzig Stände
und ein Karussell"
Vorstandssitzung;15.03.2027 19:00;15.03.2027 21:00;Nein;Vereinsheim;Bestätigt;Ja;Nur für Mitglieder
"Konzert ""Zugabe""";20.03.2027 20:00;20.03.2027 22:00;Nein;Kulturhaus;Abgesagt;Nein;Karten an der Kasse
`

const FRENCH = `Titre;Date de début;Heure de début;Date de fin;Heure de fin;Lieu;Description
Bal de printemps;20/03/2027;20h30;20/03/2027;23h45;Salle des fêtes;Entrée libre
Marché aux fleurs;15/05/2027;09:00;15/05/2027;17:00;Place de la Mairie;"Fleurs; plantes"
Concert d'été;24/07/2027;21h00;24/07/2027;23h00;Théâtre de verdure;Apporter un coussin
`

const TABS = `Subject\tStart Date\tStart Time\tEnd Date\tEnd Time\tAll day event\tLocation\tTimezone
Chess evening\tMarch 5, 2027\t7:00 PM\tMarch 5, 2027\t10:30 PM\tFalse\tCafe Central\tEurope/Berlin
Regatta\tJune 12, 2027\t\tJune 13, 2027\t\tTrue\tHarbour\tEurope/Berlin
Swap shop\tMarch 19, 2027\t2:15 PM\tMarch 19, 2027\t5:00 PM\tFalse\tOld school\tAsia/Tokyo
`

const PAGE = `<!doctype html>
<html lang="en"><head><title>Programme</title>
<script type="application/ld+json">
[
{
"@context": "https://schema.org",
"@type": "MusicEvent",
"name": "Evening of songs",
"startDate": "2027-03-05T19:30:00+01:00",
"endDate": "2027-03-05T21:30:00+01:00",
"eventStatus": "https://schema.org/EventScheduled",
"url": "https://house.example/songs",
"location": {
"@type": "Place",
"name": "Small house",
"address": "Bridge street 5"
}
},
{
"@context": "https://schema.org",
"@type": "Event",
"name": "Fair of old books",
"startDate": "2027-04-10",
"endDate": "2027-04-11",
"eventStatus": "https://schema.org/EventCancelled",
"url": "https://house.example/books",
"location": {
"@type": "Place",
"name": "Large house",
"address": "Harbour road 9"
}
}
]
</script>
${script({
  '@context': 'https://schema.org',
  '@type': 'TheaterEvent',
  name: 'Play without words',
  startDate: '2027-05-02T20:00:00+02:00',
  endDate: '2027-05-02T22:00:00+02:00',
  url: 'https://house.example/play',
  location: { '@type': 'Place', name: 'Cellar stage', address: 'Mill lane 2' },
})}
</head><body><h1>Programme</h1></body></html>
`

export const TABLES: Record<string, string> = {
  'english.csv': ENGLISH,
  'german.csv': GERMAN,
  'french.csv': FRENCH,
  'tabs.csv': TABS,
}

export const PAGES: Record<string, string> = { 'page.html': PAGE }
