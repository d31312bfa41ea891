import { required } from '../../kit/lib/required.browser.ts'

// A poster is dropped on its field, or pasted anywhere in the form, and shown before it is uploaded.

for (const zone of document.querySelectorAll<HTMLElement>('[data-poster]')) {
  const { poster: caption = '', most, tooLarge = '', noImage = '' } = zone.dataset
  const input = required(zone.querySelector<HTMLInputElement>('input[type="file"]'))
  const alt = required(zone.querySelector<HTMLElement>('.poster-alt'))
  const choices = () => required(zone.closest('fieldset')).querySelectorAll<HTMLElement>('.images')
  const preview = document.createElement('div')
  preview.className = 'poster-new'
  preview.setAttribute('role', 'status')
  zone.prepend(preview)
  required(zone.querySelector<HTMLElement>('[data-poster-hint]')).hidden = false

  /** Why a file is not taken; '' for one that may be an image. */
  const reasonAgainst = ({ size, type }: File): string => {
    // A form with a file that is too large would be refused as a whole, with everything typed.
    if (size > Number(most)) return tooLarge
    // Systems that don't know a kind, such as HEIC, say nothing about it.
    return type && !type.startsWith('image/') ? noImage : ''
  }

  const show = () => {
    const chosen = input.files?.[0]
    const reason = chosen ? reasonAgainst(chosen) : ''
    if (reason) input.value = ''
    const file = reason ? undefined : chosen
    const image = document.createElement('img')
    const note = document.createElement('p')
    URL.revokeObjectURL(preview.querySelector('img')?.src ?? '')
    if (file) {
      image.src = URL.createObjectURL(file)
      image.alt = ''
      note.textContent = caption.replace('{{name}}', file.name)
    }
    note.classList.toggle('field-error', reason !== '')
    if (reason) note.textContent = reason
    preview.replaceChildren(...(file ? [image, note] : reason ? [note] : []))
    // The text belongs to a new image, which stands in for the former choice.
    alt.hidden = !file
    for (const images of choices()) images.hidden = Boolean(file)
  }

  /** The first image of a transfer. */
  const imageIn = (transfer: DataTransfer) =>
    [...transfer.files].find(({ type }) => type.startsWith('image/'))

  const take = (file: File) => {
    const files = new DataTransfer()
    files.items.add(file)
    input.files = files.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }

  input.addEventListener('change', show)
  zone.addEventListener('dragover', event => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    zone.classList.add('is-over')
  })
  for (const type of ['dragleave', 'drop'])
    zone.addEventListener(type, () => zone.classList.remove('is-over'))
  zone.addEventListener('drop', event => {
    const { dataTransfer } = event
    const file = dataTransfer && (imageIn(dataTransfer) ?? dataTransfer.files[0])
    if (!file) return
    event.preventDefault()
    take(file)
  })
  document.addEventListener('paste', event => {
    // One of several image fields gets it: the one in the fieldset with the focus, or else the first.
    const here = document.activeElement?.closest('fieldset')?.querySelector('[data-poster]')
    if (zone !== (here ?? document.querySelector('[data-poster]'))) return
    // Programs that copy text often add a picture of it.
    const { clipboardData } = event
    if (!clipboardData || clipboardData.types.includes('text/plain')) return
    const image = imageIn(clipboardData)
    if (!image) return
    take(image)
    event.preventDefault()
  })
  show()
}
