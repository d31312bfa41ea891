// Loaded into commands by Node's --import: kills a process at a line that it prints, right before it is
// printed.

const [script = '', line = '', times = '1'] = (process.env.KILL_AT ?? '').split('|')

if (script !== '' && process.argv[1]?.endsWith(`/${script}`)) {
  let left = Number(times)
  const log = console.log
  console.log = (...values: unknown[]) => {
    if (String(values[0]).includes(line)) left -= 1
    if (left === 0) process.kill(process.pid, 'SIGKILL')
    log(...values)
  }
}
