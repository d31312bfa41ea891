import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languageOf } from '../../../src/kit/lib/languages.ts'
import { fileItems } from '../../../src/readers/files.ts'
import { CONTEXT, makeFolder, WINDOW } from '../database.ts'

// Tables with the columns and the values that programs write, and those of people, each with what has to come
// out.

/**
 * Each begins with its name, the form of its rows, and the language and the zone of the calendar. Lines with
 * = are the events that come out: title, start, end, whether they last whole days, status, and more of what
 * they have; or, after !, a part of the reason for refusing a row.
 */
const TABLES = `
# Outlook DE | quoted | de | Europe/Berlin
Betreff | Beginnt am | Beginnt um | Endet am | Endet um | Ganztägiges Ereignis | Erinnerung Ein/Aus | Erinnerung am | Erinnerung um | Besprechungsplanung | Erforderliche Teilnehmer | Optionale Teilnehmer | Besprechungsressourcen | Abrechnungsinformationen | Beschreibung | Kategorien | Ort | Priorität | Privat | Reisekilometer | Vertraulichkeit | Zeitspanne zeigen als
Probe | 13.4.2027 | 19:30:00 | 13.4.2027 | 21:00:00 | Aus | Ein | 13.4.2027 | 19:30:00 | Chor |  |  |  |  | Text | Musik;Chor | Saal | Normal | Aus |  | Normal | 2
Fest | 17.4.2027 | 00:00:00 | 18.4.2027 | 00:00:00 | Ein | Ein | 17.4.2027 | 00:00:00 | Chor |  |  |  |  | Text | Musik;Chor |  | Normal | Aus |  | Normal | 2
Messe | 20.4.2027 | 00:00:00 | 23.4.2027 | 00:00:00 | Ein | Ein | 20.4.2027 | 00:00:00 | Chor |  |  |  |  | Text | Musik;Chor |  | Normal | Aus |  | Normal | 2
Arzt | 14.4.2027 | 09:00:00 | 14.4.2027 | 10:00:00 | Aus | Ein | 14.4.2027 | 09:00:00 | Chor |  |  |  |  | Text | Musik;Chor | Praxis | Normal | Ein |  | Privat | 2
Personal | 15.4.2027 | 09:00:00 | 15.4.2027 | 10:00:00 | Aus | Ein | 15.4.2027 | 09:00:00 | Chor |  |  |  |  | Text | Musik;Chor |  | Normal | Aus |  | Vertraulich | 2
Nacht | 16.4.2027 | 22:00:00 | 17.4.2027 | 02:00:00 | Aus | Ein | 16.4.2027 | 22:00:00 | Chor |  |  |  |  | Text | Musik;Chor |  | Normal | Aus |  | Persönlich | 2
= Probe | 2027-04-13 19:30 | 2027-04-13 21:00 |  | publish | Saal
= Fest | 2027-04-17 | 2027-04-17 | all | publish
= Messe | 2027-04-20 | 2027-04-22 | all | publish
= Arzt | 2027-04-14 09:00 | 2027-04-14 10:00 |  | private | Praxis
= Personal | 2027-04-15 09:00 | 2027-04-15 10:00 |  | private
= Nacht | 2027-04-16 22:00 | 2027-04-17 02:00 |  | private

# Outlook EN-US | quoted | en | America/New_York
Subject | Start Date | Start Time | End Date | End Time | All day event | Reminder on/off | Reminder Date | Reminder Time | Meeting Organizer | Required Attendees | Optional Attendees | Meeting Resources | Billing Information | Categories | Description | Location | Mileage | Priority | Private | Sensitivity | Show time as
Rehearsal | 4/10/2027 | 7:30:00 PM | 4/10/2027 | 9:00:00 PM | False | False | 4/10/2027 | 7:30:00 PM | Ann |  |  |  |  | Music | Text | Hall |  | Normal | False | Normal | 2
Feast | 4/17/2027 | 12:00:00 AM | 4/18/2027 | 12:00:00 AM | True | False | 4/17/2027 | 12:00:00 AM | Ann |  |  |  |  | Music | Text |  |  | Normal | False | Normal | 2
Camp | 4/20/2027 | 12:00:00 AM | 4/25/2027 | 12:00:00 AM | True | False | 4/20/2027 | 12:00:00 AM | Ann |  |  |  |  | Music | Text |  |  | Normal | False | Normal | 2
Doctor | 4/11/2027 | 9:00:00 AM | 4/11/2027 | 10:00:00 AM | False | False | 4/11/2027 | 9:00:00 AM | Ann |  |  |  |  | Music | Text |  |  | Normal | True | Private | 2
Board | 4/12/2027 | 9:00:00 AM | 4/12/2027 | 10:00:00 AM | False | False | 4/12/2027 | 9:00:00 AM | Ann |  |  |  |  | Music | Text |  |  | Normal | False | Confidential | 2
= Rehearsal | 2027-04-10 19:30 | 2027-04-10 21:00 |  | publish | Hall
= Feast | 2027-04-17 | 2027-04-17 | all | publish
= Camp | 2027-04-20 | 2027-04-24 | all | publish
= Doctor | 2027-04-11 09:00 | 2027-04-11 10:00 |  | private
= Board | 2027-04-12 09:00 | 2027-04-12 10:00 |  | private

# Outlook EN-GB | quoted | en | Europe/Berlin
Subject | Start Date | Start Time | End Date | End Time | All day event | Reminder on/off | Reminder Date | Reminder Time | Meeting Organizer | Required Attendees | Optional Attendees | Meeting Resources | Billing Information | Categories | Description | Location | Mileage | Priority | Private | Sensitivity | Show time as
A | 10/04/2027 | 19:30:00 | 10/04/2027 | 21:00:00 | False | False | 10/04/2027 | 19:30:00 | Ann |  |  |  |  | Music | Text |  |  | Normal | False | Normal | 2
B | 13/04/2027 | 00:00:00 | 14/04/2027 | 00:00:00 | True | False | 13/04/2027 | 00:00:00 | Ann |  |  |  |  | Music | Text |  |  | Normal | False | Normal | 2
= A | 2027-04-10 19:30 | 2027-04-10 21:00 |  | publish
= B | 2027-04-13 | 2027-04-13 | all | publish

# Outlook FR | quoted | fr | Europe/Paris
Objet | Début | Début | Fin | Fin | Journée entière | Rappel actif/inactif | Date de rappel | Heure du rappel | Organisateur d’une réunion | Participants obligatoires | Participants facultatifs | Ressources de la réunion | Afficher la disponibilité | Catégories | Critère de diffusion | Description | Emplacement | Informations facturation | Kilométrage | Priorité | Privé
Chœur | 10/04/2027 | 19:30:00 | 10/04/2027 | 21:00:00 | Faux | Faux | 10/04/2027 | 19:30:00 | Ann |  |  |  | 2 | Musique | Normale | Texte | Salle |  |  | Normale | Faux
Fête | 11/04/2027 | 00:00:00 | 12/04/2027 | 00:00:00 | Vrai | Faux | 11/04/2027 | 00:00:00 | Ann |  |  |  | 2 | Musique | Normale | Texte |  |  |  | Normale | Faux
Médecin | 12/04/2027 | 09:00:00 | 12/04/2027 | 10:00:00 | Faux | Faux | 12/04/2027 | 09:00:00 | Ann |  |  |  | 2 | Musique | Normale | Texte |  |  |  | Normale | Vrai
Bureau | 09/04/2027 | 09:00:00 | 09/04/2027 | 10:00:00 | Faux | Faux | 09/04/2027 | 09:00:00 | Ann |  |  |  | 2 | Musique | Confidentiel | Texte |  |  |  | Normale | Faux
= Chœur | 2027-04-10 19:30 | 2027-04-10 21:00 |  | publish | Salle
= Fête | 2027-04-11 | 2027-04-11 | all | publish
= Médecin | 2027-04-12 09:00 | 2027-04-12 10:00 |  | private
= Bureau | 2027-04-09 09:00 | 2027-04-09 10:00 |  | private

# Outlook ES (half English) | quoted | es | Europe/Madrid
Asunto | Fecha de comienzo | Comienzo | Fecha de finalización | Finalización | Todo el día | Reminder on/off | Reminder Date | Reminder Time | Meeting Organizer | Required Attendees | Optional Attendees | Recursos de la reunión | Billing Information | Categories | Description | Location | Mileage | Priority | Private | Sensitivity | Show time as
Coro | 10/4/2027 | 19:30:00 | 10/4/2027 | 21:00:00 | FALSO | False | 10/4/2027 | 19:30:00 | Ann |  |  |  |  | Music | Text | Sala |  | Normal | FALSO | Normal | 2
Fiesta | 11/4/2027 | 0:00:00 | 12/4/2027 | 0:00:00 | VERDADERO | False | 11/4/2027 | 0:00:00 | Ann |  |  |  |  | Music | Text |  |  | Normal | FALSO | Normal | 2
Médico | 12/4/2027 | 9:00:00 | 12/4/2027 | 10:00:00 | FALSO | False | 12/4/2027 | 9:00:00 | Ann |  |  |  |  | Music | Text |  |  | Normal | VERDADERO | Normal | 2
= Coro | 2027-04-10 19:30 | 2027-04-10 21:00 |  | publish | Sala
= Fiesta | 2027-04-11 | 2027-04-11 | all | publish
= Médico | 2027-04-12 09:00 | 2027-04-12 10:00 |  | private

# Outlook ES | quoted | es | Europe/Madrid
Asunto | Fecha de comienzo | Comienzo | Fecha de finalización | Finalización | Todo el día | Aviso activado/desactivado | Fecha del aviso | Hora del aviso | Organizador de la reunión | Asistentes necesarios | Asistentes opcionales | Recursos de la reunión | Categorías | Carácter | Descripción | Información de facturación | Kilometraje | Mostrar hora como | Prioridad | Privado | Ubicación
Coro | 10/04/2027 | 19:30:00 | 10/04/2027 | 21:00:00 | Falso | Falso | 10/04/2027 | 19:30:00 | Ann |  |  |  | Música | Normal | Texto |  |  | 2 | Normal | Falso | Sala
Fiesta | 11/04/2027 | 0:00:00 | 13/04/2027 | 0:00:00 | Verdadero | Falso | 11/04/2027 | 0:00:00 | Ann |  |  |  | Música | Normal | Texto |  |  | 2 | Normal | Falso |
Médico | 12/04/2027 | 9:00:00 | 12/04/2027 | 10:00:00 | Falso | Falso | 12/04/2027 | 9:00:00 | Ann |  |  |  | Música | Privado | Texto |  |  | 2 | Normal | Verdadero |
Junta | 12/04/2027 | 11:00:00 | 12/04/2027 | 12:00:00 | Falso | Falso | 12/04/2027 | 11:00:00 | Ann |  |  |  | Música | Confidencial | Texto |  |  | 2 | Normal | Falso |
= Coro | 2027-04-10 19:30 | 2027-04-10 21:00 |  | publish | Sala
= Fiesta | 2027-04-11 | 2027-04-12 | all | publish
= Médico | 2027-04-12 09:00 | 2027-04-12 10:00 |  | private
= Junta | 2027-04-12 11:00 | 2027-04-12 12:00 |  | private

# Outlook NL | semicolons | en | Europe/Berlin
Onderwerp | Start | End | Title | All day event | Private
x | 21-4-2027 00:00 | 22-4-2027 00:00 | Koningsdag | True | onwaar
x | 23-4-2027 20:00 | 23-4-2027 22:00 | Koor | False | WAAR
= Koningsdag | 2027-04-21 | 2027-04-21 | all | publish
= Koor | 2027-04-23 20:00 | 2027-04-23 22:00 |  | private

# Google Calendar | commas | en | America/New_York
Subject | Start Date | Start Time | End Date | End Time | All Day Event | Description | Location | Private
Exam | 05/30/2027 | 10:00 AM | 05/30/2027 | 1:00 PM | False | Bring | Hall | True
Fair | 05/31/2027 |  | 05/31/2027 |  | True |  | Park | False
Trip | 06/01/2027 |  | 06/03/2027 |  | True |  | Park |
= Exam | 2027-05-30 10:00 | 2027-05-30 13:00 |  | private | Hall
= Fair | 2027-05-31 | 2027-05-31 | all | publish | Park
= Trip | 2027-06-01 | 2027-06-03 | all | publish | Park

# Google Forms EN | commas | en | America/New_York
Timestamp | Email Address | Event title | Date | Start time | End time | Where | Is it free?
11/20/2026 14:03:22 | a@x.example | Walk | 4/10/2027 | 7:30:00 PM | 9:00:00 PM | Park | Yes
11/21/2026 9:03:22 | b@x.example | Talk | 4/13/2027 | 10:00:00 AM |  | Library | No
= Walk | 2027-04-10 19:30 | 2027-04-10 21:00 |  | publish | Park
= Talk | 2027-04-13 10:00 | 2027-04-13 10:00 |  | publish | Library

# Google Forms DE | commas | de | Europe/Berlin
Zeitstempel | Titel der Veranstaltung | Datum | Beginn | Ende | Ort
20.11.2026 14:03:22 | Wanderung | 10.04.2027 | 19:30:00 | 21:00:00 | Park
21.11.2026 09:03:22 | Vortrag | 13.04.2027 | 10:00:00 |  | Bücherei
= Wanderung | 2027-04-10 19:30 | 2027-04-10 21:00 |  | publish | Park
= Vortrag | 2027-04-13 10:00 | 2027-04-13 10:00 |  | publish | Bücherei

# Google Forms FR | commas | fr | Europe/Berlin
Horodateur | Titre | Date | Heure de début | Lieu
20/11/2026 14:03:22 | Balade | 10/04/2027 | 19:30:00 | Parc
21/11/2026 09:03:22 | Débat | 11/04/2027 | 10:00:00 | Salle
= Balade | 2027-04-10 19:30 | 2027-04-10 19:30 |  | publish | Parc
= Débat | 2027-04-11 10:00 | 2027-04-11 10:00 |  | publish | Salle

# Google Forms ES | commas | es | Europe/Berlin
Marca temporal | Título | Fecha | Hora de inicio | Lugar
20/11/2026 14:03:22 | Paseo | 10/04/2027 | 19:30:00 | Parque
= Paseo | 2027-04-10 19:30 | 2027-04-10 19:30 |  | publish | Parque

# Airtable | commas | en | America/New_York
Name | Start | End | All day | Private | Status | Location
Gala | 4/10/2027 7:30pm | 4/10/2027 9:00pm |  |  | Confirmed | Hall
Retreat | 4/13/2027 | 4/14/2027 | checked |  |  | Lodge
Board | 4/15/2027 6:00pm | 4/15/2027 7:00pm |  | checked | Confirmed |
Maybe | 4/16/2027 6:00pm | 4/16/2027 7:00pm |  |  | Idea |
Off | 4/17/2027 6:00pm | 4/17/2027 7:00pm |  |  | Cancelled |
Later | 4/18/2027 6:00pm |  |  |  | Draft |
= Gala | 2027-04-10 19:30 | 2027-04-10 21:00 |  | publish | Hall
= Retreat | 2027-04-13 | 2027-04-14 | all | publish | Lodge
= Board | 2027-04-15 18:00 | 2027-04-15 19:00 |  | private
= Maybe | 2027-04-16 18:00 | 2027-04-16 19:00 |  | pending
= Off | 2027-04-17 18:00 | 2027-04-17 19:00 |  | publish | canceled
= Later | 2027-04-18 18:00 | 2027-04-18 18:00 |  | draft

# Airtable ISO | commas | en | Europe/Berlin
Name | Start | End | Created
Gala | 2027-04-10T17:30:00.000Z | 2027-04-10T19:00:00.000Z | 2026-11-01T10:00:00.000Z
Two | 2027-12-10T17:30:00.000Z | 2027-12-10T19:00:00.000Z | 2026-11-01T10:00:00.000Z
= Gala | 2027-04-10 19:30 | 2027-04-10 21:00 |  | publish
= Two | 2027-12-10 18:30 | 2027-12-10 20:00 |  | publish

# Notion | quoted | en | America/New_York
Name | Date | Tags | Status | Created time | Last edited time | Public
Gala | April 10, 2027 7:30 PM → 9:00 PM | Music, Dance | Confirmed | November 1, 2026 10:00 AM | November 2, 2026 10:00 AM | Yes
Camp | April 12, 2027 → April 15, 2027 |  |  | November 1, 2026 10:00 AM | November 2, 2026 10:00 AM | Yes
Talk | April 16, 2027 7:30 PM |  |  | November 1, 2026 10:00 AM | November 2, 2026 10:00 AM | No
Night | April 17, 2027 10:30 PM → April 18, 2027 2:00 AM |  | Canceled | November 1, 2026 10:00 AM | November 2, 2026 10:00 AM | Yes
= Gala | 2027-04-10 19:30 | 2027-04-10 21:00 |  | publish
= Camp | 2027-04-12 | 2027-04-15 | all | publish
= Talk | 2027-04-16 19:30 | 2027-04-16 19:30 |  | private
= Night | 2027-04-17 22:30 | 2027-04-18 02:00 |  | publish | canceled

# Notion ISO, DE | quoted | en | Europe/Berlin
Name | Datum | Erstellt
Gala | 2027/04/10 19:30 → 21:00 | 2026/11/01 10:00
Camp | 2027/04/12 → 2027/04/15 | 2026/11/01 10:00
X | 2027-04-13→2027-04-14 | 2026/11/01 10:00
= Gala | 2027-04-10 19:30 | 2027-04-10 21:00 |  | publish
= Camp | 2027-04-12 | 2027-04-15 | all | publish
= X | 2027-04-13 | 2027-04-14 | all | publish

# Excel DE | semicolons | de | Europe/Berlin
Titel | Datum | Uhrzeit | Ort | Eintritt | Status
Konzert | Sa 10.04.2027 | 19:30 | Münster | 12,00 € |
Fest | 13.03. - 15.03.2027 |  | Platz |  |
Markt | 13./14.03.2027 |  | Platz |  |
Lesung | 11.04.2027 | 1900 | Bücherei |  | abgesagt
Tanz | 12.04.2027 | 20 Uhr bis 23 Uhr | Saal |  | verschoben
Probe | 14.04.2027 | 10:00 | Saal |  | fraglich
= Konzert | 2027-04-10 19:30 | 2027-04-10 19:30 |  | publish | Münster
= Fest | 2027-03-13 | 2027-03-15 | all | publish | Platz
= Markt | 2027-03-13 | 2027-03-14 | all | publish | Platz
= Lesung | 2027-04-11 19:00 | 2027-04-11 19:00 |  | publish | Bücherei | canceled
= Tanz | 2027-04-12 20:00 | 2027-04-12 23:00 |  | publish | Saal | postponed
= Probe | 2027-04-14 10:00 | 2027-04-14 10:00 |  | pending | Saal

# Excel DE, slashes | semicolons | de | Europe/Berlin
Titel | Datum | Uhrzeit | Ort
A | 10/04/2027 | 19:30 | Saal
B | 05/06/2027 | 20:00 | Saal
= A | 2027-04-10 19:30 | 2027-04-10 19:30 |  | publish | Saal
= B | 2027-06-05 20:00 | 2027-06-05 20:00 |  | publish | Saal

# Excel DE, weekday column | semicolons | de | Europe/Berlin
Tag | Datum | Zeit | Was
Sa | 10.04.2027 | 19:30 | Tanz
So | 11.04.2027 | 11 Uhr | Matinee
= Tanz | 2027-04-10 19:30 | 2027-04-10 19:30 |  | publish
= Matinee | 2027-04-11 11:00 | 2027-04-11 11:00 |  | publish

# Excel EN weekday column | commas | en | America/New_York
Day | Date | Time | Event
Sat | 4/10/2027 | 7:30 PM | Dance
Tue | 4/13/2027 | noon | Lunch
= Dance | 2027-04-10 19:30 | 2027-04-10 19:30 |  | publish
= Lunch | 2027-04-13 12:00 | 2027-04-13 12:00 |  | publish

# Excel US | commas | en | America/New_York
Title | Date | Time | Venue
Dance | 4/10/2027 | 10:00:AM | Hall
Talk | 4/13/2027 | 7-9pm | Hall
Film | 4/14/2027 | 7:30 p.m. | Hall
= Dance | 2027-04-10 10:00 | 2027-04-10 10:00 |  | publish | Hall
= Talk | 2027-04-13 19:00 | 2027-04-13 21:00 |  | publish | Hall
= Film | 2027-04-14 19:30 | 2027-04-14 19:30 |  | publish | Hall

# Excel FR | semicolons | fr | Europe/Berlin
Titre | Date | Heure | Lieu | Statut
Bal | 10/04/2027 | 20h30 | Salle | Confirmé
Marché | 11/04/2027 | 9h - 13h | Place | Annulé
Film | 12/04/2027 | 19 h 30 | Ciné | Reporté
= Bal | 2027-04-10 20:30 | 2027-04-10 20:30 |  | publish | Salle
= Marché | 2027-04-11 09:00 | 2027-04-11 13:00 |  | publish | Place | canceled
= Film | 2027-04-12 19:30 | 2027-04-12 19:30 |  | publish | Ciné | postponed

# Excel ES | semicolons | es | Europe/Berlin
Título | Fecha | Hora | Lugar | Estado
Baile | 10/04/2027 | 20:30 h | Sala | Confirmado
Feria | 11/04/2027 | de 9:00 a 13:00 | Plaza | Cancelado
= Baile | 2027-04-10 20:30 | 2027-04-10 20:30 |  | publish | Sala
= Feria | 2027-04-11 09:00 | 2027-04-11 13:00 |  | publish | Plaza | canceled

# LibreOffice | commas | en | Europe/Berlin
Titel | Beginn | Ende | Privat
A | 2027-04-10T19:30:00 | 2027-04-10T21:00:00 | FALSCH
B | 2027-04-11T19:30:00 | 2027-04-11T21:00:00 | WAHR
= A | 2027-04-10 19:30 | 2027-04-10 21:00 |  | publish
= B | 2027-04-11 19:30 | 2027-04-11 21:00 |  | private

# offsets | commas | en | Europe/Berlin
Title | Start | End
A | 2027-04-10T19:30:00+02:00 | 2027-04-10T21:00:00+02:00
B | 2027-04-10T17:30:00Z | 2027-04-10T19:00:00Z
C | 2027-04-10T13:30:00-0400 | 2027-04-10T15:00:00-0400
D | 2027-12-03 13:26:27 +0100 | 2027-12-03 14:26:27 +0100
E | 2027-04-10T19:30:00+0200 |
= A | 2027-04-10 19:30 | 2027-04-10 21:00 |  | publish
= B | 2027-04-10 19:30 | 2027-04-10 21:00 |  | publish
= C | 2027-04-10 13:30 | 2027-04-10 15:00 |  | publish | @UTC-4
= D | 2027-12-03 13:26 | 2027-12-03 14:26 |  | publish
= E | 2027-04-10 19:30 | 2027-04-10 19:30 |  | publish

# offset in the time | commas | en | Europe/Berlin
Title | Date | Start time | End time
A | 2027-04-10 | 11:00:00-07:00 | 12:00:00-07:00
B | 2027-04-11 | 17:30Z | 18:30Z
= A | 2027-04-10 11:00 | 2027-04-10 12:00 |  | publish | @UTC-7
= B | 2027-04-11 19:30 | 2027-04-11 20:30 |  | publish

# zones | commas | en | Europe/Berlin
Title | Date | Time | Timezone
A | 2027-04-10 | 19:30 | W. Europe Standard Time
B | 2027-04-10 | 19:30 | (GMT+01:00) Berlin
C | 2027-04-10 | 19:30 | America/New York
D | 2027-04-10 | 19:30 | UTC
E | 2027-04-10 | 19:30 | Eastern Time (US & Canada)
F | 2027-04-10 | 19:30 | CEST
G | 2027-04-10 | 19:30 | GMT-0500
= A | 2027-04-10 19:30 | 2027-04-10 19:30 |  | publish | @Europe/Berlin
= B | 2027-04-10 19:30 | 2027-04-10 19:30 |  | publish | @Europe/Berlin
= C | 2027-04-10 19:30 | 2027-04-10 19:30 |  | publish | @America/New_York
= D | 2027-04-10 19:30 | 2027-04-10 19:30 |  | publish | @UTC
= E | 2027-04-10 19:30 | 2027-04-10 19:30 |  | publish | @America/New_York
= F | 2027-04-10 19:30 | 2027-04-10 19:30 |  | publish | @Europe/Berlin
= G | 2027-04-10 19:30 | 2027-04-10 19:30 |  | publish | @UTC-5

# Eventbrite | quoted | en | America/New_York
Event Name | Event ID | Event Status | Start Date | End Date | Time Zone | Venue Name | Event URL | Currency | Tickets Sold
Gala | 123456 | Live | 2027-04-10 19:30:00 | 2027-04-10 22:00:00 | America/New_York | Hall | https://e.example/1 | USD | 12
Talk | 123457 | Draft | 2027-04-11 19:30:00 | 2027-04-11 22:00:00 | America/New_York | Hall | https://e.example/2 | USD | 0
Film | 123458 | Canceled | 2027-04-12 19:30:00 | 2027-04-12 22:00:00 | America/New_York | Hall | https://e.example/3 | USD | 0
Old | 123459 | Completed | 2026-10-12 19:30:00 | 2026-10-12 22:00:00 | America/New_York | Hall | https://e.example/4 | USD | 90
= Gala | 2027-04-10 19:30 | 2027-04-10 22:00 |  | publish | Hall
= Talk | 2027-04-11 19:30 | 2027-04-11 22:00 |  | draft | Hall
= Film | 2027-04-12 19:30 | 2027-04-12 22:00 |  | publish | Hall | canceled
= Old | 2026-10-12 19:30 | 2026-10-12 22:00 |  | publish | Hall

# Eventbrite API columns | quoted | en | Europe/Berlin
id | name | status | start | end | timezone | venue | url | published | created
123456 | Gala | live | 2027-04-10T19:30:00+02:00 | 2027-04-10T22:00:00+02:00 | Europe/Berlin | Hall | https://e.example/1 | 2026-11-01T10:00:00Z | 2026-11-01T10:00:00Z
= Gala | 2027-04-10 19:30 | 2027-04-10 22:00 |  | publish | Hall

# Meetup | quoted | en | America/New_York
Event ID | Event Name | Date | Time | Duration | Venue | Event URL | RSVP Limit | Status
301 | Hike | Saturday, April 10, 2027 | 7:30 PM | 2 hours | Trail | https://m.example/1 | 20 | upcoming
302 | Chess | Sunday, April 11, 2027 | 2:00 PM | 2 hours | Cafe | https://m.example/2 |  | cancelled
303 | Secret | Monday, April 12, 2027 | 2:00 PM | 2 hours | Cafe | https://m.example/3 |  | draft
= Hike | 2027-04-10 19:30 | 2027-04-10 19:30 |  | publish | Trail
= Chess | 2027-04-11 14:00 | 2027-04-11 14:00 |  | publish | Cafe | canceled
= Secret | 2027-04-12 14:00 | 2027-04-12 14:00 |  | draft | Cafe

# the plugin | quoted | en | America/New_York
EVENT NAME | EVENT EXCERPT | EVENT VENUE NAME | EVENT ORGANIZER NAME | EVENT START DATE | EVENT START TIME | EVENT END DATE | EVENT END TIME | ALL DAY EVENT | TIMEZONE | HIDE FROM EVENT LISTINGS | STICKY IN MONTH VIEW | EVENT CATEGORY | EVENT TAGS | EVENT COST | EVENT WEBSITE
Gala |  | Hall | Ann | 2027-04-10 | 7:30:00 PM | 2027-04-10 | 9:00:00 PM | FALSE | America/New_York | FALSE | FALSE | Music |  | 10 |
Camp |  | Hall | Ann | 2027-04-12 | 12:00:00 AM | 2027-04-13 | 11:59:59 PM | TRUE | America/New_York | FALSE | FALSE | Music |  | 10 |
= Gala | 2027-04-10 19:30 | 2027-04-10 21:00 |  | publish | Hall
= Camp | 2027-04-12 | 2027-04-13 | all | publish | Hall

# ID column | commas | en | Europe/Berlin
ID | Title | Date
1 | A | 2027-04-10
2 | B | 2027-04-11
= A | 2027-04-10 | 2027-04-10 | all | publish | #csv:table.csv
= B | 2027-04-11 | 2027-04-11 | all | publish | #csv:table.csv

# marks | semicolons | en | Europe/Berlin
Title | Date | Private
A | 2027-04-10 | Y
B | 2027-04-11 | N
C | 2027-04-12 | T
D | 2027-04-13 | F
E | 2027-04-14 | ✓
F | 2027-04-15 |
G | 2027-04-16 | WAAR
H | 2027-04-17 | ?
= A | 2027-04-10 | 2027-04-10 | all | private
= B | 2027-04-11 | 2027-04-11 | all | publish
= C | 2027-04-12 | 2027-04-12 | all | private
= D | 2027-04-13 | 2027-04-13 | all | publish
= E | 2027-04-14 | 2027-04-14 | all | private
= F | 2027-04-15 | 2027-04-15 | all | publish
= G | 2027-04-16 | 2027-04-16 | all | private
= H | 2027-04-17 | 2027-04-17 | all | pending

# ranges in one cell | semicolons | de | Europe/Berlin
Titel | Datum
A | 13.03. - 15.03.2027
B | 13./14.03.2027
C | 13.-15.03.2027
D | 13. bis 15. März 2027
E | 30.12.2026 - 02.01.2027
F | 13.03.2027 19:30 - 21:00
G | 13.03.2027, 19:30 Uhr – 14.03.2027, 2 Uhr
H | 30.12. - 2.1.2027
= A | 2027-03-13 | 2027-03-15 | all | publish
= B | 2027-03-13 | 2027-03-14 | all | publish
= C | 2027-03-13 | 2027-03-15 | all | publish
= D | 2027-03-13 | 2027-03-15 | all | publish
= E | 2026-12-30 | 2027-01-02 | all | publish
= F | 2027-03-13 19:30 | 2027-03-13 21:00 |  | publish
= G | 2027-03-13 19:30 | 2027-03-14 02:00 |  | publish
= H | 2026-12-30 | 2027-01-02 | all | publish

# ranges in English | quoted | en | America/New_York
Title | Date
A | April 10 - 12, 2027
B | April 30 – May 2, 2027
C | 4/10/2027 - 4/13/2027
D | 2027-04-10 to 2027-04-12
E | April 10, 2027, 7:30 PM - 9 PM
F | 10-12 April 2027
= A | 2027-04-10 | 2027-04-12 | all | publish
= B | 2027-04-30 | 2027-05-02 | all | publish
= C | 2027-04-10 | 2027-04-13 | all | publish
= D | 2027-04-10 | 2027-04-12 | all | publish
= E | 2027-04-10 19:30 | 2027-04-10 21:00 |  | publish
= F | 2027-04-10 | 2027-04-12 | all | publish

# ranges in French and Spanish | quoted | fr | Europe/Berlin
Titre | Date
A | du 10 au 12 avril 2027
B | 10/04/2027 au 12/04/2027
C | del 10 al 12 de abril de 2027
D | du 30 avril au 2 mai 2027
= A | 2027-04-10 | 2027-04-12 | all | publish
= B | 2027-04-10 | 2027-04-12 | all | publish
= C | 2027-04-10 | 2027-04-12 | all | publish
= D | 2027-04-30 | 2027-05-02 | all | publish

# one row decides | commas | en | Europe/Berlin
Title | Date | End date
A | 10/04/2027 | 10/04/2027
B | 13/04/2027 | 14/04/2027
= A | 2027-04-10 | 2027-04-10 | all | publish
= B | 2027-04-13 | 2027-04-14 | all | publish

# nothing decides | commas | en | Europe/Berlin
Title | Date
A | 10/04/2027
= !can be read as

# English headings in a German calendar | commas | de | Europe/Berlin
Title | Date
A | 10/04/2027
= !can be read as

# times in words | semicolons | en | Europe/Berlin
Title | Date | Time
A | 2027-04-10 | noon
B | 2027-04-10 | midnight
C | 2027-04-10 | 19.30 Uhr
D | 2027-04-10 | 8 pm
E | 2027-04-10 | 20h
F | 2027-04-10 | abends
G | 2027-04-10 | half seven
= A | 2027-04-10 12:00 | 2027-04-10 12:00 |  | publish
= B | 2027-04-11 00:00 | 2027-04-11 00:00 |  | publish
= C | 2027-04-10 19:30 | 2027-04-10 19:30 |  | publish
= D | 2027-04-10 20:00 | 2027-04-10 20:00 |  | publish
= E | 2027-04-10 20:00 | 2027-04-10 20:00 |  | publish
= !not a time
= !not a time
`

const cellsOf = (line: string): string[] => line.split(' |').map(cell => cell.trim())

const FORMS = new Map<string | undefined, (cells: readonly string[]) => string>([
  ['quoted', cells => `${cells.map(cell => `"${cell}"`).join(',')}\r\n`],
  ['commas', cells => `${cells.join(',')}\n`],
  ['semicolons', cells => `${cells.join(';')}\n`],
])

const tables = TABLES.trim()
  .split('\n\n')
  .map(block => {
    const [head = '', ...lines] = block.split('\n')
    const [name = '', form, language = '', timezone = ''] = cellsOf(head.slice(2))
    const row = FORMS.get(form) ?? expect.fail(head)
    const { text = [], wanted = [] } = Object.groupBy(lines, line =>
      line.startsWith('=') ? 'wanted' : 'text',
    )
    return {
      ...{ name, timezone, language: languageOf(language) },
      text: text.map(line => row(cellsOf(line))).join(''),
      wanted: wanted.map(line => line.slice(2)),
    }
  })

const folder = makeFolder()

/** What is read of a table: its events and the reasons for refusing rows. */
async function read({ text, ...context }: Pick<(typeof tables)[number], 'text' | 'timezone' | 'language'>) {
  const path = join(folder, 'table.csv')
  await writeFile(path, text)
  const items = await Array.fromAsync(fileItems([path], WINDOW, { ...CONTEXT, ...context }))
  const events = items.flatMap(item => {
    if (item.type !== 'record' || item.record.kind !== 'event') return []
    const { title, start, end, all_day, status, timezone, event_status, venues, source } = item.record
    const shown = (wall: string) => wall.slice(0, all_day ? 10 : 16)
    const facts = [title, shown(start.wall), shown(end.wall), all_day ? 'all' : '', status]
    return [{ facts, more: [...venues, event_status, `@${timezone}`, `#${source}`] }]
  })
  const reasons = items.flatMap(item => ('reason' in item ? [item.reason] : []))
  return { events, reasons }
}

describe('a table', () => {
  it.each(tables)('of $name is read as its program means it', async ({ wanted, ...table }) => {
    const { events, reasons } = await read(table)
    const rows = wanted.filter(row => !row.startsWith('!')).map(cellsOf)
    const sorted = (all: readonly (readonly string[])[]) => all.map(row => row.slice(0, 5).join(' | ')).sort()
    expect(sorted(events.map(({ facts }) => facts))).toEqual(sorted(rows))
    for (const [title, , , , , ...more] of rows) {
      const facts = events.find(event => event.facts[0] === title)?.more
      const isCalledOff = more.some(fact => /canceled|postponed/.test(fact))
      expect(facts).toEqual(
        expect.arrayContaining([...more.filter(Boolean), ...(isCalledOff ? [] : ['scheduled'])]),
      )
    }
    const refused = wanted
      .filter(row => row.startsWith('!'))
      .map(row => expect.stringContaining(row.slice(1)))
    expect(reasons).toEqual(refused)
  })
})
