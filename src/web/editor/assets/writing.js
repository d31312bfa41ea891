// Writing: what is selected in a text, or the word at the caret, becomes bold or a link, and lines a list; the text is shown as pages
// will; Ctrl+S saves.

/** The delay of the preview after the last key, in milliseconds. */
const PAUSE = 400

const WORDS = /[\p{L}\p{M}\p{N}_'’-]+/gu
/** Text that ends within a tag or an entity. */
const IN_MARKUP = /<[^>]*$|&[#\w]*$/

for (const field of document.querySelectorAll('[data-writing]')) {
  const text = field.querySelector('textarea')
  const tools = field.querySelector('[role="toolbar"]')
  const shown = field.querySelector('.writing-preview')
  const buttons = [...tools.querySelectorAll('button')]
  const toggle = tools.querySelector('[data-preview]')
  let timer
  let asked = 0
  tools.hidden = false
  for (const [i, button] of buttons.entries()) button.tabIndex = i === 0 ? 0 : -1

  /** Replaces what is selected, as typing would, and selects a part of the new text. */
  const write = (written, from, to) => {
    const { selectionStart: start } = text
    text.focus()
    // Only this command can be undone with Ctrl+Z.
    if (!document.execCommand('insertText', false, written)) text.setRangeText(written)
    text.setSelectionRange(start + from, start + to)
    text.dispatchEvent(new Event('input', { bubbles: true }))
  }

  const set = {
    strong: selected => write(`<strong>${selected}</strong>`, 8, 8 + selected.length),
    a: selected => {
      const isAddress = /^https?:\/\/\S+$/.test(selected.trim())
      const address = isAddress ? selected.trim() : 'https://'
      const written = `<a href="${address}">${selected}</a>`
      if (isAddress || selected !== '') write(written, 9, 9 + address.length)
      else write(written, 9 + address.length + 2, 9 + address.length + 2)
    },
    ul: selected => {
      const items = selected.split(/\n+/).map(line => `<li>${line.replace(/^\s*[-*•]\s*/, '').trim()}</li>`)
      const written = `<ul>\n${items.join('\n')}\n</ul>`
      const at = selected === '' ? 9 : written.length
      write(written, at, at)
    },
  }

  /** Selects the word at the caret. A caret between words, or in a tag or an entity, selects nothing. */
  const selectWord = () => {
    const { value, selectionStart: at } = text
    if (IN_MARKUP.test(value.slice(0, at))) return
    const found = [...value.matchAll(WORDS)].find(
      ({ 0: word, index }) => index <= at && at <= index + word.length,
    )
    if (found) text.setSelectionRange(found.index, found.index + found[0].length)
  }

  const apply = name => {
    if (name !== 'ul' && text.selectionStart === text.selectionEnd) selectWord()
    const selected = text.value.slice(text.selectionStart, text.selectionEnd)
    // Bold around nothing would stay in the text as an empty element.
    if (name === 'strong' && selected === '') return text.focus()
    set[name](selected)
  }

  const preview = async () => {
    if (shown.hidden) return
    const own = ++asked
    const body = new URLSearchParams({ text: text.value, _token: text.form.elements._token.value })
    const response = await fetch('/admin/text/', { method: 'POST', body }).catch(() => undefined)
    const html = await response?.text()
    if (response?.ok && own === asked) shown.innerHTML = html
  }

  for (const button of buttons)
    button.addEventListener('click', () => {
      if (button.dataset.set) return apply(button.dataset.set)
      shown.hidden = !shown.hidden
      toggle.setAttribute('aria-pressed', String(!shown.hidden))
      preview()
    })
  tools.addEventListener('keydown', event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const at = buttons.indexOf(document.activeElement)
    const next = buttons[(at + step + buttons.length) % buttons.length]
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1
    next.focus()
  })
  text.addEventListener('keydown', event => {
    const name = { b: 'strong', k: 'a' }[event.key]
    if (!name || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    apply(name)
  })
  text.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(preview, PAUSE)
  })
}

addEventListener('keydown', event => {
  if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
  const button = document.querySelector('#editor-form .actions [value="save"]')
  if (!button) return
  event.preventDefault()
  if (!event.repeat) button.click()
})
