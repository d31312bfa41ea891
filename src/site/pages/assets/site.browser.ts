import { required } from '../../../kit/lib/required.browser.ts'

// Enhancements of pages: events near the device, sharing with the device, copying, printing, and menus that
// close. Nothing depends on them.

/** Shows a button and its list item if the browser supports its function. */
function enable(selector: string, isPossible: boolean, act: (button: HTMLElement) => unknown) {
  if (!isPossible) return
  for (const button of document.querySelectorAll<HTMLElement>(selector)) {
    button.hidden = false
    const item = button.closest('li')
    if (item) item.hidden = false
    button.addEventListener('click', () => act(button))
  }
}

enable('[data-share]', 'share' in navigator, button => {
  const { title = '', share: url = '' } = button.dataset
  // Closing the device's dialogue is not an error.
  navigator.share({ title, url }).catch(() => {})
})

enable('[data-copy]', 'clipboard' in navigator, async button => {
  const { copy = '', done = '' } = button.dataset
  const text = button.textContent
  // Screen readers only announce changes of what was marked before.
  button.setAttribute('aria-live', 'polite')
  try {
    await navigator.clipboard.writeText(copy)
  } catch {
    // The browser refuses, so the text is shown to be copied by hand.
    prompt(text, copy)
    return
  }
  // After another click, the button already says so.
  if (text === done) return
  button.textContent = done
  setTimeout(() => {
    button.textContent = text
  }, 2000)
})

enable('[data-print]', true, () => print())

// Two decimals are about a kilometre: enough for what is near, and the address doesn't say where somebody
// lives.
const rounded = (degrees: number) => degrees.toFixed(2)

enable('[data-near]', 'geolocation' in navigator, button => {
  const note = required(document.querySelector<HTMLElement>('[data-near-note]'))
  note.textContent = ''
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      const { near = '' } = button.dataset
      const mark = near.includes('?') ? '&' : '?'
      location.assign(`${near}${mark}near=${rounded(coords.latitude)},${rounded(coords.longitude)}`)
    },
    () => {
      note.textContent = note.dataset.nearNote ?? ''
    },
    { maximumAge: 600_000, timeout: 15_000 },
  )
})

// Only one menu is open; Escape or a click elsewhere closes it.
for (const menu of document.querySelectorAll<HTMLDetailsElement>('.menu-button')) {
  addEventListener('click', ({ target }) => {
    if (!(target instanceof Node && menu.contains(target))) menu.open = false
  })
  menu.addEventListener('keydown', event => {
    if (event.key !== 'Escape' || !menu.open) return
    menu.open = false
    menu.querySelector('summary')?.focus()
  })
}

// In the table of a month, the Tab key stops once at each day. Arrows lead to its events, and to the other
// days.
const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }
const DAY = 'a.cell-day'
for (const table of document.querySelectorAll<HTMLElement>('.month')) {
  for (const link of table.querySelectorAll<HTMLElement>('.cell :is(li a, .day-more)')) link.tabIndex = -1
  table.addEventListener('keydown', event => {
    const { target } = event
    const step = STEPS[event.key]
    const cell = target instanceof Element && target.closest('.cell')
    if (!step || !cell) return
    const isAcross = event.key === 'ArrowLeft' || event.key === 'ArrowRight'
    const links = [...(isAcross ? table : cell).querySelectorAll<HTMLElement>(isAcross ? DAY : 'a')]
    const from = links.findIndex(link => (isAcross ? cell.contains(link) : link.matches(':focus')))
    const next = links[from + step]
    if (!next?.checkVisibility()) return
    event.preventDefault()
    next.focus()
  })
  // Where events are dots, a day shows its part of the list below.
  table.addEventListener('click', event => {
    const day = event.target instanceof Element && event.target.closest<HTMLElement>(DAY)
    const part = day ? document.getElementById(`day-${day.dataset.day}`) : null
    if (!part?.parentElement?.checkVisibility()) return
    event.preventDefault()
    location.hash = part.id
  })
}
