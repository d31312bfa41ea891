// The programme of an event: another row appears without a round trip, and goes on where the last one ends.

for (const list of document.querySelectorAll('.programme-rows')) {
  const section = list.parentElement
  const template = section.querySelector('template')
  const day = document.querySelector('.editor-form input[name="start_date"]')
  let next = Number(list.dataset.next)

  const input = (row, name) => row?.querySelector(`[name$=".${name}"]`)

  section.querySelector('button[value="part"]').addEventListener('click', event => {
    event.preventDefault()
    const last = list.lastElementChild
    const row = template.content.firstElementChild.cloneNode(true)
    for (const element of row.querySelectorAll('[id], [name], [for]'))
      for (const name of ['id', 'name', 'for']) {
        const text = element.getAttribute(name)
        if (text) element.setAttribute(name, text.replace(/(?<=^part[.-])n0\b/, `n${next}`))
      }
    next++
    input(row, 'start_date').value = input(last, 'start_date')?.value || day?.value || ''
    input(row, 'start_date_time').value = input(last, 'end_date_time')?.value || ''
    input(row, 'room').value = input(last, 'room')?.value || ''
    list.append(row)
    input(row, 'start_date_time').focus()
    row.scrollIntoView({ block: 'nearest' })
    list.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
