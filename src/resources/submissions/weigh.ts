import { fold } from '../../lib/text.ts'

/** What a visitor wrote, as plain text. Texts are empty where nothing was written. */
export type Written = {
  title: string
  description: string
  venue: string
  organizer: string
  website: string
  /** All else that would be public: the price, what is said of venues, organizers and the image, and where texts lead to. */
  others: string
  name: string
  email: string
  /** True if the event takes place at a venue of the calendar. */
  isAtKnownVenue: boolean
  /** How many others have sent in the same description for another event. */
  repeats: number
}

/** The weight from which on something is refused. */
export const REFUSED_FROM = 5

/** Addresses in running text: with a scheme, with www, or of a bare host with a path. */
const LINK = /https?:\/\/\S+|www\.\S+|\b[\w-]{1,63}(?:\.[\w-]{1,63}){0,5}\.[a-z]{2,}\/\S+/giu
const MARKUP = /\[url[\]=]|\[link[\]=]|<a\s|&lt;a\s/iu
const SHORTENED =
  /\b(?:bit\.ly|tinyurl\.com|t\.me|wa\.me|goo\.gl|cutt\.ly|is\.gd|rb\.gy|shorturl\.at|t\.co|chat\.whatsapp\.com)\b/giu
const PHONE =
  /(?:\+|\b00|\b1[-–. ]?8\d\d|\(\d{3}\))[\d\s().–-]{6,}\d|\b\d{3}[-–.]\d{3}[-–.]\d{4}\b|\b\d{10,}\b/gu

/** Characters whose words are looked at, at the beginning; half of that at the end. All of the longest text takes too long. */
const MOST_READ = 6_000

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Letters that stand for others in words that are to be hidden: `v1agra`, `c@sino`. */
const STANDS_FOR: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  $: 's',
  '5': 's',
}

/** Texts as their words are looked for: folded, without invisible characters; and with digits inside of words as letters. */
function wordsIn(text: string): string {
  // Before they are folded, which makes one of the blanks on both sides of such a character.
  const seen = fold(text.replace(/[\p{Cf}\p{Mn}]/gu, ''))
  const unmasked = seen.replace(/[\p{L}\d@$]+/gu, word =>
    /^\p{L}.*[\d@$].*\p{L}$/u.test(word) ? word.replace(/[\d@$]/g, sign => STANDS_FOR[sign] ?? sign) : word,
  )
  const spaced = seen.replace(/(?<![\p{L}\d])(?:\p{L}[ ._*-]){4,}\p{L}(?![\p{L}\d])/gu, word =>
    word.replace(/[ ._*-]/g, ''),
  )
  return [...new Set([seen, unmasked, spaced])].join(' \n ')
}

/** The weight of the words of one kind; the same word counts once. */
const weightOfKind = (text: string, { words, each, most }: SpamKind): number =>
  Math.min(new Set(text.match(words)).size * each, most)

/** Tells if a word looks as if it had been typed by rolling over the keys. */
const isNoise = (word: string): boolean =>
  word.length >= 7 &&
  /^[a-z]+$/.test(word) &&
  (/[bcdfghjklmnpqrstvwxz]{6}/.test(word) || !/[aeiouy]/.test(word)) &&
  !/sch|tsch|ngst/.test(word)

/** Tells if a name mixes capitals as generated ones do: `xKdTqWzPb`. */
const isGenerated = (name: string): boolean =>
  /^[A-Za-z]{8,}$/.test(name.trim()) && count(name, /[a-z][A-Z]/g) >= 3

/** The parts of a text whose words are looked at. */
const ends = (text: string): string =>
  text.length > MOST_READ ? `${text.slice(0, MOST_READ)} ${text.slice(-MOST_READ / 2)}` : text

/** The weight of what makes spam likely in something that was sent in: from 0 on, refused from {@link REFUSED_FROM} on. */
export function weigh(written: Written): number {
  const { title, description, venue, organizer, website, others, name, email, isAtKnownVenue, repeats } =
    written
  const own = [title, description, venue, organizer, name].join(' \n ')
  const all = [own, website, others].join(' \n ')
  const words = wordsIn(`${ends(own)} \n ${website} \n ${ends(others)}`)
  const titleWords = wordsIn(title)
  const links = count(all, LINK)
  const kinds = KINDS.map(kind => weightOfKind(words, kind))
  const letters = title.replace(/[^\p{L}]/gu, '')
  const noise = fold(`${title} ${description} ${name}`)
    .split(/[^a-z]+/)
    .filter(isNoise).length
  const isForeign =
    count(all, /[\p{Script=Cyrillic}\p{Script=Han}\p{Script=Thai}\p{Script=Hangul}]/gu) > all.length / 4
  const isNowhere = !isAtKnownVenue && venue.trim() === '' && organizer.trim() === ''
  const weights = [
    ...kinds,
    // Events take place somewhere, or somebody is behind them.
    isNowhere ? 1 : 0,
    isNowhere && links > 0 ? 1 : 0,
    // What is advertised in the title is what it is about.
    ...KINDS.map(kind => weightOfKind(titleWords, kind) / 2),
    links > 2 ? Math.min((links - 2) * 1.5, 6) : 0,
    count(`${title} ${name} ${organizer}`, LINK) > 0 ? 4 : 0,
    title.replace(LINK, '').trim() === '' ? 2 : 0,
    MARKUP.test(description) ? 4 : 0,
    Math.min(count(all, SHORTENED) * 2, 4),
    count(`${title} ${venue}`, PHONE) > 0 ? 4 : 0,
    kinds.some(weight => weight > 0) ? Math.min(count(description, PHONE), 2) * 1.5 : 0,
    letters.length > 12 && letters === letters.toUpperCase() && letters !== letters.toLowerCase() ? 1 : 0,
    count(title, /[!$€%*★➤✅🔥💰]|\p{Extended_Pictographic}/gu) >= 3 ? 1.5 : 0,
    Math.min(noise * 2, 6),
    isGenerated(name) ? 3 : 0,
    title.split(/\s+/).some(isGenerated) ? 3 : 0,
    isForeign && links > 0 ? 2.5 : 0,
    /\d{5,}@|@(?:mail\.ru|bk\.ru|list\.ru|yopmail\.com|mailinator\.com|guerrillamail\.\w+|temp-?mail\.\w+|10minutemail\.\w+)$/i.test(
      email,
    )
      ? 1.5
      : 0,
    Math.min(repeats, 3) * 1.5,
  ]
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return Math.max(0, isAtKnownVenue ? sum - 1.5 : sum)
}

/** Words of a kind of spam. Each counts once; one alone is often part of a true event, such as a casino night. */
type SpamKind = { words: RegExp; each: number; most: number }

/**
 * Makes a kind of regular expressions of folded words (lower case, without accents), which semicolons separate. They are put
 * together when they are first asked for: all of them take 1 ms of a start.
 *
 * @param each the weight of one word
 * @param most the weight of all of them
 */
const kind =
  (each: number, most: number) =>
  ({ raw: [words = ''] }: TemplateStringsArray): SpamKind => {
    let made: RegExp | undefined
    return {
      get words() {
        const any = () => words.trim().split(/;\s+/).join('|').replace(/\s+/g, ' ')
        made ??= new RegExp(`(?<![\\p{L}\\d])(?:${any()})(?![\\p{L}\\d])`, 'gu')
        return made
      },
      each,
      most,
    }
  }

/** Kinds of spam that forms of calendars get. */
const KINDS: readonly SpamKind[] = [
  // What no event is called and no description needs.
  kind(5, 10)`
    call girls?; obat aborsi; abortion pills?; hot singles; crack (?:download|version); (?:full|free) version crack; hired? a hackers?; hackers? who; recover(?:ed|y)? (?:of )?(?:my |your )?(?:lost |stolen )?(?:bitcoin|crypto|funds); bring back (?:my |your |ex |lost )+(?:husband|wife|lover|boyfriend|girlfriend)?; get your ex; win back your ex; (?:contact|message|text|email) (?:him|her|me|us) (?:on|via|at) (?:whats ?app|telegram|email); rencontres? coquines?; mail order brides?; singles in your area; sex ?cams?; (?:no|without(?: a)?)
    prescription; kredit ohne schufa; slot gacor; write my (?:essay|paper|thesis); (?:buy|get) (?:real
    )?(?:instagram|tiktok|youtube|facebook|twitter|x) (?:followers|likes|views|subscribers); buy
    (?:followers|likes|backlinks|reviews); spell ?casters?; vashikaran; hire a hacker; fake
    (?:passports?|documents?|diplomas?|money|id); permis de conduire en ligne; fuhrerschein kaufen; double your
    (?:bitcoin|money); mod apk; (?:代开|发票|加微信|博彩|娱乐城).*; казино онлайн; купить (?:диплом|права)`,
  // Medicines and miracles.
  kind(3, 8)`
    viagra; sans ordonnance; pharmacie en ligne; farmacia online; no rx; \d+ ?mg (?:online|tablets?|pills?); cialis; levitra; kamagra; sildenafil; tadalafil; tramadol; xanax; phentermine; ozempic; semaglutide;
    modafinil; online pharmac(?:y|ie|ies); without (?:a )?prescription; no prescription; ohne rezept; sans
    ordonnance; sin receta; weight loss (?:pills?|gummies|drops); keto (?:gummies|diet pills); cbd (?:gummies|oil);
    male enhancement; testosterone booster`,
  // Games of chance.
  kind(1.5, 8)`
    casinos?; online casinos?; casinos? en ligne; machines? a sous; sans depot; tragaperras; slots?; slot gacor; gacor; jackpots?; free spins?; freispiele; tours gratuits; giros
    gratis; betting; sportsbook; sportwetten; paris sportifs; apuestas; togel; judi; baccarat; roulette; bonus code;
    no deposit; willkommensbonus; bookmaker; ставки; казино; 1xbet; mostbet; pin up`,
  // Money.
  kind(2, 8)`
    payday loans?; instant loans?; personal loans?; loan offer; sofortkredit; kredit ohne schufa; pret rapide;
    credit rapide; prestamos? rapidos?; guaranteed approval; bad credit; forex; binary options?; crypto(?:currency)?
    (?:invest\w*|trading|signals?); bitcoin (?:invest\w*|mining|profit|doubler); double your
    (?:money|bitcoin|investment); guaranteed (?:profits?|returns?|income); passive income; trading bots?; ai trading; invest \$? ?\d+; get rich; financial freedom; earn \$? ?\d+; guaranteed profit; passives einkommen; earn
    (?:up to )?\$? ?\d+ (?:a|per) (?:day|week|hour); make money (?:online|fast|from home); geld verdienen; work from
    home; airdrops?; usdt; recover (?:your )?(?:lost|stolen) (?:crypto|bitcoin|funds); hire a hacker`,
  // Links for search engines, followers, texts to order.
  kind(2.5, 8)`
    backlinks?; guest posts?; link building; da ?\d0\+?; seo (?:services?|expert|agency|company|packages?); rank
    (?:higher|your|first|#?1|on google); first page of google; buy (?:instagram|tiktok|youtube|facebook|twitter)?
    ?(?:followers|likes|views|subscribers|reviews); real followers; followers? kaufen; acheter des
    (?:abonnes|followers); comprar seguidores; web ?traffic; essay writing; dissertation; custom writing; plagiarism free; (?:tiktok|instagram|youtube|telegram) (?:growth|followers|members); \d+k followers; web(?:site)? (?:design|development) (?:services?|company|agency)?; logo design; digital marketing; leading seo; improve (?:your )?ranking; seo agency; write my (?:essay|paper|thesis);
    assignment help; dissertation help; hausarbeit schreiben lassen; ghostwriter agentur; explainer videos?; web
    design services?; email lists?; bulk (?:sms|email)`,
  // Help lines that are none.
  kind(2.5, 8)`
    support (?:phone )?number; customer (?:care|service|support) (?:phone )?number; help ?line number; toll ?-?free;
    call now; jetzt anrufen; quickbooks; airlines? (?:customer|reservations?|booking|cancellation); cancellation
    policy; flight change; printer (?:offline|support); antivirus (?:support|renewal); wallet support; coinbase;
    activation code; error code`,
  // Broadcasts of what takes place elsewhere.
  kind(2, 8)`
    live ?stream(?:ing)? free; live ?stream free; full version; free download; cracked; keygen; serial key; free live ?stream; watch (?:live|online|free|full); full (?:movie|match|fight); hd
    ?stream; 4k free; crackstreams?; reddit streams?; 123movies; putlocker; iptv; ver gratis; en vivo gratis;
    regarder gratuit; kostenlos streamen; download (?:free|now|full); apk; mod apk; torrent`,
  // People for money, and strangers that wait.
  kind(3, 9)`
    escorts?; call girls?; hot (?:girls|singles|moms); singles in your area; sex (?:dates?|cams?|chat); adult
    (?:dating|chat|cams?); porn\w*; xxx; onlyfans; nudes?; hookups?; mail order brides?; russian brides?; milfs?;
    erotic massage; erotikmassage; rencontres? coquines?; знакомства; проститутки`,
  // Fortune and its tellers.
  kind(2, 8)`
    astrologers?; love (?:problem|spell|marriage)s?(?: solution| caster| specialist)?; spell ?casters?; black magic;
    vashikaran; baba ji; voodoo; marabout; retour d ?affection; amarres de amor; get your ex back; lost love;
    illuminati; join the brotherhood; psychic reading`,
  // Goods and papers.
  kind(2, 8)`
    replicas?; (?:nike|adidas|air jordan|yeezy|michael kors|prada|chanel|pandora) (?:outlet|shoes|bags|sale|air jordan)?; outlet; shipping worldwide; fuhrerschein online; rolex; louis vuitton; gucci; ray-? ?ban; wholesale; factory price; cheap
    (?:jerseys|shoes|bags|watches|flights); free shipping; versandkostenfrei; best price; lowest price; discount
    code; promo code; coupon codes?; buy (?:now|online|real|fake|registered); order now; jetzt (?:kaufen|bestellen);
    acheter en ligne; comprar online; driving licen[cs]e online; fuhrerschein kaufen; permis de conduire en ligne;
    fake (?:passports?|documents?|diplomas?); diploma online; ielts (?:certificate )?without; counterfeit`,
  // Trades that advertise.
  kind(2, 6)`
    packers and movers; (?:hvac|roof|plumbing|appliance|garage door|water damage) (?:repair|company|services?|contractors?); movers (?:in|near); pest control services?; plumbers? (?:in|near); locksmiths?
    (?:in|near|24); near me; schlusseldienst; immigration consultants?; visa (?:services?|consultants?|guaranteed);
    study abroad consultants?; training institute; best
    (?:dentists?|lawyers?|doctors?|hospitals?|clinics?|schools?|agency|company) in; affordable prices?;
    (?:top|leading) (?:rated )?(?:company|agency|provider|manufacturer|supplier)s?; hair transplant; botox; rank \d;
    we (?:offer|provide) (?:the )?best; our (?:company|services|products); 100 ?%
    (?:guaranteed|genuine|satisfaction|legit|natural|working); satisfaction guaranteed; limited (?:time )?offer; act
    now; click (?:here|below|the link); hier klicken; cliquez ici; haz clic; whats ?app (?:us|me|now|number)?;
    telegram; dm (?:me|us); inbox me`,
  // Seminars to sell, which come by the thousand.
  kind(2, 6)`
    live webinar; on-?demand (?:training|webinar); recorded session; compliance training; medical
    (?:coding|billing); hipaa; register now for this webinar; corporate pass; cpe credits?; sponsorship
    opportunities; exhibitor (?:list|data); attendees? list; call for papers; scopus; international conference on`,
]
