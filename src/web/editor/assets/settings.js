// A colour that is picked, or typed, shows at once what it makes of links and buttons.

for (const picker of document.querySelectorAll('[data-colour]')) {
  const text = document.getElementById(picker.dataset.colour)
  const theme = document.createElement('link')
  theme.rel = 'stylesheet'
  const show = () => {
    const [, colour] = /^#([\da-f]{6}|[\da-f]{3})$/i.exec(text.value.trim()) ?? []
    if (!colour) return theme.remove()
    theme.href = `/_site/theme-${colour.toLowerCase()}.css`
    document.head.append(theme)
    if (colour.length === 6) picker.value = `#${colour}`
  }
  picker.hidden = false
  picker.addEventListener('input', () => {
    text.value = picker.value
    show()
  })
  text.addEventListener('input', show)
}
