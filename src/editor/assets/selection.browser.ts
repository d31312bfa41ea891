import { required } from '../../kit/lib/required.browser.ts'

// The selection of a list: all at once, and how many there are, with the dates if a row stands for several.

for (const selectAll of document.querySelectorAll<HTMLElement>('[data-all]')) {
  selectAll.hidden = false
  const box = required(selectAll.querySelector('input'))
  const count = required(selectAll.querySelector('output'))
  const form = required(box.form)
  const { all = '', dates: withDates = '' } = selectAll.dataset
  const boxes = [...form.querySelectorAll<HTMLInputElement>('input[type="checkbox"][name="id"]')]
  const show = () => {
    const chosen = boxes.filter(({ checked }) => checked)
    const n = chosen.length
    const dates = chosen.reduce((sum, { dataset }) => sum + Number(dataset.dates ?? 1), 0)
    const texts = [n > 0 && all.replace('{{n}}', `${n}`), dates > n && withDates.replace('{{n}}', `${dates}`)]
    count.textContent = texts.filter(Boolean).join(', ')
    box.checked = n > 0 && n === boxes.length
    box.indeterminate = n > 0 && n < boxes.length
  }
  box.addEventListener('change', () => {
    for (const rowBox of boxes) rowBox.checked = box.checked
    show()
  })
  form.addEventListener('change', show)
  // A page restored from the history keeps its selection.
  addEventListener('pageshow', show)
}
