import { required } from '../../../kit/lib/required.browser.ts'

// <event-calendar>: events of a calendar in another page. The calendar's server makes the HTML, which goes
// into a shadow root with the calendar's stylesheet, so that neither page affects the look of the other.
// Without a response from the calendar, the content of the element stays visible.

const HERE = new URL(import.meta.url).origin
const PARAMETERS = [
  'view',
  'categories',
  'tags',
  'venue',
  'organizer',
  'search',
  'featured',
  'is_free',
  'ticket_availability',
  'wheelchair',
  'near',
  'limit',
  'language',
  'accent',
]
// With no value, these attributes mean yes, as attributes of HTML do.
const FLAGS = ['featured', 'is_free']

declare global {
  // The compiler does not know this yet. The HTML of a policy is used wherever a string of HTML is.
  var trustedTypes: { createPolicy(name: string, policy: HtmlPolicy): HtmlPolicy } | undefined
}
type HtmlPolicy = { createHTML: (html: string) => string }

// Pages may require such a policy for HTML (Trusted Types). The HTML comes from our server.
const policy = globalThis.trustedTypes?.createPolicy('event-calendar', { createHTML: html => html })

const warn = (text: string) => console.warn(`event-calendar: ${text}`)

const sheets = new Map<string, Promise<CSSStyleSheet>>()

/** The stylesheet at an address, loaded once for all elements of the page. */
function sheetOf(address: string): Promise<CSSStyleSheet> {
  const sheet =
    sheets.get(address) ??
    fetch(address).then(async response => {
      if (!response.ok) throw new Error(`${address}: ${response.status}`)
      const made = new CSSStyleSheet()
      made.replaceSync(await response.text())
      return made
    })
  sheets.set(address, sheet)
  sheet.catch(() => sheets.delete(address))
  return sheet
}

/** True if a colour in any notation is closer to white than to black. */
function isLight(colour: string): boolean {
  const paint = required(new OffscreenCanvas(1, 1).getContext('2d'))
  paint.fillStyle = colour
  paint.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = paint.getImageData(0, 0, 1, 1).data
  return 0.3 * red + 0.59 * green + 0.11 * blue > 127
}

class EventCalendar extends HTMLElement {
  static observedAttributes = [...PARAMETERS, 'theme']
  #waiting = false
  #turn = 0
  /** The address of the events that are shown. */
  #shown: string | undefined

  constructor() {
    super()
    this.addEventListener('transitionend', event => {
      if (event.target === this && event.propertyName === 'color') this.#matchColours()
    })
  }

  connectedCallback() {
    this.#warnOfUnknown()
    this.#loadSoon()
  }

  attributeChangedCallback(name: string) {
    if (name === 'theme') this.#matchColours()
    else if (this.isConnected) this.#loadSoon()
  }

  /**
   * An unknown attribute is probably a filter that the page's author believes to be applied. Attributes of
   * HTML are properties as well, and those of frameworks have other characters in their names.
   */
  #warnOfUnknown() {
    const known = new Set([...EventCalendar.observedAttributes, 'class'])
    for (const name in this) known.add(name.toLowerCase())
    for (const name of this.getAttributeNames())
      if (/^[a-z_]+$/.test(name) && !known.has(name)) warn(`there is no attribute ${name}`)
    const theme = this.getAttribute('theme') || 'auto'
    if (!/^(auto|light|dark)$/i.test(theme)) warn(`theme is light or dark, not ${theme}`)
  }

  /** Pages may be dark without declaring it in their color-scheme: then the colour of their text decides. */
  #matchColours() {
    const shown = this.shadowRoot?.querySelector('.embed')
    if (!shown) return
    this.style.removeProperty('color-scheme')
    if (/^(light|dark)$/i.test(this.getAttribute('theme') ?? '')) return
    const wanted = isLight(getComputedStyle(this).color)
    if (wanted !== isLight(getComputedStyle(shown).color))
      this.style.setProperty('color-scheme', wanted ? 'dark' : 'light')
  }

  /** Loads once for several attributes that change together. */
  #loadSoon() {
    if (this.#waiting) return
    this.#waiting = true
    queueMicrotask(() => {
      this.#waiting = false
      const turn = ++this.#turn
      this.#load(turn).catch(error => {
        warn(error.message)
        // Events of other attributes make way for the content of the element.
        if (turn !== this.#turn || this.#address.href === this.#shown) return
        this.shadowRoot?.replaceChildren(document.createElement('slot'))
        this.#shown = undefined
      })
    })
  }

  get #address() {
    const address = new URL('/embed/fragment', HERE)
    for (const name of PARAMETERS) {
      const value = this.getAttribute(name)?.trim()
      if (value) address.searchParams.set(name, value)
      else if (value === '' && FLAGS.includes(name)) address.searchParams.set(name, 'true')
    }
    return address
  }

  async #load(turn: number) {
    const address = this.#address
    const response = await fetch(address)
    if (!response.ok) {
      const { message = '' } = await response.json().catch(() => ({}))
      throw new Error(`the calendar responds with ${response.status} ${message}`)
    }
    const html = await response.text()
    const template = document.createElement('template')
    template.innerHTML = policy ? policy.createHTML(html) : html
    const link = required(template.content.querySelector('link'))
    const sheet = await sheetOf(new URL(required(link.getAttribute('href')), HERE).href)
    link.remove()
    // A later request may have finished earlier.
    if (turn !== this.#turn) return
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [sheet]
    root.replaceChildren(template.content)
    this.#shown = address.href
    const { accent, onAccent } = required(root.querySelector<HTMLElement>('.embed')).dataset
    for (const [name, value] of [
      ['--accent', accent],
      ['--on-accent', onAccent],
    ] as const)
      if (value) this.style.setProperty(name, value)
      else this.style.removeProperty(name)
    this.#matchColours()
  }
}

if (!customElements.get('event-calendar')) customElements.define('event-calendar', EventCalendar)

// Frames with events are as high as their events. Only frames that show the calendar may say so, and only how
// high they are.
addEventListener('message', ({ origin, source, data }) => {
  const height = data?.type === 'event-calendar' ? Number(data.height) : 0
  if (origin !== HERE || !(height > 0 && height < 50_000)) return
  for (const frame of document.querySelectorAll('iframe'))
    if (frame.contentWindow === source && frame.src.startsWith(`${HERE}/embed/frame`))
      frame.style.height = `${height}px`
})
