import type { Words } from './language.ts'

export function de(): Words {
  return {
  small:
    'der die das den dem des ein eine einen einem einer und im am an in mit von vom zum zur um ab bei ins',
  coming: 'kommenden kommender kommendem diesen diesem dieser',
  next: 'nachste nachsten nachster nachstem',
  every: 'jeden jeder jedem immer wochentlich',
  eachTime: 'jeweils taglich allabendlich vorstellungen auffuhrungen',
  notTheBeginning:
    'zusteigen zustieg siegerehrung preisverteilung preisverleihung einschreiben einlass kasse abendkasse kassenoffnung saaloffnung offnung turoffnung turen anmeldung einschreibung tel telefon geschaftszeiten offnungszeiten burozeiten sprechzeiten letzte letzter kuche bewirtung ausser fruher aufbau geoffnet offen vor vorverkauf aussteller standaufbau anreise startnummernausgabe nachmeldung nachmeldungen',
  beginning: 'beginn beginnt anfang konzert eroffnung',
  notTheDay:
    'seit unterschrieben unterzeichnet signiert reservieren reservierung reservierungen gesendet offnet wiedereroffnung annahme abgabe verkaufsstart geandert aktualisiert veroffentlicht kartenvorverkauf kartenverkauf ticketverkauf vvk bis spatestens anmeldeschluss redaktionsschluss einsendeschluss anmeldung anmeldungen fruhbucher vor nicht kein keine ausser gultig ursprunglich vorverkauf stand karten abgabefrist frist ferien schulferien eingereicht gilt redaktion preise',
  otherMatters:
    'mullabfuhr biotonne restmulltonne geleert geschlossene bewerbung bewerbungen vorstellungsgesprache tischvergabe platzvergabe kartenausgabe schliesst geschlossen offnungszeiten urlaub geschaftszeiten burozeiten sprechzeiten besetzt zuruckgegeben foto fotos bild redaktionsschluss anmeldeschluss einsendeschluss umleitung leine beitrag mitgliedsbeitrag dank danke ruckblick ruhezeit verkaufen vermisst steigen erlaubt schulferien osterferien sommerferien herbstferien schrieb suchen vermieten vermietung sperrung gesperrt',
  cancelled: 'abgseit abgesagt absage entfallt entfallen abzusagen gestrichen absagen',
  calledOff: 'wird leider nichts|leider streichen|streichen mussen|fallt aus|fallt leider aus|fallen aus|ausfallen',
  takingPlace: 'stattfinden|zustande',
  postponed: 'verschoben verlegt verschieben vorverlegt vorgezogen',
  newDate: 'ersatztermin nachgeholt nachholtermin nachholtermins neuer neues neue neuem datum',
  noDateYet: 'offen bekannt spater neuer neue',
  but: 'sondern',
  conditional: 'bei regen|bei sturm|bei dauerregen|bei unwetter|bei schlechtem|bei gewitter|bei starkem|bei starkregen|bei zu wenig|bei schlechter|falls|wenn|sofern|bei weniger',
  negations: 'nicht kein keine nie',
  full: 'ausverkauft ausgebucht voll belegt',
  free: 'frei freier kostenlos kostenfrei gratis umsonst',
  collected: 'spende spenden kollekte hutspende spendenbasis hutsammlung austrittskollekte',
  admission:
    'vvk ak parkett rang loge eintritt abendkasse vorverkauf karten kosten teilnahmegebuhr kursgebuhr gebuhr ticket tickets unkostenbeitrag teilnahme teilnahmebeitrag startgeld startgebuhr tageskasse einzelkarte karte eintrittspreis eintrittskarten festivalpass einsatz billette billett kurskosten seminarkosten unkosten abendkassa tageskassa kostenbeitrag eintrittsgeld saalkasse tageskarte nenngeld startgebuhren zutritt zugang tarif tarife vorverkaufspreis kostenpunkt',
  audience:
    'andere geschwister verkleidete verkleidet kostumierte jugend freunde zuschauer pers forderer erwachsene kinder ermassigt erm mitglieder nichtmitglieder schuler studenten rentner familien familie jugendliche person kopf legi kulturlegi lernende auszubildende studierende senioren kind erwachsener vereinsmitglieder gaste kids azubis soli normalpreis vollzahler nichtmitgliedern mitgliedern kindern schulern studierenden inhaber alle mitglied gast',
  notAdmission:
    'garderobe dutzend leihgebuhr preis hauptpreis preisgeld tischgebuhr standgebuhr pfand kaution wurst bratwurst kuchen kaffee getranke bier essen erlos aussteller standler tombola lose mitgliedsbeitrag mitgliederbeitrag jahresbeitrag vereinsbeitrag beitrag bisher rabatt parken parkgebuhr gutschein leihschuhe miete verkaufen fahrrad meter standmeter tisch ermassigung nachlass zuschlag ersungen kollekte spendenstand mannschaft kopien extra material materialkosten anzahlung anzahlen anzuzahlen unterkunft ubernachtung kaltgetranke gewinner sieger aufpreis aufschlag flasche stuck verkaufer bus busfahrt fahrtkosten fahrpreis mitfahrt mittagessen essensbons abendessen fruhstuck verpflegung',
  greetings: 'hallo hoi griass liebe lieber liebes werte werter sehr guten servus moin huhu helau alaaf gruezi',
  numbers:
    'eins=1 ein=1 zwei=2 drei=3 vier=4 funf=5 sechs=6 sieben=7 acht=8 neun=9 zehn=10 elf=11 zwolf=12 dreizehn=13 vierzehn=14 funfzehn=15 sechzehn=16 siebzehn=17 achtzehn=18 neunzehn=19 zwanzig=20 dreissig=30 vierzig=40 funfzig=50',
  ordinals: 'ersten=1 erster=1 zweiten=2 zweiter=2 dritten=3 dritter=3 vierten=4 vierter=4 funften=5 sechsten=6 siebten=7 achten=8 neunten=9 zehnten=10 elften=11 zwolften=12 dreizehnten=13 vierzehnten=14 funfzehnten=15 sechzehnten=16 siebzehnten=17 achtzehnten=18 neunzehnten=19 zwanzigsten=20 einundzwanzigsten=21 zweiundzwanzigsten=22 dreiundzwanzigsten=23 vierundzwanzigsten=24 funfundzwanzigsten=25 sechsundzwanzigsten=26 siebenundzwanzigsten=27 achtundzwanzigsten=28 neunundzwanzigsten=29 dreissigsten=30 einunddreissigsten=31 letzten=-1 letzter=-1',
  ofMonth: 'monat monats monate',
  fortnight: 'alle 14 tage|alle zwei wochen|14 taglich|vierzehntagig|14tagig|alle 2 wochen|jeden zweiten',
  meetings: 'termine abende mal male treffen einheiten stunden nachmittage wochen vormittage kursabende',
  places: 'halle saal haus kirche theater park schule gasthof gasthaus cafe museum bibliothek bucherei stadthalle festhalle turnhalle aula',
  houses: 'uni universitat cafe gaststatte hotel restaurant schloss kapelle rathaus bar hof kindergarten kita apotheke praxis',
  sites:
    'kirchplatz dorfplatz rathausplatz parkplatz schulhof friedhof bahnhof busbahnhof sportplatz festplatz gemeindehaus pfarrheim pfarrhaus pfarrsaal vereinsheim burgerhaus kulturhaus jugendzentrum juz zentrum werkstatt atelier galerie kino buhne club keller scheune stadel tenne muhle burg kloster dom munster stadtkirche synagoge moschee tempel stube wirtshaus wirt landgasthof krone lowen adler linde hutte alm berghaus garten wiese wald see strand bad freibad hallenbad schwimmbad sporthalle stadion arena eisbahn campus universitat hochschule gymnasium realschule grundschule volkshochschule horsaal foyer forum atrium buchhandlung laden markthalle feuerwehrhaus geratehaus spital krankenhaus altersheim heim hort kita turm tor brucke brunnen quartier gemeinderaum schleuse anleger hafen weiher teich steg dorfanger gewolbe dgh basilika krypta kreuzgang mensa schiessstand sternwarte festzelt bierzelt lokschuppen kaserne bergstation talstation mediathek buchladen hofladen weingut brauerei laube kiosk zeche stadtarchiv feuerwache',
  streets: 'markt marktplatz platz strasse str weg gasse allee',
  sheets: 'richtigstellung berichtigung vorschau pressemitteilung pressemeldung presseinformation medienmitteilung gemeindebrief pfarrbrief gemeindeblatt pfarrblatt vereinsblatt infobrief wochenblatt ausgabe stand gegrundet seite nr termine veranstaltungen betreff amtsblatt mitteilungsblatt rundbrief programm kalender tagesordnung korrektur ubersicht hinweise seit veranstalter mitteilung mitteilungen bekanntmachung info infos information nachrichten spielplan neues neuigkeiten aktuelles veranstaltungstipp tipp aushang rundschreiben wetterwarnung',
  verbs: 'darf durfen ist sind wird werden findet finden muss kann bitte konnen gibt geplant geplante geplanter freuen war hat haben beginnt startet trifft treffen fallt entfallt geht kommt wurde hoffe hoffen wurde wurden tritt singt probt proben steht offnet steigt',
  leads: 'leider aufgepasst vergessen mitteilen geruchten erinnerung absagen ja',
  noTitles: 'redaktion sorge abende termine wieder wichtig achtung wegen aufgrund hinweis grusse gruss grussen herzlichst nein nachsten anderung tage leute wochen geandert geanderter geanderte terminanderung',
  bodies: 'gemeinde kirchengemeinde pfarrgemeinde verein gesangverein musikverein sportverein turnverein heimatverein forderverein feuerwehr gesellschaft pfarrei klub club verband bund',
  presenting: 'ladt laden prasentiert zeigt spielt veranstaltet zeigen prasentieren veranstalten organisiert organisieren bietet bieten empfangt',
  kinds: 'krabbelgruppe spielgruppe konzert fest feier ball markt basar borse trodel messe gottesdienst andacht vesper prozession wallfahrt lesung vortrag workshop kurs seminar schulung lehrgang training probe versammlung sitzung treffen treff stammtisch fruhstuck brunch essen grillen fuhrung rundgang wanderung spaziergang tour exkursion ausflug fahrt lauf rennen turnier wettbewerb ausstellung vernissage finissage premiere auffuhrung kabarett musical oper operette revue show disco party tanz tanztee umzug fasching karneval fasnacht jahrmarkt kirmes kirchweih kerwe blutspende blutspenden jamsession schnuppern infoabend quiz bingo slam lesekreis seniorenkreis frauenkreis bibelkreis spielkreis bastelkreis chorprobe singen matinee soiree jubilaum einweihung eroffnung kundgebung demo diskussion aktion tausch yoga pilates zumba gymnastik lager zeltlager hock apero metzgete jassen sommerkino krippenspiel puppenspiel theaterstuck spieletreff exerzitien meditation erzahlcafe erzahlcafe seniorencafe reparaturcafe trauercafe sprachcafe babycafe schafkopf skat schieber jass schoppen chranzli kilbi dult gala festival rallye marathon triathlon stubete plausch kehraus varieté zirkus umtrunk ortstermin tombola lotto lottomatch vorlesezeit vorlesestunde bilderbuchkino pfarrcafe kirchencafe elterncafe',
  occasions: 'tag nacht',
  kindEnds: 'vesper konzert fest feier ball markt basar borse gottesdienst andacht prozession lesung vortrag workshop kurs seminar training probe versammlung sitzung treffen treff stammtisch fruhstuck essen fuhrung rundgang wanderung spaziergang exkursion ausflug lauf rennen turnier wettbewerb ausstellung premiere auffuhrung tanz umzug singen diskussion aktion tausch nachmittag abend spiel gesprach hock kino nacht schwimmen schoppen zmorge zmittag znacht musik fahrt tour runde feuer matinee werkstatt meisterschaft verkostung kurse cup olympiade rallye marathon schau gebet kunsttage kulturtage literaturtage filmtage musiktage theatertage',
  links: 'rund ums um bei ohne unter der des fur mit von zu zum zur und uber im in am die das den dem',
  genres:
    'ausstellung ausstellungen musik tanz theater kunst literatur wort buhne familie familien kinder jugend senioren erwachsene natur fuhrungen party kabarett comedy humor klassik jazz rock pop chanson konzerte lesungen vortrage sondervorstellung filmvorfuhrung matinee ferien ferienprogramm',
  rules: 'satzung hausregeln hausordnung erlaubt verboten durfen untersagt kaution mieter gestattet nutzungsgebuhr gebuhren tarife',
  minutes: 'protokoll anwesend entschuldigt kassenstand kassenbestand beschlossen einstimmig schriftfuhrer protokollfuhrer genehmigt',
  vacancies: 'quereinsteiger bezahlung trinkgeld aushilfe schichten bewerbung bewerbungen lebenslauf bruttogehalt gehalt vollzeit teilzeit minijob unbefristet unbefristeten befristet befristete vorstellungsgesprache arbeitszeit wochenstunden vergutung stundenlohn stelle',
  notices:
    'handwerker techniker schornsteinfeger kaminkehrer zahlerablesung klausur gesperrt sperrung abgesperrt absperrung vollsperrung umleitung strassenarbeiten bauarbeiten halteverbot wasserabsperrung stromabschaltung stromausfall abgestellt abgeschaltet rohrbruch hausanschlusse mull mullabfuhr restmull biotonne biomull papiertonne tonnen tonne sperrmull abfallkalender abfuhr grundsteuer gewerbesteuer hundesteuer fallig falligkeit mahnung rechnung uberweisung lastschrift rate bescheid praxis ordination ordinationszeiten sprechstunde sprechstunden sprechzeiten apotheke notdienst betriebsferien betriebsurlaub ruhetag ruhetage unterricht unterrichtsfrei schulfrei schulferien notbetreuung fahrplan fahrplanwechsel linie takt haltestelle umfrage befragung briefwahl wahlbrief wahlvorschlage stimmzettel petition unwetterwarnung warnung glatteis sturmboen schneefall miete vermieten zimmer kaltmiete nebenkosten provision rabatt sonderangebot angebot lieferbar bestellung finderlohn entlaufen zugelaufen gefunden verloren verstorben nachruf beisetzung geburtstag gewahlt neugewahlt vorstandswahl betruger betrug enkeltrick forderung forderantrag antragsfrist helfer helferinnen redaktionsschluss beitrag mitgliedsbeitrag werktags',
  otherHeadings: 'verkaufe verkaufen vermiete entlaufen offnungszeiten preisliste gesucht stellenangebot stellenanzeige stellenausschreibung protokoll',
  inviting: 'einladung eingeladen einberufen laden ladt herzlich willkommen eintritt kommt freuen',
  buttons:
    'zum inhalt|zum inhalt springen|zum hauptinhalt|zum hauptinhalt springen|direkt zum inhalt|zur navigation|zur navigation springen|zur suche|nach oben|zuruck nach oben|in den kalender|in den kalender eintragen|in kalender eintragen|zum kalender hinzufugen|termin speichern|ics herunterladen|veranstaltung teilen|seite teilen|seite drucken|auf facebook teilen|jetzt buchen|jetzt tickets sichern|tickets kaufen|tickets buchen|zum ticketshop|karten kaufen|karten bestellen|mehr|mehr erfahren|mehr infos|mehr informationen|mehr anzeigen|mehr laden|weiterlesen|weiter lesen|details anzeigen|alle termine|alle veranstaltungen|zuruck zur ubersicht|zuruck|zur ubersicht|newsletter abonnieren|zum newsletter anmelden|folgen sie uns|impressum|datenschutz|impressum datenschutz|datenschutzerklarung|cookie einstellungen|barrierefreiheit|erklarung zur barrierefreiheit|leichte sprache|gebardensprache|anmelden abmelden|einloggen|mein konto|warenkorb|menu offnen|menu schliessen|hauptmenu|vorherige|nachste|vorheriger termin|nachster termin|auf karte anzeigen|alle rechte vorbehalten|kommentar schreiben|vergangene veranstaltungen|vorherige veranstaltungen|nachste veranstaltungen|kalender abonnieren|zusagen|absagen|interessiert|karte anzeigen|alle akzeptieren|nur notwendige|in kalender ubernehmen|in kalender ubernehmen ics|schriftgrosse|schriftgrosse a a a',
  menus:
    'heute|morgen|diese woche|dieses wochenende|diesen monat|dieser monat|alle|woche|startseite|start|home|menu|suche|suchen|veranstaltungen|termine|programm|spielplan|aktuelles|neuigkeiten|besuch|ihr besuch|ausstellungen|vermittlung|sammlung|angebote|service|uber uns|wir uber uns|verein|kontakt|anfahrt|tickets|karten|shop|vermietung|presse|newsletter|galerie|login|mitglied werden|spenden|rathaus|burger|tourismus|freizeit|kultur|kategorien|archiv|teilen|drucken|merken|facebook|instagram|youtube|filter|agb|faq|hilfe|karte|liste|monat|kalender|fuhrungen|team',
  related:
    'das konnte sie auch interessieren|das konnte dich auch interessieren|auch interessant|weitere veranstaltungen|weitere termine|ahnliche veranstaltungen|mehr veranstaltungen|verwandte veranstaltungen|andere veranstaltungen|nachste anlasse|weitere anlasse|nachste veranstaltungen|kommende veranstaltungen|die nachsten veranstaltungen|nachste termine|mehr entdecken|das konnte auch interessant sein',
  opening:
    'geoffnet offnungszeiten tageskasse kasse burozeiten sprechzeiten offen',
  consent:
    'akzeptieren verwenden verwendet nutzt nutzen einstellungen ablehnen zustimmen',
}
}
