import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server on a port of its own. @param listener is told the server's address with each request */
export async function listen(listener: (origin: string) => RequestListener) {
  let handle: RequestListener = () => {}
  const server = createServer((request, response) => handle(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // It listens on a port, not on a pipe.
  const address = `http://127.0.0.1:${port}`
  handle = listener(address)
  const close = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { address, close }
}
