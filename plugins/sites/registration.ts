import type { RegisteredSite } from './port.ts'
import { portInvalid, previewUrlInvalid } from './refusals.ts'
import type { Registration } from './schemas.ts'

/**
 * Gives what a registration adds to what is registered of its site; a field without a value changes nothing.
 *
 * Refuses with 400 an address that is not http or https, because browsers open later what is stored here, and
 * a port that is none.
 */
export function toConfig({ name, previewUrl, port, purpose, config }: Registration): RegisteredSite {
  if (port !== undefined && !(Number.isInteger(port) && port >= 1 && port <= 65_535)) throw portInvalid()
  const address = previewUrl?.trim() || (port === undefined ? undefined : `http://localhost:${port}`)
  if (address !== undefined && !isWebAddress(address)) throw previewUrlInvalid()
  return {
    ...config,
    name,
    ...(address !== undefined && { previewUrl: address }),
    ...(port !== undefined && { port }),
    ...(purpose && { purpose }),
  }
}

function isWebAddress(text: string): boolean {
  const protocol = URL.parse(text)?.protocol
  return protocol === 'http:' || protocol === 'https:'
}
