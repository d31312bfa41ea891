// What all pages of the editor gain with scripts. Nothing depends on it.

// Whoever sends a form twice means it once.
for (const form of document.querySelectorAll('form[method="post"]'))
  form.addEventListener('submit', event => {
    if (form.dataset.isSent) event.preventDefault()
    // Another script may have kept it from being sent.
    else setTimeout(() => !event.defaultPrevented && form.setAttribute('data-is-sent', 'true'))
  })

// A page that comes back from the history can be sent again.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-is-sent]')) delete form.dataset.isSent
})

// On a phone the menu is one line: it shows where one is.
document.querySelector('.editor-menu [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
