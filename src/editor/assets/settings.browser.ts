import { required } from '../../kit/lib/required.browser.ts'

// A colour that is picked, or typed, shows at once how links and buttons will look.

for (const picker of document.querySelectorAll<HTMLInputElement>('[data-colour]')) {
  const text = required(document.querySelector<HTMLInputElement>(`#${picker.dataset.colour}`))
  const theme = document.createElement('link')
  theme.rel = 'stylesheet'
  const show = () => {
    const [, colour] = /^#([\da-f]{6}|[\da-f]{3})$/i.exec(text.value.trim()) ?? []
    if (!colour) return theme.remove()
    theme.href = `/_site/theme-${colour.toLowerCase()}.css`
    document.head.append(theme)
    if (colour.length === 6) picker.value = `#${colour}`
  }
  picker.hidden = false
  picker.addEventListener('input', () => {
    text.value = picker.value
    show()
  })
  text.addEventListener('input', show)
}

// The header image, on which a click sets the point that stays visible.

for (const box of document.querySelectorAll<HTMLElement>('[data-focus]')) {
  const text = required(document.querySelector<HTMLInputElement>(`#${box.dataset.focus}`))
  const image = required(box.querySelector('img'))
  const point = required(box.querySelector('span'))
  const show = () => {
    const chosen = document.querySelector<HTMLImageElement>(`[name="${box.dataset.image}"]:checked + img`)
    box.hidden = !chosen
    if (chosen) image.src = chosen.dataset.full ?? ''
    const [x = '50', y = '50'] = text.value.match(/\d+/g) ?? []
    point.style.left = `${x}%`
    point.style.top = `${y}%`
  }
  box.addEventListener('click', event => {
    const { left, top, width, height } = box.getBoundingClientRect()
    const percent = (offset: number, size: number) =>
      Math.round(Math.min(1, Math.max(0, offset / size)) * 100)
    text.value = `${percent(event.clientX - left, width)} ${percent(event.clientY - top, height)}`
    text.dispatchEvent(new Event('input', { bubbles: true }))
  })
  text.addEventListener('input', show)
  document.addEventListener('change', show)
  show()
}

// The chosen option of a list, as text.

for (const text of document.querySelectorAll<HTMLElement>('[data-choice]')) {
  const list = required(document.querySelector<HTMLSelectElement>(`#${text.dataset.choice}`))
  list.addEventListener('change', () => {
    text.textContent = list.selectedOptions[0]?.textContent.trim() ?? ''
  })
}

// Values from this browser for the settings that nobody has set: buttons fill them in. The form is saved as
// usual.

type Proposal = { name: string; value: string; text: string }

const proposals = document.querySelector<HTMLElement>('[data-proposals]')
if (proposals) {
  const { timeZone: zone = '' } = Intl.DateTimeFormat().resolvedOptions()
  const query = new URLSearchParams({ zone, language: navigator.language })
  const found: Proposal[] = await fetch(`${proposals.dataset.proposals}?${query}`)
    .then(response => (response.ok && !response.redirected ? response.json() : []))
    .catch(() => [])
  for (const { name, value, text } of found) {
    const input = document.querySelector<HTMLInputElement | HTMLSelectElement>(`#f-${name}`)
    if (!input) continue
    // If nobody has chosen anything yet, the values are filled in at once.
    if (proposals.dataset.fill !== undefined) {
      input.value = value
      input.dispatchEvent(new Event('change', { bubbles: true }))
      continue
    }
    const button = document.createElement('button')
    Object.assign(button, { type: 'button', className: 'button button-quiet proposal', textContent: text })
    button.addEventListener('click', () => {
      input.value = value
      input.dispatchEvent(new Event('input', { bubbles: true }))
      input.focus()
      button.remove()
    })
    input.after(button)
  }
}
