// The repetition: its texts and the next dates follow the input, and there is always an empty input for
// another date.

const FURTHER_INPUTS = ['_token', 'start_date', 'start_date_time', 'all_day', 'timezone']
const isOfRepetition = name => name.startsWith('recurrence') || FURTHER_INPUTS.includes(name)

for (const fieldset of document.querySelectorAll('.repetition')) {
  const { form } = fieldset
  let changeCount = 0
  let timer

  const replace = (fresh, part) => {
    const old = fieldset.querySelector(part)
    const next = fresh.querySelector(part)
    if (old && next && old.innerHTML !== next.innerHTML) old.innerHTML = next.innerHTML
  }

  const refresh = async () => {
    const countBefore = changeCount
    const sent = [...new FormData(form)].filter(([name]) => isOfRepetition(name))
    const response = await fetch(`${form.dataset.base ?? '/admin'}/repetition/`, {
      method: 'POST',
      body: new URLSearchParams(sent),
    })
    const text = await response.text()
    // What has been chosen since would be replaced by what was sent.
    if (!response.ok || countBefore !== changeCount) return
    const fresh = new DOMParser().parseFromString(text, 'text/html')
    for (const part of ['[name="recurrence"]', '[name="recurrence_way"]', '.next-dates']) replace(fresh, part)
  }

  form.addEventListener('input', ({ target }) => {
    if (!isOfRepetition(target.name ?? '')) return
    const list = target.closest('.date-inputs')
    if (list && target.value && list.lastElementChild.contains(target)) {
      const another = list.lastElementChild.cloneNode(true)
      another.querySelector('input').value = ''
      list.append(another)
    }
    changeCount++
    clearTimeout(timer)
    timer = setTimeout(() => refresh().catch(() => {}), 300)
  })
  // Typing an end chooses it.
  const [until, count] = ['recurrence_until', 'recurrence_count'].map(name =>
    fieldset.querySelector(`[name="${name}"]`),
  )
  const chooseEnd = (value, typed) => {
    if (typed.value) fieldset.querySelector(`[name="recurrence_end"][value="${value}"]`).checked = true
  }
  until.addEventListener('input', () => chooseEnd('on', until))
  count.addEventListener('input', () => chooseEnd('after', count))
  fieldset.addEventListener('change', ({ target }) => {
    if (target.name === 'recurrence' && target.value === 'dates')
      fieldset.querySelector('.further-dates').open = true
    if (target.name !== 'recurrence_end') return
    if (target.value !== 'on') until.value = ''
    if (target.value !== 'after') count.value = ''
  })
  fieldset.querySelector('.show-dates').hidden = true
}
