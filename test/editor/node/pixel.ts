const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=='

/** An image of one pixel, for inputs of files. @param bytes in base64; identical ones are the same image */
export const pixel = (name: string, bytes = PNG) => ({
  name,
  mimeType: 'image/png',
  buffer: Buffer.from(bytes, 'base64'),
})
