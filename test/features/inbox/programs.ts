import type { Attached, MailParts } from './mail.ts'

// E-mails as ten programs write them in four languages, made by hand from the documented shapes of each.

export type Language = 'en' | 'de' | 'fr' | 'es'

/** An announcement of a concert on 12 March 2027 at 8 pm, and the words that programs put around it. */
type Announcement = {
  title: string
  text: string
  /** The words of its day, its time, and that it is free. */
  date: string
  time: string
  free: string
  wrote: string
  phone: string
  original: string
  from: string
  sent: string
  forwarded: string
  passedOn: string
  away: string
}

export const ANNOUNCED: Readonly<Record<Language, Announcement>> = {
  en: {
    title: 'Spring concert',
    text: 'The Weir Singers invite you to their concert on Friday, 12 March 2027, at 8 pm in the town hall.\nAdmission is free.',
    date: 'Friday, 12 March 2027',
    time: '8 pm',
    free: 'Admission is free',
    wrote: 'On Mon, 4 Jan 2027 at 18:21, Bob <bob@town.example> wrote:',
    phone: 'Sent from my iPhone',
    original: '-----Original Message-----',
    from: 'From',
    sent: 'Sent',
    forwarded: 'Begin forwarded message:',
    passedOn: 'FW',
    away: 'I am away until 5 April 2027.',
  },
  de: {
    title: 'Frühlingskonzert',
    text: 'Der Chor lädt ein zum Konzert am Freitag, 12. März 2027, um 20 Uhr im Rathaussaal.\nDer Eintritt ist frei.',
    date: 'Freitag, 12. März 2027',
    time: '20 Uhr',
    free: 'Eintritt ist frei',
    wrote: 'Am Mo., 4. Jan. 2027 um 18:21 Uhr schrieb Bob <bob@town.example>:',
    phone: 'Von meinem iPhone gesendet',
    original: '-----Ursprüngliche Nachricht-----',
    from: 'Von',
    sent: 'Gesendet',
    forwarded: 'Anfang der weitergeleiteten Nachricht:',
    passedOn: 'WG',
    away: 'Ich bin bis 5. April 2027 nicht im Büro.',
  },
  fr: {
    title: 'Concert de printemps',
    text: 'La chorale vous invite à son concert le vendredi 12 mars 2027 à 20h à la salle des fêtes.\nEntrée libre.',
    date: 'vendredi 12 mars 2027',
    time: '20h',
    free: 'Entrée libre',
    wrote: 'Le lun. 4 janv. 2027 à 18:21, Bob <bob@town.example> a écrit :',
    phone: 'Envoyé de mon iPhone',
    original: '-----Message d’origine-----',
    from: 'De',
    sent: 'Envoyé',
    forwarded: 'Début du message réexpédié :',
    passedOn: 'TR',
    away: 'Je suis absent jusqu’au 5 avril 2027.',
  },
  es: {
    title: 'Concierto de primavera',
    text: 'El coro les invita a su concierto el viernes 12 de marzo de 2027 a las 20:00 h en el salón de actos.\nEntrada libre.',
    date: 'viernes 12 de marzo de 2027',
    time: '20:00',
    free: 'Entrada libre',
    wrote: 'El lun, 4 ene 2027 a las 18:21, Bob (<bob@town.example>) escribió:',
    phone: 'Enviado desde mi iPhone',
    original: '-----Mensaje original-----',
    from: 'De',
    sent: 'Enviado',
    forwarded: 'Inicio del mensaje reenviado:',
    passedOn: 'RV',
    away: 'Estaré ausente hasta el 5 de abril de 2027.',
  },
}

/** A quotation with another day, which is not announced. */
const OLD = 'Is it on 2 May 2027 at 6 pm?'
const quoted = (text: string) => text.replace(/^/gm, '> ')
const inHtml = (text: string) => text.replaceAll('\n', '<br>')
const logo: Attached = { type: 'image/png', name: 'image001.png', content: 'not a picture', isInline: true }

/** What the calendar owes an e-mail: the event, or a refusal. */
type Owed = 'event' | 'refused'

type Shape = (announced: Announcement) => MailParts

/** The shape of each program's e-mails, and what is owed to them. */
export const PROGRAMS: Readonly<Record<string, readonly [Owed, Shape]>> = {
  // HTML in tables of Word, the reply below a line of headers, a logo within.
  Outlook: [
    'event',
    ({ title, text, from, sent }) => ({
      subject: title,
      encoding: 'quoted-printable',
      text: `${text}\n\n${from}: Bob <bob@town.example>\n${sent}: Monday\n\n${OLD}\n`,
      html: `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{margin:0cm}</style></head><body><div class="WordSection1"><p class="MsoNormal">${inHtml(text)}<o:p></o:p></p></div></body></html>`,
      attached: [logo],
      headers: { 'X-Mailer': 'Microsoft Outlook 16.0', 'Thread-Index': 'AdA=' },
    }),
  ],
  // Both forms, the quotation in its own element.
  Gmail: [
    'event',
    ({ title, text, wrote }) => ({
      subject: `Re: ${title}`,
      encoding: 'base64',
      text: `${text}\n\n${wrote}\n\n${quoted(OLD)}\n`,
      html: `<div dir="ltr">${inHtml(text)}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">${wrote}<br></div><blockquote class="gmail_quote">${OLD}</blockquote></div>`,
    }),
  ],
  // An e-mail that is passed on, quoted.
  'Apple Mail': [
    'event',
    ({ title, text, forwarded }) => ({
      subject: `Fwd: ${title}`,
      encoding: 'quoted-printable',
      text: `${forwarded}\n\n> From: Ann <ann@club.example>\n>\n${quoted(text)}\n`,
      headers: { 'X-Mailer': 'Apple Mail (2.3826)' },
    }),
  ],
  // Lines that flow, a signature below two hyphens.
  Thunderbird: [
    'event',
    ({ title, text, original }) => ({
      subject: title,
      text: `${text.replaceAll('\n', ' \n')}\n\n-- \nAnn, club since 1 June 1999\n\n${original}\n${OLD}`,
      headers: { 'User-Agent': 'Mozilla Thunderbird', 'Content-Language': 'en' },
    }),
  ],
  // Plain text in an old charset, the quotation first.
  mutt: [
    'event',
    ({ title, text, wrote }) => ({
      subject: title,
      charset: 'iso-8859-1',
      encoding: 'quoted-printable',
      text: `${wrote}\n${quoted(OLD)}\n\n${text}\n`.replace(/[^\0-\xff]/g, '-'),
      headers: { 'User-Agent': 'Mutt/2.2.13 (2024-03-09)', 'Content-Disposition': 'inline' },
    }),
  ],
  // HTML alone that says nothing about a list.
  'a newsletter tool': [
    'event',
    ({ title, text }) => ({
      subject: title,
      encoding: 'quoted-printable',
      html: `<!doctype html><html><head><title>x</title></head><body><div style="display:none">&zwnj;&nbsp;</div><table role="presentation"><tr><td><h1>${title}</h1><p>${inHtml(text)}</p><a href="https://news.example/u/1">x</a></td></tr></table><img src="https://news.example/o.gif" width="1"></body></html>`,
      headers: { 'List-Unsubscribe': '<https://news.example/u/1>', 'Feedback-ID': '1:2:3:x' },
    }),
  ],
  // A short text, with the line that the telephone adds.
  'a phone': [
    'event',
    ({ title, text, phone }) => ({ subject: title, encoding: 'base64', text: `${text}\n\n${phone}` }),
  ],
  // No text at all.
  'a scanner': [
    'refused',
    ({ title }) => ({
      subject: `Scan ${title}`,
      text: '',
      attached: [{ type: 'application/pdf', name: 'scan0001.pdf', content: '%PDF-1.7' }],
      headers: { 'X-Mailer': 'KONICA MINOLTA bizhub' },
    }),
  ],
  'a list': [
    'refused',
    ({ title, text }) => ({
      subject: `[club] ${title}`,
      text: `${text}\n_______________________________________________\nclub mailing list`,
      headers: { 'List-Id': 'The club <club.lists.example>', Precedence: 'list' },
    }),
  ],
  'an auto-reply': [
    'refused',
    ({ title, away }) => ({
      subject: `Automatic reply: ${title}`,
      text: away,
      headers: { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' },
    }),
  ],
}
