import { required } from '../../kit/lib/required.browser.ts'

// The repetition: its texts and the next dates follow the input, and there is always an empty input for
// another date.

const FURTHER_INPUTS = ['_token', 'start_date', 'start_date_time', 'all_day', 'timezone']
const isOfRepetition = (name: string) => name.startsWith('recurrence') || FURTHER_INPUTS.includes(name)

const isControl = (target: EventTarget | null) =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement

for (const fieldset of document.querySelectorAll<HTMLFieldSetElement>('.repetition')) {
  const form = required(fieldset.form)
  let changeCount = 0
  let timer: number | undefined

  const replace = (fresh: Document, part: string) => {
    const old = fieldset.querySelector(part)
    const next = fresh.querySelector(part)
    if (old && next && old.innerHTML !== next.innerHTML) old.innerHTML = next.innerHTML
  }

  const refresh = async () => {
    const countBefore = changeCount
    const sent = [...new FormData(form)].flatMap(([name, value]) =>
      isOfRepetition(name) && typeof value === 'string' ? [[name, value]] : [],
    )
    const response = await fetch(`${form.dataset.base ?? '/admin'}/repetition/`, {
      method: 'POST',
      body: new URLSearchParams(sent),
    })
    const text = await response.text()
    // A stale response would replace what has been chosen since with what was sent.
    if (!response.ok || countBefore !== changeCount) return
    const fresh = new DOMParser().parseFromString(text, 'text/html')
    for (const part of ['[name="recurrence"]', '[name="recurrence_way"]', '.next-dates']) replace(fresh, part)
  }

  form.addEventListener('input', ({ target }) => {
    if (!(isControl(target) && isOfRepetition(target.name))) return
    const list = target.closest('.date-inputs')
    const last = list?.lastElementChild
    if (list && target.value && last?.contains(target)) {
      const another = document.importNode(last, true)
      required(another.querySelector('input')).value = ''
      list.append(another)
    }
    changeCount++
    clearTimeout(timer)
    timer = setTimeout(() => refresh().catch(() => {}), 300)
  })
  // Typing an end date or a number of dates chooses that kind of end.
  const inputOf = (selector: string) => required(fieldset.querySelector<HTMLInputElement>(selector))
  const until = inputOf('[name="recurrence_until"]')
  const count = inputOf('[name="recurrence_count"]')
  const chooseEnd = (value: string, typed: HTMLInputElement) => {
    if (typed.value) inputOf(`[name="recurrence_end"][value="${value}"]`).checked = true
  }
  until.addEventListener('input', () => chooseEnd('on', until))
  count.addEventListener('input', () => chooseEnd('after', count))
  fieldset.addEventListener('change', ({ target }) => {
    if (!isControl(target)) return
    if (target.name === 'recurrence' && target.value === 'dates')
      required(fieldset.querySelector<HTMLDetailsElement>('.further-dates')).open = true
    if (target.name !== 'recurrence_end') return
    if (target.value !== 'on') until.value = ''
    if (target.value !== 'after') count.value = ''
  })
  required(fieldset.querySelector<HTMLElement>('.show-dates')).hidden = true
}
