import { required } from '../../kit/lib/required.browser.ts'

// Enhancements of forms: search while typing, Ctrl+S, and a warning before unsaved input is lost.

/** An item that fits what was typed. */
type Match = { id: number; name: string; detail?: string }

/** The delay of a search after the last key, in milliseconds. */
const PAUSE = 200

for (const picker of document.querySelectorAll<HTMLElement>('[data-find]')) {
  const around = required(picker.parentElement)
  const input = required(picker.querySelector<HTMLInputElement>('input[type="search"]'))
  const form = required(input.form)
  const button = required(picker.querySelector('button'))
  const picked = required(around.querySelector<HTMLElement>('[data-picked]'))
  const list = document.createElement('ul')
  list.className = 'matches'
  list.id = `${input.id}-matches`
  list.hidden = true
  const name = required(picker.dataset.find)
  const { base = '/admin' } = form.dataset
  const attributes = {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': list.id,
  }
  for (const [key, value] of Object.entries(attributes)) input.setAttribute(key, value)
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', required(picker.querySelector('label')).textContent)
  picker.append(list)
  button.hidden = true
  let timer: number | undefined
  let closing: number | undefined
  let latestRequest = 0
  let active = -1
  // The text that the list was made for, and whether an arrow key has moved in it.
  let shownFor = ''
  let hasMoved = false

  const options = () => [...list.querySelectorAll<HTMLElement>('[data-id], [data-make]')]

  const mark = (at: number) => {
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
    latestRequest++
    list.hidden = true
    list.replaceChildren()
    input.setAttribute('aria-expanded', 'false')
    mark(-1)
  }

  const severalBox = around.querySelector<HTMLInputElement>('.several input')

  const newItem = around.querySelector<HTMLDetailsElement>('details.in-place')
  const inputs = [
    ...(newItem?.querySelectorAll<HTMLInputElement>('input[type="text"], input:not([type])') ?? []),
  ]
  const [nameInput, ...others] = inputs

  // Once the new item has a name, the heading no longer offers to add one.
  const heading = newItem?.querySelector('summary')
  const headings = [heading?.textContent, heading?.dataset.other]
  if (nameInput?.value.trim()) headings.reverse()
  nameInput?.addEventListener('input', () => {
    if (heading) heading.textContent = headings[nameInput.value.trim() ? 1 : 0] ?? ''
  })
  const setName = (text: string) => {
    if (!nameInput) return
    nameInput.value = text
    nameInput.dispatchEvent(new Event('input', { bubbles: true }))
  }

  const replaces = () => 'replaces' in picker.dataset && !severalBox?.checked

  /** Removes the former choice and a former new item, unless several are allowed. */
  const replace = () => {
    if (!replaces()) return
    for (const box of picked.querySelectorAll('input')) box.checked = false
    for (const other of others) other.value = ''
    if (nameInput?.value) setName('')
  }

  /**
   * Opens the inputs of a new item, with the name that was typed. If they already describe another new item,
   * a message says so instead: a form makes one new item only.
   */
  const make = (text: string, isLeft = false) => {
    if (!newItem || !nameInput) return
    if (!replaces() && inputs.some(({ value }) => value.trim()) && nameInput.value.trim() !== text) {
      input.setCustomValidity(picker.dataset.one ?? '')
      if (!isLeft) input.reportValidity()
      return
    }
    replace()
    newItem.open = true
    setName(text)
    input.value = ''
    close()
    if (!isLeft) (others.find(({ name }) => name.endsWith('_city')) ?? others[0] ?? nameInput).focus()
  }

  const choose = (option: HTMLElement) => {
    if (option.dataset.make) return make(option.dataset.make)
    replace()
    const id = `${input.id}-${option.dataset.id}`
    const known = document.getElementById(id)
    if (known instanceof HTMLInputElement) known.checked = true
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

  const optionOf = (text: string, data: { id: number } | { make: string }, i: number) => {
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

  const show = (found: readonly Match[], text: string) => {
    list.replaceChildren(
      ...found.map(({ id, name, detail }, i) => optionOf(detail ? `${name}, ${detail}` : name, { id }, i)),
    )
    const label = text && picker.dataset.make?.replace('{{name}}', text)
    if (label) list.append(optionOf(label, { make: text }, found.length))
    if (list.children.length === 0) {
      const item = document.createElement('li')
      item.setAttribute('role', 'option')
      item.setAttribute('aria-disabled', 'true')
      item.textContent = picker.dataset.none ?? ''
      list.append(item)
    }
    list.hidden = false
    list.scrollIntoView({ block: 'nearest' })
    input.setAttribute('aria-expanded', 'true')
    shownFor = text
    hasMoved = false
    // Enter takes the marked option: the first one, which makes a new item only if there is nothing like it.
    mark(text !== '' && options().length > 0 ? 0 : -1)
  }

  const ask = async (search: string): Promise<Match[] | undefined> => {
    const query = new URLSearchParams({ field: name, search })
    const response = await fetch(`${base}/find/?${query}`, { headers: { accept: 'application/json' } })
    const type = response.headers.get('content-type')
    return response.ok && type?.startsWith('application/json') ? response.json() : undefined
  }

  /**
   * Makes a new item of what was typed if nothing known is like it.
   * @param isLeft true if the focus is elsewhere already
   */
  const settle = async (isLeft: boolean) => {
    const text = input.value.trim()
    if (text === '' || !nameInput) return
    const found = await ask(text).catch(() => undefined)
    if (found?.length === 0 && input.value.trim() === text) make(text, isLeft)
  }

  const find = async () => {
    const search = input.value.trim()
    const thisRequest = ++latestRequest
    // Only the editor suggests something before a word is typed.
    if (search === '' && (base !== '/admin' || !('make' in picker.dataset))) return close()
    const found = await ask(search).catch(() => undefined)
    // Without a response, as after the end of a session, the button still works.
    if (!found) button.hidden = false
    // A newer search has begun, or is about to; closing the list would end it.
    else if (thisRequest !== latestRequest || search !== input.value.trim()) return
    else if (search === '' && found.length === 0) close()
    else show(found, search)
  }

  input.addEventListener('input', () => {
    input.setCustomValidity('')
    clearTimeout(timer)
    timer = setTimeout(find, PAUSE)
  })
  input.addEventListener('keydown', event => {
    const shownOptions = options()
    if (event.key === 'Enter') {
      event.preventDefault()
      const isCurrent = !list.hidden && shownFor === input.value.trim()
      const option = shownOptions[active]
      if (isCurrent && option) choose(option)
      else if (!isCurrent) find().then(() => settle(false))
    } else if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault()
      close()
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && shownOptions.length > 0) {
      event.preventDefault()
      // The first arrow down stays on what is marked already, so that ↓ and Enter take the first result.
      const isDown = event.key === 'ArrowDown'
      const from = isDown && !hasMoved ? -1 : Math.max(active, 0)
      hasMoved = true
      mark((from + (isDown ? 1 : shownOptions.length - 1)) % shownOptions.length)
    }
  })
  // Before anything is typed, the list suggests venues or organizers of the newest events.
  input.addEventListener('focus', () => {
    clearTimeout(closing)
    if (input.value === '') find()
  })
  input.addEventListener('blur', () => {
    closing = setTimeout(() => {
      close()
      settle(true)
    }, 150)
  })
  // If people submit the form right after typing, it must use what they have typed.
  form.addEventListener('submit', async event => {
    const { submitter } = event
    if (event.defaultPrevented || input.value.trim() === '') return
    if (submitter instanceof HTMLButtonElement && submitter.value.startsWith('find:')) return
    if (picker.dataset.asked === input.value) return
    event.preventDefault()
    await settle(true)
    // The form asks about whatever is still unclear.
    picker.dataset.asked = input.value
    form.requestSubmit(submitter)
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
  for (const form of document.querySelectorAll<HTMLFormElement>('form[method="post"]'))
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
const [startDay, startTime, endDay, endTime] = [
  'start_date',
  'start_date_time',
  'end_date',
  'end_date_time',
].map(name => document.querySelector<HTMLInputElement>(`.editor-form input[name="${name}"]`))
if (startDay && startTime && endDay && endTime) {
  // Wall times, read as if they were UTC.
  const start = () => Date.parse(`${startDay.value}T${startTime.value || '00:00'}Z`)
  const end = () => {
    const day = endDay.value || startDay.value
    const at = Date.parse(`${day}T${endTime.value || '00:00'}Z`)
    return endDay.value === '' && at < start() ? at + 86_400_000 : at
  }
  const length = () => (endTime.value || endDay.value ? end() - start() : 0)
  let duration = length()
  for (const input of [endDay, endTime])
    input.addEventListener('change', () => {
      duration = length()
    })
  for (const input of [startDay, startTime])
    input.addEventListener('change', () => {
      const from = start()
      // As long as the start or the end is missing, there is no duration to keep.
      if (Number.isNaN(from)) return
      if (!(duration > 0)) {
        duration = length()
        return
      }
      const [day = '', time = ''] = new Date(from + duration).toISOString().split('T')
      endDay.value = day === startDay.value ? '' : day
      required(endDay.closest('details')).open = endDay.value !== ''
      if (endTime.value) endTime.value = time.slice(0, 5)
    })
}

addEventListener('keydown', event => {
  if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
  const button = document.querySelector<HTMLButtonElement>('#editor-form .actions [value="save"]')
  if (!button) return
  event.preventDefault()
  if (!event.repeat) button.click()
})
