import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  digitsOf,
  likenessToSpam,
  readableText,
  SPAM_ABOVE,
  type SpamCounts,
} from '../../../../src/calendar/intake/spam.ts'
import { countSamples, type Sample, samplesOf } from '../../../../src/commands/spam.ts'

const EVENTS = samplesOf('events')
const SPAM = samplesOf('spam')

/** The texts that are taken for spam. */
const marked = (samples: readonly Sample[], counts?: SpamCounts) =>
  samples.filter(({ text }) => likenessToSpam(text, counts) > SPAM_ABOVE)

it('there are at least 250 labelled texts of each kind, each once, in the same languages', () => {
  for (const samples of [EVENTS, SPAM]) {
    expect(samples.length).toBeGreaterThanOrEqual(250)
    expect(new Set(samples.map(({ text: { title, otherText } }) => title + otherText)).size).toBe(
      samples.length,
    )
    expect([...new Set(samples.map(({ language }) => language))]).toEqual([
      'de',
      'en',
      'es',
      'fr',
      'it',
      'pl',
    ])
  }
})

it('the shipped counts are those of the labelled texts', () => {
  const counts = countSamples(EVENTS, SPAM)
  const shipped = JSON.parse(readFileSync('src/calendar/intake/spam-counts.json', 'utf8'))
  expect(shipped).toEqual({ counts: digitsOf(counts) })
})

it('the classifier, trained on nine tenths, marks most spam of the other tenth, and few true events', () => {
  const TENTHS = 10
  const part = (texts: readonly Sample[], tenth: number, isTried: boolean) =>
    texts.filter((_, i) => (i % TENTHS === tenth) === isTried)
  let wrong = 0
  let missed = 0
  for (let tenth = 0; tenth < TENTHS; tenth++) {
    const base = countSamples(part(EVENTS, tenth, false), part(SPAM, tenth, false))
    const events = part(EVENTS, tenth, true)
    const spam = part(SPAM, tenth, true)
    wrong += marked(events, base).length
    missed += spam.length - marked(spam, base).length
  }
  expect(wrong / EVENTS.length).toBeLessThanOrEqual(0.03)
  expect(missed / SPAM.length).toBeLessThanOrEqual(0.15)
})

// Written after the samples and the classifier, and used for neither.
const UNSEEN = {
  events: [
    [
      'Repair café',
      'Bring your broken toaster: five volunteers with soldering irons are waiting. Coffee and cake by donation.',
    ],
    [
      'Kinderflohmarkt der Grundschule',
      'Tischgebühr acht Euro und ein Kuchen. Anmeldung im Sekretariat bis Freitag.',
    ],
    [
      'Free yoga in the park',
      'Every Sunday at nine by the bandstand. Mats are there, no booking needed: https://parkyoga.example/',
    ],
    [
      'Steuer-Sprechstunde für Vereine',
      'Die Volkshochschule erklärt Spendenquittungen und Freibeträge. Eintritt frei.',
    ],
    [
      'Concours de pétanque',
      'Inscriptions en doublette à partir de 13 h, dix euros par équipe, buvette sur place.',
    ],
    [
      'Startup night: pitch your idea',
      'Six founders have five minutes each, a jury of investors asks questions. Tickets 12 euros at the door.',
    ],
    [
      'Mercado de trueque',
      'Trae ropa y juguetes en buen estado y cámbialos por otros. Plaza Mayor, de diez a dos.',
    ],
    [
      'Pokerabend für Anfänger',
      'Wir spielen um Bohnen, nicht um Geld. Die Regeln lernt man am Tisch im Gemeindehaus.',
    ],
    [
      'Blood donation',
      'The Red Cross is in the town hall from three to seven. Please bring your identity card and drink enough.',
    ],
    ['Lotto der Feuerwehr', 'Zwanzig Gänge, Hauptpreis ein Fahrrad. Kartenverkauf ab 18 Uhr im Gerätehaus.'],
  ],
  spam: [
    [
      'Get verified followers today',
      'Real accounts, instant delivery, from 4.99 per thousand. Contact us on Telegram: https://boostfans.example/',
    ],
    [
      'Sofortkredit ohne Schufa',
      'Auszahlung in 24 Stunden, keine Bonitätsprüfung. Jetzt Antrag stellen: https://geld-sofort.example/',
    ],
    [
      'Crypto signals with 95% accuracy',
      'Join our VIP group and double your Bitcoin in a week. Guaranteed profit, WhatsApp +44 7700 900123.',
    ],
    [
      'Acheter des médicaments sans ordonnance',
      'Livraison discrète en 48 h, prix bas garantis. Commandez sur https://pharmacie-rapide.example/',
    ],
    [
      'Web design for your business',
      'We noticed that your website does not rank on Google. Our experts offer a free SEO audit, reply now.',
    ],
    [
      'Luxusuhren zum halben Preis',
      'Originalgetreue Modelle, weltweiter Versand, 30 Tage Rückgabe. https://uhren-outlet.example/',
    ],
    [
      'Gana dinero desde casa',
      'Sin experiencia, 300 euros al día con nuestro sistema automático. Regístrate ya: https://ingresos.example/',
    ],
    [
      'Hot singles in your area',
      'Chat with beautiful women tonight, free registration, no credit card. https://meet-now.example/',
    ],
    [
      'Buy diplomas and driving licences',
      'Registered documents, passports and certificates for all countries, fast and safe. Email us.',
    ],
    [
      'Best betting tips and bonus codes',
      'Sure wins every day, 200% deposit bonus, sign up with our link https://bet-bonus.example/',
    ],
  ],
}

it('the classifier marks unseen spam, and no unseen event', () => {
  const isMarked = ([title = '', rest = '']: string[]) =>
    likenessToSpam({ title, otherText: rest }) > SPAM_ABOVE
  expect(UNSEEN.events.filter(isMarked)).toEqual([])
  expect(UNSEEN.spam.filter(text => !isMarked(text))).toEqual([])
})

it('the classifier ignores invisible characters, other forms of letters and capitals', () => {
  const plain = { title: 'Online casino bonus', otherText: 'Free spins without deposit' }
  const likeness = likenessToSpam(plain)
  for (const title of [
    'Onl\u200bine cas\u00adino bon\u200dus',
    'Ｏｎｌｉｎｅ ｃａｓｉｎｏ ｂｏｎｕｓ',
    'ONLINE CASINO BONUS',
  ])
    expect(likenessToSpam({ ...plain, title }), title).toBeCloseTo(likeness, 5)
})

it('the read text has a venue that a long description names in its middle, and no name twice', () => {
  const venue = 'Online casino bonus, free spins without deposit'
  const kind = 'We sing together on the village green, and all are welcome. '.repeat(60)
  const likenessOf = (others: string[]) =>
    likenessToSpam(
      readableText({ title: 'Choir', description: `<p>${kind}${venue}. ${kind}</p>`, otherTexts: others }),
    )
  expect(likenessOf([venue])).toBeGreaterThan(likenessOf([]))
  const short = readableText({
    title: 'Choir',
    description: '<p>At the Green Hall</p>',
    otherTexts: ['Green Hall'],
  })
  expect(short.otherText).toBe('At the Green Hall')
})
