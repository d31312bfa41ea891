/** True if one word becomes the other by so few letters added, left out, replaced, or swapped with the next. */
export function isNearly(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let before: number[] = []
  let last = Array.from({ length: b.length - start + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length - start; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length - start; j++) {
      const [x, y] = [a[start + i - 1], b[start + j - 1]]
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (x === y ? 0 : 1))
      const isSwapped = i > 1 && j > 1 && x === b[start + j - 2] && a[start + i - 2] === y
      if (isSwapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      row.push(cost)
      least = Math.min(least, cost)
    }
    if (least > most) return false
    before = last
    last = row
  }
  return (last.at(-1) ?? 0) <= most
}
