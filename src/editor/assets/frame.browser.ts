// Enhancements of all pages of the editor. Nothing depends on them.

// Prevents sending a form twice.
for (const form of document.querySelectorAll<HTMLFormElement>('form[method="post"]'))
  form.addEventListener('submit', event => {
    if (form.dataset.isSent) event.preventDefault()
    // Another script may have cancelled the submission. A form whose result opens in another tab can be sent
    // again, because that tab may show an error.
    else
      setTimeout(() => !event.defaultPrevented && !form.target && form.setAttribute('data-is-sent', 'true'))
  })

// The form of a page restored from the history can be sent again.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-is-sent]'))
    delete form.dataset.isSent
})

// Says what a form is waiting for, while the page that follows takes its time.
for (const note of document.querySelectorAll<HTMLElement>('[data-while-sent]')) {
  note.closest('form')?.addEventListener('submit', () => {
    note.hidden = false
  })
  addEventListener('pageshow', () => {
    note.hidden = true
  })
}

// On a phone the menu is one line, scrolled to the current entry.
document.querySelector('.editor-menu [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })

// Continues the import of a file, a part at a time.
const continueForm = document.querySelector<HTMLFormElement>('#goes-on')
if (continueForm) setTimeout(() => continueForm.requestSubmit(), 1500)
