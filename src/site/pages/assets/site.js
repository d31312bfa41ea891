// Enhancements of pages: events near the device, sharing with the device, copying, printing, and menus that
// close. Nothing depends on them.

/** Shows a button and its list item if the browser supports its function. */
function enable(selector, isPossible, act) {
  if (!isPossible) return
  for (const button of document.querySelectorAll(selector)) {
    button.hidden = false
    const item = button.closest('li')
    if (item) item.hidden = false
    button.addEventListener('click', () => act(button))
  }
}

enable('[data-share]', 'share' in navigator, button =>
  // Closing the device's dialogue is not an error.
  navigator.share({ title: button.dataset.title, url: button.dataset.share }).catch(() => {}),
)

enable('[data-copy]', navigator.clipboard, async button => {
  await navigator.clipboard.writeText(button.dataset.copy)
  const text = button.textContent
  // After another click, it says so already.
  if (text === button.dataset.done) return
  button.textContent = button.dataset.done
  button.setAttribute('aria-live', 'polite')
  setTimeout(() => {
    button.textContent = text
  }, 2000)
})

enable('[data-print]', true, () => print())

// Two decimals are about a kilometre: enough for what is near, and the address doesn't say where somebody
// lives.
const rounded = degrees => degrees.toFixed(2)

enable('[data-near]', navigator.geolocation, button => {
  const note = document.querySelector('[data-near-note]')
  note.textContent = ''
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      const { near } = button.dataset
      const mark = near.includes('?') ? '&' : '?'
      location.assign(`${near}${mark}near=${rounded(coords.latitude)},${rounded(coords.longitude)}`)
    },
    () => {
      note.textContent = note.dataset.nearNote
    },
    { maximumAge: 600_000, timeout: 15_000 },
  )
})

// Only one menu is open; Escape or a click elsewhere closes it.
for (const menu of document.querySelectorAll('.menu-button')) {
  addEventListener('click', event => {
    if (!menu.contains(event.target)) menu.open = false
  })
  menu.addEventListener('keydown', event => {
    if (event.key !== 'Escape' || !menu.open) return
    menu.open = false
    menu.querySelector('summary').focus()
  })
}

// In the table of a month, the Tab key stops once at each day. Arrows lead to its events, and to the other
// days.
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }
for (const table of document.querySelectorAll('.month')) {
  for (const link of table.querySelectorAll('.cell :is(li a, .day-more)')) link.tabIndex = -1
  table.addEventListener('keydown', event => {
    const step = STEPS[event.key]
    const cell = event.target.closest('.cell')
    if (!step || !cell) return
    const isAcross = event.key === 'ArrowLeft' || event.key === 'ArrowRight'
    const links = [...(isAcross ? table.querySelectorAll('a.cell-day') : cell.querySelectorAll('a'))]
    const from = links.indexOf(isAcross ? cell.querySelector('a.cell-day') : event.target)
    const next = links[from + step]
    if (!next?.checkVisibility()) return
    event.preventDefault()
    next.focus()
  })
  // Where events are dots, a day shows its part of the list below.
  table.addEventListener('click', event => {
    const day = event.target.closest('a.cell-day')
    const part = day && document.getElementById(`day-${day.dataset.day}`)
    if (!part?.parentElement.checkVisibility()) return
    event.preventDefault()
    location.hash = part.id
  })
}
