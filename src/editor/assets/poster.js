// A poster is dropped on its field, or pasted anywhere in the form, and shown before it is uploaded.

for (const zone of document.querySelectorAll('[data-poster]')) {
  const input = zone.querySelector('input[type="file"]')
  const alt = zone.querySelector('.poster-alt')
  const choices = () => zone.closest('fieldset').querySelectorAll('.images')
  const preview = document.createElement('div')
  preview.className = 'poster-new'
  preview.setAttribute('role', 'status')
  zone.prepend(preview)
  zone.querySelector('[data-poster-hint]').hidden = false

  /** Why a file is not taken; '' for one that may be an image. */
  const reasonAgainst = ({ size, type }) => {
    // A form with a file that is too large would be refused as a whole, with everything typed.
    if (size > Number(zone.dataset.most)) return zone.dataset.tooLarge
    // Systems that don't know a kind, such as HEIC, say nothing about it.
    return type && !type.startsWith('image/') ? zone.dataset.noImage : ''
  }

  const show = () => {
    const reason = input.files[0] ? reasonAgainst(input.files[0]) : ''
    if (reason) input.value = ''
    const [file] = input.files
    const image = document.createElement('img')
    const caption = document.createElement('p')
    URL.revokeObjectURL(preview.querySelector('img')?.src)
    if (file) {
      image.src = URL.createObjectURL(file)
      image.alt = ''
      caption.textContent = zone.dataset.poster.replace('{{name}}', file.name)
    }
    caption.classList.toggle('field-error', reason !== '')
    if (reason) caption.textContent = reason
    preview.replaceChildren(...(file ? [image, caption] : reason ? [caption] : []))
    // The text belongs to a new image, which stands in for the former choice.
    alt.hidden = !file
    for (const images of choices()) images.hidden = Boolean(file)
  }

  /** The first image of a transfer. */
  const imageIn = transfer => [...(transfer?.files ?? [])].find(({ type }) => type.startsWith('image/'))

  const take = file => {
    const files = new DataTransfer()
    files.items.add(file)
    input.files = files.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
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
    take(imageIn(event.dataTransfer) ?? event.dataTransfer.files[0])
  })
  document.addEventListener('paste', event => {
    // One of several images gets it: the one at which somebody is, or else the first.
    const here = document.activeElement?.closest('fieldset')?.querySelector('[data-poster]')
    if (zone !== (here ?? document.querySelector('[data-poster]'))) return
    // Programs that copy text often add a picture of it.
    if (event.clipboardData.types.includes('text/plain')) return
    const image = imageIn(event.clipboardData)
    if (!image) return
    take(image)
    event.preventDefault()
  })
  show()
}
