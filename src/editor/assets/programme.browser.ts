import { required } from '../../kit/lib/required.browser.ts'

// The programme of an event: another row appears without a round trip, and starts when the last one ends.

for (const list of document.querySelectorAll<HTMLElement>('.programme-rows')) {
  const section = required(list.parentElement)
  const template = required(section.querySelector('template'))
  const day = document.querySelector<HTMLInputElement>('.editor-form input[name="start_date"]')
  let next = Number(list.dataset.next)

  const inputIn = (row: Element | null, name: string) =>
    row?.querySelector<HTMLInputElement>(`[name$=".${name}"]`)

  const button = required(section.querySelector('button[value="part"]'))
  button.addEventListener('click', event => {
    event.preventDefault()
    const last = list.lastElementChild
    const row = document.importNode(required(template.content.firstElementChild), true)
    for (const element of row.querySelectorAll('[id], [name], [for]'))
      for (const name of ['id', 'name', 'for']) {
        const text = element.getAttribute(name)
        if (text) element.setAttribute(name, text.replace(/(?<=^part[.-])n0\b/, `n${next}`))
      }
    next++
    const start = required(inputIn(row, 'start_date_time'))
    required(inputIn(row, 'start_date')).value = inputIn(last, 'start_date')?.value || day?.value || ''
    start.value = inputIn(last, 'end_date_time')?.value || ''
    required(inputIn(row, 'room')).value = inputIn(last, 'room')?.value || ''
    list.append(row)
    start.focus()
    row.scrollIntoView({ block: 'nearest' })
    list.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
