// What pages gain with scripts: sharing with the device's own means, copying, printing, and a form that doesn't send
// fields without a value. Nothing depends on it.

for (const form of document.querySelectorAll('form.finder'))
  form.addEventListener('submit', () => {
    for (const field of form.elements) if (field.name && !field.value) field.disabled = true
  })

// A page that comes back from the history has its fields again.
addEventListener('pageshow', () => {
  for (const field of document.querySelectorAll('form.finder [disabled]')) field.disabled = false
})

/** Shows a button, with its item of a list, if the browser can do what it is for. */
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
  // Whoever closes the device's dialogue has changed their mind.
  navigator.share({ title: button.dataset.title, url: button.dataset.share }).catch(() => {}),
)

enable('[data-copy]', navigator.clipboard, async button => {
  const text = button.textContent
  await navigator.clipboard.writeText(button.dataset.copy)
  button.textContent = button.dataset.done
  button.setAttribute('aria-live', 'polite')
  setTimeout(() => {
    button.textContent = text
  }, 2000)
})

enable('[data-print]', true, () => print())

// One menu at a time, and none after Escape or a click elsewhere.
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
