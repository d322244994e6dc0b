/** Returns a random id, also on a page without TLS, where `crypto.randomUUID` does not exist. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
