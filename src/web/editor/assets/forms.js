// Enhancements of forms: search while typing, Ctrl+S, and a warning before unsaved input is lost.

/** The delay of a search after the last key, in milliseconds. */
const PAUSE = 200

for (const picker of document.querySelectorAll('[data-find]')) {
  const input = picker.querySelector('input[type="search"]')
  const button = picker.querySelector('button')
  const picked = picker.parentElement.querySelector('[data-picked]')
  const list = document.createElement('ul')
  list.className = 'matches'
  list.id = `${input.id}-matches`
  list.hidden = true
  const name = picker.dataset.find
  const attributes = {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': list.id,
  }
  for (const [key, value] of Object.entries(attributes)) input.setAttribute(key, value)
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', picker.querySelector('label').textContent)
  picker.append(list)
  button.hidden = true
  let timer
  let closing
  let asked = 0
  let active = -1
  // The text that the list was made for, and whether an arrow key has moved in it.
  let shownFor = ''
  let hasMoved = false

  const options = () => [...list.querySelectorAll('[data-id], [data-make]')]

  const mark = at => {
    active = at
    for (const [i, option] of options().entries()) {
      option.setAttribute('aria-selected', String(i === at))
      if (i === at) option.scrollIntoView({ block: 'nearest' })
    }
    const id = options()[at]?.id
    if (id) input.setAttribute('aria-activedescendant', id)
    else input.removeAttribute('aria-activedescendant')
  }

  const close = () => {
    // A pending result belongs to an earlier search text.
    clearTimeout(timer)
    asked++
    list.hidden = true
    list.replaceChildren()
    input.setAttribute('aria-expanded', 'false')
    mark(-1)
  }

  const several = picker.parentElement.querySelector('.several input')

  /** Removes the former choice, unless several are allowed. */
  const replace = () => {
    if (!('replaces' in picker.dataset) || several?.checked) return
    for (const box of picked.querySelectorAll('input')) box.checked = false
  }

  /** Opens the inputs of a new one, with the name that was typed. */
  const make = text => {
    const place = picker.parentElement.querySelector('details.in-place')
    const field = place?.querySelector('input')
    if (!field) return
    replace()
    place.open = true
    field.value = text
    input.value = ''
    close()
    field.focus()
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }

  const choose = option => {
    if (option.dataset.make) return make(option.dataset.make)
    replace()
    const id = `${input.id}-${option.dataset.id}`
    const known = document.getElementById(id)
    if (known) known.checked = true
    else {
      const item = document.createElement('li')
      item.className = 'form-check'
      const box = document.createElement('input')
      Object.assign(box, { type: picked.dataset.picked, id, name, value: option.dataset.id, checked: true })
      const label = document.createElement('label')
      label.htmlFor = id
      label.textContent = option.textContent
      item.append(box, label)
      picked.append(item)
    }
    input.value = ''
    close()
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }

  const optionOf = (text, data, i) => {
    const item = document.createElement('li')
    item.id = `${list.id}-${i}`
    Object.assign(item.dataset, data)
    item.setAttribute('role', 'option')
    item.textContent = text
    // The input keeps the focus. A thumb that scrolls the page from here does not choose.
    item.addEventListener('mousedown', event => event.preventDefault())
    item.addEventListener('click', () => choose(item))
    return item
  }

  const show = (found, text) => {
    list.replaceChildren(
      ...found.map(({ id, name, detail }, i) => optionOf(detail ? `${name}, ${detail}` : name, { id }, i)),
    )
    const label = text && picker.dataset.make?.replace('{{name}}', text)
    if (label) list.append(optionOf(label, { make: text }, found.length))
    if (list.children.length === 0) {
      const item = document.createElement('li')
      item.setAttribute('role', 'option')
      item.setAttribute('aria-disabled', 'true')
      item.textContent = picker.dataset.none
      list.append(item)
    }
    list.hidden = false
    list.scrollIntoView({ block: 'nearest' })
    input.setAttribute('aria-expanded', 'true')
    shownFor = text
    hasMoved = false
    // What would be made is never marked by itself: Enter takes what is marked.
    mark(found.length > 0 && text !== '' ? 0 : -1)
  }

  const find = async () => {
    const search = input.value.trim()
    const mine = ++asked
    // Only the editor suggests something before a word is typed.
    const { base = '/admin' } = input.form.dataset
    if (search === '' && (base !== '/admin' || !('make' in picker.dataset))) return close()
    const query = new URLSearchParams({ field: name, search })
    const found = await fetch(`${base}/find/?${query}`, { headers: { accept: 'application/json' } })
      .then(response => {
        const type = response.ok && response.headers.get('content-type')
        return type?.startsWith('application/json') ? response.json() : undefined
      })
      .catch(() => undefined)
    // Without a response, as after the end of a session, the button still works.
    if (!found) button.hidden = false
    // A newer search has begun, or is about to; closing the list would end it.
    else if (mine !== asked || search !== input.value.trim()) return
    else if (search === '' && found.length === 0) close()
    else show(found, search)
  }

  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(find, PAUSE)
  })
  input.addEventListener('keydown', event => {
    const all = options()
    if (event.key === 'Enter') {
      event.preventDefault()
      const isCurrent = !list.hidden && shownFor === input.value.trim()
      if (isCurrent && all[active]) choose(all[active])
      else if (!isCurrent) find()
    } else if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault()
      close()
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && all.length > 0) {
      event.preventDefault()
      // The first arrow down stays on what is marked already, so that ↓ and Enter take the first result.
      const isDown = event.key === 'ArrowDown'
      const from = isDown && !hasMoved ? -1 : Math.max(active, 0)
      hasMoved = true
      mark((from + (isDown ? 1 : all.length - 1)) % all.length)
    }
  })
  // Before anything is typed, the list suggests venues of the newest events.
  input.addEventListener('focus', () => {
    clearTimeout(closing)
    if (input.value === '') find()
  })
  input.addEventListener('blur', () => {
    closing = setTimeout(close, 150)
  })
}

const guarded = document.querySelector('.editor-form, .preview-bar')
if (guarded) {
  let isChanged = guarded.matches('.is-unsaved, .preview-bar')
  let isSent = false
  const change = () => {
    isChanged = true
  }
  guarded.addEventListener('input', change)
  guarded.addEventListener('change', change)
  for (const form of document.querySelectorAll('form[method="post"]'))
    form.addEventListener('submit', event => {
      isSent = !event.defaultPrevented
    })
  addEventListener('pageshow', () => {
    isSent = false
  })
  addEventListener('beforeunload', event => {
    if (isChanged && !isSent) event.preventDefault()
  })
}

// The end of an event moves with its start.
const moment = ['start_date', 'start_date_time', 'end_date', 'end_date_time'].map(name =>
  document.querySelector(`.editor-form input[name="${name}"]`),
)
if (moment.every(Boolean)) {
  const [startDay, startTime, endDay, endTime] = moment
  // Wall times, read as if they were UTC.
  const start = () => Date.parse(`${startDay.value}T${startTime.value || '00:00'}Z`)
  const end = () => {
    const day = endDay.value || startDay.value
    const at = Date.parse(`${day}T${endTime.value || '00:00'}Z`)
    return endDay.value === '' && at < start() ? at + 86_400_000 : at
  }
  const length = () => (endTime.value || endDay.value ? end() - start() : 0)
  let lasts = length()
  for (const input of [endDay, endTime])
    input.addEventListener('change', () => {
      lasts = length()
    })
  for (const input of [startDay, startTime])
    input.addEventListener('change', () => {
      const from = start()
      // A start or an end that was missing so far says nothing.
      if (Number.isNaN(from)) return
      if (!(lasts > 0)) {
        lasts = length()
        return
      }
      const [day, time] = new Date(from + lasts).toISOString().split('T')
      endDay.value = day === startDay.value ? '' : day
      endDay.closest('details').open = endDay.value !== ''
      if (endTime.value) endTime.value = time.slice(0, 5)
    })
}

addEventListener('keydown', event => {
  if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
  const button = document.querySelector('#editor-form .actions [value="save"]')
  if (!button) return
  event.preventDefault()
  if (!event.repeat) button.click()
})
