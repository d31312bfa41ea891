import { openWorker } from './worker.ts'

// The process that the soak kills: node server.ts SCRIPT FOLDER PORT. Says so when it is ready.

const [script = '', folder = '', port = ''] = process.argv.slice(2)
await openWorker(script, folder, Number(port)).ready
console.log('ready')
