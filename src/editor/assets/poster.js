// A poster is dropped on its field, or pasted anywhere in the form, and shown before it is uploaded.

for (const zone of document.querySelectorAll('[data-poster]')) {
  const input = zone.querySelector('input[type="file"]')
  const alt = zone.querySelector('.poster-alt')
  const choices = () => zone.closest('fieldset').querySelectorAll('.images')
  const shown = document.createElement('div')
  shown.className = 'poster-new'
  shown.setAttribute('role', 'status')
  zone.prepend(shown)
  zone.querySelector('[data-poster-hint]').hidden = false

  const show = () => {
    // A form with a file that is too large would be refused as a whole, with everything typed.
    const isTooLarge = input.files[0]?.size > Number(zone.dataset.most)
    if (isTooLarge) input.value = ''
    const [file] = input.files
    const image = document.createElement('img')
    const caption = document.createElement('p')
    URL.revokeObjectURL(shown.querySelector('img')?.src)
    if (file) {
      image.src = URL.createObjectURL(file)
      image.alt = ''
      caption.textContent = zone.dataset.poster.replace('{{name}}', file.name)
    }
    caption.classList.toggle('field-error', isTooLarge)
    if (isTooLarge) caption.textContent = zone.dataset.tooLarge
    shown.replaceChildren(...(file ? [image, caption] : isTooLarge ? [caption] : []))
    // The text belongs to a new image, which stands in for the former choice.
    alt.hidden = !file
    for (const images of choices()) images.hidden = Boolean(file)
  }

  /** Takes the first image of a transfer; false if it has none. */
  const take = transfer => {
    const file = [...(transfer?.files ?? [])].find(({ type }) => type.startsWith('image/'))
    if (!file) return false
    const files = new DataTransfer()
    files.items.add(file)
    input.files = files.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
    return true
  }

  input.addEventListener('change', show)
  zone.addEventListener('dragover', event => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    zone.classList.add('is-over')
  })
  for (const type of ['dragleave', 'drop'])
    zone.addEventListener(type, () => zone.classList.remove('is-over'))
  zone.addEventListener('drop', event => {
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    take(event.dataTransfer)
  })
  document.addEventListener('paste', event => {
    // One of several images gets it: the one at which somebody is, or else the first.
    const here = document.activeElement?.closest('fieldset')?.querySelector('[data-poster]')
    if (zone !== (here ?? document.querySelector('[data-poster]'))) return
    // Programs that copy text often add a picture of it.
    if (event.clipboardData.types.includes('text/plain')) return
    if (take(event.clipboardData)) event.preventDefault()
  })
  show()
}
