import { filterOutput, READY } from './wrangler-output.ts'

// Loaded into the process of `wrangler dev` by Node's --import, as wrangler has no options for these.
filterOutput(process.stdout, () => process.send?.(READY))
