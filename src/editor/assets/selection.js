// The selection of a list: all at once, and how many there are.

for (const all of document.querySelectorAll('[data-all]')) {
  all.hidden = false
  const box = all.querySelector('input')
  const count = all.querySelector('output')
  const boxes = [...box.form.querySelectorAll('input[type="checkbox"][name="id"]')]
  const show = () => {
    const n = boxes.filter(({ checked }) => checked).length
    count.textContent = n > 0 ? all.dataset.all.replace('{{n}}', n) : ''
    box.checked = n > 0 && n === boxes.length
    box.indeterminate = n > 0 && n < boxes.length
  }
  box.addEventListener('change', () => {
    for (const one of boxes) one.checked = box.checked
    show()
  })
  box.form.addEventListener('change', show)
  // A page from the history has its selection.
  addEventListener('pageshow', show)
}
