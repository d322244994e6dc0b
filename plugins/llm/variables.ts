import * as v from 'valibot'

const isBaseUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false
  return url.username === '' && url.password === '' && url.search === '' && url.hash === ''
}
/** The address below which a provider is called. */
export const AddressVariable = v.pipe(
  v.string(),
  v.trim(),
  v.check(isBaseUrl, 'must be an address that begins with https:// or http://, without a login, a query or a #'),
  v.transform((text) => text.replace(/(?<!\/)\/+$/, '')),
)

/** A key, which is sent as a header value: a line break or another invisible character in it would be a mistake of copying. */
export const KeyVariable = v.pipe(
  v.string(),
  v.trim(),
  v.check((text) => /^[\x21-\x7e]*$/.test(text), 'must be one word of plain characters; copy it again'),
)
