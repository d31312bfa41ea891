// The selection of a list: all at once, and how many there are, with the dates if a row stands for several.

for (const selectAll of document.querySelectorAll('[data-all]')) {
  selectAll.hidden = false
  const box = selectAll.querySelector('input')
  const count = selectAll.querySelector('output')
  const boxes = [...box.form.querySelectorAll('input[type="checkbox"][name="id"]')]
  const show = () => {
    const chosen = boxes.filter(({ checked }) => checked)
    const n = chosen.length
    const dates = chosen.reduce((sum, { dataset }) => sum + Number(dataset.dates ?? 1), 0)
    const texts = [
      n > 0 && selectAll.dataset.all.replace('{{n}}', n),
      dates > n && selectAll.dataset.dates.replace('{{n}}', dates),
    ]
    count.textContent = texts.filter(Boolean).join(', ')
    box.checked = n > 0 && n === boxes.length
    box.indeterminate = n > 0 && n < boxes.length
  }
  box.addEventListener('change', () => {
    for (const rowBox of boxes) rowBox.checked = box.checked
    show()
  })
  box.form.addEventListener('change', show)
  // A page from the history has its selection.
  addEventListener('pageshow', show)
}
