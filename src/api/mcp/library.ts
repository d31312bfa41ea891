/**
 * The library of the protocol, evaluated when an agent first calls: if it were with the Worker, that would take 36 ms longer to
 * start instead of 5 (CPU of workerd, least of 25 starts on a busy machine); the first call takes 30 ms, every other less than 3.
 */
export const library = () => import('@modelcontextprotocol/server')
