// Enhancements of pages: sharing with the device, copying, printing, and menus that close. Nothing depends on them.

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
