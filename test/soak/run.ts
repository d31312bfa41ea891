import { parseArgs } from 'node:util'
import { soak } from './soak.ts'

// npm run soak -- [--seconds 60] [--port 8799]

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    port: { type: 'string', default: '8799' },
  },
})
const seconds = Number(values.seconds)
if (!(seconds >= 2)) throw new Error('--seconds must be at least 2')

const { problems, ...figures } = await soak(seconds, Number(values.port))
console.table(figures)
for (const problem of problems.slice(0, 50)) console.error(problem)
console.log(problems.length === 0 ? 'Nothing lost, nothing half there.' : `Problems: ${problems.length}`)
process.exitCode = problems.length === 0 ? 0 : 1
